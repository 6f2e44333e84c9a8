import { expect, test } from '@jest/globals';
import { differencesOf, outsideOf, scopeOf, tableOf } from './renewal.ts';
import { kindOf } from './requests.ts';

const numberOf = (kind: string) => {
  let number = 0;
  while (kindOf(number) !== kind) number++;
  return number;
};
const [PAGE, FILE] = [numberOf('pages'), numberOf('files')];
const recorded: string[] = [];
recorded[PAGE] = '200 aaaa bbbb cccc';
recorded[FILE] = '200 aaaa bbbb -';
const answers = new Map([
  [PAGE, '200 aaaa bbbb cccd'],
  [FILE, '200 aaaa bbbc -'],
]);
const differences = differencesOf(answers, recorded);

test('a difference names the kind and the part', () => {
  expect(differences).toEqual([
    { number: PAGE, kind: 'pages', parts: ['words'] },
    { number: FILE, kind: 'files', parts: ['data'] },
  ]);
  expect(
    tableOf(differences)
      .split('\n')
      .map((line) => line.trim().split(/\s+/)),
  ).toEqual([
    ['status', 'data', 'words'],
    ['files', '0', '1', '0'],
    ['pages', '0', '0', '1'],
  ]);
});

test.each([
  [['pages', 'words'], [['files', ['data']]]],
  [
    ['files', 'words'],
    [
      ['pages', ['words']],
      ['files', ['data']],
    ],
  ],
  [['all', 'words'], [['files', ['data']]]],
  [['pages', 'all'], [['files', ['data']]]],
  [['pages,files', 'words,data'], []],
  [['all', 'all'], []],
])('renewing %j leaves out %j', (given, outside) => {
  expect(
    outsideOf(scopeOf(given as string[]), differences).map(({ kind, parts }) => [kind, parts]),
  ).toEqual(outside);
});

test('kinds and parts that are none are refused, as are none at all', () => {
  expect(() => scopeOf(['page', 'words'])).toThrow(
    '"page" is none of the kinds of requests: all, ',
  );
  expect(() => scopeOf(['pages', 'text'])).toThrow('all, status, data, words.');
  expect(() => scopeOf(['pages'])).toThrow('"" is none of the parts of an answer');
  expect(() => scopeOf([])).toThrow('"" is none of the kinds of requests');
});
