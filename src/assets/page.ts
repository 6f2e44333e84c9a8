/**
 * The script of a block's page, which also works without it as a form, links and text. Only the
 * boxes are submitted: sliders and the colour picker write into them. To update the answer, the
 * script fetches the page again and replaces the old answer with the new one.
 */
const form = document.querySelector<HTMLFormElement>('#form');
const said = document.querySelector<HTMLElement>('#said');

if (form !== null && said !== null) enhance(form, said);
addCopyButtons();
addBoxDrawing();
// On a page with faults, focus them first.
if (location.hash === '') document.querySelector<HTMLElement>('.refused')?.focus();

function enhance(form: HTMLFormElement, said: HTMLElement): void {
  for (const range of form.querySelectorAll<HTMLFieldSetElement>('.range')) addSliders(range);
  addPicker(form);
  addNearMe(form);
  let timer = 0;
  let fetching: AbortController | undefined;
  let isBehind = false;
  let shown = location.search;
  const served = queryOf(
    new DOMParser().parseFromString(form.outerHTML, 'text/html').forms[0] ?? form,
  );
  const refresh = async () => {
    clearTimeout(timer);
    fetching?.abort();
    const own = new AbortController();
    const { signal } = own;
    fetching = own;
    isBehind = false;
    const query = queryOf(form);
    partOf(document, 'answer').setAttribute('aria-busy', 'true');
    try {
      const response = await fetch(`?${query}`, { headers: { accept: 'text/html' }, signal });
      const next = new DOMParser().parseFromString(await response.text(), 'text/html');
      // A later request has replaced this one, so its answer must not be shown.
      if (signal.aborted) return;
      show(next, form);
      history.replaceState(null, '', query === '' ? location.pathname : `?${query}`);
      shown = location.search;
      say(said, headline());
    } catch {
      if (signal.aborted) return;
      say(said, 'No answer came. Try again.', 'failed');
    }
    partOf(document, 'answer').removeAttribute('aria-busy');
    fetching = undefined;
    if (isBehind) void refresh();
  };
  form.addEventListener('input', ({ target }) => {
    clearTimeout(timer);
    // Only boxes have names; sliders do not. Typing is answered when it pauses; a drag at once, and
    // again after each answer.
    const isTyped = (target as HTMLInputElement).name !== '';
    if (isTyped) timer = window.setTimeout(refresh, 120);
    else if (fetching === undefined) void refresh();
    else isBehind = true;
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    await refresh();
    const answer = document.querySelector<HTMLElement>('.refused, #found');
    answer?.scrollIntoView({ block: 'nearest' });
    // After the button, the person is done with the form; after Enter, they may go on typing.
    if (document.activeElement === event.submitter) answer?.focus();
  });
  // Answer also what was typed before this script ran.
  if (queryOf(form) !== served) void refresh();
  // Going back leads to an older address, whose page must be loaded again.
  addEventListener('popstate', () => {
    if (location.search !== shown) location.reload();
  });
}

/** Replaces this page's answer with a new page's, keeping focus, scroll position and open parts. */
function show(next: Document, form: HTMLFormElement): void {
  const parts = ['answer', 'call'].map((id) => [partOf(document, id), partOf(next, id)] as const);
  const top = form.getBoundingClientRect().top;
  const scrolled = document.querySelector('.table')?.scrollLeft;
  const open = document.querySelector('.snippets details[open] pre')?.id;
  const focused = document.activeElement;
  for (const [old, fresh] of parts) {
    const held = old.contains(focused) ? likeOf(focused as HTMLElement, fresh) : undefined;
    old.replaceChildren(...fresh.childNodes);
    held?.focus({ preventScroll: true });
  }
  document.title = next.title;
  for (const count of form.querySelectorAll('.count')) {
    count.textContent = next.getElementById(count.id)?.textContent ?? '';
  }
  takeErrors(form, next);
  if (scrolled) document.querySelector('.table')?.scrollTo(scrolled, 0);
  if (open !== undefined) openSnippet(open);
  addCopyButtons();
  addBoxDrawing();
  // On a phone the answer is above the form: keep the focused box where it is on the screen.
  if (form.contains(document.activeElement)) {
    scrollBy(0, form.getBoundingClientRect().top - top);
  }
}

