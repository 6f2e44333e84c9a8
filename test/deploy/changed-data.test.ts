import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUp, paste } from '../support/process.ts';
import { type Answer, type Service, startService } from '../support/service.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';
import {
  type Deployed,
  type DeployedService,
  DYNAMODB,
  deploy,
  deployWell,
  MEMORY,
  resourcesOf,
} from './deployed-service.ts';
import { type Edition, FIRST_EDITION, nextEdition, SECOND_MARK } from './edition.ts';
import { askAws, theEmulator } from './emulator.ts';
import { steadyRequests } from './steady-requests.ts';

const { block } = await shippedBlock('business-directory');
const emulator = theEmulator();
const ADDRESS = '/api_v2/blocks/business-directory';
const LAUNDRIES = 22;
const STACKS = [MEMORY, DYNAMODB];

type Seen = {
  readonly service: Service;
  readonly deployed: Deployed;
  readonly cursor: string;
  readonly etag: string | null;
  readonly tables: readonly string[];
  readonly newTables: readonly string[];
  /** Answers while the deployment ran, to a query of all rows and to one by an index. */
  readonly all: readonly Answer[];
  readonly laundries: readonly Answer[];
};

const tablesOf = async (stack: DeployedService) =>
  Object.values(await resourcesOf(emulator, stack, 'AWS::DynamoDB::Table'));

/** Deploys another edition of the data, with requests all the while. */
async function deployUnderLoad(stack: DeployedService, edition: Edition): Promise<Seen> {
  const service = await startService(stack.cacheBytes);
  const first = await service.get(`${ADDRESS}?_limit=5`);
  const tables = await tablesOf(stack);
  const all = steadyRequests(() => service.get(`${ADDRESS}?_limit=1000&_fields=city_state`));
  const laundries = steadyRequests(() =>
    service.post('business-directory', { type_of_business: 'laundries' }),
  );
  const deploying = deployWell(emulator, stack, { edition, isBundled: true });
  const deployed = await deploying.finally(() => Promise.all([all.stop(), laundries.stop()]));
  return {
    service,
    deployed,
    cursor: first.body.params.next,
    etag: first.headers.get('etag'),
    tables,
    newTables: await tablesOf(stack),
    all: await all.stop(),
    laundries: await laundries.stop(),
  };
}

/** Which edition an answer is of: throws where it is of more than one. */
function markOf({ body }: Answer): string {
  const marks = new Set(
    body.params.results.map(({ city_state }: { city_state: string }) => city_state),
  );
  expect(marks.size).toBe(1);
  return [...marks][0] as string;
}

let second: Edition;
const seen: Seen[] = [];
beforeAll(async () => {
  second = await nextEdition(SECOND_MARK);
  seen.push(...(await Promise.all(STACKS.map((stack) => deployUnderLoad(stack, second)))));
});
afterAll(cleanUp);

