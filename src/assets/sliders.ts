import { placeAmong } from '../query/bin-of.ts';
import { inWords } from './in-words.ts';

/**
 * Adds a slider for each end of a range on the axis of its histogram; a drag across the bars sets
 * both. They stop at the edges of the bars. A slider at its own end means no filter.
 */
export function addSliders(range: HTMLElement): void {
  const scale = scaleOf(range);
  const histogram = range.querySelector<HTMLElement>('.histogram');
  const marked = histogram?.querySelector('svg svg');
  const [low, high] = ['min', 'max'].map((end) =>
    range.querySelector<HTMLInputElement>(`[data-end="${end}"]`),
  );
  if (scale === undefined || !histogram || !marked || !low || !high) return;
  const { bins, read, write } = scale;
  const title = range.closest('details')?.querySelector('b')?.textContent?.trim() ?? '';
  const [left, right] = (['at least', 'at most'] as const).map((end) => {
    const slider = document.createElement('input');
    slider.type = 'range';
    slider.min = '0';
    slider.max = String(bins);
    slider.setAttribute('aria-label', `${title}, ${inWords(end)}`);
    histogram.append(slider);
    return slider;
  }) as [HTMLInputElement, HTMLInputElement];
  /** Writes a slider's value into its box only; the other box may hold a value between steps. */
  const take = (slider: HTMLInputElement) => {
    const isLow = slider === left;
    const box = isLow ? low : high;
    box.value =
      slider.value === (isLow ? slider.min : slider.max) ? '' : write(Number(slider.value), !isLow);
    // A range in place of a value.
    for (const one of range.querySelectorAll<HTMLInputElement>('[data-end="is"]')) one.value = '';
    mark();
  };
  const mark = () => {
    left.setAttribute('aria-valuetext', low.value || inWords('any'));
    right.setAttribute('aria-valuetext', high.value || inWords('any'));
    const [from, to] = [read(low.value, false) ?? 0, read(high.value, true) ?? bins];
    const width = String(Math.max(0, to - from));
    marked.setAttribute('x', String(from));
    marked.setAttribute('width', width);
    marked.setAttribute('viewBox', `${from} 0 ${width} ${marked.getAttribute('height')}`);
  };
  /** Moves the sliders to the values in the boxes. */
  const follow = () => {
    left.value = String(Math.floor(read(low.value, false) ?? 0));
    right.value = String(Math.ceil(read(high.value, true) ?? bins));
    mark();
  };
  // A slider stops a bar before the other, so that each can be taken.
  left.addEventListener('input', () => {
    if (left.valueAsNumber >= right.valueAsNumber) left.value = String(right.valueAsNumber - 1);
    take(left);
  });
  right.addEventListener('input', () => {
    if (right.valueAsNumber <= left.valueAsNumber) right.value = String(left.valueAsNumber + 1);
    take(right);
  });
  addBrush(histogram, (from, to) => {
    left.value = String(Math.floor(from * bins));
    right.value = String(Math.ceil(to * bins));
    take(left);
    take(right);
    left.dispatchEvent(new Event('input', { bubbles: true }));
  });
  low.addEventListener('input', follow);
  high.addEventListener('input', follow);
  follow();
}

/** The least share of the width for a drag; anything shorter is a click. */
export const LEAST_BRUSH = 0.02;

/** Reports a drag across an element continuously, as shares of its width. */
function addBrush(element: HTMLElement, brushed: (from: number, to: number) => void): void {
  const shareOf = ({ clientX }: PointerEvent) => {
    const { left, width } = element.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  let began: number | undefined;
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || event.target instanceof HTMLInputElement) return;
    began = shareOf(event);
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener('pointermove', (event) => {
    if (began === undefined) return;
    const at = shareOf(event);
    if (Math.abs(at - began) >= LEAST_BRUSH) brushed(Math.min(began, at), Math.max(began, at));
  });
  for (const end of ['pointerup', 'pointercancel']) {
    element.addEventListener(end, () => {
      began = undefined;
    });
  }
}

/** Converts between a box's text and a place on the axis, where each bar is 1 wide. */
type Scale = {
  readonly bins: number;
  /** Undefined if the text cannot be read. */
  readonly read: (text: string, isHigh: boolean) => number | undefined;
  readonly write: (place: number, isHigh: boolean) => string;
};

function scaleOf({ dataset }: HTMLElement): Scale | undefined {
  const { edges: texts, below = '0', scale } = dataset;
  if (texts === undefined) return undefined;
  const [numberOf, textOf] = scale === 'days' ? [dayIn, writtenDay] : [numberIn, String];
  const edges = texts.split(' ').map((text) => numberOf(text, false) ?? 0);
  const bins = edges.length - 1;
  return {
    bins,
    read: (text, isHigh) => {
      const number = numberOf(text, isHigh);
      if (number === undefined) return undefined;
      const key = isHigh ? number + Number(below) : number;
      return placeAmong(edges, key);
    },
    write: (place, isHigh) => textOf((edges[place] ?? 0) - (isHigh ? Number(below) : 0)),
  };
}

function numberIn(text: string): number | undefined {
  return text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
}

/** A date as days since 1970; the high end of a year or a month is its last day. */
function dayIn(text: string, isHigh: boolean): number | undefined {
  const [, year, month, day] = /^\s*(\d{4})(?:-(\d\d)(?:-(\d\d))?)?/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const [y, m, d] = [year, month ?? 1, day ?? 1].map(Number) as [number, number, number];
  if (!isHigh || day !== undefined) return Date.UTC(y, m - 1, d) / 864e5;
  return Date.UTC(month === undefined ? y + 1 : y, month === undefined ? 0 : m, 0) / 864e5;
}

function writtenDay(value: number): string {
  return new Date(Math.round(value) * 864e5).toISOString().slice(0, 10);
}
