import type { DatasetBlock } from './block.ts';
import { type Format, formatOption } from './options.ts';

/** The options that mean something for one row. */
const TAKEN = ['_fields', '_geometry', '_handling', '_explain'];

/** The formats that have a place for one row. */
const FORMATS: readonly Format[] = ['json', 'geojson', 'html'];

/** The block as a row's address takes arguments: no filters, and the formats that one row has. */
export function oneRowOf(block: DatasetBlock): DatasetBlock {
  const formats = block.formats.filter((format) => FORMATS.includes(format));
  const options = block.options.filter(({ name }) => TAKEN.includes(name));
  return {
    ...block,
    formats,
    parameters: [],
    options: [...options, formatOption(formats)],
    unusedOptions: [],
    ofAllRows: block,
  };
}
