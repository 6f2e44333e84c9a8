import { whyReserved } from '../block/wire-names.ts';
import { fold } from '../values/fold.ts';

/** A column's name as a field's, and why it is not its header in lower case. */
export type ColumnName = { readonly name: string; readonly header: string; readonly why?: string };

/**
 * Makes field names of a header row: ASCII letters, digits and `_`, in lower case, none of them
 * twice, reserved, or another's `_min` or `_max`. The same row always gets the same names.
 */
export function nameColumns(headers: readonly string[]): ColumnName[] {
  const wanted = headers.map(nameOfHeader);
  const all = new Set(wanted.map(({ name }) => name));
  const taken = new Set<string>();
  return wanted.map(({ name, why }, i) => {
    const reason = whyNotFree(name, taken, all);
    const free = reason === undefined ? name : freeName(name, taken, all);
    taken.add(free);
    const told = reason ?? why;
    return {
      name: free,
      header: headers[i] as string,
      ...(told === undefined ? {} : { why: told }),
    };
  });
}

/**
 * The most characters of a name made of a header. With `_min` and a number it stays below the 64 of a
 * property's name in the tools of LLMs.
 */
const MOST_CHARACTERS = 50;

type Wanted = { readonly name: string; readonly why?: string };

function nameOfHeader(header: string, index: number): Wanted {
  const letters = fold(header.slice(0, MOST_READ)).replace(/'/g, '');
  const name = letters.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
  const numbered = `column_${index + 1}`;
  if (letters.trim() === '') return { name: numbered, why: 'its header is blank' };
  // Digits alone are a name only if no letters were lost.
  if (name === '' || (!/[a-z]/.test(name) && /\p{L}/u.test(letters))) {
    return { name: numbered, why: 'nothing of its header can be in a name' };
  }
  const whole = /^\d/.test(name) ? `_${name}` : name;
  if (whole.length <= MOST_CHARACTERS) return { name: whole };
  const cut = whole.slice(0, MOST_CHARACTERS).replace(/_$/, '');
  return { name: cut, why: `its header has over ${MOST_CHARACTERS} characters` };
}

/** So much of a header is looked at. */
const MOST_READ = 200;

/** Why a column cannot have a name beside those that are taken, and those that others want. */
function whyNotFree(
  name: string,
  taken: ReadonlySet<string>,
  all: ReadonlySet<string>,
): string | undefined {
  const why = whyReserved(name);
  if (why !== undefined) return `${name} is reserved, since ${why}`;
  if (taken.has(name)) return `another column is called ${name}`;
  const end = /^(.+)_(?:min|max)$/.exec(name)?.[1];
  if (end !== undefined && (taken.has(end) || all.has(end))) {
    return `${name} is how callers ask for a range of ${end}`;
  }
  return undefined;
}

function freeName(name: string, taken: ReadonlySet<string>, all: ReadonlySet<string>): string {
  const used = (one: string) => all.has(one) || taken.has(one);
  const isUsed = (one: string) => [one, `${one}_min`, `${one}_max`].some(used);
  const base = whyReserved(name) === undefined ? name : `column_${name}`;
  if (base !== name && !isUsed(base)) return base;
  let number = 2;
  // A column makes at most one number used, so it ends.
  while (isUsed(`${base}_${number}`)) number++;
  return `${base}_${number}`;
}
