import { MOST_LIMIT } from '../block/options.ts';
import { FORMATS, type Format, isFileOfRows } from '../formats/formats.ts';
import type { Language } from '../languages/language.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import { type BlockView, changed, hrefOf, type PageOutcome, type PageState } from './block-view.ts';
import { withQuestion } from './view-links.ts';

type FilesProps = {
  readonly view: BlockView;
  readonly state: PageState;
  readonly found: PageOutcome & { kind: 'rows' };
};

/** An answer as a file. JSON has pages, and the others have all. */
type File = {
  readonly format: Format;
  readonly href: string;
  /** What it has, if that is not all, and how long it is: `about 1.2 MB`. */
  readonly notes: readonly string[];
};

/** The files of an answer. */
function filesOf({ view, state, found }: FilesProps): File[] {
  const { total, groups, rows, columns } = found;
  const { language } = view;
  const ofPage = {
    ...{ _cursor: null, _limit: null, _facets: null },
    ...{ _shade: null, _view: null, _mark: null },
  };
  const whole = changed(withQuestion(view, state), ofPage);
  const sizes = fileSizes(rows, columns, total, MOST_LIMIT, language);
  return view.block.formats
    .filter((format) => format === 'json' || isFileOfRows(format))
    .filter((format) => groups === undefined || FORMATS[format].whyNoGroups === undefined)
    .toSorted((a, b) => Number(a === 'json') - Number(b === 'json'))
    .map((format) => {
      const isCut = total > MOST_LIMIT && format === 'json';
      const notes = [
        isCut ? language.say('the first {count}', { count: MOST_LIMIT }) : [],
        sizes[format] ?? [],
      ].flat();
      return { format, href: hrefOf(changed(whole, { _format: format })), notes };
    });
}

/** What the files have: `all 4,848 rows`, `these 12 groups`. */
function filesText({ total: count, groups }: FilesProps['found'], { say }: Language): string {
  if (groups === undefined) {
    if (count === 1) return say('this row');
    return count > MOST_LIMIT
      ? say('all {count} rows', { count })
      : say('these {count} rows', { count });
  }
  if (count === 1) return say('this group');
  return count > MOST_LIMIT
    ? say('all {count} groups', { count })
    : say('these {count} groups', { count });
}

/** Links to the rows as files, in a line. */
export function Files(props: FilesProps) {
  const { language } = props.view;
  return (
    <p class="files">
      {language.say('Download {rows} as', { rows: filesText(props.found, language) })}{' '}
      {filesOf(props).map(({ format, href, notes }, i) => (
        <>
          {i === 0 ? '' : ' · '}
          <a href={href}>{FORMATS[format].title}</a>
          {notes.length === 0 ? '' : ` (${notes.join(', ')})`}
        </>
      ))}
    </p>
  );
}

/** The files of an answer, one below the other. */
export function FileList(props: FilesProps) {
  return (
    <dl class="defs">
      {filesOf(props).map(({ format, href, notes }) => (
        <div>
          <dt>{FORMATS[format].title}</dt>
          <dd>
            <a href={href}>{filesText(props.found, props.view.language)}</a>
            {notes.map((note) => `, ${note}`)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Rows of a page that stand for all, evenly apart. */
const MOST_SAMPLED = 50;

/** The least share of the rows, or else their least number, that tell how long the others are. */
const LEAST_SAMPLED = 10;

/**
 * How long the files of an answer are about, by format, in words: `about 1.2 MB`. It is told from
 * the rows of a page. Formats of which these do not tell it are absent.
 */
function fileSizes(
  rows: readonly Row[],
  columns: readonly Field[],
  total: number,
  mostAsJson: number,
  language: Language,
): Partial<Record<Format, string>> {
  if (rows.length < Math.min(LEAST_SAMPLED, total)) return {};
  const step = Math.ceil(rows.length / MOST_SAMPLED);
  const sample = rows.filter((_, i) => i % step === 0);
  const mean = (bytesOf: (row: Row) => number) =>
    sample.reduce((sum, row) => sum + bytesOf(row), 0) / sample.length;
  const json = mean((row) => bytesAsJson(columns.map(({ name }) => [name, row[name] ?? null])));
  const csv = mean((row) =>
    columns.reduce((sum, { name }) => sum + Buffer.byteLength(String(row[name] ?? '')) + 1, 1),
  );
  const head = columns.reduce((sum, { name }) => sum + name.length + 1, 1);
  return {
    csv: sizeText(head + total * csv, language),
    ndjson: sizeText(total * json, language),
    json: sizeText(Math.min(total, mostAsJson) * json, language),
  };
}

function bytesAsJson(members: readonly (readonly [string, unknown])[]): number {
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(members))) + 1;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Two digits, since more would not be true. */
function sizeText(bytes: number, { say, number }: Language): string {
  const rounded = Number(Math.max(1, bytes).toPrecision(2));
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(rounded) / 3));
  const size = number(Number((rounded / 1000 ** power).toPrecision(2)));
  return say('about {size}', { size: `${size} ${UNITS[power]}` });
}
