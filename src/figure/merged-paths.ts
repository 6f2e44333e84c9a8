/**
 * Areas of one shade as one path: a border between two of them is no border of what they are
 * together, so that it is left out. The areas' paths are of whole numbers, as `earth` writes them.
 */
export function mergedPath(paths: readonly string[]): string {
  const edges = new Map<number, number[]>();
  for (const path of paths) {
    for (const ring of ringsOf(path)) addRing(edges, ring);
  }
  let text = '';
  for (const start of edges.keys()) {
    for (let ring = takeRing(edges, start); ring !== undefined; ring = takeRing(edges, start)) {
      const corners = withoutMiddles(ring);
      const [x, y] = pixelOf(corners[0] as number);
      text += `M${x}${after(y)}${stepsOf(corners)}z`;
    }
  }
  return text;
}

/** A corner as one number. Maps are narrower than this, and some corners are a little to the left. */
const WIDE = 2 ** 14;
const LEFT = 2 ** 12;

const cornerOf = (x: number, y: number) => (y + LEFT) * WIDE + x + LEFT;
const pixelOf = (corner: number): [x: number, y: number] => [
  (corner % WIDE) - LEFT,
  Math.floor(corner / WIDE) - LEFT,
];

/** The corners of each ring of a path: its first, and then steps from one to the next. */
function ringsOf(path: string): number[][] {
  return path
    .split('M')
    .slice(1)
    .map((text) => {
      const numbers = text.match(/-?\d+/g)?.map(Number) ?? [];
      let [x, y] = [0, 0];
      return Array.from({ length: numbers.length >> 1 }, (_, i) => {
        [x, y] = [x + (numbers[2 * i] as number), y + (numbers[2 * i + 1] as number)];
        return cornerOf(x, y);
      });
    });
}

/** Adds the edges of a ring, except those that another one has in the other direction. */
function addRing(edges: Map<number, number[]>, ring: readonly number[]): void {
  for (const [i, from] of ring.entries()) {
    const to = ring[(i + 1) % ring.length] as number;
    if (from === to) continue;
    const back = edges.get(to);
    const index = back?.indexOf(from) ?? -1;
    if (index >= 0) back?.splice(index, 1);
    else {
      const ends = edges.get(from);
      if (ends === undefined) edges.set(from, [to]);
      else ends.push(to);
    }
  }
}

/** Takes edges that lead from a corner back to it. Undefined if none are left there. */
function takeRing(edges: Map<number, number[]>, start: number): number[] | undefined {
  const ring: number[] = [];
  let at = start;
  do {
    const to = edges.get(at)?.pop();
    if (to === undefined) return ring.length === 0 ? undefined : ring;
    ring.push(at);
    at = to;
  } while (at !== start);
  return ring;
}

/** A ring without the corners at which it goes straight on: borders between areas ended there. */
function withoutMiddles(ring: readonly number[]): readonly number[] {
  const corners = ring.filter((corner, i) => {
    const [x, y] = pixelOf(corner);
    const [fromX, fromY] = pixelOf(ring.at(i - 1) as number);
    const [toX, toY] = pixelOf(ring[(i + 1) % ring.length] as number);
    return (x - fromX) * (toY - y) !== (y - fromY) * (toX - x);
  });
  return corners.length < 3 ? ring : corners;
}

function stepsOf(corners: readonly number[]): string {
  let steps = '';
  for (let i = 1; i < corners.length; i++) {
    const [[fromX, fromY], [x, y]] = [
      pixelOf(corners[i - 1] as number),
      pixelOf(corners[i] as number),
    ];
    steps += after(x - fromX, i === 1 ? 'l' : ' ') + after(y - fromY);
  }
  return steps;
}

/** A number after another one; a minus parts them too. */
function after(number: number, mark = ' '): string {
  return number < 0 && mark === ' ' ? String(number) : mark + number;
}
