import { parseDecimal, suggestDecimal } from '../core/decimal.ts';
import { shortened } from './shortened.ts';

export type Ends = { readonly low?: string; readonly high?: string };

/**
 * Reads `400..`, `..500` and `400..500` as ends, and `400` as a value; `…` is what a phone makes of
 * dots. Else says how `name` is written. What is no number is the service's to read.
 */
export function readRange(
  name: string,
  text: string,
  isNumber: boolean,
): Ends | { value: string } | { fault: string } {
  const value = text.trim().replaceAll('…', '..');
  const written = `${name}:${shortened(text)}`;
  const wrong = (why: string) => ({ fault: `${written}: ${why}` });
  if (value.includes('...')) return wrong(`a range has two dots, such as ${name}:400..500.`);
  const ends = value.split('..').map((end) => end.trim());
  if (ends.length > 2) return wrong(`a range has two ends, such as ${name}:400..500.`);
  if (ends.every((end) => end === '')) {
    return wrong(`no end is given. Write ${name}:400.., ${name}:..500 or ${name}:400..500.`);
  }
  const [low = '', high = low] = ends;
  if (isNumber) {
    const [from, to] = ends.length === 1 ? readDashed(value) : [];
    if (to !== undefined) return wrong(`write ${name}:${from}..${to} instead.`);
    const bad = ends.find((end) => end !== '' && parseDecimal(end) === undefined);
    if (bad !== undefined) return wrong(notANumber(name, bad, ends));
    if (isAbove(low, high)) {
      return wrong(`it ends before it begins. Write ${name}:${high}..${low}.`);
    }
  }
  if (ends.length === 1) return { value };
  return { ...(low === '' ? {} : { low }), ...(high === '' ? {} : { high }) };
}

function isAbove(low: string, high: string): boolean {
  return low !== '' && high !== '' && Number(low) > Number(high);
}

function notANumber(name: string, bad: string, ends: readonly string[]): string {
  const fixed = suggestDecimal(bad);
  const fix =
    fixed === undefined
      ? `${name}:400.., ${name}:..500, ${name}:400..500 or ${name}:400`
      : `${name}:${ends.map((end) => (end === bad ? fixed : shortened(end))).join('..')}`;
  return `“${shortened(bad)}” is not a number. Write ${fix} instead.`;
}

/** The ends of `400-500`, and of the same with a longer dash; the first may be negative. */
function readDashed(text: string): string[] {
  if (text.length > 80 || parseDecimal(text) !== undefined) return [];
  for (let at = 1; at < text.length; at++) {
    if (!/[-–—]/.test(text[at] as string)) continue;
    const ends = [text.slice(0, at), text.slice(at + 1)].map((end) => end.trim());
    if (ends.every((end) => parseDecimal(end) !== undefined)) return ends;
  }
  return [];
}
