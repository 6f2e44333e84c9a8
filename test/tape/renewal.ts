import { differingParts, PARTS, type Part } from './parts.ts';
import { KINDS, kindOf } from './requests.ts';

/** A request whose answer is not the recorded one, and the parts that differ. */
export type Difference = {
  readonly number: number;
  readonly kind: string;
  readonly parts: readonly Part[];
};

/** Where the answers of today differ from the recorded lines; answers are by the requests' numbers. */
export function differencesOf(
  answers: ReadonlyMap<number, string>,
  recorded: readonly string[],
): Difference[] {
  return [...answers].flatMap(([number, entry]) => {
    const parts = differingParts(entry, recorded[number] ?? '');
    return parts.length === 0 ? [] : [{ number, kind: kindOf(number), parts }];
  });
}

/** What may be recorded again. */
export type Scope = { readonly kinds: readonly string[]; readonly parts: readonly Part[] };

/** Reads `pages,groups words`. */
export function scopeOf([kinds, parts]: readonly (string | undefined)[]): Scope {
  return {
    kinds: namesOf(kinds, KINDS, 'kinds of requests'),
    parts: namesOf(parts, PARTS, 'parts of an answer'),
  };
}

function namesOf<T extends string>(given = '', known: readonly T[], what: string): readonly T[] {
  if (given === 'all') return known;
  return given.split(',').map((name) => {
    const found = known.find((one) => one === name);
    if (found === undefined) {
      throw new Error(`"${name}" is none of the ${what}: all, ${known.join(', ')}.`);
    }
    return found;
  });
}

/** The differences that may not be recorded again, each with the parts that may not. */
export function outsideOf({ kinds, parts }: Scope, differences: readonly Difference[]) {
  return differences.flatMap((one) => {
    const outside = one.parts.filter((part) => !kinds.includes(one.kind) || !parts.includes(part));
    return outside.length === 0 ? [] : [{ ...one, parts: outside }];
  });
}

/** How many answers of each kind differ in each part. */
export function tableOf(differences: readonly Difference[]): string {
  const rows = KINDS.filter((kind) => differences.some((one) => one.kind === kind)).map((kind) => {
    const ofKind = differences.filter((one) => one.kind === kind);
    return [
      kind,
      ...PARTS.map((part) => ofKind.filter(({ parts }) => parts.includes(part)).length),
    ];
  });
  return [['', ...PARTS], ...rows]
    .map(([kind = '', ...counts]) =>
      [String(kind).padEnd(16), ...counts.map((count) => String(count).padStart(7))].join(''),
    )
    .join('\n');
}
