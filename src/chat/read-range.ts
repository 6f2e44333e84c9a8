import { parseDecimal, suggestDecimal } from '../values/decimal.ts';
import { shorten } from '../values/wording.ts';

export type Ends = { readonly low?: string; readonly high?: string };

/**
 * Reads `400..`, `..500` and `400..500` as ends, and `400` as a value; phones turn dots into `…`.
 * Otherwise returns how to write `name`. Ends that are not numbers are left to the service.
 */
export function readRange(
  name: string,
  text: string,
  isNumber: boolean,
): Ends | { value: string } | { fault: string } {
  const value = text.trim().replaceAll('…', '..');
  const written = `${name}:${shorten(text)}`;
  const wrong = (why: string) => ({ fault: `${written}: ${why}` });
  const [from, to] = exampleEnds(isNumber);
  if (value.includes('...')) return wrong(`a range has two dots, such as ${name}:${from}..${to}.`);
  const ends = value.split('..').map((end) => end.trim());
  if (ends.length > 2) return wrong(`a range has two ends, such as ${name}:${from}..${to}.`);
  if (ends.every((end) => end === '')) {
    return wrong(
      `no end is given. Write ${name}:${from}.., ${name}:..${to} or ${name}:${from}..${to}.`,
    );
  }
  const [low = '', high = low] = ends;
  if (isNumber) {
    const [first, last] = ends.length === 1 ? readDashed(value) : [];
    if (last !== undefined) return wrong(`write ${name}:${first}..${last} instead.`);
    const bad = ends.find((end) => end !== '' && parseDecimal(end) === undefined);
    if (bad !== undefined) return wrong(notANumber(name, bad, ends));
    if (isAbove(low, high)) {
      return wrong(`it ends before it begins. Write ${name}:${high}..${low}.`);
    }
  }
  if (ends.length === 1) return { value };
  return { ...(low === '' ? {} : { low }), ...(high === '' ? {} : { high }) };
}

/** Two ends for examples of a range: numbers or dates. */
export function exampleEnds(isNumber: boolean): readonly [string, string] {
  return isNumber ? ['400', '500'] : ['2020', '2021'];
}

function isAbove(low: string, high: string): boolean {
  return low !== '' && high !== '' && Number(low) > Number(high);
}

function notANumber(name: string, bad: string, ends: readonly string[]): string {
  const fixed = suggestDecimal(bad);
  const fix =
    fixed === undefined
      ? `${name}:400.., ${name}:..500, ${name}:400..500 or ${name}:400`
      : `${name}:${ends.map((end) => (end === bad ? fixed : shorten(end))).join('..')}`;
  return `“${shorten(bad)}” is not a number. Write ${fix} instead.`;
}

/** The ends of `400-500`, also with a longer dash; the first may be negative. */
function readDashed(text: string): string[] {
  if (text.length > 80 || parseDecimal(text) !== undefined) return [];
  for (let at = 1; at < text.length; at++) {
    if (!/[-–—]/.test(text[at] as string)) continue;
    const ends = [text.slice(0, at), text.slice(at + 1)].map((end) => end.trim());
    if (ends.every((end) => parseDecimal(end) !== undefined)) return ends;
  }
  return [];
}
