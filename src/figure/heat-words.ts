import type { Measure } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import type { Value } from '../values/field-type.ts';
import { nameIn, type Side } from './heat-cells.ts';
import { MOST_HEAT_COLUMNS, MOST_HEAT_ROWS } from './mark.ts';
import { isUnfilled } from './periods.ts';
import { type GroupsQuestion, isAmount, numberIn, valueIn } from './question.ts';
import { rowsText, sentence, type Words } from './words.ts';

/** What is said of a heat table. */

/**
 * Of all cells, also of those for which there is no room. An amount of a period that is not full is
 * less for that alone, and not told.
 */
export function extremesSentence(
  question: GroupsQuestion,
  measure: Measure,
  sides: readonly [columns: Side, rows: Side],
  text: (value: number) => string,
): Words {
  const { language } = question.known;
  const all = question.answer.groups.flatMap((group) => {
    const value = numberIn(group, measure);
    const values = sides.map(({ dimension }) => valueIn(group, dimension));
    const isDated = sides.every(({ time }, i) => time === undefined || values[i] !== null);
    return value === null || !isDated ? [] : [{ value, values }];
  });
  const full = all.filter(({ values }) =>
    sides.every(({ time }, i) => !time || !isUnfilled(time.extent, time.keyOf(values[i] as Value))),
  );
  const some = full.length === 0 || !isAmount(measure) ? all : full;
  const most = some.reduce((a, b) => (b.value > a.value ? b : a));
  const least = some.reduce((a, b) => (b.value < a.value ? b : a));
  const say = ({ value }: { readonly value: number }): [string] => [text(value)];
  const name = ({ values }: { readonly values: readonly Value[] }) =>
    sides
      .map((side, i) => nameIn(side, values[i] as Value, language))
      .toReversed()
      .join(', ');
  return most.value === least.value
    ? sentence(language, 'All {count} cells have {value}.', {
        count: some.length,
        value: say(most),
      })
    : sentence(language, 'Highest {most}, {mostOf}. Lowest {least}, {leastOf}.', {
        most: say(most),
        mostOf: name(most),
        least: say(least),
        leastOf: name(least),
      });
}

export function moreSentence(
  { more }: Side,
  what: 'rows' | 'columns',
  language: Language,
): Words[] {
  if (more === 0) return [];
  return [
    what === 'rows'
      ? sentence(language, '{count} more rows are not shown; {most} are the most.', {
          count: more,
          most: MOST_HEAT_ROWS,
        })
      : sentence(language, '{count} more columns are not shown; {most} are the most.', {
          count: more,
          most: MOST_HEAT_COLUMNS,
        }),
  ];
}

/** `average of 2 months`, `2 months` */
export function ofRows(rows: number, { of }: Measure, question: GroupsQuestion): string {
  const said = rowsText(rows, question);
  return of === 'avg' ? question.known.language.say('average of {rows}', { rows: said }) : said;
}