function partOf(page: Document, id: string): HTMLElement {
  const part = page.getElementById(id);
  if (part === null) throw new Error(`The page has no ${id}.`);
  return part;
}

/** The new counterpart of the focused element, or else the answer's heading. */
function likeOf({ tagName, textContent }: HTMLElement, fresh: HTMLElement): HTMLElement | null {
  const like = [...fresh.querySelectorAll<HTMLElement>(tagName)];
  return (
    like.find((element) => element.textContent === textContent) ??
    fresh.querySelector<HTMLElement>('#found, .refused')
  );
}

/** The answer in a line: its heading or its faults. */
function headline(): string {
  const lines = [...document.querySelectorAll('#answer h2, .refused li')].map((line) => {
    const text = line.cloneNode(true) as Element;
    for (const link of text.querySelectorAll('.button, .filter a')) link.remove();
    return text.textContent?.trim().replace(/\s+/g, ' ');
  });
  return lines.join(': ');
}

/** Announces a text to screen readers; only a failure is visible too. */
function say(said: HTMLElement, text: string, kind = 'unseen'): void {
  said.className = kind;
  said.textContent = text;
}

/** The form's query without blank values, which keeps the address short. */
function queryOf(form: HTMLFormElement): string {
  const given = [...new FormData(form)].filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1].trim() !== '',
  );
  return new URLSearchParams(given).toString();
}

/** Copies the new page's errors to the form's boxes. */
function takeErrors(form: HTMLFormElement, next: Document): void {
  for (const error of form.querySelectorAll('.error')) {
    error.textContent = next.getElementById(error.id)?.textContent ?? '';
  }
  for (const box of form.querySelectorAll('[id^="f-"]')) {
    for (const name of ['aria-invalid', 'aria-describedby']) {
      const value = next.getElementById(box.id)?.getAttribute(name);
      if (value) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  }
}

function openSnippet(id: string): void {
  for (const details of document.querySelectorAll<HTMLDetailsElement>('.snippets details')) {
    details.open = details.querySelector('pre')?.id === id;
  }
}

/**
 * Adds a slider for each end of a range over its histogram; a drag across the bars sets both. A
 * slider at its own end means no filter.
 */
function addSliders(range: HTMLFieldSetElement): void {
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
const LEAST_BRUSH = 0.02;

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

/** Adds the browser's colour picker, which writes into the boxes and follows them. */
function addPicker(form: HTMLFormElement): void {
  const channels = form.querySelector<HTMLElement>('[data-channels]');
  if (channels === null) return;
  const boxes = (channels.dataset.channels ?? '')
    .split(' ')
    .map((name) => form.elements.namedItem(name) as HTMLInputElement);
  const label = document.createElement('label');
  label.textContent = 'Pick';
  const picker = document.createElement('input');
  picker.type = 'color';
  label.append(picker);
  channels.querySelector('.picker')?.append(label);
  const follow = () => {
    const hex = boxes.map(({ value }) => Math.round(Number(value)).toString(16).padStart(2, '0'));
    if (hex.every((one) => /^[0-9a-f]{2}$/.test(one))) picker.value = `#${hex.join('')}`;
  };
  picker.addEventListener('input', () => {
    boxes.forEach((box, i) => {
      box.value = String(Number.parseInt(picker.value.slice(1 + 2 * i, 3 + 2 * i), 16));
    });
  });
  channels.addEventListener('input', (event) => {
    if (event.target !== picker) follow();
  });
  follow();
}

/** Writes into a box as a person would. */
function type(box: HTMLInputElement, text: string): void {
  box.value = text;
  box.dispatchEvent(new Event('input', { bubbles: true }));
}

function buttonOf(text: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  return button;
}

/** Degrees to about a metre. */
function degrees(...all: number[]): string {
  return all.map((one) => Number(one.toFixed(5))).join();
}

/** Adds a button that writes where the person is into its box. */
function addNearMe(form: HTMLFormElement): void {
  const near = form.querySelector<HTMLInputElement>('#f-_near');
  if (near === null) return;
  const button = buttonOf('Near me');
  button.addEventListener('click', () => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => type(near, degrees(coords.longitude, coords.latitude)),
      () => said && say(said, 'The browser does not tell where you are.', 'failed'),
    );
  });
  near.after(button);
}

