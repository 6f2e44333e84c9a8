import { parseAccept } from 'hono/utils/accept';
import type { ArgumentFault } from '../arguments/faults.ts';
import { type Arguments, isBlank, normalise, type RawArguments } from '../arguments/given.ts';
import { type Block, datasetOf } from '../block/block.ts';
import { areaDimension, GROUP_NAMES } from '../block/grouping.ts';
import { XY } from '../block/two-numbers.ts';
import { FORMAT_NAMES, FORMATS, type Format, formatsOfAnswers } from '../formats/formats.ts';
import { invalidArguments } from '../problem/errors.ts';
import { areaFieldOf } from '../values/places.ts';
import { type HttpRequest, wantsFlat } from './request.ts';

/** The format that a request asks for by its Accept header: of the block's rows, or of groups. */
export function acceptedFormatOf(request: HttpRequest, block: Block, isOfGroups: boolean): Format {
  const { accept } = request.headers;
  // A client that asks for the flat form reads only that, whatever its Accept header says.
  if (accept === undefined || wantsFlat(request)) return 'json';
  const formats = isOfGroups ? formatsOfAnswers(block) : block.formats;
  // A POST, such as a form on another site's page, never gets a page by its Accept header.
  const offered = request.method === 'POST' ? formats.filter((f) => f !== 'html') : formats;
  return acceptedFormat(accept, offered);
}

/**
 * The format that an Accept header names with the highest quality (RFC 9110, section 12.5.1), the
 * first if several tie; JSON if it names none. A type with a star names no format: programs send
 * it, and get JSON.
 */
export function acceptedFormat(accept: string | null, offered: readonly Format[]): Format {
  if (accept === null || accept === '*/*') return 'json';
  // parseAccept sorts by quality.
  for (const { type, q } of parseAccept(accept)) {
    if (q === 0) continue;
    const named = type.toLowerCase();
    if (named === '*/*') return 'json';
    const format = FORMAT_NAMES.find((name) => FORMATS[name].accepted.includes(named));
    if (format !== undefined && offered.includes(format)) return format;
  }
  return 'json';
}

/** The options that CSV alone has. */
const OF_CSV = FORMATS.csv.ownOptions ?? [];

/** Throws a Problem if an option is for another format than the answer's. */
export function checkFormatOptions(block: Block, read: Arguments, format: Format): void {
  const { values } = read;
  const { ownOptions = [], hasFacets, isOfPlaces } = FORMATS[format];
  const ofCsv = OF_CSV.filter((name) => values[name] === true && !ownOptions.includes(name));
  // Nearly every question ends here.
  if (ofCsv.length === 0 && values._facets === undefined && !isOfPlaces) return;
  const wrong = (parameter: string, why: string) => {
    const detail = `${parameter} is for ${why}`;
    return { code: 'option-of-another-format' as const, detail, parameter };
  };
  const faults = [
    ...ofCsv.map((name) =>
      wrong(
        name,
        `CSV alone, and this answer is ${format}. Add _format=csv, or leave ${name} out.`,
      ),
    ),
    ...(values._facets !== undefined && !hasFacets
      ? [
          wrong(
            '_facets',
            `JSON and pages, and ${format} has no place for counts. Ask for _format=json, or group by the field: _group counts.`,
          ),
        ]
      : []),
    ...(isOfPlaces ? faultsOfPlaces(block, read, format) : []),
  ];
  if (faults.length > 0) throw invalidArguments(faults);
}

/** What is wrong with a question in a format of places: only rows with places and areas have one. */
function faultsOfPlaces(
  block: Block,
  { values, grouping }: Arguments,
  format: Format,
): ArgumentFault[] {
  const dataset = datasetOf(block) ?? {};
  const area = areaFieldOf(dataset);
  const isOfAreas = grouping !== undefined && areaDimension(grouping, dataset) !== undefined;
  if (isOfAreas && values._geometry === 'point') {
    const detail =
      '_geometry is point, and groups are areas, whose centres are not known. Leave it out.';
    return [{ code: 'option-of-another-question', detail, parameter: '_geometry' }];
  }
  if (isOfAreas) return [];
  const names = [...GROUP_NAMES, XY].filter((name) => values[name] !== undefined);
  if (names.length === 0 && !block.formats.includes(format)) {
    const detail = `_group is missing: rows have no place of their own, and the values of ${area} are areas. Add _group=${area}, or ask for json, csv or ndjson.`;
    return [{ code: 'missing-parameter', detail, parameter: '_group', suggestion: area }];
  }
  const groups =
    area === undefined
      ? 'groups have no place on a map. Ask for'
      : `only groups by ${area} are areas. Add it to _group, ask for`;
  return names.map((parameter) => {
    const why = parameter === XY ? 'two numbers have no place on a map. Ask for' : groups;
    const detail = `${parameter} is for other formats, since ${why} json, csv or ndjson, or leave it out.`;
    return { code: 'option-of-another-format', detail, parameter };
  });
}

/** The format that a request asks for, even if the rest of it, or the format, is invalid. */
export function formatOf(
  request: HttpRequest,
  block: Block,
  { query, body }: Pick<RawArguments, 'query' | 'body'>,
): Format {
  const named = isBlank(query._format) ? body._format : query._format;
  const option = isBlank(named) ? undefined : block.options.find(({ name }) => name === '_format');
  if (option === undefined) {
    return acceptedFormatOf(request, block, !isBlank(query._group) || !isBlank(body._group));
  }
  return normalise(option, named) as Format;
}
