/** Cuts an axis into steps whose ends are round numbers. */

/** The sizes of even steps in a power of ten, from the finest. */
const EVEN = [1, 2, 5] as const;

/**
 * The first digits of a decade's steps, from the finest: preferred numbers (ISO 3), which are each
 * about as many times the one before.
 */
const OF_DECADE = [
  ['1', '1.25', '1.6', '2', '2.5', '3.15', '4', '5', '6.3', '8'],
  ['1', '1.6', '2.5', '4', '6.3'],
  ['1', '2', '5'],
  ['1'],
] as const;

/** Decades that one step may have, if one decade each were too many steps. */
const DECADES = [2, 5, 10, 20, 50, 100] as const;

/**
 * The ends of even steps of 1, 2 or 5 times a power of ten: `most` at most, from `least` or below it
 * to above `greatest`. A step has its lower end, and not its upper one.
 */
export function evenSteps(least: number, greatest: number, most: number): number[] {
  const size = Math.max(greatest / most - least / most, finest(least, greatest));
  for (let power = exponentOf(size); power <= GREATEST_POWER; power++) {
    for (const digit of EVEN) {
      const edges = edgesOf(least, greatest, (units) => decimal(units * digit, power), {
        from: Math.floor(least / decimal(digit, power)),
        most,
      });
      if (edges !== undefined) return edges;
    }
  }
  return [least, greatest];
}

/**
 * The ends of steps on a logarithmic axis, as `evenSteps`. `least` must be above 0.
 */
export function logSteps(least: number, greatest: number, most: number): number[] {
  const first = exponentOf(least);
  for (const digits of OF_DECADE) {
    const edges = edgesOf(least, greatest, (i) => inDecade(digits, first, i), { from: 0, most });
    if (edges !== undefined) return edges;
  }
  for (const decades of DECADES) {
    const edges = edgesOf(least, greatest, (i) => decimal(1, first + i * decades), {
      from: 0,
      most,
    });
    if (edges !== undefined) return edges;
  }
  // Numbers of this computer have 632 decades.
  return [least, greatest];
}

/** The power of ten of the greatest number (IEEE 754, binary64). */
const GREATEST_POWER = 308;

/** A step that is no smaller has all digits that a number can have. */
const LEAST_STEP = 1e-300;

/** The least size of a step that its numbers can tell apart. */
function finest(least: number, greatest: number): number {
  const far = Math.max(Math.abs(least), Math.abs(greatest));
  return Math.max(far * 2 ** -45, LEAST_STEP);
}

function inDecade(digits: readonly string[], first: number, i: number): number {
  const decade = Math.floor(i / digits.length);
  const edge = Number(`${digits[i - decade * digits.length]}e${first + decade}`);
  return bounded(Math.max(Number.MIN_VALUE, edge));
}

/** Steps that are tried: more than any axis has, with those that the tiniest numbers cannot tell apart. */
const MOST_TRIED = 200;

/** Returns undefined if there are more steps than `most`. */
function edgesOf(
  least: number,
  greatest: number,
  edgeAt: (index: number) => number,
  { from, most }: { readonly from: number; readonly most: number },
): number[] | undefined {
  let first = from;
  // A quotient may be rounded, and the first of a decade's steps may be far below: few are passed.
  for (let i = 0; i < MOST_TRIED && edgeAt(first) > least; i++) first -= 1;
  const isBefore = (edge: number) => edge <= least && edge < Number.MAX_VALUE;
  for (let i = 0; i < MOST_TRIED && isBefore(edgeAt(first + 1)); i++) first += 1;
  const edges = [edgeAt(first)];
  for (let i = first + 1; edges.length <= most && i <= first + MOST_TRIED; i++) {
    const edge = edgeAt(i);
    // The tiniest numbers have no steps between them.
    if (edge === edges.at(-1)) continue;
    edges.push(edge);
    if (edge > greatest || edge === Number.MAX_VALUE) return edges;
  }
  return undefined;
}

/** The nearest number to some units of a power of ten. */
function decimal(units: number, power: number): number {
  return bounded(Number(`${units}e${power}`));
}

function bounded(number: number): number {
  return Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, number));
}

/** The power of ten that a number has at least. */
function exponentOf(number: number): number {
  return Number(number.toExponential().split('e')[1]);
}
