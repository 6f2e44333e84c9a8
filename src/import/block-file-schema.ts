import { FIELD_NAME } from '../block/block.ts';
import { FIGURES_OF_BLOCK } from '../block/block-figure.ts';
import type { Dialect } from '../block/declaration.ts';
import { AREA_KINDS } from '../block/manifest.ts';
import { VIEWS } from '../block/views.ts';
import { FILE_FORMAT_NAMES } from '../files/file-formats.ts';
import { LANGUAGE_TAG } from '../languages/names.ts';
import { US_STATES } from '../recipe/area-names.ts';
import type { BlockFile, FileField } from '../recipe/recipe.ts';
import type { JsonSchema } from '../values/field-type.ts';
import { FIELD_TYPES } from '../values/field-types.ts';
import { count } from '../values/json-schema.ts';
import { OTHER_CALENDARS } from '../values/other-calendars.ts';
import { MONTH_LANGUAGES } from '../values/written-time.ts';

/** Where editors find the schema in a checkout. */
export const BLOCK_FILE_SCHEMA_PATH = 'docs/block.schema.json';

/** The form of a block's folder, name and id. Addresses need no escapes for it. */
export const BLOCK_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * The JSON Schema of `block.json`. `patternErrorMessage` says how a text should look; editors show
 * it too.
 */
export function blockFileSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A data block',
    description: "The block.json of a data block's folder.",
    ...object<BlockFile>(BLOCK, 'title', 'description', 'file', 'sources', 'fields', 'examples'),
    $defs: {
      sources: list(object(SOURCE, 'title'), 'Where the data come from; the main source first.'),
      licenses: list(
        {
          ...object(LICENSE),
          anyOf: [{ required: ['name'] }, { required: ['path'] }],
        },
        'The terms of the data; the main licence first.',
      ),
    },
  };
}

