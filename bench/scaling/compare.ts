import { allColumns, heldBytes } from './column-model.ts';
import type { Measured } from './measured.ts';
import type { CaseName } from './request-case.ts';
import { requestCost } from './request-cost.ts';

/** How far the model may be from what was measured; a unit or an item is the least difference. */
const TOLERANCE = 0.2;

/** What the model and the runs disagree on; nothing if the model holds. */
export function disagreements(measured: Measured): string[] {
  const ofColumns = measured.columns.flatMap((found) => {
    const sizes = measured.datasets[found.kind];
    const held = heldBytes(Object.values(sizes.columns), found.rows);
    return differences({ ...allColumns(sizes, found.rows), held }, found.kind, found);
  });
  const ofRequests = measured.requests.flatMap((found) => {
    const { items, units } = requestCost(found.name as CaseName, found.rows, measured);
    return differences({ items, units, explainedUnits: units }, found.name, found);
  });
  return [...ofColumns, ...ofRequests];
}

function differences(
  model: Readonly<Record<string, number>>,
  name: string,
  found: Readonly<Record<string, unknown>> & { readonly rows: number },
): string[] {
  return Object.entries(model).flatMap(([what, value]) => {
    const measured = Number(found[what]);
    return Math.abs(value - measured) <= Math.max(1, measured * TOLERANCE)
      ? []
      : [`${name}, ${found.rows} rows: ${value} ${what} by the model, ${measured} measured`];
  });
}
