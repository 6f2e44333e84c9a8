import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runAdd } from '../../src/commands/add-command.ts';
import { commandThatWorks } from '../support/command.ts';
import { mcpClient, type Revision } from '../support/mcp-channel.ts';
import { cleanUp, startServer, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';
import { toolPython } from '../support/tools.ts';
import { askByRules } from './rule-caller.ts';

/** Questions in words about files that others made, and the SQL by which DuckDB answers each. */
const QUESTIONS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'vega/airports.csv': [
    ['How many airports are in the state AK?', "SELECT count(*) FROM file WHERE state = 'AK'"],
    ['Which state has the most airports?', mostOf('state', 'count(*)')],
  ],
  'vega/anscombe.json': [
    [
      'What is the average y in series III of Anscombe?',
      `SELECT avg("Y") FROM file WHERE "Series" = 'III'`,
    ],
    [
      'What is the largest x in series IV of Anscombe?',
      `SELECT max("X") FROM file WHERE "Series" = 'IV'`,
    ],
  ],
  'vega/barley.json': [
    [
      'What is the total yield of barley at Waseca in 1931?',
      "SELECT sum(yield) FROM file WHERE site = 'Waseca' AND year = 1931",
    ],
    ['Which variety has the highest average yield of barley?', mostOf('variety', 'avg(yield)')],
  ],
  'vega/burtin.json': [
    [
      'What is the lowest dose of penicillin for bacteria whose gram staining is negative?',
      `SELECT min("Penicillin") FROM file WHERE "Gram_Staining" = 'negative'`,
    ],
    [
      'How many bacteria are of the genus Streptococcus?',
      `SELECT count(*) FROM file WHERE "Genus" = 'Streptococcus'`,
    ],
  ],
  'vega/cars.json': [
    [
      'What is the average horsepower of cars of Japan?',
      `SELECT avg("Horsepower") FROM file WHERE "Origin" = 'Japan'`,
    ],
    [
      'How many cars of the USA have at least 6 cylinders?',
      `SELECT count(*) FROM file WHERE "Origin" = 'USA' AND "Cylinders" >= 6`,
    ],
  ],
  'vega/crimea.json': [
    ['How many died of disease in the Crimea in total?', 'SELECT sum(disease) FROM file'],
    [
      'What is the highest number of wounds in the Crimea in 1855?',
      'SELECT max(wounds) FROM file WHERE year(date) = 1855',
    ],
  ],
  'vega/driving.json': [
    ['What is the highest price of gas for driving?', 'SELECT max(gas) FROM file'],
    [
      'What is the average of the miles of driving since 1990?',
      'SELECT avg(miles) FROM file WHERE year >= 1990',
    ],
  ],
  'vega/iowa-electricity.csv': [
    [
      'What is the total net generation of electricity from renewables in Iowa?',
      "SELECT sum(net_generation) FROM file WHERE source = 'Renewables'",
    ],
    [
      'Which source has the lowest net generation of electricity in Iowa?',
      mostOf('source', 'sum(net_generation)', 'ASC'),
    ],
  ],
  'vega/iris.json': [
    [
      'What is the average petal length of the iris virginica?',
      `SELECT avg("petalLength") FROM file WHERE species = 'virginica'`,
    ],
    [
      'How many iris flowers have a sepal width over 3.5?',
      'SELECT count(*) FROM file WHERE "sepalWidth" > 3.5',
    ],
  ],
  'vega/la-riots.csv': [
    [
      'How many people died in Koreatown in the LA riots?',
      "SELECT count(*) FROM file WHERE neighborhood = 'Koreatown'",
    ],
    [
      'What is the median age of victims of homicide in the LA riots?',
      "SELECT median(age) FROM file WHERE type = 'Homicide'",
    ],
  ],
  'vega/ohlc.json': [
    [
      'What is the highest close in ohlc with the signal long?',
      "SELECT max(close) FROM file WHERE signal = 'long'",
    ],
    [
      'How many days of ohlc had the signal neutral?',
      "SELECT count(*) FROM file WHERE signal = 'neutral'",
    ],
  ],
  'vega/seattle-temps.csv': [
    [
      'What is the average of the Seattle temps since 2010-07-01?',
      "SELECT avg(temp) FROM file WHERE date >= '2010-07-01'",
    ],
    ['How many Seattle temps have a temp over 70?', 'SELECT count(*) FROM file WHERE temp > 70'],
  ],
  'vega/seattle-weather.csv': [
    [
      'What is the total precipitation of the Seattle weather in 2013?',
      'SELECT sum(precipitation) FROM file WHERE year(date) = 2013',
    ],
    [
      'How many days of Seattle weather had snow?',
      "SELECT count(*) FROM file WHERE weather = 'snow'",
    ],
  ],
  'vega/sf-temps.csv': [
    ['What is the lowest of the SF temps?', 'SELECT min(temp) FROM file'],
    ['How many SF temps have a temp under 45?', 'SELECT count(*) FROM file WHERE temp < 45'],
  ],
  'vega/stocks.csv': [
    [
      'What is the highest price of the stocks of AAPL?',
      "SELECT max(price) FROM file WHERE symbol = 'AAPL'",
    ],
    ['Which symbol has the highest average price of stocks?', mostOf('symbol', 'avg(price)')],
  ],
  'vega/us-employment.csv': [
    [
      'What is the average employment in manufacturing in the US since 2010?',
      'SELECT avg(manufacturing) FROM file WHERE year(month) >= 2010',
    ],
    [
      'What is the highest employment in construction in the US before 2010?',
      'SELECT max(construction) FROM file WHERE year(month) < 2010',
    ],
  ],
  'vega/wheat.json': [
    ['What is the highest price of wheat?', 'SELECT max(wheat) FROM file'],
    [
      'What is the average of the wages beside wheat before 1700?',
      'SELECT avg(wages) FROM file WHERE year::int < 1700',
    ],
  ],
  'test/fixtures/baltimore_2010_sf1_neighborhoods.csv': [
    [
      'What is the total of vacant units in the neighborhoods of Baltimore?',
      'SELECT sum(vacant_units) FROM file',
    ],
    [
      'Which neighborhood has the most roommates of the Baltimore neighborhoods?',
      mostOf('neighborhood', 'sum(roommates)'),
    ],
  ],
  'seed-data/baltimore-2010-sf1-tracts.csv': [
    [
      'How many tracts are in Clifton-Berea?',
      "SELECT count(*) FROM file WHERE neighborhood = 'Clifton-Berea'",
    ],
    [
      'What is the total population of the tracts of Cherry Hill?',
      "SELECT sum(total_population) FROM file WHERE neighborhood = 'Cherry Hill'",
    ],
  ],
  'seed-data/brooklyn-11231-businesses.csv': [
    [
      'How many businesses in Brooklyn are laundries?',
      "SELECT count(*) FROM file WHERE type_of_business = 'Laundries'",
    ],
    ['Which category has the most businesses in Brooklyn?', mostOf('category', 'count(*)')],
  ],
};

