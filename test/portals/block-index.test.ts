import { expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { textsOf } from '../../src/portals/block-index.ts';
import { BlockFinder } from '../../src/portals/find-blocks.ts';
import { Scheduler } from '../../src/work/scheduler.ts';

const blockOf = (name: string, title: string, column: string) =>
  datasetBlock({
    ...{ id: name, name, title, description: `All of ${title}.` },
    examples: [{ title: `Old ${name}, by age`, arguments: { a: 'old' } }],
    fields: [{ type: 'text', name: 'a', title: column }],
  });

const BLOCKS = [
  textsOf({
    block: blockOf('trees', 'Street trees', 'Größe in metres'),
    suggestions: { a: ['Oaks', '5\\* Elm', 'Plane'] },
    commonest: {
      a: [
        ['Oaks', 12],
        ['5* Elm', 3],
      ],
    },
  }),
  textsOf({ block: blockOf('cafes', 'Cafés', "Owner's name"), suggestions: { a: ['Elms'] } }),
];

const finder = new BlockFinder(() => BLOCKS);
const find = async (text: string) => {
  const { found, near } = await finder.find(text, new Scheduler());
  return { names: found.map(({ block }) => BLOCKS[block]?.name), found, near };
};

test.each([
  ['tree', ['trees']],
  ['TREES groß', ['trees']],
  ['grosse', ['trees']],
  ['cafe own', ['cafes']],
  ['all of', ['trees', 'cafes']],
  ['tree cafe', []],
  ['ree', []],
  ['metres', ['trees']],
  ['oak', ['trees']],
  ['elm', ['trees', 'cafes']],
  ['elms trees', ['trees']],
  ['cafes by age', ['cafes']],
])(
  '“%s” finds the blocks that have each word, or words that begin with it',
  async (text, names) => {
    expect((await find(text)).names).toEqual(names);
  },
);

test('a value that was found is a filter, with its rows if they are known', async () => {
  const { found } = await find('elm');
  expect(found.map(({ hits }) => hits)).toEqual([
    [{ query: { a: '5\\* Elm' }, field: 'Größe in metres', value: '5* Elm', rows: 3 }],
    [{ query: { a: 'Elms' }, field: "Owner's name", value: 'Elms' }],
  ]);
});

test('an example that was found is its question', async () => {
  const { found } = await find('age');
  expect(found[0]?.hits).toEqual([{ query: { a: 'old' }, example: 'Old trees, by age' }]);
});

test.each([
  ['stret', [['stret', 'street']]],
  ['elns trees', [['elns', 'elms']]],
  ['zzzz', []],
])('“%s” finds nothing, and is told what it is close to', async (text, near) => {
  const searched = await find(text);
  expect([searched.names, [...searched.near]]).toEqual([[], near]);
});

test.each(
  ['house', 'size', 'movie', 'course', 'purchase', 'nurse', 'laundry', 'bus', 'box'].flatMap(
    (one) => {
      const many =
        /(?:s|x)$/.test(one) && one !== 'house'
          ? `${one}es`
          : one.endsWith('y')
            ? `${one.slice(0, -1)}ies`
            : `${one}s`;
      return [
        [one, many],
        [many, one],
      ] as const;
    },
  ),
)('“%s” finds a block of “%s”', async (asked, title) => {
  const texts = [textsOf({ block: blockOf('one', `City ${title}`, 'Column') })];
  const { found, near } = await new BlockFinder(() => texts).find(asked, new Scheduler());
  expect([found.length, [...near]]).toEqual([1, []]);
});

test('a column that is called as what every object has is searched', async () => {
  const block = datasetBlock({
    ...{ id: 'odd', name: 'odd', title: 'Odd', description: 'Odd.', examples: [] },
    fields: [
      { type: 'text', name: 'a', title: 'A' },
      { type: 'integer', name: 'constructor', title: 'Made by' },
    ],
  });
  const texts = [textsOf({ block, suggestions: { a: ['oak'] } })];
  const { found } = await new BlockFinder(() => texts).find('made', new Scheduler());
  expect(found).toHaveLength(1);
});
