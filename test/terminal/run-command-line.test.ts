import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { ShellIo } from '../../src/channels/terminal/run-command-line.ts';
import { suiteService } from '../support/suite-service.ts';
import { type Said, typeLine } from './type-line.ts';

const service = suiteService();

const type = (args: readonly string[], more: Partial<ShellIo> = {}) =>
  typeLine(args, { url: service.url, ...more });

const run = (...line: string[]) => type(['run', ...line]);

/** A server that answers everything in one way, and remembers what it was asked. */
async function answering(
  answer: { status?: number; headers?: Record<string, string>; text?: string },
  ask: (url: string) => Promise<Said>,
): Promise<Said & { asked: { path: string; key?: string }[] }> {
  const asked: { path: string; key?: string }[] = [];
  const server = createServer((request, response) => {
    const key = request.headers['x-api-key'] as string | undefined;
    asked.push({ path: request.url ?? '', ...(key === undefined ? {} : { key }) });
    response.writeHead(answer.status ?? 200, answer.headers ?? {}).end(answer.text ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { ...(await ask(url)), asked };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('a table', () => {
  test.each(['_not.roommates:5', 'roommates:5..', 'roommates:5 roommates:6', '_sort:-roommates'])(
    'has the column that %s is about',
    async (filter) => {
      const { out } = await run('census', ...filter.split(' '), '_empty:persons_in_dorms');
      // No row at all has no columns.
      if (!out.startsWith('0 of')) expect(out.split('\n')[0]).toMatch(/\broommates$/);
      expect(out).toMatch(/(?:of|All) 56 neighborhoods/);
    },
  );

  test('has the key fields, numbers at the right, and how many match', async () => {
    expect(await run('census', 'canton')).toEqual({
      exit: 0,
      err: '',
      out: `name    population             density  _25_34  households      persons_per_hh  vacant_units
Canton        8100  22.750549006290846    3175        4310  1.8445475638051043           663

1 of 56 neighborhoods
`,
    });
    const { out } = await run('directory', 'phone:718-624-7581');
    expect(out.split('\n').slice(-2)).toEqual(['2 of 120 businesses', '']);
  });

  test('is replaced by where a text is, if another field has it, and by what finds it', async () => {
    const { exit, out } = await run('directory', 'retail');
    expect([exit, out]).toEqual([
      0,
      expect.stringContaining(
        '\nretail by itself: no businesses. It is a value of category: category:retail finds 61 businesses. ',
      ),
    ]);
  });

  test('has the fields that the line names too, once', async () => {
    const { out } = await run(
      'census',
      'canton',
      'total_units:1..',
      '_sort:roommates',
      'density:1..',
    );
    const [head = ''] = out.split('\n');
    expect(head.split(/ +/)).toEqual([
      ...'name population density _25_34 households persons_per_hh vacant_units total_units roommates'.split(
        ' ',
      ),
    ]);
  });

  test('has the fields that were asked for, in their order', async () => {
    const { out } = await run('census', 'canton', '_fields:households,name');
    expect(out).toBe('households  name\n      4310  Canton\n\n1 of 56 neighborhoods\n');
  });

  test('is a page of 40 rows, and says on standard error how to go on', async () => {
    const first = await run('census', '_sort:name');
    expect(first.out.split('\n')).toHaveLength(1 + 40 + 1 + 1 + 1);
    expect(first.out).toContain('\nAll 56 neighborhoods\n');
    const cursor =
      /^There are more\. The next page: the same line with (_cursor:\S+)\n$/.exec(first.err)?.[1] ??
      '';
    const second = await run('census', '_sort:name', cursor);
    expect(second).toMatchObject({ exit: 0, err: '' });
    expect(second.out.split('\n')).toHaveLength(1 + 16 + 1 + 1 + 1);
    expect((await run('census', '_sort:name', '_limit:56')).err).toBe('');
  });

  test("fits a terminal's width by its texts; numbers stay whole", async () => {
    const line = ['run', 'directory', 'street:*court*', '_limit:20'];
    const lines = (await type(line, { columns: 70 })).out.split('\n');
    expect(Math.max(...lines.map((one) => one.length))).toBeLessThanOrEqual(70);
    expect(lines.join('\n')).toContain('…');
    const narrow = await type(['run', 'census', 'canton'], { columns: 20 });
    expect(narrow.out).toContain('22.750549006290846');
  });

  test('where no row matches, says what each condition has to do with it', async () => {
    expect(await run('census', 'cantn', 'density:20..')).toEqual({
      exit: 0,
      err: '',
      out: `0 of 56 neighborhoods
cantn by itself: no neighborhoods. Did you mean “Canton”? Without it: 17 neighborhoods.
density:20.. by itself: 17 neighborhoods.
`,
    });
  });

  test('where no row matches, says of quotes within a shell’s that they count', async () => {
    const { out } = await run('directory', 'category:"food and drink"');
    expect(out).toContain('0 of 120 businesses\n');
    expect(out).toContain(
      'In "food and drink" the double quotes are letters: the shell\'s own are enough.\n',
    );
    expect((await run('directory', 'category:food "and" drink')).out).not.toContain('letters');
  });

  test('has warnings on standard error', async () => {
    const { out, err } = await run('census', 'persons_in_dorms:1..');
    expect(out).toContain('0 of 56 neighborhoods\n');
    expect(err).toBe(
      'persons_in_dorms has no value in the whole dataset, so no row matches a filter on it.\n',
    );
  });

  test('of a value has its members, and a table of those that are lists', async () => {
    expect((await run('rgb', '18 52 86', 'list:css', 'alternatives:1')).out).toBe(
      `name      midnightblue
hex       #191970
rgb       25 25 112
exact     false
distance  11.773557
list      css

alternatives
name           hex      rgb         distance
darkslateblue  #483d8b  72 61 139  12.663393
`,
    );
  });

  test('has how a run went on standard error, where it is asked for', async () => {
    const { out, err } = await run('census', 'canton', '_explain:true');
    expect(out).toContain('1 of 56 neighborhoods');
    expect(JSON.parse(err.replace(/^_explain: /, ''))).toMatchObject({ path: 'columns' });
  });

  test('nor has help, or what cannot be reached', async () => {
    const hostile = '\u001b]0;x\u0007\u202e';
    const described = (await service.get('/api_v2/blocks/rgb-to-color-name')).text;
    const text = JSON.stringify({ ...JSON.parse(described), blocks: [] }).replace(
      /"title":"/g,
      `$&${JSON.stringify(hostile).slice(1, -1)}`,
    );
    const { blocks } = (await service.get('/api_v2/blocks')).body;
    const both = JSON.stringify({ ...JSON.parse(text), blocks });
    const helped = await answering({ text: both }, (url) => type(['run', 'rgb', 'help'], { url }));
    expect(helped).toMatchObject({ exit: 0, err: '' });
    const { err } = await type(['run', 'x'], { url: `http://127.0.0.1:1/${hostile}` });
    expect(err).toContain('No service answers at');
    for (const one of ['\u001b', '\u0007', '\u202e']) {
      expect(helped.out + err).not.toContain(one);
    }
  });

  test('has nothing in it that a terminal would obey', async () => {
    const { err } = await run('x\u001b[2J\u202e');
    expect(err).toContain('is not a block');
    expect(Array.from(err).filter((one) => '\u001b\u202e'.includes(one))).toEqual([]);
  });
});

describe("--format prints the service's own answer", () => {
  test.each(['json', 'csv', 'ndjson', 'geojson'])('%s', async (format) => {
    const wanted = await service.get(
      `/api_v2/blocks/census-neighborhoods?vacant_units_min=1000&_format=${format}`,
    );
    const { exit, out, err } = await run('census', 'vacant_units:1000..', '--format', format);
    expect({ exit, out, err }).toEqual({ exit: 0, out: wanted.text, err: '' });
  });

  test('Parquet as it is, and never to a terminal', async () => {
    const address = '/api_v2/blocks/census-neighborhoods?_format=parquet';
    const wanted = Buffer.from(await (await fetch(service.url + address)).arrayBuffer());
    const pieces: Uint8Array[] = [];
    const out = (piece: string | Uint8Array) => pieces.push(Buffer.from(piece as Uint8Array));
    const line = ['run', 'census', '--format', 'Parquet'];
    expect(await type(line, { out })).toMatchObject({ exit: 0, err: '' });
    expect(Buffer.concat(pieces)).toEqual(wanted);
    expect(await type(line, { columns: 80 })).toEqual({
      exit: 1,
      out: '',
      err: 'parquet is no text. Send it to a file: add > census-neighborhoods.parquet\n',
    });
  });

  test('of an answer that breaks off: what came, and that it is not all', async () => {
    const cut = (async (address: string, init: RequestInit) => {
      if (init.method !== 'POST') return fetch(address, init);
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('name\r\nCanton\r\n'));
          setImmediate(() => controller.error(new TypeError('terminated')));
        },
      });
      return new Response(body);
    }) as typeof fetch;
    const { exit, out, err } = await type(['run', 'census', '--format', 'csv'], { fetch: cut });
    expect([exit, err]).toEqual([2, 'The answer broke off: what is printed is not all of it.\n']);
    expect(out).toMatch(/^name\r\nCanton\r\n/);
  });

  test('of rows, and help is help', async () => {
    expect(await run('directory', 'help', '--format', 'csv')).toEqual(await run('directory'));
    expect(await run('help', 'directory', '--format', 'csv')).toEqual(await run('directory'));
    expect(await run('--format', 'csv')).toEqual(await run());
  });

  test('of up to 1,000 rows, whatever a table has', async () => {
    const { out } = await run('census', '--format=ndjson');
    expect(out.trimEnd().split('\n')).toHaveLength(56);
  });

  test('and how to go on, on standard error', async () => {
    const { out, err } = await run('census', '_limit:2', '--format', 'csv');
    expect(out.trimEnd().split('\r\n')).toHaveLength(3);
    expect(err).toMatch(/^There are more\. The next page: the same line with _cursor:\S+\n$/);
  });
});

