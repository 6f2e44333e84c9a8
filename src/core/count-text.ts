/** How many rows match, of all there are: `All 56 neighborhoods`, `4 of 120 businesses`. */
export function countText(total: number, all: number | undefined, noun: string): string {
  if (all === undefined) return `${total} ${noun}`;
  return total === all ? `All ${all} ${noun}` : `${total} of ${all} ${noun}`;
}
