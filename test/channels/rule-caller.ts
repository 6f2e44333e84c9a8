import { cellOf, dataIn, readRows } from '../support/mcp-text.ts';

/** Calls a tool, and gives its text. */
export type CallTool = (name: string, given: Readonly<Record<string, unknown>>) => Promise<string>;

/** What a caller that is only rules makes of a question. */
export type RuledAnswer = {
  readonly block: string;
  readonly given: Readonly<Record<string, unknown>>;
  /** The cells of the answer's first row. */
  readonly row: readonly unknown[];
};

type Field = { readonly name: string; readonly type: string; readonly words: readonly string[] };

type Value = {
  readonly field: string;
  readonly value: string;
  readonly words: readonly string[];
};

/** What the tools have said of the block that is asked. */
type Known = {
  readonly fields: readonly Field[];
  readonly values: readonly Value[];
  /** Words of the block's name and title, which say nothing about its rows. */
  readonly naming: readonly string[];
};

/**
 * Answers a question in words by three calls: `find` with the question, `describe` with the first
 * block that was found, and `query` with arguments that follow from the question's words and from
 * what the tools have said. It knows nothing of any block.
 */
export async function askByRules(question: string, call: CallTool): Promise<RuledAnswer> {
  const found = dataIn(await call('find', { words: question }));
  const [, block, title = ''] = /^- ([\w-]+): ("(?:[^"\\]|\\.)*")/.exec(found[0] ?? '') ?? [];
  if (block === undefined) throw new Error(`Nothing is found for: ${question}`);
  const second = found.findIndex((line, i) => i > 0 && line.startsWith('- '));
  const values = valuesIn(found.slice(1, second < 0 ? undefined : second));
  const fields = fieldsIn(await call('describe', { block }));
  const naming = wordsOf(`${block} ${JSON.parse(title)}`);
  const given = argumentsOf(question.toLowerCase(), { fields, values, naming });
  const { rows } = readRows(await call('query', { block, arguments: given }));
  return { block, given, row: Object.values(rows[0] ?? {}) };
}

/** The values that `find` names: `values borough: "BROOKLYN", status: "Open"`. */
function valuesIn(lines: readonly string[]): Value[] {
  const list = lines.find((line) => line.startsWith('  values ')) ?? '';
  return [...list.matchAll(/(\w+): ("(?:[^"\\]|\\.)*")/g)].map(([, field = '', json = '']) => {
    const value: string = JSON.parse(json);
    return { field, value, words: wordsOf(value) };
  });
}

/** The fields that `describe` names, a line each: name, type, what it is, values. */
function fieldsIn(text: string): Field[] {
  const lines = dataIn(text);
  const header = lines.indexOf('name|type|what it is|values');
  return lines.slice(header + 1).map((line) => {
    const [name = '', type = '', about = ''] = line.split('|');
    return { name, type, words: wordsOf(`${name} ${cellOf(about)}`) };
  });
}

/** Ways to ask for a figure, and the measure of each. */
const MEASURES: readonly (readonly [RegExp, string])[] = [
  [/\baverage\b|\bmean\b/, 'avg'],
  [/\btotal\b|\btogether\b/, 'sum'],
  [/\bhighest\b|\blargest\b|\blongest\b|\bgreatest\b/, 'max'],
  [/\blowest\b|\bsmallest\b|\bshortest\b|\bleast\b/, 'min'],
  [/\bmedian\b/, 'median'],
  [/\bhow many different\b/, 'distinct'],
];

const BOUND = /\b(over|under|at least|at most) ([\d.]+)/g;

function argumentsOf(text: string, known: Known): Record<string, unknown> {
  const numbers = known.fields.filter(({ type }) => type === 'number' || type === 'integer');
  const given = { ...filtersOf(text, known), ...datesOf(text, known.fields) };
  for (const bound of text.matchAll(BOUND)) Object.assign(given, boundOf(text, bound, numbers));
  const asked = text.replace(/\b(?:with|have) [a-z ]*?(?:over|under|at least|at most) .*/, '');
  const [, which, most = ''] = /^which ([\w -]+?) (?:has|had) the (.*)/.exec(asked) ?? [];
  if (which !== undefined) {
    const by = nearest(which, known.fields);
    const of = nearest(withoutNaming(most, known), numbers);
    const measure =
      of === undefined ? 'count' : `${/\baverage\b/.test(most) ? 'avg' : 'sum'}:${of.name}`;
    const sort = `${/^(?:fewest|lowest)/.test(most) ? '' : '-'}${measure.replace(':', '_')}`;
    return { ...given, _group: by?.name, _measure: measure, _sort: sort, _limit: 1 };
  }
  const [way, measure] = MEASURES.find(([words]) => words.test(asked)) ?? [];
  if (way === undefined) return { ...given, _measure: 'count' };
  const words = asked.replace(way, '');
  const field = nearest(withoutNaming(words, known), numbers) ?? nearest(words, numbers);
  return { ...given, _measure: `${measure}:${field?.name}` };
}