describe('help', () => {
  test.each([[[]], [['help']], [['--help']], [['-h']], [['run', 'census', '--help']]])(
    '%j is how to use it, without a service',
    async (args) => {
      const { exit, out, err } = await type(args, { url: 'http://127.0.0.1:1' });
      expect({ exit, err, head: out.split('\n')[0] }).toEqual({
        exit: 0,
        err: '',
        head: 'npx blockyard run BLOCK [TEXT] [NAME:VALUE …]',
      });
    },
  );

  test('of a service names its blocks, in a form for a shell', async () => {
    const { exit, out } = await run();
    expect(exit).toBe(0);
    expect(out).toContain("npx blockyard run directory 'street:*court st*' type:laundries\n");
    expect(out).toContain("npx blockyard run rgb '#ff7f50'");
  });

  test('of a block has its names and their limits', async () => {
    const { exit, out } = await run('census');
    expect(exit).toBe(0);
    expect(out).toContain('Census neighborhoods\n');
    expect(out).toMatch(
      /^ {2}density:2\.41\.\.135\.77 +Persons per acre; persons per acre of land$/m,
    );
  });
});

describe('help on a narrow terminal', () => {
  const linesAt = async (columns: number, ...line: string[]) =>
    (await type(line, { columns })).out.split('\n');

  test.each([
    [['run', 'census']],
    [['run', 'directory']],
    [['run', 'rgb']],
    [['run']],
    [['--help']],
  ])('%j is within its width, but for a word that is longer', async (line) => {
    for (const columns of [20, 40, 60, 80, 120]) {
      const lines = await linesAt(columns, ...line);
      const over = lines.filter((one) => one.length > columns);
      // A command's arguments stay whole, in a shell's quotes.
      const long = over.filter((one) => !/^ +(?:\S+|'[^']*'|\S+:'[^']*')(?: \\)?$/.test(one));
      expect({ columns, long }).toEqual({ columns, long: [] });
      if (columns >= 60) expect(over).toEqual([]);
    }
  });

  test('says the same as on a wide one', async () => {
    for (const line of [['run', 'census'], ['run'], ['--help']]) {
      const words = (lines: string[]) =>
        lines
          .join(' ')
          .split(/\s+/)
          .filter((one) => one !== '\\');
      const wide = words((await type(line)).out.split('\n'));
      expect(words(await linesAt(40, ...line))).toEqual(wide);
    }
  });

  test('has commands that can be pasted', async () => {
    const lines = await linesAt(40, 'run');
    const at = lines.findIndex((one) => one.includes('run directory'));
    const end = lines.findIndex((one, i) => i >= at && !one.endsWith('\\'));
    const pasted = lines.slice(at, end + 1).join('\n');
    expect(end).toBeGreaterThan(at);
    expect(pasted.replaceAll(/\s+(?:\\\n\s+)?/g, ' ').trim()).toBe(
      "npx blockyard run directory 'street:*court st*' type:laundries",
    );
  });
});