function mostOf(column: string, figure: string, order = 'DESC'): string {
  return `SELECT ${column}, ${figure} FROM file GROUP BY ALL ORDER BY 2 ${order} LIMIT 1`;
}

const asked = Object.entries(QUESTIONS).flatMap(([file, questions]) =>
  questions.map(([question, sql]) => ({ file, question, sql })),
);

/** The answers of DuckDB, by question. */
let answers: ReadonlyMap<string, readonly unknown[]>;
let url: string;
beforeAll(async () => {
  const options = { cwd: ROOT, env: process.env };
  const where = 'import vega_datasets; print(vega_datasets.__path__[0])';
  const vega = (await commandThatWorks(toolPython(), ['-c', where], options)).trim();
  const pathOf = (file: string) => path.resolve(ROOT, file.replace(/^vega/, `${vega}/_data`));
  const blocks = await temporaryFolder();
  const terminal = { out: () => {}, err: (line: string) => console.error(line) };
  for (const file of Object.keys(QUESTIONS)) {
    expect(await runAdd([pathOf(file), '--yes'], terminal, { blocks, fetching: {} })).toBe(0);
  }
  ({ url } = await startServer({ BLOCKYARD_BLOCKS: blocks }));
  const input = JSON.stringify(asked.map(({ file, sql }) => [pathOf(file), sql]));
  const script = path.join(import.meta.dirname, 'duckdb_answers.py');
  const told = JSON.parse(await commandThatWorks(toolPython(), [script], { ...options, input }));
  answers = new Map(asked.map(({ question }, i) => [question, told[i]]));
});
afterAll(cleanUp);