/** Values whose words all stand in the question; else, of a field, those that have some of them. */
function filtersOf(text: string, { fields, values, naming }: Known): Record<string, unknown> {
  const words = wordsOf(text);
  const isAsked = (word: string) => words.includes(word);
  const whole = values.filter(
    (value) => value.words.every(isAsked) && !value.words.every((word) => naming.includes(word)),
  );
  const explained = new Set([
    ...naming,
    ...whole.flatMap((value) => value.words),
    ...fields.flatMap((field) => field.words),
  ]);
  const partly = values.filter(
    ({ field, ...value }) =>
      whole.every((one) => one.field !== field) &&
      value.words.some((word) => isAsked(word) && !explained.has(word)),
  );
  const given: Record<string, string[]> = {};
  for (const { field, value } of [...whole, ...partly]) {
    given[field] = [...(given[field] ?? []), value];
  }
  return given;
}

/** `with a temp over 70`, `have at least 6 cylinders`: the field is before the number, or behind it. */
function boundOf(
  text: string,
  bound: RegExpMatchArray,
  numbers: readonly Field[],
): Record<string, unknown> {
  const [all, word, digits] = bound;
  const before = text.slice(0, bound.index).split(/\b(?:with|have)\b/)[1] ?? '';
  const behind = text.slice((bound.index ?? 0) + all.length);
  const field = nearest(before, numbers) ?? nearest(behind, numbers);
  if (field === undefined) throw new Error(`There is no field for: ${text}`);
  const isLow = word === 'over' || word === 'at least';
  return {
    [`${field.name}_${isLow ? 'min' : 'max'}`]: Number(digits),
    ...(word === 'over' || word === 'under' ? { [`_not.${field.name}`]: Number(digits) } : {}),
  };
}

/** Filters of the only field of times, or of years: `in 2023`, `since 2024-05-01`, `before 2021`. */
function datesOf(text: string, fields: readonly Field[]): Record<string, unknown> {
  const [, word, asked = ''] = /\b(in|since|before) (\d{4}(?:-\d\d(?:-\d\d)?)?)\b/.exec(text) ?? [];
  if (word === undefined) return {};
  const times = fields.filter(({ type }) => type === 'date' || type === 'datetime');
  const [field] = times.length > 0 ? times : fields.filter(({ name }) => name === 'year');
  if (field === undefined) throw new Error(`There is no field of times for: ${text}`);
  if (word === 'in') return { [field.name]: asked };
  if (word === 'since') return { [`${field.name}_min`]: asked };
  // Before a year is up to the end of the year before.
  return { [`${field.name}_max`]: String(Number(asked) - 1) };
}

/** A text without the words of the block's name. */
function withoutNaming(text: string, { naming }: Known): string {
  return wordsOf(text)
    .filter((word) => !naming.includes(word))
    .join(' ');
}

/** The field that has the most of a text's words, for its own number of words. */
function nearest(text: string, fields: readonly Field[]): Field | undefined {
  const words = wordsOf(text);
  // Two words may be one in a file: petalLength.
  const all = [...words, ...words.slice(1).map((word, i) => `${words[i]}${word}`)];
  const scored = fields
    .map((field) => {
      const named = [...new Set(field.words)];
      const hits = named.map((word) => all.indexOf(word)).filter((at) => at >= 0);
      const score = hits.length === 0 ? 0 : hits.length + hits.length / named.length;
      return { field, score, at: Math.min(...hits) };
    })
    // Of several the one that is named first.
    .sort((a, b) => b.score - a.score || a.at - b.at);
  return scored[0] !== undefined && scored[0].score > 0 ? scored[0].field : undefined;
}

/** Lower-case words, without a plural's end. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]+|\d+(?:\.\d+)?/g) ?? [];
  return words.map((word) => {
    if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
    return word.length > 3 ? word.replace(/(?<=[^su])s$/, '') : word;
  });
}
