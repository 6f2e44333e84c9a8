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
const DECADES = [2, 5, 10, 20, 50] as const;

/**
 * The ends of even steps of 1, 2 or 5 times a power of ten: `most` at most, from `least` or below it
 * to above `greatest`. A step has its lower end, and not its upper one.
 */
export function evenSteps(least: number, greatest: number, most: number): number[] {
  const size = Math.max(greatest / most - least / most, finest(least, greatest));
  let power = exponentOf(size);
  for (;;) {
    for (const digit of EVEN) {
      const edges = edgesOf(least, greatest, (units) => decimal(units * digit, power), {
        from: Math.floor(least / decimal(digit, power)),
        most,
      });
      if (edges !== undefined) return edges;
    }
    power += 1;
  }
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

/** The least size of a step that its numbers can tell apart. */
function finest(least: number, greatest: number): number {
  const far = Math.max(Math.abs(least), Math.abs(greatest));
  return Math.max(far * 2 ** -50, Number.MIN_VALUE);
}

function inDecade(digits: readonly string[], first: number, i: number): number {
  const decade = Math.floor(i / digits.length);
  return bounded(Number(`${digits[i - decade * digits.length]}e${first + decade}`));
}

/** Returns undefined if there are more steps than `most`. */
function edgesOf(
  least: number,
  greatest: number,
  edgeAt: (index: number) => number,
  { from, most }: { readonly from: number; readonly most: number },
): number[] | undefined {
  let first = from;
  // A quotient may be rounded up, and the first of a decade's steps may be far below.
  while (edgeAt(first) > least) first -= 1;
  while (edgeAt(first + 1) <= least && edgeAt(first + 1) < edgeAt(first + 2)) first += 1;
  const edges = [edgeAt(first)];
  for (let i = first + 1; edges.length <= most; i++) {
    const edge = edgeAt(i);
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
