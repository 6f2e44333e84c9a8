import { valueBlock } from '../../src/block/block.ts';
import type { Parameter } from '../../src/block/parameter.ts';

export const LISTS = ['bestof', 'full', 'short', 'css'] as const;

/** Finds the name of the nearest named colour. */
export const block = valueBlock({
  id: 'rgb-to-color-name',
  name: 'rgb-to-color-name',
  title: 'RGB to colour name',
  description:
    'The readable name of the named colour nearest to an sRGB colour, by CIEDE2000, exactly; with its distance and, on request, the next nearest.',
  parameters: [
    channel('R', 'Red'),
    channel('G', 'Green'),
    channel('B', 'Blue'),
    {
      type: 'choice',
      name: 'list',
      title: 'List of names',
      description:
        'bestof: the best of the full list; full: over 30,000 names; short: the best of at most 12 characters; css: the 148 of CSS Color 4.',
      choices: LISTS,
      default: 'bestof',
    },
    {
      type: 'integer',
      name: 'alternatives',
      title: 'How many of the next nearest to add',
      minimum: 0,
      maximum: 10,
      default: 0,
    },
  ],
  sources: [
    {
      title: 'Color Names: the lists bestof, full and short',
      publisher: 'The Color Names project',
      url: 'https://github.com/meodai/color-names',
      license: 'MIT',
      version: '14.51.0',
    },
    {
      title: 'Named colours of CSS: the list css',
      publisher: 'W3C',
      url: 'https://www.w3.org/TR/css-color-4/#named-colors',
      license: 'W3C Software and Document License',
      version: 'CSS Color Module Level 4',
    },
  ],
  color: { channels: ['R', 'G', 'B'], hex: 'hex', name: 'name', others: 'alternatives' },
  outputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      name: { type: 'string', description: "The named colour's name." },
      hex: hex(),
      rgb: rgb(),
      exact: { type: 'boolean', description: 'Whether the named colour is the one asked for.' },
      distance: distance(),
      list: { type: 'string', enum: LISTS },
      alternatives: {
        type: 'array',
        maxItems: 10,
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, hex: hex(), rgb: rgb(), distance: distance() },
          required: ['name', 'hex', 'rgb', 'distance'],
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
  examples: [
    { title: 'Coral', arguments: { R: 255, G: 127, B: 80 } },
    {
      title: 'A web colour, with two alternatives',
      arguments: { R: 18, G: 52, B: 86, list: 'css', alternatives: 2 },
    },
    { title: 'From over 30,000 names', arguments: { R: 1, G: 2, B: 3, list: 'full' } },
  ],
});

function channel(name: string, title: string): Parameter {
  return { type: 'integer', name, title, minimum: 0, maximum: 255, required: true };
}

function hex() {
  return { type: 'string', pattern: '^#[0-9a-f]{6}$' };
}

function rgb() {
  const items = { type: 'integer', minimum: 0, maximum: 255 };
  return { type: 'array', items, minItems: 3, maxItems: 3 };
}

function distance() {
  return { type: 'number', minimum: 0, description: 'CIEDE2000, to 6 decimals.' };
}
