import { changed, hrefOf, valuesOf, withQuestion } from '../page/links.ts';
import { ownMember } from '../values/field-type.ts';
import type { FigureProps } from './figure-on-page.ts';

/** Which of a figure's rows are the total of others, unless a filter or its groups tell them apart. */
export function CountedTwice({ page, found: { grouping } }: FigureProps) {
  if (grouping === undefined) return null;
  const question = withQuestion(page.links);
  const isAsked = (name: string) => valuesOf(question, name).length > 0;
  const twice = page.block.fields.flatMap(({ name, title }) => {
    const value = ownMember(page.manifest.totals, name);
    const isTold = grouping.dimensions.some(({ field }) => field.name === name);
    if (value === undefined || isTold || isAsked(name) || isAsked(`_not.${name}`)) return [];
    return [{ name, title, value }];
  });
  if (twice.length === 0) return null;
  const { say, parts } = page.language;
  return (
    <ul class="warnings">
      {twice.map(({ name, title, value }) => (
        <li>
          {parts('“{value}” in {title} is the total of the others, and is counted beside them.', {
            value: <bdi>{value}</bdi>,
            title: <bdi>{title}</bdi>,
          })}{' '}
          <a href={hrefOf(changed(question, { [`_not.${name}`]: value }))}>{say('Leave it out')}</a>
        </li>
      ))}
    </ul>
  );
}
