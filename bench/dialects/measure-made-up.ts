import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Keep } from '../../src/commands/console.ts';
import { describeDraft } from '../../src/commands/describe-draft.ts';
import { writeBlock } from '../../src/commands/write-block.ts';
import { nameColumns } from '../../src/recipe/column-names.ts';
import { type Draft, propose } from '../../src/recipe/propose.ts';
import { type Decide, takeSafest } from '../../src/recipe/questions.ts';
import type { Row, Value } from '../../src/values/field-type.ts';
import {
  cellTexts,
  type MadeColumn,
  type MadeFile,
  type MadeRecord,
  madeUpFile,
  PARTS,
} from '../../test/files/made-up-files.ts';

/** What became of one feature of a file. */
type Outcome = 'right' | 'told' | 'silent' | 'refused' | 'not compared';

/** One thing of a file: a column, a total, its header. */
export type Judged = {
  readonly file: string;
  readonly feature: string;
  readonly outcome: Outcome;
  /** Set if something else is said than was meant, not only as a text. */
  readonly isOther?: boolean;
  /** Of what is wrong in silence: what it is, what was meant and what was read. */
  readonly shown?: string;
};

export type MadeUp = {
  readonly file: string;
  readonly judged: readonly Judged[];
  readonly questions: number;
  /** The most questions about one column. */
  readonly most: number;
  readonly why?: string;
};

/** What `add --yes` made of a file. */
type Added = {
  /** The fields, by their names. */
  readonly fields: ReadonlyMap<string, DraftedField>;
  readonly rows: readonly Row[];
  /** Questions, and the notes that the draft prints. */
  readonly lines: readonly string[];
  readonly questions: number;
  readonly most: number;
};

type DraftedField = Draft['block']['fields'][number];

/** How the file of a number is read, each thing that it has by itself. */
export async function measureMadeUp(seed: number, isMixed: boolean): Promise<MadeUp> {
  const file = madeUpFile(seed, isMixed);
  const added = await add(file);
  if ('why' in added) {
    const judged = featuresOf(file).map(
      (feature) => ({ file: file.name, feature, outcome: 'refused' }) as const,
    );
    const { questions, most, why } = added;
    return { file: file.name, judged, questions, most, why };
  }
  const { questions, most } = added;
  return { file: file.name, judged: judge(file, added), questions, most };
}

/** Every feature of a file, as often as it has it. */
function featuresOf({ header, columns, records, layout }: MadeFile): string[] {
  const traps = columns.map(({ feature }) => feature).filter((feature) => !(feature in PARTS));
  return [
    header,
    ROWS,
    ...(layout ? [layout] : []),
    ...traps,
    ...records.flatMap(({ feature }) => feature ?? []),
  ];
}

