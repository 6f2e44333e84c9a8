import { existsSync } from 'node:fs';
import path from 'node:path';
import { takeOption } from '../src/channels/terminal/command-line.ts';
import { badPort, isPort } from '../src/commands/add-options.ts';
import { removeLeftBehind } from '../src/commands/workspace.ts';
import { BLOCKS_USAGE, OWN_CODE } from '../src/import/own-code.ts';
import { type StartSettings, serverErrorLog } from '../src/local/start.ts';
import { publicationOf } from '../src/portals/publication.ts';
import { takeBlocks } from './blocks-folder.ts';
import type { Shell } from './shell.ts';

const { PORT, HOST, COLUMN_CACHE_BYTES, DYNAMODB_ENDPOINT, DATA_DIR } = process.env;
const { PUBLIC_URL, PUBLISHER, PUBLISHER_URL, PUBLISHER_EMAIL } = process.env;
const {
  ALLOW_HOST,
  ALLOW_ORIGIN,
  ALLOW_FRAMES,
  TRUST_PROXY,
  SLACK_SIGNING_SECRET,
  WEBHOOK_SECRET,
} = process.env;

const USAGE = `npx blockyard start [--blocks FOLDER] [--port PORT] [--dynamodb]

Serves the blocks of a folder on this machine until Ctrl-C.

  --blocks FOLDER   ${BLOCKS_USAGE}
  --port PORT       else PORT, else 8787; 0 takes a free one
  --dynamodb        keeps the data in an embedded DynamoDB as a deployment does, in memory;
                    for a checkout of blockyard

The environment has the rest:

  HOST                  127.0.0.1
  COLUMN_CACHE_BYTES    134217728: what is held in memory of all datasets together
  DATA_DIR              FOLDER/.blockyard: where imported data are kept
  DYNAMODB_ENDPOINT     the address of an emulator of DynamoDB, which then has the data
  ALLOW_HOST            other host names to accept, with commas between; * for any
  ALLOW_ORIGIN          more origins whose pages may read answers; * for any
  ALLOW_FRAMES          more origins whose pages may embed ours; * for any, or none
  TRUST_PROXY           addresses of proxies whose X-Forwarded headers are believed
  SLACK_SIGNING_SECRET  the signing secret of a Slack app
  PUBLIC_URL            the service's address for portals, behind a proxy: https://data.example.org
  PUBLISHER             who publishes the catalogue, for portals
  PUBLISHER_URL         his address on the web
  PUBLISHER_EMAIL       where people ask about the data`;

/** `blockyard start`, `npm start`: runs everything on this machine, until it is told to end. */
export async function runStart(
  words: readonly string[],
  { out, err, told }: Shell,
): Promise<number> {
  if (words.some((word) => word === '--help' || word === '-h')) {
    out(USAGE);
    return 0;
  }
  const settings = settingsOf(words, { out, err });
  await removeLeftBehind(settings.blocks);
  // Imported after the settings are read, so that a wrong one is reported at once.
  const { start } = await import('../src/local/start.ts');
  const started = await start(settings);
  const unused = WEBHOOK_SECRET ? ['WEBHOOK_SECRET is not used any more (docs/webhooks.md)'] : [];
  out([...started.report, ...unused].join('\n'));
  await told();
  await started.stop();
  return 0;
}

/** The option that puts the data in a DynamoDB of the checkout. */
const EMBEDDED = '--dynamodb';

function settingsOf(words: readonly string[], { out, err }: Pick<Shell, 'out' | 'err'>) {
  const { blocks, args: others } = takeBlocks(words);
  const { value: port, args } = takeOption('port', others, '--port 8080');
  const [unknown] = args.filter((word) => word !== EMBEDDED);
  if (unknown !== undefined) {
    throw new Error(
      `${unknown} is not taken here; --blocks FOLDER, --port PORT and ${EMBEDDED} are.`,
    );
  }
  if (port !== undefined && !isPort(port)) throw new Error(badPort('--port', port));
  if (!existsSync(path.join(blocks, 'functions'))) {
    throw new Error(
      `there are no blocks in ${blocks}. Make one of a file: npx blockyard add inspections.csv`,
    );
  }
  return {
    ...settingsOfEnvironment(),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(args.includes(EMBEDDED) ? { dynamodb: 'embedded' } : {}),
    root: OWN_CODE,
    blocks,
    record: serverErrorLog(err),
    onProgress: out,
  };
}

/** The port that `PORT` names. Throws a one-line Error if it names none. */
export function portOfEnvironment(): number | undefined {
  if (!PORT) return undefined;
  if (!isPort(PORT)) throw new Error(badPort('PORT', PORT));
  return Number(PORT);
}

/** The settings of the environment that serve any folder of blocks. */
function settingsOfEnvironment(): Omit<StartSettings, 'root' | 'record'> {
  const port = portOfEnvironment();
  return {
    host: HOST || undefined,
    port,
    cacheBytes: COLUMN_CACHE_BYTES ? bytesIn(COLUMN_CACHE_BYTES) : undefined,
    dynamodb: DYNAMODB_ENDPOINT ? endpointOf(DYNAMODB_ENDPOINT) : undefined,
    dataFolder: DATA_DIR ? path.resolve(DATA_DIR) : undefined,
    // Kept even if blank: that is probably an unset variable, and must not turn the check off.
    slackSecret: SLACK_SIGNING_SECRET,
    allowHost: ALLOW_HOST || undefined,
    allowOrigin: ALLOW_ORIGIN || undefined,
    allowFrames: ALLOW_FRAMES || undefined,
    trustProxy: TRUST_PROXY || undefined,
    publication: publicationOf({ PUBLIC_URL, PUBLISHER, PUBLISHER_URL, PUBLISHER_EMAIL }),
  };
}

function bytesIn(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= Number.MAX_SAFE_INTEGER) return value;
  throw new Error(
    `COLUMN_CACHE_BYTES is ${JSON.stringify(text)}; expected a number from 0 to ${Number.MAX_SAFE_INTEGER}.`,
  );
}

function endpointOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new Error(
      `DYNAMODB_ENDPOINT is ${JSON.stringify(text)}; expected an address such as http://127.0.0.1:8000.`,
    );
  }
  if (OF_AWS.test(url.hostname)) {
    throw new Error(
      `DYNAMODB_ENDPOINT is ${JSON.stringify(text)}, an address of AWS; it takes that of an emulator. To publish in AWS: npx blockyard deploy, or npm run deploy in a checkout.`,
    );
  }
  return text;
}

/** Hosts of AWS: a start makes tables, and those in AWS are made by a deployment. */
const OF_AWS = /(?:^|\.)(?:amazonaws\.com(?:\.cn)?|api\.aws)\.?$/;
