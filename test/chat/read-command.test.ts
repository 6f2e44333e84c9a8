import { describe, expect, test } from '@jest/globals';
import type { BlockDescription } from '../../src/block/describe-block.ts';
import { readCommand } from '../../src/channels/chat/read-command.ts';
import { tokenize, tokensOf } from '../../src/channels/chat/tokenize.ts';
import { descriptions } from './described.ts';

const read = (line: string) => readCommand(tokenize(line), descriptions);

function argumentsOf(line: string): unknown {
  const command = read(line);
  return command.kind === 'run' ? { ...command.arguments } : command;
}

function faultsOf(line: string): readonly string[] {
  const command = read(line);
  if (command.kind !== 'invalid') throw new Error(`${line}: ${command.kind}`);
  return command.faults;
}

describe('the block', () => {
  test.each([
    ['census-neighborhoods canton', 'census-neighborhoods'],
    ['Census-Neighborhoods canton', 'census-neighborhoods'],
    ['cd6056a831402cb2033fe1e711f72d98 canton', 'census-neighborhoods'],
    ['census canton', 'census-neighborhoods'],
    ['CENSUS canton', 'census-neighborhoods'],
    ['neighborhoods canton', 'census-neighborhoods'],
    ['rgb #ff7f50', 'rgb-to-color-name'],
    ['directory court', 'business-directory'],
  ])('%s is for %s', (line, name) => {
    expect(read(line)).toMatchObject({ kind: 'run', block: { name } });
  });

  test.each([
    ['direktory court', '“direktory” is not a block. Did you mean directory?'],
    [
      'weather today',
      '“weather” is not a block. A line begins with a block: directory, census or rgb.',
    ],
    [
      'category:retail',
      '“category:retail” is not a block. A line begins with a block: directory, census or rgb.',
    ],
    ['directory:court', '“directory:court” is not a block. Did you mean directory?'],
  ])('%s is lost', (line, fault) => {
    expect(read(line)).toEqual({ kind: 'invalid', faults: [fault] });
  });

  const [first] = descriptions as [BlockDescription];
  const beside = (line: string, ...others: readonly Partial<BlockDescription>[]) =>
    readCommand(tokenize(line), [
      ...others.map((other) => ({ ...first, id: `${other.name}`, ...other })),
      ...descriptions,
    ]);

  test('a word that two blocks have is lost, with the whole names of both', () => {
    expect(beside('directory court', { name: 'park-directory' })).toEqual({
      kind: 'invalid',
      faults: [
        '“directory” is in the names of several blocks. Did you mean park-directory or business-directory?',
      ],
    });
  });

  test.each([
    ['census canton', 'census-neighborhoods'],
    ['neighborhoods canton', 'census-neighborhoods'],
    ['directory court', 'business-directory'],
    ['squirrel court', 'squirrel-census'],
    ['squirrel-census court', 'squirrel-census'],
    ['TREES court', 'tree-directory'],
  ])('beside blocks with an alias, words keep their meaning: %s is for %s', (line, name) => {
    const others = [
      { name: 'squirrel-census', alias: 'squirrel' },
      { name: 'tree-directory', alias: 'trees' },
      { name: 'census-directory', alias: 'census-directory' },
    ];
    expect(beside(line, ...others)).toMatchObject({ block: { name } });
  });

  test('a word is first that of the name that begins with it', () => {
    const command = beside('census canton', { name: 'squirrel-census' });
    expect(command).toMatchObject({ kind: 'run', block: { name: 'census-neighborhoods' } });
  });
});

describe('help', () => {
  test.each([
    ['', undefined],
    ['   ', undefined],
    ['help', undefined],
    ['?', undefined],
  ])('%j is help for all', (line) => {
    expect(read(line)).toEqual({ kind: 'help' });
  });

  test.each(['census', 'census help', 'census ?', 'help census', 'CENSUS HELP'])(
    '%j is help for a block, never all its rows',
    (line) => {
      expect(read(line)).toMatchObject({ kind: 'help', block: { name: 'census-neighborhoods' } });
    },
  );

  test('in quotes, or with more text, help is a text', () => {
    expect(argumentsOf('census "help"')).toEqual({ neighborhood_1: 'help' });
    expect(argumentsOf('census help me')).toEqual({ neighborhood_1: 'help me' });
  });

  test('help for more than one block is lost', () => {
    expect(faultsOf('help census directory')).toEqual(['help takes nothing, or one block.']);
  });
});

