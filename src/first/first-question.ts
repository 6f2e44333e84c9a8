import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import type { ViewName } from '../block/views.ts';
import {
  type FirstQuestion,
  type KnownData,
  knownOf,
  leavingOut,
  NOTHING_LEFT_OUT,
  type Opening,
} from './known-data.ts';
import { areas, namedAreas, places } from './rules-of-maps.ts';
import { bars, histogram, namedNumbers, twoNumbers } from './rules-of-things.ts';
import { counts, events, measurements } from './rules-of-time.ts';

/** What a block's page opens with, in one view or any: what its publisher chose, or its best question. */
export function firstOf(
  block: DatasetBlock,
  manifest: Manifest,
  profile?: DatasetProfile,
  view?: ViewName,
): FirstQuestion {
  const { first } = block;
  if (first === undefined || (view !== undefined && view !== first._view)) {
    return firstQuestionOf(block, manifest, profile, view);
  }
  return { arguments: first, reason: 'It opens as "first" in its block.json says.' };
}

/**
 * The question that shows most of a block, of the import's statistics alone. The first rule that fits
 * decides: areas, measurements over time, places, events over time, things with names, a category,
 * the spread of a number. With `view`, it is the first that is shown in that view.
 */
export function firstQuestionOf(
  block: DatasetBlock,
  manifest: Manifest,
  profile?: DatasetProfile,
  view?: ViewName,
): FirstQuestion {
  const { rows } = manifest;
  if (rows < 2) {
    const has = rows === 0 ? 'has no rows' : 'has one row';
    return { arguments: { _view: 'table' }, reason: `It opens with its table, because it ${has}.` };
  }
  const known = knownOf(block, manifest, profile, view !== undefined);
  for (const rule of RULES) {
    const asked = rule(known);
    if (asked !== undefined && (view ?? asked.arguments._view) === asked.arguments._view)
      return withoutTotals(asked, known);
  }
  return {
    arguments: { _view: 'table' },
    reason: 'It opens with its table, because it has no column whose figure would show more.',
  };
}

/** A figure of groups has no rows whose number is the total of others. */
function withoutTotals({ arguments: asked, what, why, isSum = false }: Opening, known: KnownData) {
  const measures = (asked._measure ?? []) as readonly string[];
  const isOfNumbers = measures.some((measure) => measure !== 'count');
  const { totals, frequency } = known;
  // A line of its own counts nothing twice.
  const [, ...split] = (asked._group ?? []) as readonly string[];
  const fields = known.fields.filter(({ field }) => !split.includes(field.name));
  const of = { totals, fields, ...(isOfNumbers && frequency && { frequency }) };
  const { filters, without } = measures.length === 0 ? NOTHING_LEFT_OUT : leavingOut(of, isSum);
  return {
    arguments: { ...asked, ...filters },
    reason: `It opens with ${what}${without}, because ${why}.`,
  };
}

const RULES: readonly ((known: KnownData) => Opening | undefined)[] = [
  areas,
  measurements,
  places,
  events,
  twoNumbers,
  namedNumbers,
  bars,
  namedAreas,
  histogram,
  counts,
];
