import { type DatasetBlock, datasetOf } from '../../block/block.ts';
import { type Described, figuresOf, rangeOf } from '../../block/describe-block.ts';
import { foundAreas } from '../../block/found-areas.ts';
import { badRowsSentence } from '../../block/manifest.ts';
import { isFilterable, type Parameter } from '../../block/parameter.ts';
import { valuesOf } from '../../portals/block-index.ts';
import { fitting, inOneLine, numberText } from '../../text/wording.ts';
import { type Field, typeOf } from '../../values/field-types.ts';
import {
  BAR,
  bytesOf,
  cellText,
  fitEntries,
  fittingLines,
  markedAsData,
  safeJson,
  shortenToBytes,
} from './data-text.ts';
import { citeLine } from './receipt.ts';
import { leastToGreatest, measuresInShort } from './tool-of.ts';

/** Bytes of a title, of the block's description, and of its examples. */
const MOST_TITLE_BYTES = 300;
const MOST_DESCRIPTION_BYTES = 1200;
const MOST_EXAMPLES_BYTES = 1000;

/** Bytes of a field: its line, in it what the field is, and its common values. */
const MOST_LINE_BYTES = 700;
const MOST_ABOUT_BYTES = 160;
const MOST_VALUES_BYTES = 400;

/** The most common values of a field; fewer if the fields would not fit. */
const VALUES_SHOWN = [8, 3, 0];

/** A block on a page of text: its fields from the one at `from`, how to ask, and examples. */
export function blockText(described: Described, from: number): readonly string[] {
  const { block } = described;
  const dataset = datasetOf(block);
  const head = [...headOf(described), HEADER];
  const behind = dataset ? howToAsk(dataset, described) : answerOf(described);
  for (const most of VALUES_SHOWN) {
    const fields = dataset
      ? dataset.fields.slice(from).map((field) => fieldLine(described, field, most))
      : block.parameters.slice(from).map((parameter) => parameterLine(parameter));
    const linesOf = (shown: number) => [
      ...markedAsData([...head, ...fields.slice(0, shown)]),
      ...moreFields(fields.length - shown, from + shown),
      ...behind,
    ];
    const { lines, shown } = fitEntries(fields.length, linesOf, Math.min(1, fields.length));
    if (shown === fields.length || most === VALUES_SHOWN.at(-1)) return lines;
  }
  throw new TypeError('The last text has as many fields as fit.');
}

const HEADER = ['name', 'type', 'what it is', 'values'].join(BAR);

function moreFields(more: number, from: number): string[] {
  return more <= 0 ? [] : [`${numberText(more)} more fields: call again with from: ${from}.`];
}

function headOf(described: Described): string[] {
  const { block, manifest } = described;
  const noun = datasetOf(block)?.noun;
  const license = manifest?.source.license;
  const bad = manifest && badRowsSentence(manifest);
  return [
    shortenToBytes(`${block.name}: ${inOneLine(block.title)}`, MOST_TITLE_BYTES),
    shortenToBytes(inOneLine(block.description), MOST_DESCRIPTION_BYTES),
    ...(manifest === undefined ? [] : [`${numberText(manifest.rows)} ${noun}.`]),
    ...(license === undefined
      ? []
      : [shortenToBytes(`Licence: ${inOneLine(license)}`, MOST_TITLE_BYTES)]),
    ...(bad === undefined ? [] : [bad]),
  ];
}

/** A field in one line: its range, or its commonest values. */
function fieldLine(described: Described, field: Field, most: number): string {
  const { name, title, description, type, unit } = field;
  const statistics = described.manifest?.fields[name];
  const range = rangeOf(field, statistics);
  const values = valuesOf(described, name);
  const about = [title, unit, description].filter((text) => text !== undefined).join('; ');
  const cells = [
    name,
    isFilterable(field) ? type : `${type}, no filter`,
    cellText(shortenToBytes(inOneLine(about), MOST_ABOUT_BYTES)),
    range === undefined ? valuesText(values, statistics?.distinct, most) : leastToGreatest(range),
  ];
  return shortenToBytes(cells.join(BAR), MOST_LINE_BYTES);
}