describe('arguments', () => {
  test.each<[string, object]>([
    ['census canton', { neighborhood_1: 'canton' }],
    ['census  mount   washington ', { neighborhood_1: 'mount washington' }],
    ['census "mount  washington"', { neighborhood_1: 'mount  washington' }],
    ['directory category:retail', { category: 'retail' }],
    ['directory street:*court*', { location_1_location: '*court*' }],
    ['directory location_1_location:*court*', { location_1_location: '*court*' }],
    ['directory STREET:*court*', { location_1_location: '*court*' }],
    ['directory street:"court st"', { location_1_location: 'court st' }],
    ['directory street:*"court st"*', { location_1_location: '*court st*' }],
    ['directory “court cycles”', { business: 'court cycles' }],
    ['directory category:“food and drink”', { category: 'food and drink' }],
    ['directory name:"the ""best"" deli"', { business: 'the "best" deli' }],
    ["directory O'Brien", { business: "O'Brien" }],
    ['directory 5\\*', { business: '5\\*' }],
    ['directory "a:b > c"', { business: 'a:b > c' }],
    ['directory name:a:b=c', { business: 'a:b=c' }],
    [
      'directory category:retail category:"food and drink"',
      { category: ['retail', 'food and drink'] },
    ],
    ['directory city:a location_1_city:b', { location_1_city: ['a', 'b'] }],
    [
      'directory bakery on court category:retail',
      { business: 'bakery on court', category: 'retail' },
    ],
    ['directory category:"retail" court', { business: 'court', category: 'retail' }],
    [
      'directory bakery number:400.. on _limit:5 court',
      { business: 'bakery on court', parsed_address_min: '400', _limit: '5' },
    ],
    [
      'census canton _limit:5 _sort:-households',
      { neighborhood_1: 'canton', _limit: '5', _sort: '-households' },
    ],
    ['census _sort:-density', { _sort: '-persons_per_acre' }],
    ['census _sort:-density,name', { _sort: '-persons_per_acre,neighborhood_1' }],
    [
      'census _group:name _having.count_min:2',
      { _group: 'neighborhood_1', '_having.count_min': '2' },
    ],
    [
      'census _fields:Name,density,roommates',
      { _fields: 'neighborhood_1,persons_per_acre,roommates' },
    ],
    ['census _sort:-Density', { _sort: '-persons_per_acre' }],
    ['census _sort:" Households "', { _sort: 'Households' }],
    ['census _fields:name,,density,', { _fields: 'neighborhood_1,,persons_per_acre,' }],
    ['rgb 1 2 3 list:nope', { R: '1', G: '2', B: '3', list: 'nope' }],
    ['census _fields:households _fields:roommates', { _fields: ['households', 'roommates'] }],
  ])('%s', (line, expected) => {
    expect(argumentsOf(line)).toEqual(expected);
  });

  test.each<[string, object]>([
    ['number:400..', { parsed_address_min: '400' }],
    ['number:..500', { parsed_address_max: '500' }],
    ['number:400..500', { parsed_address_min: '400', parsed_address_max: '500' }],
    ['number:400', { parsed_address: '400' }],
    ['number:400 number:401', { parsed_address: ['400', '401'] }],
    ['_not.number:400', { '_not.parsed_address': '400' }],
    ['_NOT.category:retail', { '_not.category': 'retail' }],
    ['_empty:number,zip', { _empty: 'parsed_address,zip_code' }],
    ['number:400…500', { parsed_address_min: '400', parsed_address_max: '500' }],
    ['number:"400 .. 500"', { parsed_address_min: '400', parsed_address_max: '500' }],
    ['parsed_address:400..', { parsed_address_min: '400' }],
    ['parsed_address_min:400', { parsed_address_min: '400' }],
    ['number_max:500', { parsed_address_max: '500' }],
    ['number:400.. number_max:500', { parsed_address_min: '400', parsed_address_max: '500' }],
    ['number:-76.7..-76.6', { parsed_address_min: '-76.7', parsed_address_max: '-76.6' }],
    ['number:1e-3..1e2', { parsed_address_min: '1e-3', parsed_address_max: '1e2' }],
    ['number:1e-3', { parsed_address: '1e-3' }],
  ])('the range %s', (range, expected) => {
    expect(argumentsOf(`directory ${range}`)).toEqual(expected);
  });

  const coral = { R: '255', G: '127', B: '80' };
  test.each<[string, object]>([
    ['#ff7f50', coral],
    ['#FF7F50', coral],
    ['ff7f50', coral],
    ['255 127 80', coral],
    ['255,127,80', coral],
    ['255, 127, 80', coral],
    ['#f75', { R: '255', G: '119', B: '85' }],
    ['300 0 0', { R: '300', G: '0', B: '0' }],
    ['#ff7f50 list:css', { ...coral, list: 'css' }],
    ['R:255 g:127 b:80', coral],
  ])('the colour %s', (color, expected) => {
    expect(argumentsOf(`rgb ${color}`)).toEqual(expected);
  });

  test('have no prototype', () => {
    const command = read('census canton');
    expect(command.kind === 'run' && Object.getPrototypeOf(command.arguments)).toBeNull();
  });
});

