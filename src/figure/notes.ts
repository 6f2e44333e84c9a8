/** Finds where a note beside a point of a line covers neither the line nor another note. */

/** A point, in shares of the plot. */
type PlotPoint = readonly [x: number, y: number];

/** Where a note stands: beside its point by so many pixels, and down by so many heights of letters. */
export type NotePlace = {
  readonly anchor: 'start' | 'middle' | 'end';
  readonly px: number;
  readonly down: number;
  /** Whether it covers the line nevertheless: on a phone, or on a desk too. */
  readonly covers: 'nothing' | 'on a phone' | 'always';
};

export type Note = {
  readonly point: PlotPoint;
  readonly letters: number;
  /** Whether it rather stands below its point. */
  readonly isLow: boolean;
};

/** A plot on a desk and on a phone, and letters, in pixels. */
const DESK = { width: 700, height: 330 } as const;
const PHONE = { width: 240, height: 240 } as const;
/** Beside it there are names. */
const NARROW_PHONE = { ...PHONE, width: 175 } as const;
const LETTER = { width: 6.6, size: 13, above: 12, below: 4 } as const;

/** The room above a plot, in pixels. */
const ABOVE = 24;

/** What covers another note or leaves the plot is worse than any line below it. */
const OUTSIDE = 1000;

/** So little of a line may be under a note, in pixels. */
const TOUCHING = 12;

type Standing = Omit<NotePlace, 'covers'>;

/** On the height of its point. */
const BESIDE = 0.35;
const BELOW = [1.5, 1.1, -0.9, BESIDE];
const OVER = [-0.9, 1.5, BESIDE];

/** Places notes one after the other, each where it covers least. */
export function notePlaces(
  notes: readonly Note[],
  line: readonly (PlotPoint | null)[],
  { hasNames = false } = {},
): readonly NotePlace[] {
  const plots = [DESK, hasNames ? NARROW_PHONE : PHONE];
  const taken: { readonly note: Note; readonly place: NotePlace }[] = [];
  for (const note of notes) {
    const all = (note.isLow ? BELOW : OVER).flatMap((down): Standing[] => [
      // There it would cover its point.
      ...(down === BESIDE ? [] : [{ anchor: 'middle' as const, px: 0, down }]),
      { anchor: 'start', px: 10, down },
      { anchor: 'end', px: -10, down },
    ]);
    const costs = all.map((place) =>
      plots.map((plot) => {
        const box = boxOf(note, place, plot);
        const others = taken.filter((one) => isOver(box, boxOf(one.note, one.place, plot)));
        return outside(box, plot) + OUTSIDE * others.length + covered(box, line, plot);
      }),
    );
    const onBoth = leastOf(costs.map(([desk = 0, phone = 0]) => desk + phone));
    // What is free on a desk alone is better than nothing.
    const onDesk = leastOf(costs.map(([desk = 0]) => desk));
    const best = (costs[onBoth]?.[0] ?? 0) > TOUCHING ? onDesk : onBoth;
    const [desk = 0, phone = 0] = costs[best] as number[];
    const covers = desk > TOUCHING ? 'always' : phone > TOUCHING ? 'on a phone' : 'nothing';
    taken.push({ note, place: { ...(all[best] as Standing), covers } });
  }
  return taken.map(({ place }) => place);
}

function leastOf(numbers: readonly number[]): number {
  return numbers.indexOf(Math.min(...numbers));
}

type Plot = { readonly width: number; readonly height: number };
type Box = Readonly<Record<'left' | 'right' | 'top' | 'foot', number>>;

function boxOf({ point, letters }: Note, { anchor, px, down }: Standing, plot: Plot): Box {
  const [x, y] = [point[0] * plot.width + px, point[1] * plot.height + down * LETTER.size];
  const width = letters * LETTER.width;
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  return { left, right: left + width, top: y - LETTER.above, foot: y + LETTER.below };
}

function isOver(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.foot && b.top < a.foot;
}

function outside({ left, right, top, foot }: Box, { width, height }: Plot): number {
  const isOut = left < 0 || right > width || top < -ABOVE || foot > height;
  return isOut ? OUTSIDE : 0;
}

/** How much of a note's width the line goes through, in pixels. */
function covered(box: Box, line: readonly (PlotPoint | null)[], { width, height }: Plot): number {
  let sum = 0;
  for (const [i, to] of line.entries()) {
    const from = line[i - 1];
    if (!from || !to) continue;
    const [x1, x2] = [from[0] * width, to[0] * width];
    const [left, right] = [Math.max(x1, box.left), Math.min(x2, box.right)];
    if (left > right) continue;
    const yAt = (x: number) => height * (from[1] + ((to[1] - from[1]) * (x - x1)) / (x2 - x1 || 1));
    const [a, b] = [yAt(left), yAt(right)];
    if (Math.min(a, b) < box.foot && Math.max(a, b) > box.top) sum += right - left + 1;
  }
  return sum;
}