describe.each(STACKS.map(({ stackName }, i) => [stackName, i] as const))(
  'changed data, deployed while requests run, in the stack %s',
  (_, i) => {
    const here = () => seen[i] as Seen;

    test('no request fails', () => {
      const { all, laundries } = here();
      expect(new Set([...all, ...laundries].map(({ status }) => status))).toEqual(new Set([200]));
      expect(Math.min(all.length, laundries.length)).toBeGreaterThan(20);
    });

    test('every answer is wholly of one version', () => {
      const editions = new Map([FIRST_EDITION, second].map(({ mark, rows }) => [mark, rows]));
      for (const answer of here().all) {
        const { count, total, results } = answer.body.params;
        const rows = editions.get(markOf(answer)) as number;
        const onPage = Math.min(rows, 1000);
        expect([count, total, results.length]).toEqual([onPage, rows, onPage]);
      }
      for (const answer of here().laundries) {
        expect(editions.has(markOf(answer))).toBe(true);
        expect(answer.body.params.total).toBe(LAUNDRIES);
      }
    });

    test('answers are of the old version at first, and of the new one in the end', async () => {
      const { all, laundries, service } = here();
      for (const answers of [all, laundries]) {
        expect(markOf(answers[0] as Answer)).toBe(FIRST_EDITION.mark);
      }
      for (let n = 0; n < 10; n++) {
        const answer = await service.get(`${ADDRESS}?_limit=1000`);
        expect([markOf(answer), answer.body.params.total]).toEqual([second.mark, second.rows]);
      }
    });

    test('a cursor of the old version is a 410', async () => {
      const { service, cursor } = here();
      const { status, body } = await service.post('business-directory', { _cursor: cursor });
      expect([status, body.code]).toEqual([410, 'cursor-expired']);
    });

    test('the old ETag is for an answer that is no more', async () => {
      const { service, etag } = here();
      const answer = await service.get(`${ADDRESS}?_limit=5`, { 'if-none-match': etag ?? '' });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('etag')).not.toBe(etag);
    });

    test('the changed dataset has another table, whole, beside that of the version before', async () => {
      const { tables, newTables } = here();
      const added = newTables.filter((name) => !tables.includes(name));
      const gone = tables.filter((name) => !newTables.includes(name));
      expect([added.length, gone.length, newTables.length]).toEqual([1, 0, 3]);
      const [{ Count }, { TableNames }] = await askAws(emulator, [
        ['dynamodb', 'scan', { TableName: added[0] }],
        ['dynamodb', 'list_tables'],
      ]);
      // A head, and a column for each field, which is small, and three for the words of all.
      expect(Count).toBe(second.rows + 1 + block.fields.length + 3);
      expect(TableNames).toEqual(expect.arrayContaining([...newTables]));
    });

    test('a CSV has all of the new rows, more than fit on a page', async () => {
      const { headers, text } = await here().service.get(
        `${ADDRESS}?_format=csv&_fields=city_state`,
      );
      const lines = text.trim().split('\r\n').slice(1);
      expect([lines.length, headers.get('x-total-count')]).toEqual([
        second.rows,
        String(second.rows),
      ]);
      expect(new Set(lines)).toEqual(new Set([`"${second.mark}"`]));
    });

    test('the line that the deployment prints is one that answers', async () => {
      const { deployed } = here();
      const line = /^curl .*$/m.exec(deployed.output)?.[0] ?? '';
      const there = line.replace(deployed.address ?? '', deployed.url);
      expect(there).not.toBe(line);
      const { status, body } = await paste(there);
      expect([status, JSON.parse(body).params.count]).toEqual([200, expect.any(Number)]);
    });
  },
);

describe('npm run deploy -- --back', () => {
  const here = () => seen[STACKS.indexOf(DYNAMODB)] as Seen;
  const markNow = async () =>
    markOf(await here().service.get(`${ADDRESS}?_limit=1000&_fields=city_state`));
  let back: Deployed;
  let marks: string[];
  let again: Deployed;
  beforeAll(async () => {
    back = await deploy(emulator, DYNAMODB, { isBack: true, isBundled: true });
    marks = [await markNow()];
    again = await deploy(emulator, DYNAMODB, { isBack: true, isBundled: true });
    await deployWell(emulator, DYNAMODB, { edition: second, isBundled: true });
    marks.push(await markNow());
  });

  test('answers from the data before, with the table that is still there, and says so', async () => {
    expect([back.code, marks[0]]).toEqual([0, FIRST_EDITION.mark]);
    expect(back.output).toMatch(
      /^ {2}blockyard-dynamodb_business-directory: from version 2 to 1, of \d{4}-[^,]+, with the table \S+$/m,
    );
    expect(await tablesOf(DYNAMODB)).toEqual(here().newTables);
  });

  test('is refused once it is done', () => {
    expect([again.code, again.output]).toEqual([
      1,
      'blockyard is not deployed: blockyard-dynamodb has no version before: it is the first one, or it is live already. npm run deploy goes forward.\n',
    ]);
  });

  test('is undone by a deployment of the same', () => {
    expect(marks[1]).toBe(second.mark);
  });
});
