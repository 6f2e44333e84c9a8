import { addCopySelection, addCopyTable, copyText } from './copy-table.ts';
import { addReadouts } from './figures.ts';
import { inWords } from './in-words.ts';
import { addBoxDrawing, addNearMe, buttonOf, say } from './places.ts';
import { addPng } from './png.ts';
import { addSliders } from './sliders.ts';

/**
 * The script of a block's page, which also works without it as a form, links and text. Only the
 * boxes are submitted: sliders and the colour picker write into them. To update the answer, the
 * script fetches the page again and replaces the old answer with the new one.
 */

const form = document.querySelector<HTMLFormElement>('#form');

if (form !== null) enhance(form);
enhanceParts();
addCopySelection();
addMenus();
// On a page with faults, focus them first.
if (location.hash === '') document.querySelector<HTMLElement>('.refused')?.focus();

function enhance(form: HTMLFormElement): void {
  for (const range of form.querySelectorAll<HTMLElement>('.range')) addSliders(range);
  addSheet();
  addPicker(form);
  addNearMe(form);
  let timer = 0;
  let fetching: AbortController | undefined;
  let isBehind = false;
  let shown = location.search;
  const strip = document.querySelector<HTMLElement>('#strip');
  const served = queryOf(
    new DOMParser().parseFromString(form.outerHTML, 'text/html').forms[0] ?? form,
  );
  /** The name of the box whose change the address has. */
  let changedBy: string | undefined;
  const refresh = async (asked: HTMLFormElement = form, by?: string) => {
    clearTimeout(timer);
    fetching?.abort();
    const own = new AbortController();
    const { signal } = own;
    fetching = own;
    isBehind = false;
    const query = queryOf(asked);
    partOf(document, 'answer').setAttribute('aria-busy', 'true');
    try {
      const response = await fetch(`?${query}`, { headers: { accept: 'text/html' }, signal });
      const next = new DOMParser().parseFromString(await response.text(), 'text/html');
      // A later request has replaced this one, so its answer must not be shown.
      if (signal.aborted) return;
      // What stands between may answer with a page of its own.
      if (next.getElementById('answer') === null)
        throw new TypeError('This is no page of a block.');
      // A map has a script of its own.
      if (scriptOf(next) !== scriptOf(document)) return location.assign(`?${query}`);
      show(next, form);
      const address = query === '' ? location.pathname : `?${query}`;
      // Back undoes one filter, not one letter of it.
      const isSame = query === shown.slice(1) || (by !== undefined && by === changedBy);
      history[isSame ? 'replaceState' : 'pushState'](null, '', address + location.hash);
      changedBy = by;
      shown = location.search;
      say(headline());
    } catch {
      if (signal.aborted) return;
      say(inWords('No answer came. Try again.'), 'failed');
    }
    partOf(document, 'answer').removeAttribute('aria-busy');
    fetching = undefined;
    if (isBehind) void refresh(form, by);
  };
  form.addEventListener('input', ({ target }) => {
    clearTimeout(timer);
    // Only boxes have names; sliders do not. Typing is answered when it pauses; a drag at once, and
    // again after each answer.
    const { name } = target as HTMLInputElement;
    const by = filterOf(target as Element);
    if (name !== '') timer = window.setTimeout(refresh, 120, form, by);
    else if (fetching === undefined) void refresh(form, by);
    else isBehind = true;
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    await refresh(form, changedBy);
    const isDone = document.activeElement === event.submitter;
    closeSheet();
    const answer = document.querySelector<HTMLElement>('.refused, #found');
    answer?.scrollIntoView({ block: 'nearest' });
    // After the button, the person is done with the form; after Enter, they may go on typing.
    if (isDone) answer?.focus();
  });
  // A word of the question that is chosen draws at once. The strip is replaced with the answer.
  for (const kind of ['change', 'submit']) {
    strip?.addEventListener(kind, (event) => {
      event.preventDefault();
      const question = (event.target as HTMLElement).closest('form');
      // Columns are chosen one after another, and then sent.
      if (question?.matches(kind === 'submit' ? 'form' : '.ask')) void refresh(question);
    });
  }
  // Answer also what was typed before this script ran: a filter of which there may be more to come.
  if (queryOf(form) !== served) void refresh(form, filterOf(document.activeElement));
  // Going back leads to an older address, whose page must be loaded again.
  addEventListener('popstate', () => {
    if (location.search !== shown) location.reload();
  });
}

