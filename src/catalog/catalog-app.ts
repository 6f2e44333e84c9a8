import type { Hono } from 'hono/quick';
import type { BlockSummary } from '../core/describe-block.ts';
import { Refusal } from '../core/errors.ts';
import { nearName } from '../core/near-name.ts';
import { answerCached } from '../http/answer-cached.ts';
import {
  type AppSettings,
  BLOCKS_PATH,
  type RunEnv,
  refuseMethod,
  runApp,
} from '../http/run-app.ts';

/** Everything that is about all blocks: the list, and the refusals where there is no block. */
export function catalogApp(blocks: readonly BlockSummary[], settings: AppSettings): Hono<RunEnv> {
  const app = runApp(settings, null);
  const list = JSON.stringify({ blocks });
  for (const path of ['/', BLOCKS_PATH]) {
    app.get(path, (c) => answerCached(c, list, settings.build));
    app.all(path, (c) => refuseMethod(c, ['GET', 'HEAD', 'OPTIONS']));
  }
  app.all(`${BLOCKS_PATH}/:block`, (c) => {
    throw unknownBlock(c.req.param('block'), blocks);
  });
  return app;
}

function unknownBlock(address: string, blocks: readonly BlockSummary[]): Refusal {
  const allowed = [...new Set(blocks.flatMap(({ id, name }) => [name, id]))];
  const suggestion = nearName(address, allowed);
  const fix =
    suggestion === undefined
      ? `The blocks are ${blocks.map(({ name }) => name).join(', ')}.`
      : `Did you mean ${suggestion}?`;
  const shown = address.length <= 100 ? address : `${address.slice(0, 100)}…`;
  const detail = `There is no block ${JSON.stringify(shown.toWellFormed())}. ${fix}`;
  return new Refusal('unknown-block', detail, {
    faults: [
      {
        code: 'unknown-block',
        detail,
        allowed,
        ...(suggestion === undefined ? {} : { suggestion }),
      },
    ],
  });
}
