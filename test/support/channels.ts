import { parse } from 'csv-parse/sync';
import { rows as rowsOfAllPages, run } from '../../client/src/client.ts';
import { type Block, datasetOf, type ValueBlock } from '../../src/block/block.ts';
import { type Field, typeOf } from '../../src/values/field-types.ts';
import { DISTANCE } from '../../src/values/places.ts';
import {
  answerOf,
  type Call,
  type Channel,
  type ChannelAnswer,
  cellsOf,
  type Members,
} from './channel-answer.ts';
import { commandLineChannels } from './command-line-channel.ts';
import { mcpChannels } from './mcp-channel.ts';
import type { RandomArguments } from './random-arguments.ts';
import { readParquet } from './read-parquet.ts';
import type { Service } from './service.ts';
import { slackChannels } from './slack-channel.ts';
import { webhookChannels } from './webhook-channels.ts';

/** Every channel that a block has, by its name. */
export function channelsOf(block: Block): Readonly<Record<string, Channel>> {
  return {
    'JSON by POST': (call) =>
      params(post(call, 'application/json', JSON.stringify(call.arguments))),
    'JSON, the old form': (call) =>
      flat(post(call, 'application/json', JSON.stringify(call.arguments), '?cache=false&api_key=')),
    'a form': (call) =>
      params(post(call, 'application/x-www-form-urlencoded', queryOf(call.arguments).toString())),
    multipart: (call) =>
      params(post(call, `multipart/form-data; boundary=${BOUNDARY}`, multipartOf(call))),
    GET: (call) => params(get(call)),
    'GET, the old form': (call) => flat(get(call, { cache: 'false' })),
    'CSV by GET': (call) => csv(call, get(call, { _format: 'csv' })),
    'CSV by POST, asked for by Accept': (call) =>
      csv(call, post(call, 'application/json', JSON.stringify(call.arguments), '', 'text/csv')),
    NDJSON: (call) => ndjson(get(call, { _format: 'ndjson' })),
    ...(block.formats.includes('geojson')
      ? { GeoJSON: (call: Call) => geojson(get(call, { _format: 'geojson' })) }
      : {}),
    ...(block.formats.includes('parquet') ? { Parquet: (call: Call) => parquet(call) } : {}),
    'the page': (call) => page(call),
    'the client': (call) => client(call),
    'the client, row by row': (call) => clientRows(call),
    ...webhookChannels(),
    ...mcpChannels(),
    ...slackChannels(),
    ...commandLineChannels(),
  };
}

type Response = ReturnType<Service['send']>;

function pathOf({ block }: Call, query = ''): string {
  return `/api_v2/blocks/${block.name}${query}`;
}

function queryOf(given: RandomArguments): URLSearchParams {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(pairs);
}

function get(call: Call, more: Record<string, string> = {}): Response {
  // Without any name a GET describes the block.
  const query = queryOf({ _handling: 'strict', ...call.arguments, ...more });
  return call.service.get(pathOf(call, `?${query}`));
}

function post(call: Call, type: string, body: string, query = '', accept = '*/*'): Response {
  const headers = { 'content-type': type, accept };
  return call.service.send(pathOf(call, query), { method: 'POST', headers, body });
}

// Node's reader takes the bare boundary for its line, wherever it stands in a value.
const BOUNDARY = 'xXdoorsXx';

function multipartOf({ arguments: given }: Call): string {
  const parts = [...queryOf(given)].map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

async function worked(response: Response): Response {
  const answer = await response;
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
}

async function params(response: Response): Promise<ChannelAnswer> {
  return answerOf((await worked(response)).body.params);
}

async function flat(response: Response): Promise<ChannelAnswer> {
  const { body, text } = await worked(response);
  const { _blockspring_spec, _errors, _warnings, ...members } = body;
  if (_blockspring_spec !== true || _errors.length > 0) throw new Error(`no answer: ${text}`);
  return answerOf(members);
}

/** What the headers of a format without an envelope say. */
async function stated(response: Response, block: Block): Promise<Omit<ChannelAnswer, 'rows'>> {
  if (block.answers === 'value') return {};
  const { headers } = await worked(response);
  const total = headers.get('x-total-count');
  return {
    total: total === null ? null : Number(total),
    isCut: /rel="next"/.test(headers.get('link') ?? ''),
  };
}

async function csv(call: Call, response: Response): Promise<ChannelAnswer> {
  const { text } = await worked(response);
  const records: Record<string, string>[] = parse(text, {
    columns: true,
    record_delimiter: '\r\n',
  });
  const isText = textColumns(call.block);
  const rows = records.map((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, cell]) => [name, cellOfCsv(cell, isText(name))]),
    ),
  );
  return { rows, ...(await stated(response, call.block)) };
}