function scriptOf(page: Document): string | null | undefined {
  return page.querySelector('script[type="module"]')?.getAttribute('src');
}

/** The filter that one input after another changes; each box of a choice is a filter of its own. */
function filterOf(target: Element | null): string | undefined {
  const { name, type, ariaLabel } = target as HTMLInputElement;
  return type === 'checkbox' ? undefined : name || (ariaLabel ?? '');
}

/** Keeps the keyboard in the sheet of filters while it is open; Escape closes it. */
function addSheet(): void {
  const sheet = document.querySelector<HTMLElement>('#filters');
  if (sheet === null) return;
  const isOpen = () => isSheetOpen(sheet);
  const follow = () => {
    keepBehind(isOpen());
    if (isOpen() && location.hash === SHEET) sheet.querySelector<HTMLElement>('h2')?.focus();
  };
  addEventListener('hashchange', ({ oldURL }) => {
    follow();
    if (!isOpen() && oldURL.endsWith(SHEET)) leaveSheet(sheet);
  });
  sheet.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') closeSheet();
  });
  // Going back undoes a filter, not the opening of the sheet.
  document.addEventListener('click', (event) => {
    const link = (event.target as HTMLElement).closest<HTMLAnchorElement>(`${OPENER}, .close`);
    if (link === null) return;
    event.preventDefault();
    location.replace(link.hash);
  });
  matchMedia('(min-width: 62rem)').addEventListener('change', () => keepBehind(isOpen()));
  follow();
}

const SHEET = '#filters';
const OPENER = `[href="${SHEET}"]`;

/** What lies behind an open sheet. */
const BEHIND = '.skip, .top, .head, #views, #strip, #answer, .about, #bar, footer';

function keepBehind(isInert: boolean): void {
  for (const part of document.querySelectorAll<HTMLElement>(BEHIND)) part.inert = isInert;
}

/** A link to a box within it opens it too; beside a figure, the filters are no sheet. */
function isSheetOpen(sheet: Element | null): boolean {
  if (sheet?.matches(':target, :has(:target)') !== true) return false;
  return getComputedStyle(sheet).position === 'fixed';
}

function closeSheet(): void {
  const sheet = document.querySelector(SHEET);
  if (sheet === null || !isSheetOpen(sheet)) return;
  location.replace('#answer');
  // What is inert takes no focus.
  keepBehind(false);
  leaveSheet(sheet);
}

/** Gives the focus to what opens the sheet, unless it is elsewhere already. */
function leaveSheet(sheet: Element): void {
  const { activeElement } = document;
  if (!sheet.contains(activeElement) && activeElement !== document.body) return;
  const openers = [...document.querySelectorAll<HTMLElement>(`#strip ${OPENER}, #bar ${OPENER}`)];
  openers.find((one) => one.offsetParent !== null)?.focus();
}

/** Replaces this page's answer with a new page's, keeping focus, scroll position and open parts. */
function show(next: Document, form: HTMLFormElement): void {
  const parts = PARTS.flatMap((id) => {
    const [old, fresh] = [document, next].map((page) => page.getElementById(id));
    return old && fresh ? [[old, fresh] as const] : [];
  });
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
  takeCounts(form, next);
  takeErrors(form, next);
  takeHidden(form, next);
  if (scrolled) document.querySelector('.table')?.scrollTo(scrolled, 0);
  if (open !== undefined) openSnippet(open);
  enhanceParts();
  // On a phone the answer is above the form: keep the focused box where it is on the screen.
  if (form.contains(document.activeElement)) {
    scrollBy(0, form.getBoundingClientRect().top - top);
  }
}

/** What the script replaces of a page, by its id. */
const PARTS = ['acts', 'views', 'strip', 'answer', 'bar'];

