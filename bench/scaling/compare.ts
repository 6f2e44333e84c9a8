import { ACCESS_CASES } from './access-case.ts';
import { SHAPES } from './dataset-shape.ts';
import type { Measured } from './measured-case.ts';
import { pathCost } from './path-cost.ts';
import { residentCost } from './resident-cost.ts';

/**
 * How far a model's figure may be from the measured one: the rows that are measured are a little
 * larger than those that ship, and a part of a turn through them has not each kind in proportion.
 */
const TOLERANCE = 0.01;

/** What the model and the runs disagree on; none where it holds. */
export function disagreements({ cases, loads }: Measured): string[] {
  return [
    ...cases.flatMap((found) => {
      const access = ACCESS_CASES.find(({ name }) => name === found.name);
      if (access === undefined) return [`${found.name} is not a case`];
      const cost = pathCost(access, found.rows);
      const where = `${found.name}, ${found.rows} rows`;
      return [
        ...differs(`${where}: items`, cost.items, found.items),
        ...differs(`${where}: capacity units`, cost.capacityUnits, found.capacityUnits),
        // Dynalite fills a page by the size of items as stored, up to two fifths smaller than the
        // one that is billed; a shard is one page either way, a key of an index may be fewer.
        ...(found.name.startsWith('index') && found.pages * 2 >= cost.pages
          ? []
          : differs(`${where}: pages`, cost.pages, found.pages)),
      ];
    }),
    ...loads.flatMap(({ kind, rows, pages, capacityUnits }) => {
      const { load } = residentCost(SHAPES[kind], rows);
      const where = `load of ${kind}, ${rows} rows`;
      return [
        ...differs(`${where}: pages`, load.pages, pages),
        ...differs(`${where}: capacity units`, load.capacityUnits, capacityUnits),
      ];
    }),
  ];
}

/** A page or a unit is the least that can differ. */
function differs(what: string, model: number, measured: number): string[] {
  const allowed = Math.max(1, measured * TOLERANCE);
  return Math.abs(model - measured) <= allowed
    ? []
    : [`${what}: ${model} by the model, ${measured} measured`];
}
