import type { DatasetBlock } from './block.ts';
import { formatOption } from './options.ts';

/** The options that mean something for one row. */
const TAKEN = ['_fields', '_geometry', '_handling', '_explain'];

/** The block as a row's address takes arguments: no filters, and the formats that one row has. */
export function oneRowOf(block: DatasetBlock): DatasetBlock {
  const formats = block.formats.filter((format) => format === 'json' || format === 'geojson');
  const options = block.options.filter(({ name }) => TAKEN.includes(name));
  return {
    ...block,
    formats,
    parameters: [],
    options: [...options, formatOption(formats)],
    unusedOptions: [],
  };
}