test('there are forty questions about twenty files', () => {
  expect([asked.length, Object.keys(QUESTIONS).length]).toEqual([40, 20]);
});

/** A client of the protocol: its revision, the names of the tools, and what calls one. */
type McpClient = {
  readonly revision: string | undefined;
  readonly tools: readonly string[];
  readonly call: (name: string, given: object) => Promise<unknown>;
  readonly close: () => void;
};

async function typeScriptClient(revision: Revision): Promise<McpClient> {
  const client = await mcpClient(url, revision);
  const { tools } = await client.listTools();
  return {
    revision: client.getNegotiatedProtocolVersion(),
    tools: tools.map(({ name }) => name),
    call: (name, given) => client.callTool({ name, arguments: { ...given } }),
    close: () => {},
  };
}

async function pythonClient(mode: string): Promise<McpClient> {
  const script = path.join(import.meta.dirname, 'mcp_calls.py');
  const child: ChildProcess = spawn(toolPython(), [script, `${url}/mcp`, mode], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const answered = lines[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await answered.next()).value ?? 'null');
  const [revision, tools] = await next();
  return {
    ...{ revision, tools },
    call: (name, given) => {
      child.stdin?.write(`${JSON.stringify([name, given])}\n`);
      return next();
    },
    close: () => child.stdin?.end(),
  };
}

const CLIENTS = [
  ['TypeScript', '2026-07-28', () => typeScriptClient('2026-07-28')],
  ['TypeScript', '2025-11-25', () => typeScriptClient('2025-11-25')],
  ['Python', '2026-07-28', () => pythonClient('auto')],
  ['Python', '2025-11-25', () => pythonClient('legacy')],
] as const;

describe.each(CLIENTS)('a caller that is only rules, by the client in %s of %s', (_, era, open) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await open();
  });
  afterAll(() => client.close());

  test('is offered three tools', () => {
    expect(client).toMatchObject({ revision: era, tools: ['find', 'describe', 'query'] });
  });

  test.each(asked)('$question', async ({ file, question }) => {
    const sizes: number[] = [];
    const answer = await askByRules(question, async (name, given) => {
      // biome-ignore lint/suspicious/noExplicitAny: a result is of any shape
      const result: any = await client.call(name, given);
      sizes.push(Buffer.byteLength(JSON.stringify(result)));
      const [{ text }] = result.content;
      if (result.isError === true) throw new Error(`${JSON.stringify(given)}: ${text}`);
      return text;
    });
    const name = path
      .basename(file)
      .replace(/\.\w+$/, '')
      .replaceAll('_', '-');
    expect(answer.block).toBe(name);
    expect(sizes).toHaveLength(3);
    // All three together.
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(8000);
    const truth = answers.get(question) as readonly unknown[];
    const about = JSON.stringify(answer.given);
    expect([about, answer.row.length]).toEqual([about, truth.length]);
    for (const [i, one] of truth.entries()) {
      if (typeof one === 'number') expect(answer.row[i]).toBeCloseTo(one, 9);
      else expect([about, answer.row[i]]).toEqual([about, one]);
    }
  });
});
