import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { type DatasetBlock, datasetOf } from '../../src/block/block.ts';
import type { Parameter } from '../../src/block/parameter.ts';
import { PAGE_NAMES } from '../../src/block/views.ts';
import { FAULTS, PROBLEMS } from '../../src/problem/errors.ts';
import { isNumeric } from '../../src/values/field-types.ts';
import { startForPortals } from '../support/portals-service.ts';
import { randomBlocks } from '../support/random-blocks.ts';
import { randomDimension, randomQuestion } from '../support/random-questions.ts';
import { scalarText } from './requests.ts';

/** Requests for pages, figures and files, which are questions that a block may answer. */

type Pairs = readonly (readonly [name: string, value: string])[];
type Asked = { readonly path: string; readonly headers: Readonly<Record<string, string>> };

/** Markup that must be text wherever a page shows it. */
const MARKUP = '<i>mark</i>';

const FORMATS: Readonly<Record<string, string>> = {
  html: 'text/html',
  svg: 'image/svg+xml',
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  geojson: 'application/geo+json',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const degrees = fc.oneof(
  fc.double({ min: -200, max: 200, noNaN: true }),
  fc.constantFrom(-180, 180, 0, 90, -90, -73.99, 40.68, 1e-9),
);
const box = fc.tuple(degrees, degrees, degrees, degrees).map((ends) => ends.join());

/** Values of a parameter by its type; most of them are well-formed. */
function textFor({ type, choices = [], examples = [] }: Parameter): fc.Arbitrary<string> {
  const texts = examples.map(String);
  switch (type) {
    case 'choice':
      return fc.constantFrom(...choices.map(String));
    case 'boolean':
      return fc.constantFrom('true', 'false');
    case 'box':
      return box;
    case 'place':
      return fc.tuple(degrees, degrees).map((pair) => pair.join());
    case 'distance':
      return fc.constantFrom('10m', '2km', '900mi');
    case 'number':
    case 'integer':
      return fc.constantFrom('5', '-3', '0', '120', ...texts);
    case 'date':
    case 'datetime':
      return fc.constantFrom('2020', '2020-02-29', '2021-01', ...texts);
    case 'text':
    case 'words':
      return fc.constantFrom('Retail', 'c*', 'x', MARKUP, ...texts);
    default:
      return fc.constantFrom('718*', '7', ...texts);
  }
}

/** A few of these parameters, each with a value, or now and then with any text. */
function someOf(parameters: readonly Parameter[], most: number): fc.Arbitrary<Pairs> {
  const pairs = parameters.map((parameter) =>
    fc.tuple(
      fc.constant(parameter.name),
      fc.oneof({ weight: 40, arbitrary: textFor(parameter) }, { weight: 1, arbitrary: scalarText }),
    ),
  );
  return fc.uniqueArray(fc.oneof(...pairs), { maxLength: most, selector: ([name]) => name });
}

/** Options that only how a page is drawn depends on. */
const DRAWING: readonly string[] = [...PAGE_NAMES, '_scale', '_medians', '_shade', '_geometry'];

function pageOf(block: DatasetBlock): fc.Arbitrary<Asked> {
  const question = randomQuestion(block).map(
    (asked): Pairs =>
      Object.entries(asked).flatMap(([name, value]) =>
        name === '_having' ? [] : [[name, String(value)] as const],
      ),
  );
  const numbers = block.fields.filter(isNumeric).map(({ name }) => name);
  const pair = fc.constantFrom(...numbers, 'x');
  const asked = fc.oneof(
    { weight: 3, arbitrary: question },
    fc
      .tuple(randomDimension(block), randomDimension(block))
      .map((both): Pairs => [['_group', both.join()]]),
    fc.tuple(pair, pair).map((both): Pairs => [['_xy', both.join()]]),
    fc.constant<Pairs>([]),
  );
  return fc
    .record({
      format: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom('html', 'html', 'svg') },
        fc.constantFrom(...Object.keys(FORMATS)),
      ),
      asked,
      drawing: someOf(
        block.options.filter(({ name }) => DRAWING.includes(name)),
        3,
      ),
      filters: fc.oneof(fc.constant<Pairs>([]), someOf(block.parameters, 2)),
    })
    .map(({ format, asked, drawing, filters }) => {
      const query = [...asked, ...drawing, ...filters].map(
        ([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`,
      );
      return { path: `${block.name}?_format=${format}&${query.join('&')}`, headers: {} };
    });
}

/** A part of a file, whole or cut, of this version or of one that is not kept. */
function fileOf(block: DatasetBlock): fc.Arbitrary<Asked> {
  const end = fc.oneof(fc.nat(20_000), fc.constantFrom('', -1, 10 ** 20, 'x'));
  return fc
    .record({
      ending: fc.constantFrom(
        'csv',
        'ndjson',
        'ndjson.gz',
        'parquet',
        'geojson',
        'xlsx',
        'zip',
        '',
      ),
      below: fc.constantFrom('', '', '', `/files/${'0'.repeat(64)}`, '/files/x'),
      range: fc.option(fc.tuple(end, end)),
    })
    .map(
      ({ ending, below, range }): Asked => ({
        path: `${block.name}${below}.${ending}`,
        headers: range === null ? {} : { range: `bytes=${range.join('-')}` },
      }),
    );
}

/** What is wrong with an answer; undefined if nothing is. */
async function faultOf({ path }: Asked, answer: Response): Promise<string | undefined> {
  const { status, headers } = answer;
  const bytes = Buffer.from(await answer.arrayBuffer());
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  if (status >= 500) return `status ${status}: ${bytes.subarray(0, 300)}`;
  // What was sent is shown as it was sent.
  const isSaid = ODD.test(decodeURIComponent(path));
  if (type === FORMATS.html) return faultOfPage(bytes.toString(), isSaid);
  if (status >= 400) return faultOfRefusal(status, bytes.toString());
  const [, format] = /_format=(\w+)/.exec(path) ?? [];
  if (format === undefined) return undefined;
  if (type !== FORMATS[format]) return `${format} as ${type}`;
  if (format === 'svg') return faultOfPicture(bytes.toString(), isSaid);
  if (format === 'json' || format === 'geojson') JSON.parse(bytes.toString());
  if (format === 'ndjson') for (const line of bytes.toString().split('\n')) JSON.parse(line || '0');
  return undefined;
}

/** Words that no reader should see, and what programs make of them. */
const ODD = /\b(NaN|undefined|Infinity)\b|\[object \w+\]/;

function faultOfPage(html: string, isSaid: boolean): string | undefined {
  if (!html.trimEnd().endsWith('</html>')) return 'a page that ends early';
  if (html.includes(MARKUP) || html.includes('<script>window.ran')) return 'markup of data';
  if (/ style="/.test(html)) return 'a style that the policy of its content forbids';
  const shown = html.replace(/<(script|style)\b.*?<\/\1>/gs, ' ');
  return isSaid ? undefined : ODD.exec(shown)?.[0];
}

function faultOfPicture(svg: string, isSaid: boolean): string | undefined {
  let fault: string | undefined;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    fault ??= error.message;
  });
  parser.write(svg).close();
  return fault ?? (isSaid ? undefined : ODD.exec(svg)?.[0]);
}

function faultOfRefusal(status: number, text: string): string | undefined {
  if (text === '') return undefined;
  const { code, errors } = JSON.parse(text);
  if (PROBLEMS[code as keyof typeof PROBLEMS]?.status !== status) return `${status} for ${code}`;
  for (const fault of errors) {
    if (!(fault.code in FAULTS || fault.code in PROBLEMS)) return `unknown fault ${fault.code}`;
    if (/undefined|\[object|NaN is/.test(fault.detail)) return `a broken detail: ${fault.detail}`;
  }
  return undefined;
}

/** Sends generated requests; throws fast-check's report of the first answer that is not as documented. */
export async function fuzzViews(runs: number, seed: number): Promise<Record<string, number>> {
  const service = await startForPortals({}, randomBlocks(4, seed));
  const blocks = service.blocks.flatMap(({ block }) => datasetOf(block) ?? []);
  const request = fc.oneof(
    ...blocks.flatMap((block) => [
      { weight: 9, arbitrary: pageOf(block) },
      { weight: 1, arbitrary: fileOf(block) },
    ]),
  );
  const seen: Record<string, number> = {};
  try {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const address = `${service.url}/api_v2/blocks/${asked.path}`;
        const answer = await fetch(address, { headers: asked.headers });
        const fault = await faultOf(asked, answer);
        if (fault !== undefined) throw new Error(`${fault} at ${address}`);
        seen[answer.status] = (seen[answer.status] ?? 0) + 1;
      }),
      { numRuns: runs, seed },
    );
  } finally {
    await service.close();
  }
  return seen;
}