function cellOfCsv(cell: string, isText: boolean): string {
  if (cell === '') return 'null';
  if (!isText) return cell;
  // The apostrophe that keeps a spreadsheet from reading a formula.
  return JSON.stringify(/^'[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell);
}

function textColumns(block: Block): (name: string) => boolean {
  if (block.answers === 'rows') {
    const { fields } = block;
    return (name) => fields.some((field) => field.name === name && typeOf(field).json === 'string');
  }
  const properties = block.outputSchema.properties as Record<string, { type?: unknown }>;
  return (name) => properties[name]?.type === 'string';
}

async function ndjson(response: Response): Promise<ChannelAnswer> {
  const { text, headers } = await worked(response);
  const rows = text.split('\n').filter((line) => line !== '');
  const total = headers.get('x-total-count');
  return {
    rows: rows.map((row) => cellsOf(JSON.parse(row))),
    ...(total === null ? {} : { total: Number(total) }),
  };
}

async function geojson(response: Response): Promise<ChannelAnswer> {
  const { body } = await worked(response);
  return {
    rows: body.features.map(({ properties }: { properties: Members }) => cellsOf(properties)),
  };
}

async function parquet({ service, block, arguments: given }: Call): Promise<ChannelAnswer> {
  const query = queryOf({ ...given, _format: 'parquet' });
  const response = await fetch(`${service.url}/api_v2/blocks/${block.name}?${query}`);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const { rows } = await readParquet(new Uint8Array(await response.arrayBuffer()));
  const fields = columnsOf(block);
  return {
    // The place is a column that no other channel has among its fields.
    rows: rows.map(({ geometry: _, ...row }) =>
      cellsOf(
        Object.fromEntries(
          Object.entries(row).flatMap(([name, value]) => {
            const field = fields.find((one) => one.name === name);
            // The shapes of places are a column of the file alone.
            if (field === undefined) return [];
            return [[name, value === null ? null : valueOfParquet(value, field)]];
          }),
        ),
      ),
    ),
    total: Number(response.headers.get('x-total-count')),
  };
}

/** A row's fields, and how far it is from a place. */
function columnsOf(block: Block): Field[] {
  const fields = datasetOf(block)?.fields ?? [];
  return [...fields, DISTANCE];
}

function valueOfParquet(value: unknown, field: Field): unknown {
  if (typeof value === 'bigint') return Number(value);
  const type = typeOf(field);
  if (!(value instanceof Date) || type.comparedBy !== 'number') return value;
  return type.valueOf(type.format === 'date' ? +value / 86_400_000 : +value, field);
}

/** The table of a page, or the list of a value's members. */
async function page(call: Call): Promise<ChannelAnswer> {
  const isGrouped = ['_group', '_measure'].some((name) => call.arguments[name] !== undefined);
  // A table shows the columns that it has room for, or those that are asked for.
  const all = datasetOf(call.block)?.fields ?? [];
  const _fields = isGrouped ? {} : { _fields: all.map(({ name }) => name) };
  const table = call.block.answers === 'rows' ? { _limit: 1000, _view: 'table', ..._fields } : {};
  // Unasked, a page shows some similar colours.
  const { color } = call.block.answers === 'value' ? call.block : {};
  const value = color === undefined ? {} : { [color.others]: 0 };
  const query = queryOf({ ...table, ...value, ...call.arguments });
  const { text } = await worked(
    call.service.get(pathOf(call, `?${query}`), { accept: 'text/html,*/*;q=0.8' }),
  );
  if (call.block.answers === 'value') return { rows: [membersOf(text, call.block)] };
  const fields = columnsOf(call.block);
  const titles = [
    ...text.matchAll(
      /<th scope="col"[^>]*><(?:a [^>]*|span)>(.*?)(?:<span class="unit">.*?)?<\/(?:a|span)>.*?<\/th>/g,
    ),
  ];
  const columns = titles.map(([, title]) => fields.find((f) => f.title === plain(title)));
  const [body = ''] = /<tbody>.*<\/tbody>/s.exec(text) ?? [];
  const rows = [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => {
    const cells = [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell);
    return Object.fromEntries(
      columns.map((field, i) => [field?.name ?? '?', cellOfHtml(cells[i] ?? '?', field)]),
    );
  });
  const [, groups] = /<p class="quiet">([\d,]+) groups?/.exec(text) ?? [];
  const total = /(?:All|(\d+) of) (\d+) /.exec(text);
  const found = groups?.replaceAll(',', '') ?? total?.[1] ?? total?.[2];
  return { rows, total: Number(found), isCut: text.includes('rel="next"') };
}

function membersOf(text: string, block: Block): Record<string, string> {
  const isText = textColumns(block);
  const [list = ''] = /<dl class="value">.*?<\/dl>/s.exec(text) ?? [];
  const members = [...list.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(
    ([, name = '', value]): [string, string] => [
      name,
      isText(name) ? JSON.stringify(plain(value)) : plain(value),
    ],
  );
  const { color } = block as ValueBlock;
  return {
    ...Object.fromEntries(members),
    ...(color === undefined ? {} : { [color.others]: JSON.stringify(swatchesOf(text)) }),
  };
}

/** The colours of a list of swatches, with what follows from their codes. */
function swatchesOf(text: string): Members[] {
  const swatches = text.matchAll(
    /<li><a [^>]*><svg.*?<b[^>]*>(.*?)<\/b> <small><code>#(\w\w)(\w\w)(\w\w)<\/code> ([\d.]+) away/gs,
  );
  return [...swatches].map(([, name, red, green, blue, distance]) => ({
    name: plain(name),
    hex: `#${red}${green}${blue}`,
    rgb: [red, green, blue].map((hex) => Number.parseInt(hex as string, 16)),
    distance: Number(distance),
  }));
}

function cellOfHtml(html: string, field: Field | undefined): string {
  // The link to the row itself is around the first cell, or behind it.
  if (/^(?:<span class="quiet">|<a class="row"[^>]*aria-label="This row">)–</.test(html))
    return 'null';
  const linked = html.replace(/ <a class="row"[^>]*>#<\/a>|<a class="row"[^>]*>(.*)<\/a>/s, '$1');
  const cell = linked.replace(/^<(?:b|span class="quiet")>(yes|no)<\/\w+>$/, '$1');
  const bar = /<div><svg.*<span[^>]*>(.*)<\/span><\/div>$/.exec(cell)?.[1];
  const group = /^<a href="\?[^"]*">(.*)<\/a>$/.exec(cell)?.[1];
  if (bar !== undefined || group !== undefined) return cellOfHtml((bar ?? group) as string, field);
  if (cell.includes('>no value<')) return 'null';
  const exact = /<(?:data value|a href|time datetime)="([^"]*)"[^>]*>/.exec(cell)?.[1] ?? cell;
  if (exact === '') return 'null';
  const json = field === undefined ? 'string' : typeOf(field).json;
  if (json === 'boolean') return String(exact === 'yes');
  // Commas stand before each three digits, and zeros fill up decimals.
  return JSON.stringify(
    json === 'string' ? plain(exact) : Number(exact.replaceAll(',', '').replace('−', '-')),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
};

function plain(html = ''): string {
  return html.replace(/&(\w+|#\d+);/g, (whole, name) => ENTITIES[name] ?? whole);
}

async function client(call: Call): Promise<ChannelAnswer> {
  const options = { base_url: call.service.url };
  const { params: members } = await run(call.block.name, call.arguments, options);
  return answerOf(members as Members);
}

/** All pages of a few rows: as many rows as one page of the call has. */
async function clientRows(call: Call): Promise<ChannelAnswer> {
  if (call.block.answers === 'value') return client(call);
  const { _limit = 1000, ...given } = call.arguments;
  const found: Record<string, string>[] = [];
  const asked = { ...given, _limit: 7 };
  for await (const row of rowsOfAllPages(call.block.name, asked, { base_url: call.service.url })) {
    if (found.push(cellsOf(row as Members)) === Number(_limit)) break;
  }
  return { rows: found };
}