const WAYS = 'number:400.., number:..500, number:400..500 or number:400';
const NO_NAME = 'has no name before it. Write name:value without spaces, or text within quotes.';

describe('lost, with how to write it', () => {
  test.each([
    ['number>400', `number>400 is not read here. Write ${WAYS}; both ends count.`],
    ['number>=400', `number>=400 is not read here. Write ${WAYS}; both ends count.`],
    ['number<500', `number<500 is not read here. Write ${WAYS}; both ends count.`],
    ['number=400', `number=400 is not read here. Write ${WAYS}; both ends count.`],
    ['number：400', `number：400 is not read here. Write ${WAYS}; both ends count.`],
    ['number> 400', `number> is not read here. Write ${WAYS}; both ends count.`],
    ['number > 400', `> ${NO_NAME}`],
    ['number ≥400', `≥400 ${NO_NAME}`],
    ['number:>400', `number:>400: “>400” is not a number. Write ${WAYS} instead.`],
    ['number:400-500', `number:400-500: “400-500” is not a number. Write ${WAYS} instead.`],
    ['category=retail', 'category=retail is not read here. Write category:retail.'],
    ['category：retail', 'category：retail is not read here. Write category:retail.'],
    ['category= retail', 'category= is not read here. Write category:retail.'],
    ['number:500..400', 'number:500..400: it ends before it begins. Write number:400..500.'],
    [
      'number:−76.7..−76.6',
      'number:−76.7..−76.6: “−76.7” is not a number. Write number:-76.7..−76.6 instead.',
    ],
    ['number:400...500', 'number:400...500: a range has two dots, such as number:400..500.'],
    ['number:1..2..3', 'number:1..2..3: a range has two ends, such as number:400..500.'],
    [
      'number:..',
      'number:..: no end is given. Write number:400.., number:..500 or number:400..500.',
    ],
    ['number:5,000..', 'number:5,000..: “5,000” is not a number. Write number:5000.. instead.'],
    [
      'number:many',
      'number:many: “many” is not a number. Write number:400.., number:..500, number:400..500 or number:400 instead.',
    ],
    [
      'number:1.. number:2',
      'number is given twice: number:1.. and number:2. Write one range, such as number:400..500.',
    ],
    ['number:1.. number_min:2', 'number:1.. and number_min:2 are for the same. Write one.'],
    ['_limit:1 _limit:2', '_limit is given twice: _limit:1 and _limit:2. Write one of them.'],
    ['catgory:retail', '“catgory” is not a name of this block. Did you mean category:retail?'],
    [
      'catgory:"food and drink"',
      '“catgory” is not a name of this block. Did you mean category:"food and drink"?',
    ],
    [
      'category: "food and drink"',
      'category: has no value. Write category:"food and drink" without a space.',
    ],
    [
      'category="food and drink"',
      'category="food and drink" is not read here. Write category:"food and drink".',
    ],
    [
      'x:"say ""hi"""',
      '“x” is not a name of this block. help after the block lists them. As text, write name:"x:say ""hi""".',
    ],
    ['stret:court', '“stret” is not a name of this block. Did you mean street:court?'],
    [
      'wealth:5',
      '“wealth” is not a name of this block. help after the block lists them. As text, write name:"wealth:5".',
    ],
    [
      '__proto__:5',
      '“__proto__” is not a name of this block. help after the block lists them. As text, write name:"__proto__:5".',
    ],
    ['category:', 'category: has no value. Write one, or leave it out.'],
    ['category:""', 'category:"" has no value. Write one, or leave it out.'],
    ['category: retail', 'category: has no value. Write category:retail without a space.'],
    ['category : retail', `: ${NO_NAME}`],
    [':coffee:', `:coffee: ${NO_NAME}`],
    [
      'name:court cycles',
      'name:court and the free text “cycles” are for the same. Write name:"court cycles" or one of them.',
    ],
    [
      'phone:(718) 522-6900',
      'phone:(718) fell apart at a blank: “522-6900” is read as free text. Write phone:"(718) 522-6900" for one value, or the free text first.',
    ],
    [
      'bakery category:food and drink number:400..',
      'category:food fell apart at a blank: “and drink” is read as free text. Write category:"food and drink" for one value, or the free text first.',
    ],
    ['_sort:-catgory', '_sort: “-catgory” is not a field. Did you mean -category?'],
    ['_sort:strete', '_sort: “strete” is not a field. Did you mean street?'],
    ['_sort:-wealth', '_sort: “-wealth” is not a field. help after the block lists them.'],
    ['_sort:name,stret', '_sort: “stret” is not a field. Did you mean street?'],
    ['_fields:name,phne', '_fields: “phne” is not a field. Did you mean phone?'],
    [
      '_fields:name,phne,wealth,xx,yy',
      '_fields: “phne” is not a field. Did you mean phone? “wealth” is not a field. “xx” is not a field. And 1 more. help after the block lists them.',
    ],
    [
      'street:"court',
      'A quote is opened and not closed in street:"court. Close it with another "; within quotes, "" is one quote.',
    ],
  ])('%s', (line, fault) => {
    expect(faultsOf(`directory ${line}`)).toEqual([fault]);
  });

  test.each(['coral', 'f75', '255 127', '1 2 3 4', '#ff7f5', '#ff7f50 #ff7f50'])(
    'the colour %s',
    (color) => {
      expect(faultsOf(`rgb ${color}`)).toEqual([
        `“${color}” is not a colour. Write it as #ff7f50, #f75 or 255 127 80.`,
      ]);
    },
  );

  test('a colour that is given in both ways', () => {
    expect(faultsOf('rgb #ff7f50 R:1')).toEqual(['R:1 and #ff7f50 are for the same. Write one.']);
  });

  test('free text where a block has no main parameter', () => {
    const bare = descriptions.map(({ color, ...block }) => block as BlockDescription);
    expect(readCommand(tokenize('rgb #ff7f50'), bare)).toMatchObject({
      kind: 'invalid',
      faults: [
        'rgb-to-color-name takes no free text: “#ff7f50”. Write name:value; help after the block lists the names.',
      ],
    });
  });

  test('all faults at once, and at most fifty, which is said', () => {
    expect(faultsOf('census density:abc foo:1')).toEqual([
      '“foo” is not a name of this block. help after the block lists them. As text, write name:"foo:1".',
      'density:abc: “abc” is not a number. Write density:400.., density:..500, density:400..500 or density:400 instead.',
    ]);
    expect(faultsOf('rgb coral foo:1 _fields:nme')).toEqual([
      '“foo” is not a name of this block. help after the block lists them.',
      '_fields: “nme” is not a field. Did you mean name?',
      '“coral” is not a colour. Write it as #ff7f50, #f75 or 255 127 80.',
    ]);
    expect(faultsOf('directory catgory:a number > 4 phone:1 2 street:"court')).toEqual([
      'A quote is opened and not closed in street:"court. Close it with another "; within quotes, "" is one quote.',
      '“catgory” is not a name of this block. Did you mean category:a?',
      `> ${NO_NAME}`,
      'phone:1 fell apart at a blank: “2” is read as free text. Write phone:"1 2" for one value, or the free text first.',
    ]);
    expect(faultsOf('directory category:food number > 4')).toHaveLength(1);
    const fifty = faultsOf(`directory ${'x:1 '.repeat(400)}`);
    expect(fifty.map((fault) => fault.startsWith('“x”'))).toEqual([...Array(50).fill(true), false]);
    expect(fifty.at(-1)).toBe('These are the first 50 faults of the line. There may be more.');
  });

  test('what was understood of the rest is kept, with the names that were typed', () => {
    expect(read('directory foo:1 NUMBER:4.. street:a court')).toMatchObject({
      kind: 'invalid',
      understood: { arguments: { parsed_address_min: '4' } },
    });
    const command = read('directory bakery NUMBER:4.. location_1_location:a');
    expect(command.kind === 'run' && [...command.typed]).toEqual([
      ['parsed_address_min', 'number'],
      ['location_1_location', 'location_1_location'],
    ]);
  });

  test('a long value is shown in part', () => {
    const [fault = ''] = faultsOf(`directory number:${'9,'.repeat(2000)}`);
    expect(fault.length).toBeLessThan(400);
  });
});

describe("a shell's arguments", () => {
  test.each<[string[], object]>([
    [['census', 'mount washington'], { neighborhood_1: 'mount washington' }],
    [['directory', 'category:food and drink'], { category: 'food and drink' }],
    [['directory', "my O'Brien: a pub"], { business: "my O'Brien: a pub" }],
    [['directory', 'say "hi"'], { business: 'say "hi"' }],
  ])('%j', (args, expected) => {
    expect(readCommand(tokensOf(args), descriptions)).toMatchObject({
      kind: 'run',
      arguments: expected,
    });
  });

  test('number > 400 in one argument is the same fault', () => {
    expect(readCommand(tokensOf(['directory', 'number > 400']), descriptions)).toMatchObject({
      faults: [`number > 400 is not read here. Write ${WAYS}; both ends count.`],
    });
  });
});
