import { inWords } from './in-words.ts';
import { say } from './places.ts';

/** What marks say. It is taken from the browser, which would show it a second time, and late. */
const titles = new WeakMap<Element, string>();

/**
 * Lets a figure's marks be read by keys, by a pointer and by touch. By keys it is one stop: arrows go
 * from mark to mark, each is said, and Enter follows. A first tap shows a mark, a second follows it.
 * Without the script a mark has its title, and all numbers are in the table below.
 */
export function addReadouts(): void {
  tell();
  for (const plot of document.querySelectorAll<HTMLElement>(
    '.plot, .plots, .heatgrid, .heat, .map',
  )) {
    const isPlot = plot.classList.contains('plot') && !plot.classList.contains('pairs');
    const points = [
      ...plot.querySelectorAll<HTMLElement | SVGElement>(isPlot ? '.h' : ':has(> title), [title]'),
    ];
    for (const point of points) takeTitle(point);
    // The first circles are drawn last, so that they lie over the others.
    if (plot.querySelector('.dots') !== null) points.reverse();
    // Beside its sentences, which are its description already.
    if (points.length > 0) plot.ariaRoleDescription = inWords('figure, arrow keys go through it');
    let at = -1;
    const show = (next: number) => {
      points[at]?.classList.remove('at');
      at = next;
      points[at]?.classList.add('at');
      if (!isPlot) tell(points[at]);
    };
    const indexAt = ({ clientX, clientY }: PointerEvent) =>
      points.indexOf(pointNear(plot, clientX, clientY) as SVGElement);
    const follow = (point: Element | undefined) => {
      const href = point?.getAttribute('href');
      if (href) location.href = href;
    };
    plot.addEventListener('keydown', (event) => {
      const last = points.length - 1;
      const next = {
        ArrowRight: at + 1,
        ArrowDown: at + 1,
        ArrowLeft: at - 1,
        ArrowUp: at - 1,
        Home: 0,
        End: last,
      }[event.key];
      if (event.key === 'Enter') follow(points[at]);
      if (next === undefined || last < 0) return;
      event.preventDefault();
      plot.classList.add('keys');
      show(Math.min(last, Math.max(0, next)));
      points[at]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      say(textOf(points[at]));
    });
    plot.addEventListener('blur', () => show(-1));
    let before = '';
    plot.addEventListener('pointermove', (event) => {
      const now = `${event.clientX} ${event.clientY}`;
      // What moves under a pointer that rests is not pointed at.
      if (event.pointerType === 'touch' || now === before) return;
      before = now;
      plot.classList.remove('keys');
      show(isPlot ? -1 : indexAt(event));
    });
    plot.addEventListener('pointerleave', (event) => {
      if (event.pointerType !== 'touch' && !plot.classList.contains('keys')) show(-1);
    });
    let tapped = -1;
    plot.addEventListener('pointerdown', (down) => {
      plot.classList.remove('keys');
      const index = indexAt(down);
      const point = points[index];
      plot.addEventListener(
        'click',
        (event) => {
          const isFirst = down.pointerType === 'touch' && index >= 0 && index !== tapped;
          const isDrag = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 5;
          if (isFirst) event.preventDefault();
          // Beside a small mark, as on it.
          else if (!isDrag && !point?.contains(event.target as Node)) follow(point);
          if (down.pointerType === 'touch') show(isPlot ? -1 : index);
          tapped = index;
        },
        { once: true, capture: true },
      );
    });
  }
}

/** Where a mark is looked for, in pixels: a finger is 24 wide. */
const REACH = [0, 4, 8, 12];

/** The mark at a place, or the nearest beside it. */
function pointNear(plot: Element, x: number, y: number): Element | undefined {
  for (const reach of REACH) {
    for (let i = 0; i < (reach === 0 ? 1 : 8); i++) {
      const [right, down] = [Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4)];
      const hit = document.elementFromPoint(x + reach * right, y + reach * down);
      const point = plot.contains(hit) ? pointOf(hit) : undefined;
      if (point !== undefined) return point;
    }
  }
  return undefined;
}

function pointOf(element: Element | null): Element | undefined {
  for (let one = element; one !== null; one = one.parentElement) {
    if (titles.has(one) || one.classList.contains('h')) return one;
  }
  return undefined;
}

function takeTitle(point: Element): void {
  const inside = point.querySelector(':scope > title');
  titles.set(point, inside?.textContent ?? point.getAttribute('title') ?? '');
  inside?.remove();
  point.removeAttribute('title');
}

/** What a mark shows: its title, or its texts; of several lines with their names, the greatest first. */
function textOf(point: Element | undefined): string {
  if (point === undefined) return '';
  const title = titles.get(point);
  if (title) return title;
  const [first, ...values] = [...point.querySelectorAll('text')].map((text) => text.textContent);
  if (values.length === 0) return first ?? '';
  const names = point.closest('.plot')?.previousElementSibling?.children ?? [];
  const lines = values.flatMap((value, i) => {
    const y = point.querySelector(`.c${i + 1}`)?.getAttribute('y');
    const text = `${names[i]?.textContent} ${value}`;
    // Of a gap there is nothing to say.
    return value === '–' ? [] : [{ text, y: Number.parseFloat(y ?? '999') }];
  });
  return `${first}: ${lines
    .sort((a, b) => a.y - b.y)
    .map(({ text }) => text)
    .join(', ')}`;
}

const tip = document.createElement('div');
tip.className = 'tip';
// By keys, marks are said.
tip.ariaHidden = 'true';
let told: Element | undefined;

/** Shows what a mark says, or nothing. */
function tell(point?: Element): void {
  told = point;
  tip.remove();
  if (point === undefined) return;
  tip.textContent = textOf(point);
  // A map is what places in it are counted from.
  point.closest('.map, .heat, .heatgrid, .pairs')?.after(tip);
  place();
}

/** Puts it above its mark, or below where there is no room. */
function place(): void {
  if (told === undefined) return;
  const { left, top, bottom, width } = told.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = tip;
  const x = Math.min(innerWidth - offsetWidth - 4, left + (width - offsetWidth) / 2);
  const y = top - offsetHeight - 6;
  tip.style.left = `${Math.max(4, x)}px`;
  tip.style.top = `${y < 0 ? bottom + 6 : y}px`;
}
addEventListener('scroll', place, { capture: true, passive: true });
