import type { ShippedBlock } from '../support/shipped-blocks.ts';
import { CAUSED } from './caused.ts';
import {
  type Counts,
  compareWays,
  failEachRead,
  silenceEachRead,
  walkUnderFaults,
} from './checks.ts';
import { duckdbGroups } from './duckdb-groups.ts';
import { KINDS, type Kind } from './fault-plan.ts';
import { compareGroups } from './group-checks.ts';
import { heldColumns, importedFile, servedQueries } from './memory.ts';
import {
  questionsAtTheBound,
  randomQueries,
  randomQuestions,
  randomSearchQuestions,
} from './random-queries.ts';
import { sqliteGroups } from './sqlite-groups.ts';
import { sqliteReading } from './sqlite-reading.ts';
import { type Size, shippedSet, spotsSet, trustSet } from './trust-set.ts';

/** A part of the full count, which runs in a process of its own. */
export type Section = Size & {
  readonly check:
    | 'ways'
    | 'reads'
    | 'silence'
    | 'walks'
    | 'held'
    | 'served'
    | 'import'
    | 'groups'
    | 'searches';
  /** A shipped block instead of generated rows. */
  readonly block?: ShippedBlock;
  readonly seed: number;
  readonly count: number;
  /** Of this many queries, one is answered in the costly ways too. */
  readonly costlyEvery?: number;
  /** The ways in which reads fail. All if absent. */
  readonly kinds?: readonly Kind[];
};

export type Result = { readonly counts: Counts; readonly seconds: number };

export async function runSection(section: Section): Promise<Result> {
  const began = performance.now();
  const counts = await countsOf(section);
  return { counts, seconds: Math.round((performance.now() - began) / 1000) };
}

async function countsOf({
  check,
  seed,
  count,
  costlyEvery = 1,
  kinds = KINDS,
  block,
  ...size
}: Section): Promise<Counts> {
  const memory = { ...size, seed };
  if (check === 'held') return heldColumns(memory);
  if (check === 'served') return servedQueries(memory, count);
  if (check === 'import') return importedFile(memory);
  const generated = check === 'searches' ? spotsSet : trustSet;
  const set = block === undefined ? generated(size, seed) : await shippedSet(block, size);
  if (check === 'searches') {
    const questions = randomSearchQuestions(set, seed, count);
    const engines = [sqliteGroups(set), await duckdbGroups(set)];
    return compareGroups(set, { questions, engines });
  }
  if (check === 'groups') {
    const atTheBound = questionsAtTheBound(set);
    const questions = randomQuestions(set, seed, count - atTheBound.length);
    const engines = [sqliteGroups(set), await duckdbGroups(set)];
    return compareGroups(set, { questions: [...atTheBound, ...questions], engines });
  }
  const queries = [...randomQueries(set, seed, count - CAUSED.length), ...CAUSED];
  if (check === 'ways') {
    return compareWays(set, { queries, costlyEvery, other: sqliteReading(set) });
  }
  if (check === 'silence') return silenceEachRead(set, queries);
  const other = trustSet(size, seed + 1);
  return check === 'reads'
    ? failEachRead(set, { seed, requests: queries, kinds, other })
    : walkUnderFaults(set, { seed, walks: queries, share: 0.05, other });
}
