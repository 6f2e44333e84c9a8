import { expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import { LANGUAGES } from '../../src/languages/languages.ts';
import { faultText, type SaidFault } from '../../src/page/fault-text.ts';
import type { Row } from '../../src/values/field-type.ts';
import { serve } from '../support/serving.ts';

const block = datasetBlock({
  ...{ id: 'people', name: 'people', title: 'People', description: 'Made.', examples: [] },
  fields: [
    { type: 'integer', name: 'age', title: 'Age' },
    { type: 'number', name: 'number', title: 'Lucky number' },
    { type: 'text', name: 'name', title: 'Name' },
  ],
});
const rows: Row[] = [{ age: 5, number: 7, name: 'Ada' }];
const { request } = serve(block, rows);

test.each<[string, SaidFault, string]>([
  [
    'an end of a range',
    { code: 'not-an-integer', parameter: 'age_min', detail: 'age_min is "x"; expected a number.' },
    '“Age, at least” is "x"; expected a number.',
  ],
  [
    'a field whose name is a word of the sentence, once',
    { code: 'not-a-number', parameter: 'number', detail: 'number is "x", which is not a number.' },
    '“Lucky number” is "x", which is not a number.',
  ],
  [
    'what was sent stays as it was',
    { code: 'not-a-number', parameter: 'age', detail: 'It is "age", which age may not be.' },
    'It is "age", which age may not be.',
  ],
  [
    'a name within another stays',
    { code: 'not-a-number', parameter: 'age', detail: 'age_min is 5.' },
    'age_min is 5.',
  ],
  [
    'a name that nothing has',
    { code: 'unknown-parameter', parameter: 'age', detail: 'age is not a parameter of this.' },
    'age is not a parameter of this.',
  ],
  [
    'a list that a page does not show',
    {
      code: 'unknown-parameter',
      parameter: 'x',
      detail: 'x is not a parameter. Its parameters are listed in allowed.',
    },
    'x is not a parameter.',
  ],
  [
    'an option that is a link',
    { code: 'not-an-integer', parameter: '_limit', detail: '_limit is 0; expected a number.' },
    '“The number of rows on a page” is 0; expected a number.',
  ],
  [
    'what a field may not be',
    { code: 'not-a-number', parameter: '_not.age', detail: '_not.age is "x", which is no number.' },
    '“Age, not” is "x", which is no number.',
  ],
  [
    'an alternative',
    { code: 'not-a-number', parameter: '_or.2.age_max', detail: '_or.2.age_max is "x".' },
    '“Age, at most” is "x".',
  ],
  [
    'a filter of groups',
    { code: 'not-a-number', parameter: '_having.count_min', detail: '_having.count_min is "x".' },
    '“The filter of the groups” is "x".',
  ],
  [
    'other options, but not what was sent',
    {
      code: 'missing-parameter',
      parameter: '_sort',
      detail: '_sort has "_limit": give _group, not a._q.',
    },
    '“The order” has "_limit": give “What to group by”, not a._q.',
  ],
  [
    'an option that no part of the page has',
    { code: 'not-a-choice', parameter: '_lang', detail: '_lang is "x"; expected one of de, en.' },
    '“Language of the page” is "x"; expected one of de, en.',
  ],
  [
    'columns, which are for programs',
    {
      ...{ code: 'not-a-choice', parameter: '_sort', allowed: ['age', '-age'] },
      detail: '_sort is "; expected one of x"; expected one of age, -age.',
    },
    '“The order” is "; expected one of x", which is not a choice.',
  ],
  [
    'columns again, whose list only the first fault has',
    { code: 'not-a-choice', parameter: '_fields', detail: '_fields is "x".' },
    '“The choice of columns” is "x", which is not a choice.',
  ],
  [
    'other choices stay, called as a column or not',
    {
      ...{ code: 'not-a-choice', parameter: '_view', allowed: ['map', 'table', 'age'] },
      detail: '_view is "x"; expected one of map, table.',
    },
    '“The view” is "x"; expected one of map, table.',
  ],
  ['a problem without faults', { detail: 'Too much work.' }, 'Too much work.'],
])('%s', (_, fault, text) => {
  expect(faultText(fault, block, ENGLISH)).toBe(text);
});

test('both ends of a range are called by their titles, in the language of the page', async () => {
  const answer = await request('/api_v2/blocks/people?age_min=9&age_max=3', {
    headers: { Accept: 'application/json' },
  });
  const { errors } = JSON.parse(await answer.text());
  const [fault] = errors as SaidFault[];
  const said = faultText(fault as SaidFault, block, LANGUAGES.de, errors);
  expect(said).toContain('“Age, mindestens”');
  expect(said).toContain('“Age, höchstens”');
  expect(said).not.toMatch(/age_m/);
});

test('a refused page names boxes, and has codes, names and the run folded for programs', async () => {
  const answer = await request('/api_v2/blocks/people?_format=html&age_min=old');
  const html = await answer.text();
  expect(answer.status).toBe(400);
  expect(html).toContain('<a href="#f-age_min">“Age, at least” is &quot;old&quot;');
  expect(html).toMatch(
    /<details class="quiet"><summary>For programs<\/summary><p><code>not-a-number<\/code> <code>age_min<\/code> <span>age_min is &quot;old&quot;, which is not a number; .*<\/span><\/p><p>Run \S+<\/p><\/details>/,
  );
});