/** Takes over what the new page's filters tell of their rows: numbers, words, and small figures. */
function takeCounts(form: HTMLFormElement, next: Document): void {
  for (const part of form.querySelectorAll(
    ':is(small, .count, .spark, .bar, .middle, #send)[id]',
  )) {
    part.replaceChildren(...(next.getElementById(part.id)?.childNodes ?? []));
  }
}

/** Adds to these parts what works only with scripts. */
function enhanceParts(): void {
  addCopyButtons();
  addBoxDrawing();
  addReadouts();
  addPng();
  addCopyTable();
  // A page with a map has a script that begins then.
  document.dispatchEvent(new Event('shown'));
}

/** Takes over what the new page's form keeps without a box: the question and the view. */
function takeHidden(form: HTMLFormElement, next: Document): void {
  for (const input of form.querySelectorAll('[type=hidden]')) input.remove();
  form.append(...next.querySelectorAll('#form [type=hidden]'));
}

function partOf(page: Document, id: string): HTMLElement {
  const part = page.getElementById(id);
  if (part === null) throw new Error(`The page has no ${id}.`);
  return part;
}

/** The new counterpart of the focused element, or else the answer's heading. */
function likeOf(held: HTMLElement, fresh: HTMLElement): HTMLElement | null {
  const { tagName, textContent, id } = held;
  if (id !== '') return fresh.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
  const like = [...fresh.querySelectorAll<HTMLElement>(tagName)];
  return (
    like.find((element) => element.textContent === textContent) ??
    // It says how many filters there are, which may be more now.
    (held.matches(OPENER) ? fresh.querySelector<HTMLElement>(OPENER) : null) ??
    fresh.querySelector<HTMLElement>('#found, .refused')
  );
}

/** The answer in a line: its heading or its faults. */
function headline(): string {
  const lines = [
    ...document.querySelectorAll('#strip h2, #answer :is(h2, .state), .refused li'),
  ].map((line) => {
    const text = line.cloneNode(true) as Element;
    for (const link of text.querySelectorAll('.button, .filter a')) link.remove();
    return text.textContent?.trim().replace(/\s+/g, ' ');
  });
  return lines.join(': ');
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

/** Adds the browser's colour picker, which writes into the boxes and follows them. */
function addPicker(form: HTMLFormElement): void {
  const channels = form.querySelector<HTMLElement>('[data-channels]');
  if (channels === null) return;
  const boxes = (channels.dataset.channels ?? '')
    .split(' ')
    .map((name) => form.elements.namedItem(name) as HTMLInputElement);
  const label = document.createElement('label');
  label.textContent = inWords('Pick');
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

function addCopyButtons(): void {
  for (const pre of document.querySelectorAll<HTMLElement>('.snippets pre')) {
    const language = pre.parentElement?.querySelector('summary')?.textContent ?? '';
    addCopyButton(pre, language, pre.textContent ?? '');
  }
  for (const input of document.querySelectorAll<HTMLInputElement>('.copied input')) {
    const label = input.labels?.[0]?.firstChild?.textContent ?? '';
    addCopyButton(input.closest('label') ?? input, label, input.value);
  }
}

/** Adds a button that copies what an element has. */
function addCopyButton(of: HTMLElement, name: string, text: string): void {
  if (of.parentElement?.querySelector('button')) return;
  const button = buttonOf(inWords('Copy'));
  button.setAttribute('aria-label', `${inWords('Copy')} ${name}`);
  button.addEventListener('click', async () => {
    await copyText(text);
    button.textContent = inWords('Copied');
    say(`${inWords('Copied')} ${name}`);
    setTimeout(() => {
      button.textContent = inWords('Copy');
    }, 2000);
  });
  if (of.matches('pre')) of.before(button);
  else {
    button.className = 'plain';
    of.after(button);
  }
}

/** Lets Escape close an open menu, and gives the focus back to what opened it. */
function addMenus(): void {
  document.addEventListener('keydown', ({ key }) => {
    const menu = document.querySelector<HTMLDetailsElement>('.pop[open]');
    if (key !== 'Escape' || menu === null) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}
