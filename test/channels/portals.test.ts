import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DatasetBlock, datasetOf } from '../../src/block/block.ts';
import type { Row, Value } from '../../src/values/field-type.ts';
import { typeOf } from '../../src/values/field-types.ts';
import { command } from '../support/command.ts';
import { HOSTILE, startForPortals } from '../support/portals-service.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { toolPython } from '../support/tools.ts';
import { PYTHON_CACHE } from '../support/virtual-environment.ts';
import { openBrowser, visit } from './browser/browser.ts';

type Found = {
  readonly croissants: readonly { errors: string[]; warnings: string[]; rows: Row[] }[];
  readonly catalogs: readonly { triples: number; violations: string[][] }[];
  readonly scripts: readonly string[][];
};

const PUBLISHER = {
  publisher: 'Made City',
  publisherUrl: 'https://city.example/',
  contact: 'data@city.example',
};

/** Of a service whose publisher has said all, and of one that has said nothing. */
let service: Awaited<ReturnType<typeof startForPortals>>;
let silent: typeof service;
let datasets: readonly string[];
/** The catalogue, the same of the silent service, and two that are wrong. */
let catalogs: string[];
let found: Found;
beforeAll(async () => {
  service = await startForPortals(PUBLISHER);
  silent = await startForPortals({});
  datasets = service.blocks.flatMap(({ block, manifest }) => (manifest ? [block.name] : []));
  const whole = (await service.get('/catalog.jsonld')).text;
  catalogs = [
    whole,
    (await silent.get('/catalog.jsonld')).text,
    whole.replace('"dct:title":"Business directory"', '"dct:alternative":"Business directory"'),
    whole.replace('"@type":"foaf:Document"', '"@type":"dct:Standard"'),
  ];
  found = await read({
    croissants: datasets.map((name) => `${service.url}/api_v2/blocks/${name}/croissant.json`),
    catalogs,
    scripts: await Promise.all(datasets.map(scriptOf)),
  });
});
afterAll(async () => {
  service?.close();
  silent?.close();
  await cleanUp();
});

/** What the makers' tools find, in one run: to begin takes them seconds. */
async function read(asked: object): Promise<Found> {
  const script = path.join(import.meta.dirname, 'portals.py');
  const folder = await temporaryFolder();
  const { code, stdout, stderr } = await command(toolPython(), [script], {
    cwd: folder,
    env: {
      ...process.env,
      CROISSANT_CACHE: folder,
      HOME: folder,
      PYTHONPYCACHEPREFIX: PYTHON_CACHE,
    },
    input: JSON.stringify(asked),
  });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function scriptOf(name: string): Promise<string> {
  const { text } = await service.get(`/api_v2/blocks/${name}`, { accept: 'text/html' });
  return /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
}

describe('mlcroissant', () => {
  test('finds nothing wrong, and misses only what nobody has stated', () => {
    for (const [i, { errors, warnings }] of found.croissants.entries()) {
      const missed = warnings.filter((text) => !/citeAs|datePublished|MAJOR\.MINOR/.test(text));
      const isStated = !['nameless', 'spots'].includes(datasets[i] as string);
      expect([datasets[i], errors, missed.length]).toEqual([datasets[i], [], isStated ? 0 : 1]);
      for (const text of missed) expect(text).toMatch(/"https:\/\/schema.org\/license"/);
    }
  });

  test('loads the rows that NDJSON has', async () => {
    expect(datasets).toHaveLength(5);
    for (const [i, { rows }] of found.croissants.entries()) {
      const block = service.blocks.find((one) => one.block.name === datasets[i])?.block;
      const { fields = [] } = (block && datasetOf(block)) ?? {};
      const { text } = await service.get(`/api_v2/blocks/${datasets[i]}?_format=ndjson`);
      const wanted: Row[] = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(rows.length).toBeGreaterThan(10);
      expect(rows.map((row) => comparable(fields, row))).toEqual(
        wanted.map((row) => comparable(fields, row)),
      );
    }
  });
});

/** A row with its times as numbers, since they have several spellings. */
function comparable(fields: DatasetBlock['fields'], row: Row): Row {
  const spelt = (value: Value, name: string): Value => {
    const field = fields.find((one) => one.name === name);
    const format = field && typeOf(field).format;
    if (value === null || (format !== 'date-time' && format !== 'date')) return value;
    return Date.parse(value as string);
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, spelt(value, name)]));
}

describe("SEMIC's shapes of DCAT-AP 3, by pyshacl", () => {
  test('find nothing wrong in a catalogue whose publisher is stated', () => {
    expect(found.catalogs[0]?.violations).toEqual([]);
    expect(found.catalogs[0]?.triples).toBeGreaterThan(200);
  });

  test('miss the publisher of a catalogue alone, where nobody states him', () => {
    const publisher = 'http://purl.org/dc/terms/publisher';
    expect(found.catalogs[1]?.violations).toEqual([
      [`${silent.url}/`, publisher, 'MinCountConstraintComponent'],
    ]);
  });

  test('would find a dataset without a title, and a homepage that is no document', () => {
    const dataset = `${service.url}/api_v2/blocks/business-directory#dataset`;
    expect(catalogs[2]).not.toBe(catalogs[0]);
    expect(found.catalogs[2]?.violations).toEqual([
      [dataset, 'http://purl.org/dc/terms/title', 'MinCountConstraintComponent'],
    ]);
    expect(catalogs[3]).not.toBe(catalogs[0]);
    const homepage = 'http://xmlns.com/foaf/0.1/homepage';
    expect(found.catalogs[3]?.violations).toEqual([
      [`${service.url}/`, homepage, 'ClassConstraintComponent'],
    ]);
  });
});

test('Chromium runs nothing of a hostile block, and complains of nothing', async () => {
  const browser = await openBrowser();
  try {
    const page = await visit(browser);
    await page.goto(`${service.url}/api_v2/blocks/nameless`);
    const inPage = await page.evaluate(() => ({
      ran: (globalThis as { ran?: number }).ran,
      scripts: [...document.scripts].map(({ type }) => type),
      name: JSON.parse(document.querySelector('[type="application/ld+json"]')?.textContent ?? '{}')
        .name,
    }));
    const scripts = ['module', 'application/ld+json'];
    expect(inPage).toEqual({ ran: undefined, scripts, name: HOSTILE });
    expect(page.complaints).toEqual([]);
  } finally {
    await browser.close();
  }
});

test('rdflib reads a dataset in each page', () => {
  for (const types of found.scripts) {
    expect(types).toContain('https://schema.org/Dataset');
    expect(types).toContain('https://schema.org/DataDownload');
  }
});