describe('exit 1, with a reason a line on standard error', () => {
  test.each<[string[], string]>([
    [
      ['run', 'rgb', '300', '1', '-5'],
      'R is 300; expected a whole number from 0 to 255.\nB is -5; expected a whole number from 0 to 255.\n',
    ],
    [
      ['run', 'directory', 'catgory:a', 'number>4'],
      '“catgory” is not a name of this block. Did you mean category:a?\nnumber>4 is not read here. Write number:400.., number:..500, number:400..500 or number:400; both ends count.\n',
    ],
    [['run', ''], '“""” is not a block. A line begins with a block: directory, census or rgb.\n'],
    [['run', 'directory', '', '_limit:1'], '"" has no value. Write one, or leave it out.\n'],
    [['run', 'census', ' ', 'density:20..'], '" " has no value. Write one, or leave it out.\n'],
    [['run', 'direktory', 'court'], '“direktory” is not a block. Did you mean directory?\n'],
    [
      ['run', 'census', 'canton', '_cursor:abc'],
      '_cursor is damaged. Send the next member of a page as it was given.\n',
    ],
    [
      ['run', 'census', 'canton', '--format', 'cvs'],
      '--format cvs: the formats are json, csv, xlsx, ndjson, parquet, geojson, html, svg.\n',
    ],
    [
      ['run', 'rgb', '--format', 'xml', '1', '2', '300'],
      '--format xml: the formats are json, csv, ndjson, html.\nB is 300; expected a whole number from 0 to 255.\n',
    ],
    [
      ['run', 'census', 'foo:1', '--format', 'xml'],
      '“foo” is not a name of this block. help after the block lists them. As text, write name:"foo:1".\n--format xml: the formats are json, csv, xlsx, ndjson, parquet, geojson, html, svg.\n',
    ],
    [
      ['run', 'census', 'density:abc', 'foo:1', 'density_max:5%'],
      '“foo” is not a name of this block. help after the block lists them. As text, write name:"foo:1".\ndensity:abc: “abc” is not a number. Write density:400.., density:..500, density:400..500 or density:400 instead.\ndensity_max is "5%", which is not a number; expected a number such as 5, -76.61 or 1e3 (persons per acre of land). Write 5.\n',
    ],
    [
      ['run', 'directory', 'phone:abc', 'location_1_city:a', `city:${'x'.repeat(300)}`],
      'location_1_city takes at most 256 characters per value.\nphone is compared by its digits, but "abc" has none.\n',
    ],
    [
      ['run', 'directory', 'phone:(718)', '522-6900'],
      'phone:(718) fell apart at a blank: “522-6900” is read as free text. Write phone:"(718) 522-6900" for one value, or the free text first.\n',
    ],
    [
      ['rnu', '--fromat', 'csv', '--key', '--url', 'a', '--format', 'csv', '--format=csv'],
      'There is no option --fromat. Did you mean --format?\n--key needs a value.\n--format is given twice.\n"rnu" is not a command. Did you mean run?\n"a" is not the address of a service; expected one such as http://127.0.0.1:8787.\n',
    ],
    [
      ['run', 'census', 'canton', '--format', 'csv', '_format:json'],
      '--format csv and _format:json are for the same. Write one.\n',
    ],
    [['rnu', 'census'], '"rnu" is not a command. Did you mean run?\n'],
    [['run', 'census', '--fromat', 'csv'], 'There is no option --fromat. Did you mean --format?\n'],
    [['run', 'census', '--key'], '--key needs a value.\n'],
    [['run', 'census', '--url='], '--url needs a value.\n'],
    [['run', 'census', '--format', ' '], '--format needs a value.\n'],
    [['run', 'census', '--key', '--format', 'csv'], '--key needs a value.\n'],
    [
      ['run', 'census', '--url', 'http://a/stage/api_v2/blocks/'],
      "The service's address is to end before /api_v2/blocks/: http://a/stage\n",
    ],
    [
      ['run', 'census', '--url', 'http://a/mcp'],
      "The service's address is to end before /mcp: http://a\n",
    ],
    [['run', 'census', '--format', 'csv', '--format=json'], '--format is given twice.\n'],
    [
      ['run', 'census', '--url', 'localhost:8787'],
      '"localhost:8787" is not the address of a service; expected one such as http://127.0.0.1:8787.\n',
    ],
    [
      ['run', 'census', '--url', 'http://a:secret@b'],
      "The service's address is to have no user, no ? and no # in it; a key is for --key.\n",
    ],
    [
      ['run', 'census', '--key', 'a\nb'],
      'The key has characters that no key has: white space, or letters that are not ASCII.\n',
    ],
  ])('%j', async (args, err) => {
    expect(await type(args)).toEqual({ exit: 1, out: '', err });
  });

  test('text behind -- is no option', async () => {
    expect((await run('census', '--', '--url')).out).toContain('0 of 56 neighborhoods');
  });

  test('a key that is refuseds where a key is given', async () => {
    const text = JSON.stringify({ code: 'key-missing', errors: [{ detail: 'A key is needed.' }] });
    const said = await answering({ status: 401, text }, (url) => type(['run', 'x'], { url }));
    expect(said).toMatchObject({
      exit: 1,
      err: 'A key is needed.\nA key is given by --key or BLOCKYARD_KEY.\n',
    });
  });
});

