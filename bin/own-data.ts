import { runAdd, runTry, type Serving } from '../src/commands/add-command.ts';
import { runCensus } from '../src/commands/census-command.ts';
import { runCheck } from '../src/commands/check-command.ts';
import type { Keep } from '../src/commands/console.ts';
import { runRefresh } from '../src/commands/refresh-command.ts';
import { OWN_CODE } from '../src/import/own-code.ts';
import { checkPlace } from '../src/local/listen.ts';
import { keepForStart } from '../src/local/version-folders.ts';
import { publicationOf } from '../src/portals/publication.ts';
import { defaultBlocks } from './blocks-folder.ts';
import type { Shell } from './shell.ts';
import { portOfEnvironment } from './start.ts';

const COMMANDS = { add: runAdd, check: runCheck, census: runCensus, refresh: runRefresh };

const USUAL_PORT = 8787;

/**
 * `blockyard add`, `try`, `check`, `refresh` and `census`. Returns the exit code. Tests name a usual
 * port that is taken.
 */
export function runOwnData(
  command: string,
  args: readonly string[],
  shell: Shell,
  usualPort = USUAL_PORT,
): Promise<number> {
  if (command === 'try') return runTry(args, shell, servingWith(shell, usualPort));
  // A service here is told by the first, one that is deployed by the second.
  const { PUBLISHER, PUBLISHER_EMAIL, BLOCKYARD_PUBLISHER, BLOCKYARD_PUBLISHER_EMAIL } =
    process.env;
  const publication = publicationOf({
    PUBLISHER: PUBLISHER ?? BLOCKYARD_PUBLISHER,
    PUBLISHER_EMAIL: PUBLISHER_EMAIL ?? BLOCKYARD_PUBLISHER_EMAIL,
  });
  const setup = { blocks: defaultBlocks(), keep, publication };
  return COMMANDS[command as keyof typeof COMMANDS](args, shell, setup);
}

const keep: Keep = (...imported) => keepForStart(OWN_CODE, ...imported);

const HOST = '127.0.0.1';

/** Ports that `try` tries after a taken 8787, if nobody has named another. */
const OTHER_PORTS = 20;

/** Serves a folder of blocks on this machine until the command is told to end. */
function servingWith({ out, err, told }: Shell, usualPort: number): Serving {
  const placeOf = (asked: number | undefined) => {
    const port = asked ?? portOfEnvironment();
    return port === undefined ? { port: usualPort, otherPorts: OTHER_PORTS } : { port };
  };
  return {
    keep,
    ready: async (asked) => {
      const { port, otherPorts = 0 } = placeOf(asked);
      await checkPlace({ host: HOST, port, others: otherPorts });
    },
    serve: async (blocks, name, asked) => {
      const { serverErrorLog, start } = await import('../src/local/start.ts');
      const place = placeOf(asked);
      const record = serverErrorLog(err);
      const started = await start({ root: OWN_CODE, blocks, host: HOST, ...place, record });
      if (place.otherPorts !== undefined && started.port !== place.port) {
        out(`Port ${place.port} is taken; this is ${started.port}.`);
      }
      out(`${started.url}/api_v2/blocks/${name}   Ctrl-C ends it; nothing is kept.`);
      await told();
      await started.stop();
    },
  };
}
