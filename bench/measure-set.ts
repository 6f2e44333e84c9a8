import { checkAnswers } from './check-answers.ts';
import { CONTENDERS, type Contender } from './contenders.ts';
import { bruteForce } from './data/brute-force.ts';
import { generatedSet, type SetName } from './data/generated-set.ts';
import { type Arguments, hasWildcard, makeQueries } from './data/queries.ts';
import type { Effort } from './effort.ts';
import { bundled } from './load/bundle.ts';
import type { LoadGenerator } from './load/load-generator.ts';
import type { Measured } from './load/slice.ts';
import { type Started, startProcess } from './load/start-process.ts';

/** All slices of one contender on one set. */
export type ContenderResult = {
  readonly name: string;
  /** By number of connections: a measurement a round. */
  readonly rounds: ReadonlyMap<number, readonly Measured[]>;
  /** From the start of its process until it listened. */
  readonly readySeconds: number;
  readonly checkedQueries: number;
  /** So slow that it was measured in one round only. */
  readonly isSlow: boolean;
};

export type SetResult = {
  readonly set: SetName;
  readonly wildcards: number;
  /** Rows that match a query. */
  readonly matching: { readonly median: number; readonly mean: number };
  readonly contenders: readonly ContenderResult[];
};

type Runner = ContenderResult & {
  readonly rounds: Map<number, Measured[]>;
  readonly port: number;
  readonly requests: readonly string[];
  readonly server: Started<unknown>;
};

/** Starts every contender on a set, checks its answers, then measures them in turn. */
export async function measureSet(
  set: SetName,
  effort: Effort,
  load: LoadGenerator,
): Promise<SetResult> {
  const queries = makeQueries(generatedSet(set), effort.queries);
  const runners: Runner[] = [];
  try {
    for (const contender of CONTENDERS) {
      runners.push(await prepare(contender, set, queries, effort, load));
    }
    for (let round = 0; round < effort.rounds; round++) {
      for (const connections of effort.connections) {
        for (const runner of inTurn(runners, round)) {
          if (runner.isSlow && round > 0) continue;
          const measured = await load.run({
            port: runner.port,
            requests: runner.requests,
            connections,
            seconds: effort.sliceSeconds,
            mostRequests: runner.isSlow
              ? Math.max(connections, effort.slowRequests)
              : Number.MAX_SAFE_INTEGER,
          });
          runner.rounds.set(connections, [...(runner.rounds.get(connections) ?? []), measured]);
        }
      }
    }
  } finally {
    await Promise.all(runners.map(({ server }) => server.stop()));
  }
  return { set, ...describe(set, queries), contenders: runners };
}

async function prepare(
  contender: Contender,
  set: SetName,
  queries: readonly Arguments[],
  { slowMilliseconds, slowRequests, warmUpSeconds }: Effort,
  load: LoadGenerator,
): Promise<Runner> {
  const source = new URL(`servers/${contender.process}`, import.meta.url);
  const file = contender.isBundled ? await bundled(source) : source;
  const began = performance.now();
  const server = await startProcess<{ port: number }>(file, [set.kind, String(set.size)]);
  const readySeconds = (performance.now() - began) / 1000;
  try {
    const { port } = server.hello;
    const checked = await checkAnswers(contender, port, set, generatedSet(set), queries, {
      milliseconds: slowMilliseconds,
      queries: slowRequests,
    });
    const isSlow = checked.milliseconds > slowMilliseconds;
    const requests = queries.flatMap((query) => contender.request(query, set) ?? []);
    if (!isSlow) {
      const mostRequests = Number.MAX_SAFE_INTEGER;
      await load.run({ port, requests, connections: 10, seconds: warmUpSeconds, mostRequests });
    }
    return {
      name: contender.name,
      rounds: new Map(),
      readySeconds,
      checkedQueries: checked.queries,
      isSlow,
      port,
      requests,
      server,
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Each round begins with another one, so that none is always behind the same neighbour's heat. */
function inTurn<T>(all: readonly T[], round: number): T[] {
  const first = round % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

function describe(set: SetName, queries: readonly Arguments[]) {
  const { rows } = generatedSet(set);
  const totals = queries.map((query) => bruteForce(rows, query).total).sort((a, b) => a - b);
  return {
    wildcards: queries.filter(hasWildcard).length,
    matching: {
      median: totals[totals.length >> 1] as number,
      mean: Math.round(totals.reduce((sum, total) => sum + total, 0) / totals.length),
    },
  };
}