async function add(
  file: MadeFile,
): Promise<Added | { why: string; questions: number; most: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-made-up-'));
  const asked: string[] = [];
  const decide: Decide = (questions, given) => {
    asked.push(...questions.map(({ text }) => text));
    return takeSafest(questions, given);
  };
  try {
    const at = { folder, file: file.name };
    await writeFile(path.join(folder, file.name), file.bytes);
    const draft = await propose(at, {}, decide, () => {});
    const all = describeDraft(draft, undefined);
    const notes = all.slice(all.indexOf('') + 1).filter((line) => !SAYS_NOTHING.test(line));
    const rows: Row[] = [];
    const keep: Keep = async (_blocks, _block, made) => {
      for (const { values } of made.rows) rows.push(values);
    };
    await writeBlock(folder, at, draft, { keep });
    const fields = new Map(draft.block.fields.map((field) => [field.name, field]));
    const most = mostOf(asked, file);
    return { fields, rows, lines: [...asked, ...notes], questions: asked.length, most };
  } catch (error) {
    const why = (error as Error).message;
    return { why, questions: asked.length, most: mostOf(asked, file) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The most questions that name one column. */
function mostOf(asked: readonly string[], { headers }: MadeFile): number {
  const names = nameColumns(headers).map(({ name }) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`));
  return Math.max(0, ...names.map((name) => asked.filter((text) => name.test(text)).length));
}

/** Notes that name a column or a row, and tell of nothing that may be wrong with it. */
const SAYS_NOTHING = /^a header: |records looked at have|is called [a-z_0-9]+: |keep their places/;

function judge(made: MadeFile, added: Added): Judged[] {
  const { name: file, header, columns, records, layout } = made;
  const { fields: drafted, rows, lines } = added;
  const names = [...drafted.keys()];
  const wanted = nameColumns(made.headers).map(({ name }) => name);
  const fields = wanted.map((name, i) => (names.includes(name) ? name : names[i]));
  const { found, left } = align(made, fields, rows);
  // Records that are named by an id have a column of these.
  const more = layout === 'records by id' ? 1 : 0;
  const isWhole = names.length - wanted.length <= more && wanted.length <= names.length;
  const hasNames = wanted.every((name) => names.includes(name)) && isWhole;
  const isCut = found.get(records.findIndex(({ isRow }) => isRow)) === undefined;
  // Rows above the first one of the table: titles, a second header, a header that is none.
  const isHeaderRight = hasNames && !isCut && left === 0;
  const isAsked = lines.some((line) => /header|table begins|cut into rows|no header/.test(line));
  const judged: Judged[] = [
    {
      ...{ file, feature: header, outcome: isHeaderRight ? 'right' : isAsked ? 'told' : 'silent' },
      isOther: true,
      shown: `${wanted.join(', ')} | ${names.join(', ')}; ${left} rows more`,
    },
  ];
  if (layout)
    judged.push({ file, feature: layout, outcome: isHeaderRight ? 'right' : 'not compared' });
  for (const [at, record] of records.entries()) {
    const { feature } = record;
    if (feature === undefined) continue;
    const judgement = isHeaderRight ? judgeRecord(record, at, found, lines) : notCompared(feature);
    judged.push({ file, ...judgement });
  }
  judged.push({ file, ...(isHeaderRight ? judgeRows(made, found, lines) : notCompared(ROWS)) });
  for (const [i, column] of columns.entries()) {
    if (column.feature in PARTS) continue;
    const field = fields[i];
    // Without a header, nothing says that numbers count seconds.
    const isNameless =
      (column.needsHeader || column.feature.startsWith('epoch')) && header === 'no header';
    if (!isHeaderRight || field === undefined || isNameless) {
      judged.push({ file, ...notCompared(column.feature) });
      continue;
    }
    const cells = records.flatMap(({ isRow, values }, at) => {
      const row = found.get(at);
      return isRow && row !== undefined ? [[values[i] ?? null, row[field] ?? null] as const] : [];
    });
    const judgement = judgeColumn(column, drafted.get(field) as DraftedField, cells, lines);
    judged.push({ file, ...judgement });
  }
  return judged;
}

const notCompared = (feature: string) => ({ feature, outcome: 'not compared' }) as const;

function judgeRecord(
  { feature = '', isRow, label = '' }: MadeRecord,
  at: number,
  found: ReadonlyMap<number, Row>,
  lines: readonly string[],
): Omit<Judged, 'file'> {
  const isRight = found.has(at) === isRow;
  // A total that is named after its group is told by its word, a note from the file's end by its text.
  const isTold = lines.some(
    (line) =>
      (hasPlace(line, at) && (line.includes(label) || line.includes('*'))) ||
      line.includes(`alone, "${label}`),
  );
  return {
    ...{ feature, outcome: isRight ? 'right' : isTold ? 'told' : 'silent', isOther: true },
    shown: `${label}, record ${at + 1}, ${isRow ? 'is no row' : 'is a row'}`,
  };
}

/** Whether a line names the place of a record, below a header and titles of a few lines. */
function hasPlace(line: string, record: number): boolean {
  const places = [...line.matchAll(/(?:record|row|line)s? (\d[\d, ]*)/g)].flatMap(([, all = '']) =>
    all.split(', ').map((place) => Number(place.replaceAll(',', ''))),
  );
  return places.some((place) => place - record > 0 && place - record - 1 <= MOST_ABOVE);
}

/** Lines of titles and of a header. */
const MOST_ABOVE = 5;

/** The rows that are no trap, as one thing: none is to be missing. */
function judgeRows(
  { records }: MadeFile,
  found: ReadonlyMap<number, Row>,
  lines: readonly string[],
): Omit<Judged, 'file'> {
  const at = records.findIndex((one, i) => one.isRow && one.feature === undefined && !found.has(i));
  if (at === -1) return { feature: ROWS, outcome: 'right' };
  const outcome = lines.some((line) => hasPlace(line, at)) ? 'told' : 'silent';
  return { feature: ROWS, outcome, isOther: true, shown: `record ${at + 1} is missing` };
}

const ROWS = 'all other rows';

type Pair = readonly [MadeRecord['values'][number], Value];

function judgeColumn(
  column: MadeColumn,
  field: DraftedField,
  cells: readonly Pair[],
  lines: readonly string[],
): Omit<Judged, 'file'> {
  const { feature, kind, header, write } = column;
  const isText = field.type === 'text';
  // A text that looks like a time is none.
  const isNoTime = isText && (kind === 'date' || kind === 'time');
  const wrong = cells.filter(
    ([right, got]) => (isNoTime && right !== null) || !isSame(kind, right, got),
  );
  const [first] = wrong;
  const values = cells.flatMap(([right]) => right ?? []);
  const areDistinct = new Set(values).size === values.length;
  const lost = wordsLost(column, field, areDistinct);
  if (first === undefined && lost === undefined) return { feature, outcome: 'right' };
  // A number that occurs once is as likely a value.
  if (kind === 'absent' && wrong.length === 1) return notCompared(feature);
  const names = new RegExp(`(?<![\\w-])(?:${escaped(field.name)}|${escaped(header)})(?![\\w-])`);
  const isTold = lines.some((line) => names.test(line));
  if (first === undefined) {
    const shown = `${header}: ${lost}`;
    return { feature, outcome: isTold ? 'told' : 'silent', isOther: true, shown };
  }
  // What was written still stands there, as a text.
  const isKept = (pair: Pair) => pair[1] === write(pair[0]);
  const [right, got] = wrong.find((pair) => !isKept(pair)) ?? first;
  return {
    feature,
    outcome: isTold ? 'told' : 'silent',
    isOther: kind === 'absent' || !wrong.every(isKept),
    shown: `${header}: ${write(right)} means ${right}, is ${JSON.stringify(got)}`,
  };
}

/** What a field's title, unit and meaning lack of what the header says. */
function wordsLost(
  { header, headers, inTitle = [], inTitleOrUnit = [], isMeasure }: MadeColumn,
  { title, unit = '', label }: DraftedField,
  areDistinct: boolean,
): string | undefined {
  // Numbers of equal digits of which no two are equal may be names.
  if (isMeasure && label && !areDistinct) return 'a measure is a name of things';
  // A header that is drawn twice has another name.
  if (!headers.includes(header)) return undefined;
  const lost =
    inTitle.find((word) => !title.includes(word)) ??
    inTitleOrUnit.find((word) => !`${title} ${unit}`.includes(word));
  return lost === undefined ? undefined : `${lost} is not in "${title}", "${unit}"`;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function isSame(kind: MadeColumn['kind'], right: Pair[0], got: Value): boolean {
  if (right === null || got === null) return right === got;
  if (kind === 'number' || kind === 'absent') return got === right;
  // A group of digits may be written together.
  if (kind === 'id') return String(got).replaceAll(' ', '') === right;
  return got === right;
}

/**
 * The row that each record became, and how many rows are none of its. Both have the same order, so each
 * row is compared with the next few records.
 */
function align(
  { columns, records }: MadeFile,
  fields: readonly (string | undefined)[],
  rows: readonly Row[],
) {
  const found = new Map<number, Row>();
  const texts = records.map((record) => cellTexts(columns, record));
  let [next, left] = [0, 0];
  for (const row of rows) {
    const got = fields.map((field) => (field === undefined ? null : (row[field] ?? null)));
    const likeness = records.slice(next, next + LOOKED_AT).map(({ values }, ahead) => {
      const isLike = ({ kind }: MadeColumn, i: number) => {
        const [right, cell] = [values[i] ?? null, got[i] ?? null];
        return cell !== null && (isSame(kind, right, cell) || cell === texts[next + ahead]?.[i]);
      };
      return columns.filter(isLike).length;
    });
    const most = Math.max(...likeness);
    if (most === 0 || likeness.length === 0) {
      left++;
      continue;
    }
    const at = next + likeness.indexOf(most);
    found.set(at, row);
    next = at + 1;
  }
  return { found, left };
}

/** Records that may be left out in a row. */
const LOOKED_AT = 6;
