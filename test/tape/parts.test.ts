import { describe, expect, test } from '@jest/globals';
import { differingParts, entryOf, partsOf, WORD_MEMBERS } from './parts.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** The parts in which an answer differs from itself after a change of its text. */
function changedBy(answer: string, from: string, to: string): string[] {
  expect(answer).toContain(from);
  return differingParts(
    entryOf(partsOf(answer)),
    entryOf(partsOf(answer.replaceAll(from, () => to))),
  );
}

const answer = (type: string, body: string) =>
  ['200', `content-type: ${type}`, 'etag: "x"', 'x-total-count: 12', '', body].join('\n');

const PAGE = answer(
  'text/html; charset=utf-8',
  `<!doctype html><html><head><title>Shops</title><link rel="stylesheet" href="../page.css"/></head>
<body class="wide"><h2>5 of 120 shops</h2><a href="?_sort=name" title="Sort by this">Name</a>
<form><label for="f-q">Search all texts</label><input name="_q" value="deli" placeholder="word"/></form>
<table><thead><tr><th scope="col">Street</th><th scope="col">Seats</th></tr></thead>
<tbody><tr><th scope="row"><a href="rows/1">Smith St</a></th><td class="n"><svg><rect x="0" width="50"/></svg>73</td></tr>
<tr><th scope="row"><a href="rows/2">Court St</a></th><td class="n"><svg><rect x="0" width="20"/></svg>9</td></tr></tbody></table>
<div class="one-row"><dl><dt>Owner</dt><dd>Jolie<span class="quiet"> person</span></dd></dl></div></body></html>`,
);

describe('of a page', () => {
  test.each([
    ['a label', 'Search all texts', 'Find'],
    ['the label of a column', 'Seats</th>', 'Chairs</th>'],
    ['a title', '<title>Shops', '<title>Stores'],
    ['a sentence around numbers', '5 of 120 shops', '5 shops, of 120'],
    ['the text of a link', '>Name<', '>By name<'],
    ['what a link says on hover', 'Sort by this', 'Sort'],
    ['a placeholder', 'placeholder="word"', 'placeholder="text"'],
    ['the name of a field of a row', 'Owner', 'Proprietor'],
    ['a unit', ' person<', ' people<'],
    ['a class', 'class="wide"', 'class="narrow"'],
    ['a class of a column', '<td class="n">', '<td class="number">'],
    ['an element', '<h2>5 of 120 shops</h2>', '<h3><b>5 of 120 shops</b></h3>'],
    ['an element in the cells', '73</td>', '<b>73</b></td>'],
  ])('%s is words alone', (_, from, to) => {
    expect(changedBy(PAGE, from, to)).toEqual(['words']);
  });

  test.each([
    ['a cell', 'Court St', 'Park St'],
    ['a number in a cell', '73<', '74<'],
    ['the length of a bar', 'width="20"', 'width="21"'],
    ['a value of one row', 'Jolie', 'Joly'],
    ['a number in a sentence', 'of 120', 'of 121'],
    ['an address', '?_sort=name', '?_sort=-name'],
    ['a value of the form', 'value="deli"', 'value="bar"'],
    [
      'another row',
      '</tbody>',
      '<tr><th scope="row"><a href="rows/3">A</a></th><td class="n"><svg><rect x="0" width="1"/></svg>1</td></tr></tbody>',
    ],
    ['a row less', '9</td></tr>', '9</td>'],
  ])('%s is data alone', (_, from, to) => {
    expect(changedBy(PAGE, from, to)).toEqual(['data']);
  });
});

const REFUSAL = answer(
  'application/problem+json',
  '{"type":"docs/errors.md#invalid","title":"Not valid","status":400,"code":"invalid","errors":[{"code":"not-a-choice","detail":"x is \\"W/\\"; expected one of a, b.","allowed":["a","b"],"suggestion":"a","pointer":"#/x"}]}',
);
const CALLED = answer(
  'text/event-stream',
  'event: message\ndata: {"content":[{"type":"text","text":"25 groups of places.\\nkind | count\\nPark | 54\\nCite: http://tape.example/places, version 6efb28b5fc30e3745a36"}],"results":[{"kind":"Park","count":54}]}',
);
const SLACK = answer(
  'application/json; charset=utf-8',
  '{"text":"2 of 5 shops","blocks":[{"type":"data_table","rows":[[{"type":"raw_text","text":"Street"}],[{"type":"raw_text","text":"Court St"}],[{"type":"raw_text","text":"Smith St"}]]}]}',
);

describe('of JSON', () => {
  test.each([
    ['a sentence', REFUSAL, 'expected one of', 'use'],
    ['a title', REFUSAL, 'Not valid', 'Invalid'],
    ['a list of names', REFUSAL, '["a","b"]', '["a","b","c"]'],
    ['a suggestion', REFUSAL, '"suggestion":"a"', '"suggestion":"b"'],
    ['what a tool says', CALLED, 'groups of places', 'kinds of places'],
    ['a label in a table of Slack', SLACK, 'Street', 'Road'],
  ])('%s is words alone', (_, whole, from, to) => {
    expect(changedBy(whole, from, to)).toEqual(['words']);
  });

  test.each([
    ['the code of an error', REFUSAL, 'not-a-choice', 'unknown'],
    ['a pointer', REFUSAL, '#/x', '#/y'],
    ['a row that a tool says', CALLED, 'Park | 54', 'Parc | 54'],
    ['a number that a tool says', CALLED, '25 groups', '26 groups'],
    ['an address that a tool says', CALLED, 'tape.example/places', 'tape.example/'],
    ['a version', CALLED, '6efb28b5fc30e3745a36', '6efb28b5fc30e3745a37'],
    ['a row', CALLED, '{"kind":"Park"', '{"kind":"Parc"'],
    ['a cell in a table of Slack', SLACK, 'Court St', 'Park St'],
    ['space between members', CALLED, '"count":54', '"count": 54'],
  ])('%s is data alone', (_, whole, from, to) => {
    expect(changedBy(whole, from, to)).toEqual(['data']);
  });

  test('no field of a dataset is taken for words', () => {
    const fields = vocabulary.flatMap((dataset) => dataset.fields.map(({ name }) => name));
    expect(fields.filter((name) => WORD_MEMBERS.includes(name))).toEqual([]);
  });
});

test('a file is data alone, its labels too', () => {
  expect(changedBy(answer('text/csv', 'Street,Seats\nCourt St,9\n'), 'Seats', 'Chairs')).toEqual([
    'data',
  ]);
});

test('a style and a script are words alone', () => {
  expect(changedBy(answer('text/css', 'p { color: red }'), 'red', 'blue')).toEqual(['words']);
});

test('the status and a header are status alone', () => {
  expect(changedBy(PAGE, 'x-total-count: 12', 'x-total-count: 13')).toEqual(['status']);
  expect(changedBy(PAGE, '200\n', '201\n')).toEqual(['status']);
});

test('an ETag and a Content-Length are in no part', () => {
  expect(changedBy(PAGE, 'etag: "x"', 'etag: "y"')).toEqual([]);
  expect(changedBy(PAGE, 'etag: "x"', 'content-length: 5')).toEqual([]);
});
