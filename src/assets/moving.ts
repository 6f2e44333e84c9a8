/**
 * Moves a map by hand: with the wheel and control, two fingers, a double click, and by dragging once
 * it is a part of a larger one. Its layers are stretched at once; when the hand has rested, the
 * server draws the part that they show, as the links below the map do. The wheel alone and one finger
 * scroll the page.
 */

/** How long the hand rests, in milliseconds, and how much larger a map may become at once. */
const RESTS = 400;
const MOST_LARGER = 32;

/** A hand that moves by fewer pixels clicks. */
const STILL = 4;

export function addMoving(): void {
  const map = document.querySelector<HTMLElement>('.geo[data-mesh]:not(.led)');
  const form = document.querySelector<HTMLFormElement>('#form');
  if (map === null || form === null) return;
  map.classList.add('led');
  const layers = [...map.querySelectorAll<SVGElement>(':scope > svg')];
  /** How much larger the map is, and where its left upper corner is, in pixels. */
  let [larger, x, y, timer] = [1, 0, 0, 0];
  // What is a part already may be moved to what is beside it.
  const least = form.elements.namedItem('_frame') === null ? 1 : 0.5;
  const moved = () => {
    const { width, height } = map.getBoundingClientRect();
    if (least === 1) {
      x = Math.min(0, Math.max(width * (1 - larger), x));
      y = Math.min(0, Math.max(height * (1 - larger), y));
    }
    for (const { style } of layers) {
      style.transformOrigin = '0 0';
      style.transform = `translate(${x}px,${y}px) scale(${larger})`;
    }
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const [left, top] = [-x / width / larger, -y / height / larger];
      ask(form, boxOf(map, [left, top, left + 1 / larger, top + 1 / larger]));
    }, RESTS);
  };
  const zoom = (by: number, clientX: number, clientY: number) => {
    const { left, top } = map.getBoundingClientRect();
    const next = Math.min(MOST_LARGER, Math.max(least, larger * by));
    x = clientX - left - ((clientX - left - x) * next) / larger;
    y = clientY - top - ((clientY - top - y) * next) / larger;
    larger = next;
    moved();
  };
  map.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(2 ** (-event.deltaY / 100), event.clientX, event.clientY);
    },
    { passive: false },
  );
  map.addEventListener('dblclick', ({ clientX, clientY }) => zoom(2, clientX, clientY));
  // A drag of what is a link would take the pointer away.
  map.addEventListener('dragstart', (event) => event.preventDefault());
  /** How far the hand has dragged the map since it was put down, in pixels. */
  let dragged = 0;
  // Areas are links all over the map: a drag that ends on one does not follow it.
  map.addEventListener('click', (event) => {
    if (dragged > STILL) event.preventDefault();
  });
  const pointers = new Map<number, PointerEvent>();
  map.addEventListener('pointerdown', (event) => {
    dragged = 0;
    if (event.button === 0) pointers.set(event.pointerId, event);
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const) {
    map.addEventListener(end, ({ pointerId }) => pointers.delete(pointerId));
  }
  map.addEventListener('pointermove', (event) => {
    const { pointerId, clientX, clientY, pointerType } = event;
    const was = pointers.get(pointerId);
    if (was === undefined) return;
    const other = [...pointers.values()].find((one) => one.pointerId !== pointerId);
    pointers.set(pointerId, event);
    if (other === undefined && (pointerType !== 'mouse' || (larger === 1 && least === 1))) return;
    dragged += Math.hypot(clientX - was.clientX, clientY - was.clientY);
    const share = other === undefined ? 1 : 2;
    x += (clientX - was.clientX) / share;
    y += (clientY - was.clientY) / share;
    if (other === undefined) moved();
    else {
      const apart = (one: PointerEvent) =>
        Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      const middle = [(clientX + other.clientX) / 2, (clientY + other.clientY) / 2] as const;
      zoom(apart(event) / Math.max(1, apart(was)), ...middle);
    }
  });
}

type Rect = readonly [left: number, top: number, right: number, bottom: number];

/** The box of degrees of a part of the map, in shares of it; the server wrote degrees along a grid. */
function boxOf(map: HTMLElement, [left, top, right, bottom]: Rect): string {
  const mesh = (map.dataset.mesh ?? '').split(' ').map(Number);
  const across = Math.sqrt(mesh.length / 2) - 1;
  const at = (x: number, y: number, axis: 0 | 1) => {
    const [column, row] = [x, y].map((share) =>
      Math.min(across - 1, Math.max(0, Math.floor(share * across))),
    ) as [number, number];
    const corner = (i: number, j: number) =>
      mesh[2 * ((row + j) * (across + 1) + column + i) + axis] as number;
    const [u, v] = [x * across - column, y * across - row];
    const upper = corner(0, 0) * (1 - u) + corner(1, 0) * u;
    return upper * (1 - v) + (corner(0, 1) * (1 - u) + corner(1, 1) * u) * v;
  };
  // By the middles of its sides, as the links have it.
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const [west, east] = [at(left, y, 0), at(right, y, 0)];
  const turned = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;
  const ends = east - west >= 360 ? [-180, 180] : [turned(west), turned(east)];
  const within = (degrees: number) => Math.max(-90, Math.min(90, degrees));
  const [south, north] = [at(x, bottom, 1), at(x, top, 1)].map(within);
  return [ends[0], south, ends[1], north].map((one) => Number(one?.toFixed(5))).join();
}

/** Asks for a part of the map, as a change of the form does: with one request. */
function ask(form: HTMLFormElement, frame: string): void {
  const named = form.elements.namedItem('_frame');
  const input = named instanceof HTMLInputElement ? named : document.createElement('input');
  input.type = 'hidden';
  input.name = '_frame';
  input.value = frame;
  if (named === null) form.append(input);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