/** Lets a box be drawn on the map: by a mouse at any time, by touch after its button. */
function addBoxDrawing(): void {
  const map = document.querySelector<SVGSVGElement>('.map svg[data-frame]');
  const box = document.querySelector<HTMLInputElement>('#f-_bbox');
  if (map === null || box === null) return;
  const [west, south, east, north] = (map.dataset.frame ?? '').split(' ').map(Number) as Box;
  const { width, height } = map.viewBox.baseVal;
  const button = buttonOf('Draw a box on the map');
  const setDrawing = (isDrawing: boolean) => {
    button.setAttribute('aria-pressed', String(isDrawing));
    map.classList.toggle('drawing', isDrawing);
  };
  setDrawing(false);
  button.addEventListener('click', () => setDrawing(!map.classList.contains('drawing')));
  map.after(button);
  const drawn = document.createElementNS(map.namespaceURI, 'rect') as SVGRectElement;
  drawn.classList.add('asked');
  const at = ({ clientX, clientY }: PointerEvent) => {
    const point = new DOMPoint(clientX, clientY).matrixTransform(map.getScreenCTM()?.inverse());
    const within = (value: number, most: number) => Math.min(most, Math.max(0, value));
    return [within(point.x, width), within(point.y, height)] as const;
  };
  let began: readonly [number, number] | undefined;
  let sides: Box | undefined;
  map.addEventListener('pointerdown', (event) => {
    const mayDraw = event.pointerType === 'mouse' || map.classList.contains('drawing');
    if (event.button !== 0 || !mayDraw) return;
    event.preventDefault();
    began = at(event);
    map.setPointerCapture(event.pointerId);
  });
  map.addEventListener('pointermove', (event) => {
    if (began === undefined) return;
    const [x, y] = at(event);
    const [left, right] = [Math.min(began[0], x), Math.max(began[0], x)];
    const [top, bottom] = [Math.min(began[1], y), Math.max(began[1], y)];
    // Anything smaller is a click.
    if (right - left < LEAST_BRUSH * width || bottom - top < LEAST_BRUSH * height) return;
    sides = [left, top, right, bottom];
    for (const [name, value] of Object.entries({
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
    })) {
      drawn.setAttribute(name, String(value));
    }
    map.append(drawn);
  });
  map.addEventListener('pointerup', () => {
    if (sides !== undefined) {
      const [left, top, right, bottom] = sides;
      const longitude = (x: number) => west + (x / width) * (east - west);
      const latitude = (y: number) => north - (y / height) * (north - south);
      type(box, degrees(longitude(left), latitude(bottom), longitude(right), latitude(top)));
      const part = box.closest('details');
      if (part !== null) part.open = true;
    }
    began = sides = undefined;
    setDrawing(false);
  });
  map.addEventListener('pointercancel', () => {
    began = sides = undefined;
    drawn.remove();
  });
}

type Box = [number, number, number, number];

function addCopyButtons(): void {
  for (const pre of document.querySelectorAll<HTMLElement>('.snippets pre')) {
    if (pre.parentElement?.querySelector('button')) continue;
    const language = pre.parentElement?.querySelector('summary')?.textContent ?? '';
    const button = buttonOf('Copy');
    button.setAttribute('aria-label', `Copy ${language}`);
    button.addEventListener('click', async () => {
      await copy(pre);
      button.textContent = 'Copied';
      if (said !== null) say(said, `Copied ${language}`);
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    pre.before(button);
  }
}

async function copy(pre: HTMLElement): Promise<void> {
  // Only pages over HTTPS or from this machine have a clipboard.
  if (navigator.clipboard) return navigator.clipboard.writeText(pre.textContent ?? '');
  getSelection()?.selectAllChildren(pre);
  document.execCommand('copy');
}
