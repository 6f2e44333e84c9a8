import { isChoice } from './first-number.ts';
import { CODE_WORD, endsWith, hasWord, isWords, type KnownField, leastOf } from './known-fields.ts';

/** Words of fields that sort things into kinds. */
const KIND_WORD =
  /^(?:category|categories|type|types|kind|class|group|status|sector|industry|genre|department|agency|species|borough|region|continent|cause|reason|weather|severity)$/;

/** With fewer rows for each value, values are names rather than categories. */
const LEAST_ROWS_EACH = 2;

/** Blank in more rows than this, a category leaves out too many; and from here on it is well filled. */
const LEAST_SHARE = 0.5;
const WELL_FILLED = 0.8;

/** One value for nearly all rows is one bar. */
const NEARLY_ALL = 0.9;

/** More values are a list of names; a chart that is asked for shows the largest of them. */
const MOST_VALUES = 40;
const MOST_ASKED = 1000;

/** More bars than this are a long list. */
const SHORT_LIST = 30;

/** Longer texts are sentences. */
const LONG_TEXT = 40;

/**
 * The best field to group rows by its values; of several alike, the first. With `isAsked`, somebody
 * asks for a chart: then more values will do, and one that nearly all rows have.
 */
export function firstCategory(
  all: readonly KnownField[],
  isAsked: boolean,
): KnownField | undefined {
  const fitting = all.filter((known) => isCategory(known, isAsked));
  return leastOf(fitting, (known) => {
    const { distinct, share, crowded = 0, values, field } = known;
    return (
      (isCode(known) || !isWords(known) ? 4 : 0) +
      (field.type === 'boolean' ? 3 : 0) +
      (share < WELL_FILLED ? 4 : 0) +
      (crowded > NEARLY_ALL ? 8 : 0) +
      (isFlat(known) ? 3 : 0) +
      (values.some((value) => value.length > LONG_TEXT) ? 2 : 0) +
      (distinct > SHORT_LIST || distinct === 2 ? 1 : 0) +
      (endsWith(known, KIND_WORD) ? 0 : hasWord(known, KIND_WORD) ? 0.5 : 1)
    );
  });
}

function isCategory(known: KnownField, isAsked: boolean): boolean {
  const { distinct, filled, share, crowded = 0 } = known;
  if (!(isWords(known) || isChoice(known)) || distinct < 2) return false;
  if (distinct > (isAsked ? MOST_ASKED : MOST_VALUES)) return false;
  if (filled < LEAST_ROWS_EACH * distinct || share < LEAST_SHARE) return false;
  return isAsked || crowded <= NEARLY_ALL;
}

/** Whether each value has as many rows as any other: the bars would be of one length. */
export function isFlat({ crowded, distinct }: KnownField): boolean {
  return crowded !== undefined && crowded * distinct < 1.02;
}

/** Whether values are codes: short, in capitals and digits, or called so. */
function isCode(known: KnownField): boolean {
  const { values, field } = known;
  if (field.type === 'boolean') return false;
  const isShort = values.length > 1 && values.every((value) => /^[A-Z0-9_.-]{1,4}$/.test(value));
  return isShort || endsWith(known, CODE_WORD);
}

/** The text that names each row, if one does: the main field, or else the first that is no code. */
export function nameOfRows(all: readonly KnownField[]): KnownField | undefined {
  const names = all.filter((known) => {
    const { field, filled, share, distinct, values } = known;
    const isUnique = share === 1 && distinct === filled;
    return field.type === 'text' && isUnique && values.every(isName);
  });
  return leastOf(names, (known) => (isCode(known) ? 2 : 0) + (known.field.main ? 0 : 1));
}

/** Whether a text is short and has letters side by side, as names have. */
function isName(text: string): boolean {
  return text.length <= LONG_TEXT && /\p{L}{2}/u.test(text);
}
