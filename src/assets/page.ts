/**
 * What a block's page does where scripts run; without, it is a form, links and text all the same.
 * The boxes are what counts: sliders and the colour picker write into them, and the answer is the
 * page's own, fetched anew and put in the place of the old one.
 */
const form = document.querySelector<HTMLFormElement>('#form');
const answer = document.querySelector<HTMLElement>('#answer');

if (form !== null && answer !== null) enhance(form, answer);
addCopyButtons();

function enhance(form: HTMLFormElement, answer: HTMLElement): void {
  for (const range of form.querySelectorAll<HTMLFieldSetElement>('.range')) addSliders(range);
  addPicker(form);
  let timer = 0;
  let fetching: AbortController | undefined;
  const refresh = async () => {
    fetching?.abort();
    const own = new AbortController();
    fetching = own;
    const query = queryOf(form);
    answer.setAttribute('aria-busy', 'true');
    try {
      const response = await fetch(`?${query}`, {
        headers: { accept: 'text/html' },
        signal: own.signal,
      });
      show(await response.text(), query);
    } catch {
      // Out of reach, or overtaken by the next: the form's own button still works.
    }
    if (fetching === own) answer.removeAttribute('aria-busy');
  };
  const show = (text: string, query: string) => {
    const next = new DOMParser().parseFromString(text, 'text/html');
    const found = next.querySelector('#answer');
    if (found === null) return;
    const open = document.querySelector('.snippets details[open] pre')?.id;
    answer.replaceChildren(...found.childNodes);
    document.title = next.title;
    history.replaceState(null, '', `?${query}`);
    takeErrors(form, next);
    if (open !== undefined) openSnippet(open);
    addCopyButtons();
  };
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(refresh, 120);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(timer);
    void refresh();
  });
}

/** What is not blank, so that an address says no more than was asked. */
function queryOf(form: HTMLFormElement): string {
  const given = [...new FormData(form)].filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1].trim() !== '',
  );
  return new URLSearchParams(given).toString();
}

/** Beside the boxes that they are of, as the new page has them. */
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

/** A slider for each end of a range, over its histogram. At its own end it asks for nothing. */
function addSliders(range: HTMLFieldSetElement): void {
  const { min: lowest, max: highest } = range.dataset;
  const histogram = range.querySelector('.histogram');
  const marked = histogram?.querySelector('svg svg');
  const [low, high] = range.querySelectorAll<HTMLInputElement>('.ends input');
  if (!histogram || !marked || !low || !high || lowest === highest) return;
  const [min, max] = [Number(lowest), Number(highest)];
  const bins = Number(marked.parentElement?.getAttribute('viewBox')?.split(' ')[2]);
  const step = stepOf(max - min);
  const title = range.querySelector('legend')?.textContent?.trim() ?? '';
  const sliders = [low, high].map((box, i) => {
    const slider = document.createElement('input');
    slider.type = 'range';
    slider.min = String(Math.floor(min / step) * step);
    slider.max = String(Math.ceil(max / step) * step);
    slider.step = String(step);
    slider.setAttribute('aria-label', `${title}, ${i === 0 ? 'at least' : 'at most'}`);
    slider.addEventListener('input', () => {
      const isEnd = slider.value === (i === 0 ? slider.min : slider.max);
      box.value = isEnd ? '' : String(Number(Number(slider.value).toPrecision(12)));
      mark();
    });
    histogram.append(slider);
    return slider;
  }) as [HTMLInputElement, HTMLInputElement];
  const mark = () => {
    const [from, to] = [low, high].map((box, i) => {
      const bound = numberIn(box) ?? (i === 0 ? min : max);
      return Math.min(bins, Math.max(0, ((bound - min) / (max - min)) * bins));
    }) as [number, number];
    const width = String(Math.max(0, to - from));
    marked.setAttribute('x', String(from));
    marked.setAttribute('width', width);
    marked.setAttribute('viewBox', `${from} 0 ${width} ${marked.getAttribute('height')}`);
  };
  const follow = () => {
    const [left, right] = sliders;
    left.value = numberIn(low) === undefined ? left.min : low.value;
    right.value = numberIn(high) === undefined ? right.max : high.value;
    mark();
  };
  low.addEventListener('input', follow);
  high.addEventListener('input', follow);
  follow();
}

/** What a box says, where it is a number. */
function numberIn({ value }: HTMLInputElement): number | undefined {
  return value.trim() === '' || Number.isNaN(Number(value)) ? undefined : Number(value);
}

/** About two hundred steps, each 1, 2 or 5 times a power of ten. */
function stepOf(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span / 200));
  return [1, 2, 5, 10].map((n) => n * power).find((step) => span / step <= 200) ?? power;
}

/** The browser's own colour picker, which writes into the boxes and follows them. */
function addPicker(form: HTMLFormElement): void {
  const channels = form.querySelector<HTMLElement>('[data-channels]');
  if (channels === null) return;
  const boxes = (channels.dataset.channels ?? '')
    .split(' ')
    .map((name) => form.elements.namedItem(name) as HTMLInputElement);
  const label = document.createElement('label');
  label.className = 'picker';
  label.textContent = 'Pick';
  const picker = document.createElement('input');
  picker.type = 'color';
  label.append(picker);
  channels.querySelector('legend')?.after(label);
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

function addCopyButtons(): void {
  for (const pre of document.querySelectorAll<HTMLElement>('.snippets pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(pre.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    pre.before(button);
  }
}
