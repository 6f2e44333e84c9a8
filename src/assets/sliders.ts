/**
 * Adds a slider for each end of a range over its histogram; a drag across the bars sets both. A
 * slider at its own end means no filter.
 */
export function addSliders(range: HTMLFieldSetElement): void {
  const { min: lowest, max: highest } = range.dataset;
  const histogram = range.querySelector<HTMLElement>('.histogram');
  const marked = histogram?.querySelector('svg svg');
  const [low, high] = range.querySelectorAll<HTMLInputElement>('.ends input');
  if (!histogram || !marked || !low || !high || lowest === highest) return;
  const [min, max] = [Number(lowest), Number(highest)];
  const bins = Number(marked.parentElement?.getAttribute('viewBox')?.split(' ')[2]);
  const step = stepOf(min, max);
  const title = range.querySelector('legend')?.textContent?.trim() ?? '';
  const boxes = [low, high];
  const { read, write } = scaleOf(range);
  const [left, right] = boxes.map((_, i) => {
    const slider = document.createElement('input');
    slider.type = 'range';
    slider.min = tidy(Math.floor(min / step) * step);
    slider.max = tidy(Math.ceil(max / step) * step);
    slider.step = tidy(step);
    slider.setAttribute('aria-label', `${title}, ${i === 0 ? 'at least' : 'at most'}`);
    histogram.append(slider);
    return slider;
  }) as [HTMLInputElement, HTMLInputElement];
  const sliders = [left, right];
  /** Writes a slider's value into its box only; the other box may hold a value between steps. */
  const take = (slider: HTMLInputElement) => {
    const { value, min, max } = slider;
    const isEnd = value === (slider === left ? min : max);
    (slider === left ? low : high).value = isEnd ? '' : write(Number(value));
    mark();
  };
  const mark = () => {
    const [from, to] = boxes.map((box, i) => {
      sliders[i]?.setAttribute('aria-valuetext', box.value || 'any');
      const bound = read(box.value, i === 1) ?? (i === 0 ? min : max);
      return Math.min(bins, Math.max(0, ((bound - min) / (max - min)) * bins));
    }) as [number, number];
    const width = String(Math.max(0, to - from));
    marked.setAttribute('x', String(from));
    marked.setAttribute('width', width);
    marked.setAttribute('viewBox', `${from} 0 ${width} ${marked.getAttribute('height')}`);
  };
  /** Moves the sliders to the values in the boxes. */
  const follow = () => {
    left.value = String(read(low.value, false) ?? left.min);
    right.value = String(read(high.value, true) ?? right.max);
    mark();
  };
  // A slider must not pass the other.
  left.addEventListener('input', () => {
    if (Number(left.value) > Number(right.value)) left.value = right.value;
    take(left);
  });
  right.addEventListener('input', () => {
    if (Number(right.value) < Number(left.value)) right.value = left.value;
    take(right);
  });
  addBrush(histogram, (from, to) => {
    left.value = String(min + from * (max - min));
    right.value = String(min + to * (max - min));
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

/** A number as text without the rounding error of binary fractions. */
function tidy(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** Converts between a box's text and a slider's value; undefined if the text cannot be read. */
type Scale = {
  readonly read: (text: string, isHigh: boolean) => number | undefined;
  readonly write: (value: number) => string;
};

function scaleOf({ dataset }: HTMLFieldSetElement): Scale {
  if (dataset.scale === 'days') return { read: dayIn, write: writtenDay };
  return { read: numberIn, write: tidy };
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

/** A step for up to 200 steps: 1, 2 or 5 times a power of ten, at least 1 between whole numbers. */
function stepOf(min: number, max: number): number {
  const span = max - min;
  const power = 10 ** Math.floor(Math.log10(span / 200));
  const step = [1, 2, 5, 10].map((n) => n * power).find((step) => span / step <= 200) ?? power;
  return Number.isInteger(min) && Number.isInteger(max) ? Math.max(1, step) : step;
}