describe('exit 2, where no service answers', () => {
  test('nothing listens', async () => {
    const url = 'http://127.0.0.1:1';
    expect(await type(['run', 'census'], { url })).toEqual({
      exit: 2,
      out: '',
      err: `No service answers at ${url}.\n`,
    });
  });

  test('at the usual address, says how to start it', async () => {
    const nobody = (async () => {
      throw new TypeError('fetch failed');
    }) as typeof fetch;
    expect(await type(['run', 'census'], { url: '', fetch: nobody })).toEqual({
      exit: 2,
      out: '',
      err: 'No service answers at http://127.0.0.1:8787. Start it with: npm start\n',
    });
  });

  test.each([
    ['a page', { text: '<html>' }],
    ['other JSON', { text: '{"blocks":5}' }],
    ['an error of something else', { status: 404, text: '{"message":"Not Found"}' }],
    ['an empty error', { status: 502 }],
  ])('what answers is %s', async (_, answer) => {
    const { exit, out, err } = await answering(answer, (url) => type(['run', 'x'], { url }));
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(/^What answers at http:\S+ is not a blockyard service \(\d+\)\.\n$/);
  });

  test('too many requests: the line may be sent again as it is', async () => {
    const detail = 'Wait a second, then try again.';
    const text = JSON.stringify({ code: 'too-many-requests', errors: [{ detail }] });
    const said = await answering({ status: 429, text }, (url) => type(['run', 'x'], { url }));
    expect(said).toMatchObject({ exit: 2, err: `${detail}\n` });
    const busy = (async (address: string, init: RequestInit) => {
      return init.method === 'POST' ? new Response(text, { status: 429 }) : fetch(address, init);
    }) as typeof fetch;
    expect(await type(['run', 'census', 'canton'], { fetch: busy })).toEqual({
      ...{ exit: 2, out: '', err: `${detail}\n` },
    });
    // That the line is wrong is known all the same.
    const lost = await type(['run', 'census', 'canton', 'foo:1'], { fetch: busy });
    expect(lost).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/^“foo” is not a name.*\n$/),
    });
  });

  test('a failure of the service itself', async () => {
    const text = JSON.stringify({ code: 'internal-error', errors: [{ detail: 'It is ours.' }] });
    const said = await answering({ status: 500, text }, (url) => type(['run', 'x'], { url }));
    expect(said).toMatchObject({ exit: 2, err: 'It is ours.\n' });
  });
});

describe('the key', () => {
  test('is sent as a header, and the option goes before the environment', async () => {
    const ask = (url: string) => type(['run', 'x', '--key', 'mine'], { url, key: 'theirs' });
    expect((await answering({ status: 404 }, ask)).asked).toEqual([
      { path: '/api_v2/blocks', key: 'mine' },
    ]);
    const { asked } = await answering({ status: 404 }, (url) =>
      type(['run', 'x'], { url: `${url}/stage/`, key: 'theirs' }),
    );
    expect(asked).toEqual([{ path: '/stage/api_v2/blocks', key: 'theirs' }]);
  });

  test('does not follow a redirect', async () => {
    const headers = { location: `${service.url}/api_v2/blocks` };
    const { exit, asked, err } = await answering({ status: 302, headers }, (url) =>
      type(['run', 'census', 'canton'], { url, key: 'mine' }),
    );
    expect({ exit, asked: asked.length }).toEqual({ exit: 2, asked: 1 });
    expect(err).toContain('is not a blockyard service (302)');
  });
});