const BLOCK: Readonly<Record<keyof BlockFile, JsonSchema>> = {
  $schema: text('The schema of this file, for editors.'),
  name: name("The folder's name."),
  id: name('A second address, such as an older one; the name if absent.'),
  alias: name('Its short name in chat and on the command line.'),
  title: text('A short title.'),
  description: text('What a row is, and what callers may ask for, in a sentence or two.'),
  lang: {
    ...text('The language of the titles and the data, a tag of BCP 47: de, es-MX. en if absent.'),
    pattern: LANGUAGE_TAG.source,
    patternErrorMessage: 'a tag of BCP 47, such as de or es-MX',
  },
  noun: text('A plural noun for its rows: trees. "rows" if absent.'),
  keyFields: list(
    text('The name of a field.'),
    'The fields that come first in a form and a table. The first six if absent.',
  ),
  ...dataFile('The file of rows in seed-data/.'),
  downloadUrl: {
    ...text('The address of the file itself, which blockyard refresh fetches.'),
    pattern: '^https://',
    patternErrorMessage: 'an address that begins with https://',
  },
  innerPath: text(
    'The file of the zip archive that check and refresh are given, if the archive holds several.',
  ),
  format: { enum: FILE_FORMAT_NAMES, description: 'The format of the file. csv if absent.' },
  encoding: text("The file's encoding: windows-1252. utf-8 if absent."),
  dialect: { ...object(dialectMembers()), description: 'How the file is written.' },
  badRows: {
    ...object<NonNullable<BlockFile['badRows']>>(
      {
        mended: count('Mended.'),
        setAside: count('Left out.'),
        file: text('The file in seed-data/ that lists them.'),
      },
      'mended',
      'setAside',
    ),
    description:
      "How many rows of the file cannot be read as they stand, by what the dialect's badRows makes of them. Others stop the import.",
  },
  missingValues: list(
    { type: 'string' },
    'Cells that mean nothing is there, beside blank ones: N/A.',
  ),
  fields: list(object(fieldMembers(), 'type', 'name', 'title'), 'The columns, each once.'),
  primaryKey: {
    type: ['string', 'array'],
    description: 'The field, or the fields together, that no two rows have the same values in.',
    minLength: 1,
    minItems: 1,
    items: text('The name of a field.'),
  },
  geometry: {
    ...object(
      {
        kind: {
          enum: ['points', 'regions'],
          description: 'regions have shapes too, in boundaries.',
        },
        longitude: text('The number field with the longitude, in degrees.'),
        latitude: text('The number field with the latitude, in degrees.'),
        region: text("The text field with the region's name."),
        simplifiedTo: {
          type: 'integer',
          minimum: 1,
          description:
            "To about so many positions in all the regions' shapes are simplified, with borders in common, for maps and GeoJSON. They are exact if absent.",
        },
      },
      'kind',
      'longitude',
      'latitude',
    ),
    description: 'Where a row is, for the map and GeoJSON.',
    if: { required: ['kind'], properties: { kind: { const: 'regions' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['region'] },
  },
  boundaries: {
    ...object({
      ...dataFile('The GeoJSON file in seed-data/ with the areas.'),
      property: text('The property of a feature that has the name of its area.'),
      areas: {
        enum: AREA_KINDS,
        description: 'Areas that are known by their names or codes, instead of a file.',
      },
      field: text('The field, of texts or whole numbers, whose values name the areas.'),
      within: {
        enum: US_STATES.map(({ name }) => name),
        description: 'With us-counties: the state of names that have none beside them.',
      },
    }),
    description:
      'The shapes of regions; or the areas that the values of a field name; or, of points, the outlines that the map has below them.',
  },
  examples: list(
    object(
      {
        title: text('What the call asks.'),
        arguments: { type: 'object', description: "The call's arguments." },
      },
      'title',
      'arguments',
    ),
    'Calls that work. Pages and documents show them; each deployment runs the first.',
  ),
  first: {
    type: 'object',
    minProperties: 1,
    properties: {
      _view: { enum: VIEWS, description: 'The view of the page.' },
    },
    description:
      "The arguments that the block's page opens with. If absent, they follow from the data.",
  },
  figures: {
    ...list(
      object(
        {
          title: text('What the figure says of all rows, in a line.'),
          text: text('More of that, in a sentence or two. If absent, the figure says it itself.'),
          ask: text(
            "The question, as the query of the page's address: _group=date.month&_measure=avg:buses.",
          ),
        },
        'title',
        'ask',
      ),
      "The figures that the block's page opens with, in their order.",
    ),
    minItems: FIGURES_OF_BLOCK.least,
    maxItems: FIGURES_OF_BLOCK.most,
  },
};

function dataFile(description: string) {
  return {
    file: {
      ...text(description),
      pattern: '^(?!\\.\\.?/)[^/\\\\](?:(?!/\\.\\.?/)[^\\\\])*$',
      patternErrorMessage: 'the path of a file below seed-data/',
    },
    hash: {
      ...text('The hash of its bytes: sha256: and 64 hexadecimal digits.'),
      pattern: '^sha256:[0-9a-f]{64}$',
      patternErrorMessage: 'sha256: and 64 hexadecimal digits in lower case',
    },
    rows: { type: 'integer', minimum: 0, description: 'How many rows or shapes it has.' },
    sources: { $ref: '#/$defs/sources' },
    licenses: { $ref: '#/$defs/licenses' },
  };
}

const SOURCE = {
  title: text('What the data are called there.'),
  path: text('The address of a page about the data, or of the data.'),
  publisher: text('Who publishes them.'),
  date: text('The day or month they were current: 2026-11.'),
  changes: text('What was changed since.'),
};

const LICENSE = {
  name: text('An identifier, such as CC0-1.0.'),
  title: text('The terms in words.'),
  path: text('The address of the text.'),
};

function fieldMembers(): Readonly<Record<keyof FileField, JsonSchema>> {
  const field = {
    pattern: FIELD_NAME.source,
    patternErrorMessage: 'letters, digits and _, and no digit first',
  };
  return {
    type: { enum: Object.keys(FIELD_TYPES), description: 'The type of its values.' },
    name: { ...text("The column's name, and the parameter's."), ...field },
    title: text('Its heading.'),
    description: text('What it holds.'),
    alias: { ...text('A shorter name, for chat and the command line.'), ...field },
    theme: text('Its group in the form.'),
    unit: text('The unit of its numbers: metres.'),
    indexed: {
      type: 'boolean',
      description: 'Whether equality on this text has an index, for datasets too large for memory.',
    },
    main: only(true, 'The field that free text in chat is for; one field at most.'),
    label: only(
      true,
      'Its numbers may name things: no separators, and no sum of them is offered first.',
    ),
    filterable: only(false, 'Rows show it; no parameter filters by it.'),
    timeZone: text('Of a datetime: the zone of its days, such as America/New_York. UTC if absent.'),
    local: only(true, 'Of a datetime: its times have no offset.'),
    header: text('The header of its column, if the name is not made of it.'),
    decimalChar: { enum: [','], description: 'The character before decimals. A point if absent.' },
    groupChar: {
      enum: [',', '.', ' ', "'"],
      description: 'The character between groups of three digits. None are grouped if absent.',
    },
    indianGroups: only(true, 'Groups have two digits before the last three: 12,34,567.'),
    minus: {
      enum: ['behind', 'brackets', 'apart', 'any'],
      description:
        'Where negative numbers have their minus: 5-, (5), or apart as in - 5. Before them if absent.',
    },
    textFormulas: only(true, 'A cell may be a formula of one text: ="00123".'),
    apostrophe: only(
      true,
      'A number or a code may have an apostrophe before it, as a text in a spreadsheet.',
    ),
    bareNumber: only(false, 'A currency, a percent sign or a unit stands beside each number.'),
    trueValues: list(text('A cell.'), 'The cells that mean true; with falseValues.'),
    falseValues: list(text('A cell.'), 'The cells that mean false; with trueValues.'),
    format: text(
      'How dates or times are written: %d/%m/%Y; %s, %Q or excel if they count seconds, milliseconds or days. As in ISO 8601 if absent.',
    ),
    typedTimes: only(true, 'Cells may be in ISO 8601 too: a spreadsheet has typed them.'),
    cutTime: only(true, 'Times finer than a millisecond are cut to it.'),
    monthLanguage: {
      enum: MONTH_LANGUAGES,
      description: "The language of the months' names in `format`. English if absent.",
    },
    calendar: {
      enum: OTHER_CALENDARS,
      description:
        'The calendar of dates in `format` whose years are its years: 2400 to 2699 of the Buddhist era, 1300 to 1499 of the Persian or the Islamic calendar. Gregorian if absent.',
    },
    missingValues: list({ type: 'string' }, 'Cells of it that mean nothing is there.'),
    nearestNumber: only(
      true,
      'A number with more decimals than binary64 holds is the nearest that it holds. Such a cell stops the import if absent.',
    ),
    pointForm: {
      enum: ['pair', 'degrees', 'wkb'],
      description:
        'How these points are written: 47.37, 8.54; degrees and minutes; EWKB. Well-Known Text if absent.',
    },
    point: {
      enum: ['longitude', 'latitude'],
      description:
        'Set if the cells are points, such as `POINT(-76.61 39.29)`: which of its numbers the value is. The longitude is the first, the latitude the second; two fields may read the same column. Texts that name directions are read by these.',
    },
    oddCells: {
      type: 'integer',
      minimum: 1,
      description:
        'How many cells were not of its type when that was chosen. Such cells are blank; in a later file twice as many and ten, and more stop the import.',
    },
  };
}

function dialectMembers(): Readonly<Record<keyof Dialect, JsonSchema>> {
  const numbers = (description: string) =>
    list(
      { type: 'integer', minimum: 1 },
      `${description} Records count from 1, without blank lines.`,
    );
  return {
    delimiter: {
      type: 'string',
      pattern: '^(?:[^"\\n\\r]|[|][|])$',
      patternErrorMessage: 'one character that is no quote and no line end, or ||',
      description: 'The character between cells, or ||. A comma if absent.',
    },
    quoteChar: {
      type: ['string', 'null'],
      pattern: '^[!-~]$',
      patternErrorMessage: 'one sign of ASCII, or null',
      description: 'The quote around cells, doubled within; null if there is none. " if absent.',
    },
    escapeChar: { enum: ['\\'], description: 'What stands before a quote within a quoted cell.' },
    skipInitialSpace: only(true, 'Spaces beside delimiters belong to no cell.'),
    header: only(false, 'The file has no header: its columns are column_1, column_2 and so on.'),
    headerRows: numbers('The records that make the header, if titles stand above it.'),
    commentRows: numbers('Records that are no data, such as totals.'),
    totals: list(
      object(
        {
          column: text('The name that is made of the header of the column.'),
          is: {
            type: 'string',
            description:
              'What such rows are called there: Total; * at one end stands for a name. Blank for the last row, if its cell there is blank.',
          },
        },
        'column',
        'is',
      ),
      'Rows that are totals of others, and no data.',
    ),
    filledDown: list(
      text('The name that is made of the header of the column.'),
      'Columns whose labels stand once a group: a blank cell has the value above it.',
    ),
    keepsRepeatedHeaders: only(true, 'Rows that are equal to the header are rows.'),
    fillsShortRows: only(true, 'Cells that a row lacks at its end are blank.'),
    badRows: {
      enum: ['mend', 'skip'],
      description:
        'What becomes of rows that cannot be read as they stand: those with one sure way are mended and the others left out, or all are left out. If absent, one such row stops the import.',
    },
    badBytes: {
      enum: ['replace'],
      description:
        'Bytes that are no text of the encoding are read as U+FFFD, and zero bytes are left out. If absent, such a byte stops the import.',
    },
    table: {
      type: 'integer',
      minimum: 1,
      description:
        "Which of the file's tables this is, from 1, if blank lines or rows part several. Records, and the rows of a sheet, count from its first.",
    },
    sheetName: text(
      "The workbook's sheet, by its name or number. The first that is shown if absent.",
    ),
    property: text('The way to the list of rows in a JSON document: data.items.'),
    axisOrder: {
      enum: ['lat-lon'],
      description:
        'The positions of a GeoJSON or GeoParquet file have the latitude first. The longitude if absent.',
    },
  };
}

function only(value: boolean, description: string): JsonSchema {
  return { const: value, description };
}

function text(description: string): JsonSchema {
  return { type: 'string', minLength: 1, description };
}

function name(description: string): JsonSchema {
  return {
    ...text(description),
    pattern: BLOCK_NAME.source,
    patternErrorMessage: 'lower-case letters and digits, with single hyphens between',
  };
}

function list(items: JsonSchema, description: string): JsonSchema {
  return { type: 'array', minItems: 1, items, description };
}

function object<T extends object>(
  properties: Readonly<Record<keyof T, JsonSchema>>,
  ...required: (keyof T & string)[]
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}