function valuesText(values: readonly string[], distinct: number | undefined, most: number): string {
  const texts = fitting(values.slice(0, most).map(safeJson), bytesOf, MOST_VALUES_BYTES);
  const count = distinct === undefined ? '' : `${numberText(distinct)} values`;
  if (texts.length === 0) return count;
  return distinct === texts.length ? texts.join(', ') : `${count}, such as ${texts.join(', ')}`;
}

function parameterLine({ name, type, title, description, required, ...more }: Parameter): string {
  const { minimum, maximum, choices = [], default: byDefault } = more;
  const values = [
    ...(choices.length === 0 ? [] : [choices.join(', ')]),
    ...(minimum === undefined && maximum === undefined
      ? []
      : [`${minimum ?? ''}..${maximum ?? ''}`]),
    ...(byDefault === undefined ? [] : [`by default ${byDefault}`]),
  ];
  const about = [title, description].filter((text) => text !== undefined).join('; ');
  const cells = [name, required ? `${type}, required` : type, inOneLine(about), values.join('; ')];
  return shortenToBytes(cells.join(BAR), MOST_LINE_BYTES);
}

function howToAsk({ fields, geometry }: DatasetBlock, described: Described): string[] {
  const ordered = fields.find((field) => isFilterable(field) && typeOf(field).isOrdered);
  return [
    `Ask with query: block and arguments. A field takes a value or a list; of a text, * is any text.${ordered === undefined ? '' : ` Ranges: ${ordered.name}_min, ${ordered.name}_max, and so for every number, date and time.`}`,
    `_q finds words in any text. _not {field: value}, _or [{…}, {…}], _empty and _filled (fields).${geometry === undefined ? '' : ' _near longitude,latitude; _within 2km; _bbox west,south,east,north.'}`,
    `_group (field, date.month, number.10) with _measure (${measuresInShort()}; as in sum:field), _having {count_min: 2}. _sort -field, _fields a,b, _limit, _cursor, _facets. _xy x,y: two numbers of each row, or squares that count them.`,
    ...areasOf(described),
    ...findingsOf(described),
    ...examplesOf(described),
    citeLine(described.block, described.manifest),
  ];
}

/** Which field names areas, and where they are as GeoJSON. */
function areasOf({ block, manifest }: Described): string[] {
  const dataset = datasetOf(block);
  const areas = dataset && manifest && foundAreas(dataset, manifest);
  if (areas === undefined) return [];
  const { field, areas: kind, found, not_found: none, geojson } = areas;
  const whose = kind === 'own' ? 'areas of its own' : kind;
  const not =
    none === undefined
      ? ''
      : `, ${numberText(none.values)} in ${numberText(none.rows)} rows name none`;
  return [
    `${field} names ${whose}: ${numberText(found)} values do${not}. As GeoJSON, with any _measure: ${geojson}`,
  ];
}

function answerOf(described: Described): string[] {
  const { outputSchema } = described.block;
  const members = Object.keys((outputSchema.properties ?? {}) as object);
  return [
    `Ask with query: block and arguments. The answer has ${members.join(', ')}.`,
    ...examplesOf(described),
    citeLine(described.block, described.manifest),
  ];
}

/** What the publisher found, as many as fit. */
function findingsOf({ block }: Described): string[] {
  const lines = (figuresOf(block) ?? []).map(({ title, text, url }) => {
    return `- ${inOneLine([title, text].filter((one) => one !== undefined).join('. '))}: ${url}`;
  });
  const shown = fittingLines(
    lines,
    MOST_EXAMPLES_BYTES,
    (more) => `${numberText(more)} more figures are left out.`,
  );
  return shown.length === 0 ? [] : markedAsData(["The publisher's figures:", ...shown]);
}

/** The block's own examples as calls, as many as fit. */
function examplesOf({ block }: Described): string[] {
  const calls = block.examples.map(({ title, arguments: given }) => {
    return `- ${title}: ${safeJson({ block: block.name, arguments: given })}`;
  });
  const shown = fittingLines(
    calls,
    MOST_EXAMPLES_BYTES,
    (more) => `${numberText(more)} more examples are left out.`,
  );
  return shown.length === 0 ? [] : markedAsData(['Examples:', ...shown]);
}
