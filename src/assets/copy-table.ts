import { defused } from '../formats/csv.ts';
import { inWords } from './in-words.ts';
import { say } from './places.ts';

/** Lets a table be copied for a spreadsheet: exact values, of which none runs as a formula. */
export function addCopyTable(): void {
  const button = document.querySelector<HTMLElement>('.copy');
  const table = document.querySelector<HTMLTableElement>('#answer .rows, #answer .groups');
  if (button === null || table === null) return;
  button.onclick = async () => {
    const text = [...table.rows].map(({ cells }) => lineOf([...cells])).join('\n');
    await copyText(text);
    say(`${inWords('Copied')} ${table.rows.length - 1} ${inWords('rows')}`);
  };
}

/** Lets what is selected of a table be copied in the same way: a cell, a row, some rows. */
export function addCopySelection(): void {
  document.addEventListener('copy', (event) => {
    const selection = getSelection();
    const table = document.querySelector<HTMLTableElement>('#answer .rows');
    if (selection === null || table === null || selection.rangeCount === 0) return;
    const selected = selection.getRangeAt(0);
    if (!table.contains(selected.commonAncestorContainer)) return;
    const lines = [...table.rows]
      .map(({ cells }) => [...cells].filter((cell) => isSelected(cell, selected)))
      .filter((cells) => cells.length > 0);
    if (lines.length === 0) return;
    event.clipboardData?.setData('text/plain', lines.map(lineOf).join('\n'));
    event.preventDefault();
  });
}

/** Whether all of a cell is selected; of several that are, a part of one counts for all of it. */
function isSelected(cell: HTMLTableCellElement, selected: Range): boolean {
  const own = document.createRange();
  own.selectNodeContents(cell);
  const whole = own.toString().trim();
  if (own.compareBoundaryPoints(Range.START_TO_START, selected) < 0) {
    own.setStart(selected.startContainer, selected.startOffset);
  }
  if (own.compareBoundaryPoints(Range.END_TO_END, selected) > 0) {
    own.setEnd(selected.endContainer, selected.endOffset);
  }
  const text = own.toString().trim();
  const isWithin = cell.contains(selected.commonAncestorContainer);
  return text !== '' && (text === whole || !isWithin);
}

/** Only pages over HTTPS or from this machine have a clipboard; elsewhere the browser copies. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const take = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', take, { once: true });
  document.execCommand('copy');
}

function lineOf(cells: readonly HTMLTableCellElement[]): string {
  return cells
    .map((cell) => {
      const text = defused(exactText(cell));
      return /["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join('\t');
}

/** What a cell stands for: a number without separators, a link's address, nothing where it is blank. */
function exactText(cell: HTMLTableCellElement): string {
  const head = cell.closest('thead') && cell.querySelector('a');
  if (head) return head.textContent ?? '';
  const exact = cell.querySelector('data, time');
  if (exact) return exact.getAttribute('value') ?? exact.getAttribute('datetime') ?? '';
  const link = cell.querySelector<HTMLAnchorElement>('a[href^="http"]:not(.row)');
  if (link) return link.getAttribute('href') ?? '';
  const text = cell.textContent ?? '';
  if (cell.querySelector('.row[aria-label]')) return text === '–' ? '' : text.replace(/ #$/, '');
  const quiet = cell.querySelector('.quiet');
  if (quiet) return text === 'no' ? 'false' : '';
  if (cell.querySelector('b')) return 'true';
  return cell.matches('.n, .bar') ? text.replaceAll(',', '').replace('−', '-') : text;
}
