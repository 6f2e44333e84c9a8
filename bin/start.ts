import { existsSync } from 'node:fs';
import path from 'node:path';
import { serverErrorLog } from '../src/local/server-error-log.ts';
import type { StartSettings } from '../src/local/start.ts';
import { BLOCKS_USAGE, OWN_CODE } from '../src/package/own-code.ts';
import { takeBlocks } from './blocks-folder.ts';

const { PORT, HOST, COLUMN_CACHE_BYTES, DYNAMODB_ENDPOINT, DATA_DIR } = process.env;
const {
  ALLOW_HOST,
  ALLOW_ORIGIN,
  ALLOW_FRAMES,
  TRUST_PROXY,
  SLACK_SIGNING_SECRET,
  WEBHOOK_SECRET,
} = process.env;

const USAGE = `npx blockyard start [--blocks FOLDER]

Serves the blocks of a folder on this machine until Ctrl-C.

  --blocks FOLDER   ${BLOCKS_USAGE}

The environment has the rest:

  PORT                  8787; 0 takes a free one
  HOST                  127.0.0.1
  COLUMN_CACHE_BYTES    134217728: what is held in memory of all datasets together
  DATA_DIR              FOLDER/.blockyard/dynamodb: where the embedded DynamoDB keeps its data
  DYNAMODB_ENDPOINT     the address of another emulator
  ALLOW_HOST            other host names to accept, with commas between; * for any
  ALLOW_ORIGIN          more origins whose pages may read answers; * for any
  ALLOW_FRAMES          more origins whose pages may embed ours; * for any, or none
  TRUST_PROXY           addresses of proxies whose X-Forwarded headers are believed
  SLACK_SIGNING_SECRET  the signing secret of a Slack app`;

/** `blockyard start`, `npm start`: runs everything on this machine, until Ctrl-C or SIGTERM. */
export async function runStart(words: readonly string[]): Promise<void> {
  if (words.some((word) => word === '--help' || word === '-h')) return console.log(USAGE);
  try {
    const settings = settingsOf(words);
    // Imported after the settings are read, so that a wrong one is reported at once.
    const { start } = await import('../src/local/start.ts');
    const started = await start(settings);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, async () => {
        await started.stop();
        process.exit(0);
      });
    }
    started.storeLost.then((error) => {
      console.error(`blockyard ends: ${error.message}`);
      process.exit(1);
    });
    const unused = WEBHOOK_SECRET ? ['WEBHOOK_SECRET is not used any more (docs/webhooks.md)'] : [];
    console.log([...started.report, ...unused].join('\n'));
  } catch (error) {
    console.error(`blockyard did not start: ${reasonOf(error)}`);
    process.exit(1);
  }
}

function settingsOf(words: readonly string[]): StartSettings {
  const { blocks, args } = takeBlocks(words);
  if (args.length > 0) {
    throw new Error(`${args[0]} is not taken here; --blocks FOLDER is, and the environment.`);
  }
  if (!existsSync(path.join(blocks, 'functions'))) {
    throw new Error(
      `there are no blocks in ${blocks}. Make one of a file: npx blockyard add inspections.csv`,
    );
  }
  return {
    ...settingsOfEnvironment(),
    root: OWN_CODE,
    blocks,
    record: serverErrorLog((line) => console.error(line)),
    tell: (line) => console.log(line),
  };
}

/** The settings of the environment that serve any folder of blocks. */
export function settingsOfEnvironment(): Omit<StartSettings, 'root' | 'record'> {
  return {
    ...(HOST ? { host: HOST } : {}),
    ...(PORT ? { port: wholeNumber('PORT', PORT, 65_535) } : {}),
    ...(COLUMN_CACHE_BYTES
      ? {
          cacheBytes: wholeNumber(
            'COLUMN_CACHE_BYTES',
            COLUMN_CACHE_BYTES,
            Number.MAX_SAFE_INTEGER,
          ),
        }
      : {}),
    ...(DYNAMODB_ENDPOINT ? { endpoint: endpointOf(DYNAMODB_ENDPOINT) } : {}),
    ...(DATA_DIR ? { dataFolder: path.resolve(DATA_DIR) } : {}),
    // Kept even if blank: that is probably an unset variable, and must not turn the check off.
    ...(SLACK_SIGNING_SECRET === undefined ? {} : { slackSecret: SLACK_SIGNING_SECRET }),
    ...(ALLOW_HOST ? { allowHost: ALLOW_HOST } : {}),
    ...(ALLOW_ORIGIN ? { allowOrigin: ALLOW_ORIGIN } : {}),
    ...(ALLOW_FRAMES ? { allowFrames: ALLOW_FRAMES } : {}),
    ...(TRUST_PROXY ? { trustProxy: TRUST_PROXY } : {}),
  };
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  throw new RangeError(`${name} is ${JSON.stringify(text)}; expected a number from 0 to ${most}.`);
}

function endpointOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new RangeError(
    `DYNAMODB_ENDPOINT is ${JSON.stringify(text)}; expected an address such as http://127.0.0.1:8000.`,
  );
}

function reasonOf(error: unknown): string {
  const { code, address, port, hostname, message, cause } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
    hostname?: string;
  };
  if (code === 'EADDRINUSE') {
    return `${address}:${port} is in use; stop what listens there, or set PORT to another.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EACCES') {
    const place = port === undefined ? address : `${address}:${port}`;
    return `cannot listen on ${place} (${code}); set HOST or PORT.`;
  }
  if (hostname !== undefined && hostname === HOST) {
    return `no machine is called ${JSON.stringify(HOST)} (${code}); set HOST to an address of this one.`;
  }
  const inner = cause instanceof Error ? ` (${cause.message})` : '';
  return `${message.split('\n')[0]}${inner}`;
}
