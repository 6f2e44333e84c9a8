import { defused } from '../formats/csv.ts';
import { say } from './places.ts';

/** Lets a table be copied for a spreadsheet: exact values, of which none runs as a formula. */
export function addCopyTable(): void {
  const button = document.querySelector<HTMLElement>('.copy');
  const table = document.querySelector<HTMLTableElement>('#answer .rows, #answer .groups');
  if (button === null || table === null) return;
  button.onclick = async () => {
    const text = [...table.rows].map(lineOf).join('\n');
    await copyText(text);
    say(`Copied ${table.rows.length - 1} rows`);
  };
}

/** Only pages over HTTPS or from this machine have a clipboard; elsewhere the browser copies. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const take = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', take, { once: true });
  document.execCommand('copy');
}

function lineOf({ cells }: HTMLTableRowElement): string {
  return [...cells]
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
  return cell.matches('.n, .bar') ? text.replaceAll(',', '') : text;
}
