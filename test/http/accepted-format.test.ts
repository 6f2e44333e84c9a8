import { expect, test } from '@jest/globals';
import { FORMAT_NAMES } from '../../src/formats/formats.ts';
import { acceptedFormat } from '../../src/http/read-format.ts';

const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

test.each([
  ['nothing', null, 'json'],
  ['curl, fetch, requests', '*/*', 'json'],
  ['a browser', CHROME, 'html'],
  ['a browser of before', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'html'],
  ['axios', 'application/json, text/plain, */*', 'json'],
  ['jQuery', 'application/json, text/javascript, */*; q=0.01', 'json'],
  ['the R client', 'application/json, text/xml, application/xml, */*', 'json'],
  ['CSV', 'text/csv', 'csv'],
  ['CSV in capitals, with a parameter', 'Text/CSV; charset=utf-8', 'csv'],
  ['NDJSON by either name', 'application/x-ndjson', 'ndjson'],
  ['NDJSON by the other', 'application/jsonl', 'ndjson'],
  ['Parquet', 'application/vnd.apache.parquet, */*;q=0.1', 'parquet'],
  ['GeoJSON before JSON', 'application/geo+json, application/json;q=0.9', 'geojson'],
  ['an image of a page', 'image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8', 'svg'],
  ['a browser that takes images too', 'text/html,image/webp,image/svg+xml,*/*;q=0.8', 'html'],
  ['JSON before a page', 'text/html;q=0.5, application/json', 'json'],
  ['anything before CSV', '*/*, text/csv;q=0.1', 'json'],
  ['what is refused', 'text/html;q=0, */*', 'json'],
  ['any text', 'text/*', 'json'],
  ['what nobody offers', 'image/png', 'json'],
  ['nonsense', ';;,,=', 'json'],
])('%s: %j', (_, accept, format) => {
  expect(acceptedFormat(accept, FORMAT_NAMES)).toBe(format);
});

test('a format that the block does not have is passed over', () => {
  expect(acceptedFormat('application/geo+json, text/csv;q=0.5', ['json', 'csv'])).toBe('csv');
});
