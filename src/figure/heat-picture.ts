import type { Cell, Side } from './heat-cells.ts';
import { type At, cutName, type Shape } from './shape.ts';

/** A heat table as a file draws it: a page has a table instead. */

/** The sums of the rows to the right of their cells, in a file. */
export function sumShapes(head: string, texts: readonly string[]): Shape[] {
  const height = heightOf(texts.length);
  const text = (text: string, y: At, look: string): Shape => ({
    shape: 'text',
    look,
    x: [1, SUM_END],
    y,
    down: 0.35,
    anchor: 'end',
    runs: [{ text }],
  });
  return [
    ...texts.map((sum, i) => text(sum, [0, (i + 0.5) * height - 1], 'tick')),
    text(head, [0, texts.length * height + height / 2], 'tick'),
  ];
}

/** Where the sums end, in pixels beyond the cells. */
const SUM_END = 58;

/** More columns, and lower rows, have no room for numbers in a file. */
const MOST_WITH_NUMBERS = 14;

const LEAST_WITH_NUMBERS = 20;

/** Whether numbers have room in the cells of a file. */
export function hasRoomForNumbers(columns: Side, rows: Side): boolean {
  return (
    columns.lines.length <= MOST_WITH_NUMBERS && heightOf(rows.lines.length) >= LEAST_WITH_NUMBERS
  );
}

/** A number in the middle of its cell. */
export function numberOn(rect: ReturnType<typeof cellRect>, look: string, text: string): Shape {
  const [width, gap] = rect.width;
  return {
    shape: 'text',
    look: `on ${look}`,
    x: [rect.x + width / 2, gap / 2],
    down: 0.35,
    y: [0, rect.y[1] + rect.height[1] / 2],
    anchor: 'middle',
    runs: [{ text }],
  };
}

/** The height of a row, in pixels: many rows are lower. */
export function heightOf(rows: number): number {
  return rows <= 12 ? 26 : rows <= 24 ? 20 : 16;
}

/** The room between two cells, in pixels. */
const GAP = 2;

export function cellRect({ row, column }: Cell, columns: number, rows: number) {
  const height = heightOf(rows);
  return {
    shape: 'rect' as const,
    x: column / columns,
    y: [0, row * height] as const,
    width: [1 / columns, -GAP] as const,
    height: [0, height - GAP] as const,
  };
}

/** The room of names below a plot on a phone and on a desk, and of a letter, in pixels. */
const ROOM = { phone: 230, desk: 600, letter: 7.5, gap: 8 } as const;

/** Names to the left have so many letters. */
const LONGEST_NAME = 18;

const LONGEST_BELOW = 12;

export function namesOf(columns: Side, rows: Side): Shape[] {
  const height = heightOf(rows.lines.length);
  const below = columns.lines.map(({ name, isUnfilled }) =>
    cutName(isUnfilled ? `${name}*` : name, LONGEST_BELOW),
  );
  const longest = Math.max(...below.map(({ length }) => length)) * ROOM.letter + ROOM.gap;
  const every = (room: number) => Math.ceil((below.length * longest) / room);
  const [onPhone, onDesk] = [every(ROOM.phone), every(ROOM.desk)];
  // What a phone shows, a desk shows too.
  const step = Math.ceil(onPhone / onDesk);
  return [
    ...rows.lines.map(
      ({ name }, i): Shape => ({
        shape: 'text',
        look: 'tick',
        x: [0, -8],
        down: 0.35,
        anchor: 'end',
        y: [0, (i + 0.5) * height - 1],
        runs: [{ text: cutName(name, LONGEST_NAME) }],
      }),
    ),
    ...below.flatMap((text, i): Shape[] => {
      if (i % onDesk !== 0) return [];
      const x = onDesk === 1 ? (i + 0.5) / below.length : i / below.length;
      // Names that are thinned out begin at their column, and end inside.
      const fits = (room: number) => onDesk === 1 || x + (longest - ROOM.gap) / room <= 1;
      if (!fits(ROOM.desk)) return [];
      const isOnPhone = i % (onDesk * step) === 0 && fits(ROOM.phone);
      return [
        {
          shape: 'text',
          look: isOnPhone ? 'tick' : 'tick wide',
          x,
          down: 1.3,
          y: [0, rows.lines.length * height],
          anchor: onDesk === 1 ? 'middle' : 'start',
          runs: [{ text }],
        },
      ];
    }),
  ];
}
