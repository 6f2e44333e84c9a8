import { parseAccept } from 'hono/utils/accept';
import { type Arguments, isBlank, normalise, type RawArguments } from '../arguments/given.ts';
import type { Block } from '../block/block.ts';
import { GROUP_NAMES } from '../block/grouping.ts';
import { XY } from '../block/two-numbers.ts';
import { FORMAT_NAMES, FORMATS, type Format } from '../formats/formats.ts';
import { invalidArguments } from '../problem/errors.ts';
import { type HttpRequest, wantsFlat } from './request.ts';

/** The format that a request asks for by its Accept header. */
export function acceptedFormatOf(request: HttpRequest, { formats }: Block): Format {
  // A client that asks for the flat form reads only that, whatever its Accept header says.
  if (wantsFlat(request)) return 'json';
  // A POST, such as a form on another site's page, never gets a page by its Accept header.
  const offered = request.method === 'POST' ? formats.filter((f) => f !== 'html') : formats;
  return acceptedFormat(request.headers.accept ?? null, offered);
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
export function checkFormatOptions(values: Arguments['values'], format: Format): void {
  const wrong = (parameter: string, why: string) => {
    const detail = `${parameter} is for ${why}`;
    return { code: 'option-of-another-format' as const, detail, parameter };
  };
  const { ownOptions = [], hasFacets, whyNoGroups } = FORMATS[format];
  const faults = [
    ...OF_CSV.filter((name) => values[name] === true && !ownOptions.includes(name)).map((name) =>
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
    ...(whyNoGroups !== undefined
      ? [...GROUP_NAMES, XY]
          .filter((name) => values[name] !== undefined)
          .map((name) =>
            wrong(
              name,
              `other formats, since ${whyNoGroups}. Ask for json, csv or ndjson, or leave it out.`,
            ),
          )
      : []),
  ];
  if (faults.length > 0) throw invalidArguments(faults);
}

/** The format that a request asks for, even if the rest of it, or the format, is invalid. */
export function formatOf(
  request: HttpRequest,
  block: Block,
  { query, body }: Pick<RawArguments, 'query' | 'body'>,
): Format {
  const named = isBlank(query._format) ? body._format : query._format;
  if (isBlank(named)) return acceptedFormatOf(request, block);
  const option = block.options.find(({ name }) => name === '_format');
  if (option === undefined) return acceptedFormatOf(request, block);
  return normalise(option, named) as Format;
}
