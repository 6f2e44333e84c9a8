import { readFileSync } from 'node:fs';
import { loadParquet } from '../formats/parquet.ts';
import { loadXlsx } from '../formats/xlsx.ts';
import { blockRoutes } from '../http/block-routes.ts';
import { loadCatalog } from '../http/not-found.ts';
import { ONE_PIECE_WITHIN_MS } from '../http/present-data.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { once } from '../work/once.ts';
import { Scheduler } from '../work/scheduler.ts';
import { answersEvents, type LambdaHandler, plainHandler } from './api-gateway-handler.ts';
import type { LambdaEnv } from './function-settings.ts';
import { brokenStreams, lambdaSettings } from './lambda-settings.ts';
import { streamingHandler } from './streaming-handler.ts';

/** An answer in one piece, with the run before it. Then 503; API Gateway waits 29 s. */
const WITHIN_MS = ONE_PIECE_WITHIN_MS + 5000;

/** A block as a Lambda function. */
export function lambdaHandler(
  served: ServedBlock,
  env: LambdaEnv,
  settings = lambdaSettings(env),
): LambdaHandler {
  const all = { ...served, ...documentsOf(env) };
  const { inOnePiece = false } = settings;
  const answer = answersEvents(blockRoutes(all), settings, inOnePiece ? WITHIN_MS : undefined);
  const plain = withSelfCheck(
    plainHandler(answer, inOnePiece ? served.answers?.tooLong : undefined),
    checkFiles(all),
  );
  if (served.manifest === undefined || inOnePiece) return plain;
  return streamingHandler(answer, plain, undefined, brokenStreams(env, served.block.name));
}

/** The documents beside the code, each read at its first request. */
function documentsOf({ OPENAPI_FILE: file }: LambdaEnv): Pick<ServedBlock, 'openapi'> {
  if (file === undefined) return {};
  return { openapi: once(() => readFileSync(new URL(file, import.meta.url), 'utf8')) };
}

/** Throws an Error if something is wrong. */
type SelfCheck = () => Promise<void>;

/** Checks the files beside a block's code that no first answer needs: of pages, Parquet, Excel and documents. */
export function checkFiles(served: ServedBlock): SelfCheck {
  const { manifest, profile, boundaries, openapi, views } = served;
  return async () => {
    await Promise.all([views(), loadCatalog()]);
    if (manifest !== undefined) await Promise.all([loadParquet(), loadXlsx()]);
    profile?.();
    boundaries?.();
    await openapi?.(new Scheduler());
  };
}

/**
 * A handler that also checks itself: a deployment calls each new version with an empty event before
 * it gets any request. The check has the same time limit as any other call.
 */
export function withSelfCheck(handler: LambdaHandler, check: SelfCheck): LambdaHandler {
  return async (event, context) => {
    if (event?.httpMethod !== undefined) return handler(event, context);
    await check();
    return { statusCode: 204, body: '' };
  };
}
