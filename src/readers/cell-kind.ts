/** What a cell looks like, before its column's type is known. */
export type CellKind = 'blank' | 'number' | 'date' | 'link' | 'words' | 'other';

/** Tells what a cell looks like: enough to see where tables begin and which delimiter cuts them. */
export function kindOf(cell: string): CellKind {
  const text = cell.trim();
  if (text === '') return 'blank';
  // Longer cells are prose; the patterns look at a bounded text.
  if (text.length > MOST_LOOKED_AT) return 'other';
  return PATTERNS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

const MOST_LOOKED_AT = 200;

const PATTERNS: readonly (readonly [CellKind, RegExp])[] = [
  [
    'number',
    /^[-+(]?\p{Sc}? ?\d+(?:[ \u00a0\u202f,.'’]\d{3})*(?:[.,]\d+)?(?:e[-+]?\d+)?(?: ?[%\p{Sc}])?\)?$/iu,
  ],
  [
    'date',
    /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d\d.*)?$|^\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[ap]m)?$/i,
  ],
  ['link', /^(?:https?:\/\/|www\.)\S+$|^[\w.+-]+@[\w-]+\.[\w.-]+$/],
  // No delimiter is in it: a cell that still holds one is likely two.
  ['words', /^[\p{L}\p{N}_.#(][\p{L}\p{M}\p{N}\s_.'’()&/#:-]*$/u],
];
