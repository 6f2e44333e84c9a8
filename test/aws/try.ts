import { type Ask, askerOf, jsonOf } from './ask.ts';
import { type Came, QUESTIONS, type Service } from './questions.ts';

/** What this command leaves out, because it would change something. */
const NOT_ASKED = [
  "a request over a key's quota: it would use the quota up",
  'a data update while a slow download runs: docs/deploying.md#updating-data',
  'what is left after npm run destroy: docs/deploying.md#removing-it',
];

/**
 * Asks a service each question, and prints what is expected, what came, and a line for the documents.
 * Returns how many answers were not as expected. Throws a one-line Error if it cannot begin.
 */
export async function tryService(
  baseUrl: string,
  key: string | undefined,
  tell: (line: string) => void,
): Promise<number> {
  const service = await lookAt(baseUrl, key);
  tell(`${baseUrl}: ${service.isAtAws ? 'at AWS' : 'not at AWS'}, ${service.data.path}`);
  const count = { expected: 0, different: 0, untried: 0 };
  for (const [i, { what, expected, settle }] of QUESTIONS.entries()) {
    const { isExpected, came, line } = await settle(service);
    const outcome = outcomeOf(isExpected);
    count[outcome] += 1;
    tell(`\n${String(i + 1).padStart(2)} ${what}: ${WORDS[outcome]}`);
    tell(`   expected: ${expected}`);
    tell(`   came: ${came}`);
    tell(`   document: ${line}`);
  }
  const { expected, different, untried } = count;
  tell(`\n${expected} as expected, ${different} different, ${untried} not tried here.`);
  tell(`Not asked, since it would change something:\n  ${NOT_ASKED.join('\n  ')}`);
  return different;
}

const WORDS = { expected: 'as expected', different: 'DIFFERENT', untried: 'not tried' } as const;

function outcomeOf(isExpected: Came['isExpected']): keyof typeof WORDS {
  if (isExpected === undefined) return 'untried';
  return isExpected ? 'expected' : 'different';
}

/** A block of the list, and its description. */
type Described = {
  readonly path: string;
  readonly description: {
    readonly dataset?: { readonly rows: number };
    readonly examples?: readonly { readonly arguments: object }[];
  };
};

async function lookAt(baseUrl: string, key: string | undefined): Promise<Service> {
  if (!URL.canParse(baseUrl)) throw new Error(`${JSON.stringify(baseUrl)} is no address.`);
  const ask = askerOf(baseUrl, key);
  const headers = { Accept: 'application/json' };
  const keyless = await ask({ path: '/api_v2/blocks', headers, isKeyless: true });
  const hasKeys = keyless.status === 401;
  const list = hasKeys ? await ask({ path: '/api_v2/blocks', headers }) : keyless;
  if (list.status !== 200) {
    const hint = hasKeys ? 'it asks for a key: set BLOCKYARD_KEY' : (list.failure ?? 'no blocks');
    throw new Error(`${baseUrl}/api_v2/blocks is answered with ${list.status}; ${hint}.`);
  }
  const described = await describe(ask, jsonOf(list)?.blocks ?? []);
  const [largest] = described
    .filter(({ description }) => description.dataset !== undefined)
    .sort((a, b) => rowsOf(b) - rowsOf(a));
  if (largest === undefined) throw new Error('no block has rows: there is little to try.');
  const sample = await ask({ path: `${largest.path}?_format=ndjson&_limit=${SAMPLE_ROWS}` });
  const sampled = Math.min(SAMPLE_ROWS, rowsOf(largest));
  const value = described.find(({ description }) => description.dataset === undefined);
  return {
    ...{ ask, hasKeys },
    isAtAws: list.headers['x-amz-apigw-id'] !== undefined,
    data: {
      path: largest.path,
      rows: rowsOf(largest),
      ndjsonBytes: (sample.bytes / sampled) * rowsOf(largest),
    },
    value: value && {
      path: value.path,
      example: value.description.examples?.[0]?.arguments ?? {},
    },
  };
}

/** The first rows, from whose length that of all rows is reckoned. */
const SAMPLE_ROWS = 100;

/** The blocks that are looked at: the list may have hundreds. */
const MOST_BLOCKS = 50;

async function describe(ask: Ask, blocks: readonly { name: string }[]): Promise<Described[]> {
  const described: Described[] = [];
  for (const { name } of blocks.slice(0, MOST_BLOCKS)) {
    const path = `/api_v2/blocks/${encodeURIComponent(name)}`;
    const answer = await ask({ path, headers: { Accept: 'application/json' } });
    if (answer.status === 200) described.push({ path, description: jsonOf(answer) ?? {} });
  }
  return described;
}

const rowsOf = ({ description }: Described) => description.dataset?.rows ?? 0;
