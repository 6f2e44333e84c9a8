import type { Dimension } from '../block/grouping.ts';
import { isAmount } from '../figure/question.ts';
import { ChoiceLinks } from '../page/choice-links.tsx';
import { changed, hrefOf, type PageState, valuesOf, withQuestion } from '../page/links.ts';
import { isNumeric, isYear } from '../values/field-types.ts';
import type { FigureProps } from './figure-on-page.ts';

/** The column of a time in the answer that was asked for: years may be drawn as decades. */
function columnAsked({ field, column }: Dimension, state: PageState): string {
  const asked = valuesOf(state, '_group').flatMap((text) => text.split(','));
  const own = asked.find((text) => text === field.name || text.startsWith(`${field.name}.`));
  return own?.replace('.', '_') ?? column.name;
}

/**
 * The orders of the rows of a heat table: by name, by the sum or the greatest number of each, by the
 * last period.
 */
export function HeatChoices({ page, found }: FigureProps) {
  const { figure, grouping } = found;
  const measure = grouping?.measures.find(({ column }) => isNumeric(column));
  if (grouping === undefined || measure === undefined) return null;
  const { say } = page.language;
  const isTime = ({ part, field }: Dimension) =>
    (part !== undefined && !part.recurs) || isYear(field, page.manifest.fields[field.name]);
  const time = grouping.dimensions.find(isTime);
  const rows = grouping.dimensions.find((one) => one !== time);
  if (rows === undefined || rows.part !== undefined || rows.width !== undefined) return null;
  const state = withQuestion(page.links);
  const most = `-${measure.column.name}`;
  const { picture } = figure;
  const grid = picture?.layout === 'grid' ? picture : undefined;
  const hasSums = grid?.hasSums === true;
  const heads = grid?.table?.heads ?? [];
  const last = heads.at(-1)?.replace(/\*$/, '') ?? '';
  const orders = [
    { title: say('by name'), sort: [] },
    {
      title: hasSums ? say('by all') : isAmount(measure) ? say('by most') : say('by highest'),
      sort: [most],
    },
    ...(time === undefined
      ? []
      : [
          {
            title: say('by {period}', { period: last }),
            sort: [`-${columnAsked(time, state)}`, most],
          },
        ]),
  ];
  const now = String(page.values._sort ?? '');
  const choices = orders.map(({ title, sort }) => ({
    title,
    href: hrefOf(changed(state, { _sort: sort.length === 0 ? null : sort.join() })),
    isCurrent: sort.join() === now,
  }));
  return <ChoiceLinks label={say('Order of the rows')} choices={choices} />;
}
