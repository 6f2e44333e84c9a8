import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROBLEMS } from '../../src/problem/errors.ts';

/**
 * The tables of docs/bounds.md, from the constants and their comments. A comment's first sentence
 * says what is bounded, and the others what happens at the bound. Paragraphs after the first are for
 * readers of the code.
 */
export function boundsTables(): Record<string, string> {
  const find = (file: string, named: string): Constant => {
    const [name, unit] = named.split(':');
    const found = constantsOf(file).find((one) => one.name === name);
    if (found === undefined) throw new Error(`${file} has no number ${name}`);
    return unit === 'bytes' ? { ...found, unit } : found;
  };
  const tables: Record<string, string> = {};
  for (const [table, rows] of Object.entries(TABLES)) {
    const cells = rows.map((row) => {
      const [file = '', ...names] = row.split(' ');
      return cellsOf(names.map((name) => find(file, name)));
    });
    tables[table] = tableOf(
      ['what', 'bound', 'where'],
      cells.map(({ what, value, more, where }) => [what, [value, ...more].join('. '), where]),
    );
  }
  return tables;
}

function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`)
    .join('');
}

/**
 * The rows of each table: a file, and constants of one comment, with a unit if their names do not
 * tell it.
 */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  run: [
    'src/work/budget.ts RUN_WITHIN_MS',
    'src/work/budget.ts RUN_STEPS',
    'src/work/budget.ts HINT_STEPS',
    'src/work/budget.ts TURN_STEPS',
    'src/work/budget.ts SHORT_PAUSES',
    'src/work/scheduler.ts TURNS_PER_LONG_RUN TURNS_PER_DOWNLOAD',
    'src/work/budget.ts LONG_RUN_MS',
    'src/work/scheduler.ts LOOPS_BETWEEN MOST_MS_BETWEEN',
    'src/columns/column-rows.ts LARGE_PAGE_BYTES',
    'src/columns/column-rows.ts MOST_LARGE_READS',
    'src/values/row-texts.ts MOST_ANSWER_BYTES',
    'src/page/links.ts MOST_STATE_LENGTH',
    'src/views/table-body.ts MOST_CELLS',
    'src/columns/column-rows.ts MOST_BEFORE',
    'src/views/table.tsx STEPS_BEFORE',
    'src/views/column-summaries.ts STEPS_OF_SUMMARIES',
    'src/query/why-empty.ts MOST_ASKED',
    'src/query/why-empty.ts MOST_FIELDS_ASKED MOST_ELSEWHERE',
    'src/http/picked-arguments.ts MOST_SUGGESTIONS',
  ],
  downloads: [
    'src/work/scheduler.ts readWhole',
    'src/columns/column-rows.ts SORTED_BYTES_AT_ONCE',
    'src/measures/measure.ts MOST_BYTES',
    'src/block/grouping.ts MOST_DIMENSIONS MOST_MEASURES MOST_GROUPS MOST_FACETS',
    'src/columns/dimension-keys.ts MOST_OF_TWO MOST_OF_THREE',
    'src/block/options.ts MOST_SORTS',
    'src/columns/row-texts.ts BATCH_BYTES',
    'src/columns/whole-results.ts ROWS_AT_ONCE',
    'src/formats/parquet-writer.ts GROUP_ROWS GROUP_VALUES GROUP_CHARACTERS',
    'src/formats/parquet-writer.ts GROUP_VALUES_PER_COLUMN GROUP_CHARACTERS_PER_COLUMN',
    'src/http/present-data.ts CELLS_OF_FIRST',
    'src/work/scheduler.ts writeParquet',
    'src/formats/parquet.ts MOST_BYTES',
    'src/formats/xlsx.ts MOST_SHEET_ROWS',
    'src/formats/xlsx-writer.ts MOST_LINKS MOST_LINK_CHARACTERS',
    'src/formats/xlsx-cells.ts MOST_CELL_TEXT',
    'src/formats/xlsx-cells.ts MOST_ADDRESS',
    'src/formats/xlsx-cells.ts MOST_DAYS',
    'src/formats/zip-writer.ts MOST_FILE_BYTES',
    'src/work/scheduler.ts writeFile',
    'src/local/kept-files.ts KEPT_BYTES',
    'src/local/kept-files.ts WRITE_WITHIN_MS',
    'src/local/kept-files.ts MOST_TRIES',
    'src/local/kept-files.ts READ_BYTES',
  ],
  connections: [
    'src/local/connections.ts waitingBytes',
    'src/http/answer.ts STALLED_MS',
    'src/http/answer.ts GRACE_MS LEAST_BYTES_PER_SECOND',
    'src/local/connections.ts connections',
    'src/local/connections.ts streams',
    'src/local/connections.ts arrivalMs',
    'src/local/connections.ts idleMs',
    'src/local/node-http.ts DRAIN_MS',
    'src/local/start.ts FINISH_WITHIN_MS',
  ],
  request: [
    'src/http/read-body.ts MOST_BODY_BYTES',
    'src/http/read-body.ts MOST_PIECES',
    'src/local/node-http.ts MOST_HEADER_BYTES',
    'src/values/field-type.ts MOST_TEXT_LENGTH',
    'src/values/field-type.ts MOST_KEYS',
    'src/values/field-type.ts MOST_LIST_MEMBERS',
    'src/values/field-type.ts MOST_TOKEN_LENGTH',
    'src/block/options.ts DEFAULT_LIMIT MOST_LIMIT',
    'src/block/parameter.ts MOST_ALTERNATIVES',
    'src/block/grouping.ts MOST_FACET_VALUES',
    'src/problem/errors.ts MOST_FAULTS',
    'src/http/webhooks.ts MOST_CHALLENGE_LENGTH',
    'src/channels/slack/slash-command.ts MOST_SECONDS',
    'src/channels/mcp/tools.ts MOST_LIST_BYTES',
    'src/channels/mcp/data-text.ts MOST_BYTES',
    'src/channels/openapi/openapi-document.ts MOST_BYTES',
  ],
  reading: [
    'src/columns/column-cache.ts DEFAULT_CACHE_BYTES',
    'src/columns/scan.ts CHUNKS_AHEAD MOST_AHEAD',
    'src/columns/column-rows.ts MOST_ORDERED',
    'src/columns/whole-results.ts NEAREST_AT_ONCE',
    'src/dynamodb/read-client.ts MOST_ATTEMPTS',
    'src/dynamodb/read-client.ts REQUEST_WITHIN_MS CONNECT_WITHIN_MS',
    'src/dynamodb/read-client.ts MOST_BYTES',
    'src/dynamodb/item-reader.ts WITHIN_MS',
    'src/dynamodb/item-reader.ts MOST_KEYS MOST_BYTES_ASKED',
    'src/dynamodb/dataset-store.ts MOST_LOOKUP_BYTES',
    'src/dynamodb/client.ts ANSWERS_WITHIN_S',
    'src/local/prepare-datasets.ts BLOCKS_AT_ONCE',
  ],
  deployment: [
    'src/lambda/api-gateway-handler.ts BEYOND_RUN_MS',
    'src/lambda/channel-handler.ts CHANNEL_ANSWER_WITHIN_MS',
    'src/lambda/channel-handler.ts ANSWERED_WITHIN_MS',
    'src/http/present-data.ts STREAM_WITHIN_MS',
    'src/lambda/function-settings.ts STREAM_BYTES',
    'lib/service-function.ts timeout',
    'lib/service-function.ts STREAM_TIMEOUT',
    'lib/block-service.ts TIMEOUT',
    'lib/deployment-check.ts TIMEOUT',
    'lib/blockyard-stack.ts MOST_IMPORTS',
    'lib/blockyard-stack.ts MOST_BLOCKS',
    'src/build/build-service.ts BUILT_AT_ONCE',
    'src/build/build-files.ts FILE_BYTES',
    'src/build/build-files.ts GEOJSON_BYTES',
    'src/build/build-files.ts WRITTEN_WITHIN_MS',
    'src/lambda/bucket-files.ts PART_BYTES',
    'src/lambda/bucket-files.ts PART_IN_ONE_PIECE_BYTES',
    'src/lambda/read-bucket.ts SIGNED_FOR_S',
    'src/lambda/read-bucket.ts MOST_ATTEMPTS',
    'src/lambda/read-bucket.ts REQUEST_WITHIN_MS CONNECT_WITHIN_MS',
    'src/dynamodb/check-table.ts PARTS_AT_ONCE',
  ],
  file: [
    'src/fetch/fetch-file.ts MOST_BYTES HEADERS_MS IDLE_MS DEADLINE_MS',
    'src/fetch/fetch-answer.ts MOST_REDIRECTS',
    'src/fetch/fetch-answer.ts MOST_HEADER_BYTES',
    'src/files/csv/rank-delimiters.ts HEAD_CHARACTERS',
    'src/files/csv/rank-delimiters.ts MOST_RECORDS',
    'src/files/csv/record-parser.ts MOST_OF_RECORD',
    'src/files/csv/read-csv.ts MOST_COLUMNS',
    'src/files/source-table.ts MAX_COLUMNS',
    'src/files/source-table.ts MAX_RECORD',
    'src/files/source-table.ts MAX_LEVELS',
    'src/files/several-tables.ts MOST_TABLES RECORDS_OF_HEAD',
    'src/recipe/file-questions.ts MOST_TABLES',
    'src/files/unpack-file.ts MOST_UNPACKED:bytes',
    'src/files/unpack-file.ts MOST_RATIO SMALL:bytes',
    'src/files/xlsx/workbook.ts MAX_SMALL_PART:bytes MAX_TEXTS:bytes MAX_SHEET:bytes',
    'src/files/parquet/parquet-pages.ts MAX_HELD:bytes',
    'src/files/parquet/parquet-pages.ts MAX_VALUES',
    'src/recipe/evidence/distinct-texts.ts MOST_COUNTED',
    'src/recipe/evidence/distinct-texts.ts MOST_SLOTS',
    'src/recipe/evidence/column.ts MOST_MISSING',
    'src/values/spelled-number.ts MOST_LENGTH',
    'src/recipe/evidence/time.ts MOST_LENGTH',
    'src/values/wkt-point.ts MOST_CHARACTERS',
    'src/recipe/evidence/place.ts MOST_BEFORE',
    'src/recipe/find-regions.ts MOST_REGIONS',
    'src/recipe/find-regions.ts MOST_BYTES',
    'src/files/geojson/simplify-areas.ts MOST_SHAPES:bytes',
    'src/files/geojson/simplify-areas.ts MOST_POSITIONS',
    'src/files/geojson/simplify-areas.ts MOST_ROUNDS',
    'src/import/read-block-file.ts MOST_LENGTH',
    'src/import/read-block-file.ts MOST_DEPTH',
    'src/files/bad-row.ts MOST_BAD_ROWS MOST_BAD_CHARACTERS',
    'src/files/csv/mend-bad-row.ts MOST_LINES',
    'src/files/csv/mend-bad-row.ts MOST_TRIED',
    'src/files/csv/mend-bad-row.ts MOST_CHARACTERS',
    'src/files/csv/mend-bad-row.ts MOST_OF_ROW MOST_OF_FILE',
    'src/files/csv/bad-csv-row.ts NAMED',
    'src/recipe/questions.ts MOST_NAMED',
    'bin/own-data.ts OTHER_PORTS',
  ],
};

type Unit = 'ms' | 's' | 'bytes' | 'steps' | 'characters' | 'rows' | '';

type Constant = {
  readonly file: string;
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  /** The first paragraph of its comment. */
  readonly comment: string;
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The numbers of a file: constants, and members of objects that have a comment. */
function constantsOf(file: string): Constant[] {
  const found: Constant[] = [];
  let comment: string[] = [];
  let isOpen = false;
  for (const text of readFileSync(path.join(ROOT, file), 'utf8').split('\n')) {
    const words = /^ *(?:\/\*\*|\*(?!\/)) ?(.*?)(?: ?\*\/)?$/.exec(text);
    const isBegin = /^ *\/\*\*/.test(text);
    if (isBegin) comment = [];
    if (isBegin || isOpen) {
      isOpen = !text.includes('*/');
      if (words?.[1] !== undefined) comment.push(words[1]);
      continue;
    }
    const [, name, written = ''] =
      /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: number)? = (.+);$/.exec(text) ??
      /^ {2}([a-z]\w+): (.+),$/.exec(text) ??
      [];
    if (name === undefined) {
      comment = [];
      continue;
    }
    const duration = /^Duration\.(seconds|minutes)\((\d+)\)$/.exec(written);
    const value = duration
      ? Number(duration[2]) * (duration[1] === 'minutes' ? 60_000 : 1000)
      : numberOf(written);
    if (value === undefined) continue;
    const paragraph = comment.join('\n').trim().split('\n\n')[0] ?? '';
    found.push({
      file,
      name,
      value,
      unit: duration ? 'ms' : unitOf(name),
      comment: paragraph.replaceAll('\n', ' '),
    });
  }
  return found;
}

/** The value of a sum of products of powers. */
function numberOf(written: string): number | undefined {
  if (!/^[\d_.e]+(?: [-+*/]{1,2} [\d_.e]+)*$/.test(written)) return undefined;
  const [terms, factors, powers] = [/ (?=[-+] )/, / (?=[*/] )/, ' ** '];
  const power = (text: string) =>
    text
      .split(powers)
      .map((digits) => Number(digits.replaceAll('_', '')))
      .reduceRight((exponent, base) => base ** exponent);
  const product = (text: string) =>
    text.split(factors).reduce((so, factor) => {
      const [, sign, digits = ''] = /^(?:([*/]) )?(.*)$/.exec(factor) ?? [];
      return sign === '/' ? so / power(digits) : so * power(digits);
    }, 1);
  return written.split(terms).reduce((sum, term) => {
    const [, sign, rest = ''] = /^(?:([-+]) )?(.*)$/.exec(term) ?? [];
    return sign === '-' ? sum - product(rest) : sum + product(rest);
  }, 0);
}

function unitOf(name: string): Unit {
  if (/_MS(?:_|$)|Ms$/.test(name)) return 'ms';
  if (/_S$|SECONDS$/.test(name)) return 's';
  if (/bytes/i.test(name)) return 'bytes';
  if (/_STEPS$/.test(name)) return 'steps';
  if (/CHARACTERS|LENGTH$/.test(name)) return 'characters';
  return /_ROWS$|^ROWS_/.test(name) ? 'rows' : '';
}

function cellsOf(constants: readonly Constant[]) {
  const [first] = constants;
  if (first === undefined || first.comment === '') {
    throw new Error(`${first?.file}: ${first?.name} has no comment`);
  }
  const sentences = linked(first.comment).split(/\. (?=[A-Z`])/);
  const [what = '', ...more] = sentences.map((sentence) => sentence.replace(/\.$/, ''));
  const names = constants.map(({ name }) => `\`${name}\``).join(', ');
  return {
    what,
    more,
    value: constants.map(shownOf).join('; '),
    where: `[${path.posix.basename(first.file)}](../${first.file}): ${names}`,
  };
}

/** Codes of problems, as links to their description. */
function linked(text: string): string {
  return text.replace(/`([a-z-]+)`/g, (code, name: string) =>
    name in PROBLEMS ? `[${code}](errors.md#${name})` : code,
  );
}

function shownOf({ value, unit }: Constant): string {
  const whole = (number: number) => number.toLocaleString('en-US');
  if (unit === 'ms') {
    if (value >= 120_000) return `${value / 60_000} min`;
    return value >= 400 ? `${value / 1000} s` : `${value} ms`;
  }
  if (unit === 'bytes') {
    if (value % 1e9 === 0) return `${value / 1e9} GB`;
    const units = ['bytes', 'KiB', 'MiB', 'GiB'];
    const at = [3, 2, 1].find((power) => value % 1024 ** power === 0) ?? 0;
    return `${whole(value / 1024 ** at)} ${units[at]}`;
  }
  return unit === '' ? whole(value) : `${whole(value)} ${unit}`;
}
