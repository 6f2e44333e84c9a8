import { timePartsOf } from '../block/grouping.ts';
import { XY, XY_NAMES } from '../block/two-numbers.ts';
import { firstCategory } from '../first/first-category.ts';
import { isMeasurable } from '../first/first-number.ts';
import { knownFields } from '../first/known-fields.ts';
import { changed, hrefOf, type PageState, TABLE_NAMES, withoutQuestion } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import { type Field, isNumeric } from '../values/field-types.ts';
import type { FigureProps } from './figure-on-page.ts';

/** The way from groups to two numbers of each row, and the way back. Both keep the filters. */

/** Numbers that measure something; ids and coordinates are offered by an address alone. */
export function comparable({ block, manifest, profile, kept }: DatasetPage): readonly Field[] {
  const known = kept.get(COMPARABLE);
  if (known !== undefined) {
    return known.split(',').flatMap((name) => block.fields.find((one) => one.name === name) ?? []);
  }
  const fields = knownFields(block, manifest, profile)
    .filter((known) => isNumeric(known.field) && isMeasurable(known, block))
    .map(({ field }) => field);
  kept.set(COMPARABLE, fields.map(({ name }) => name).join());
  return fields;
}

/** Under this name, the names of the numbers that a block's pages compare. */
const COMPARABLE = 'numbers to compare';

/** A page's filters, without what asks for groups, for a table or for a view. */
function filtersOf({ links }: DatasetPage): PageState {
  const dropped = ['_view', ...XY_NAMES, ...TABLE_NAMES].map((name) => [name, null] as const);
  return changed(withoutQuestion(links.state), Object.fromEntries(dropped));
}

/** From the number that is drawn to another one of each row. Nothing if there are no two. */
export function ToTwoNumbers({ page, found }: FigureProps) {
  const fields = comparable(page);
  const drawn = found.grouping?.measures.flatMap(({ field }) => field?.name ?? []) ?? [];
  const y = fields.find(({ name }) => drawn.includes(name)) ?? fields[1];
  const x = fields.find((field) => field !== y);
  if (x === undefined || y === undefined) return null;
  return (
    <a class="small" href={hrefOf(changed(filtersOf(page), { [XY]: `${x.name},${y.name}` }))}>
      {page.language.say('compare two numbers')}
    </a>
  );
}

/** From two numbers to rows in groups: of the best field to group them by, or else of a date. */
export function ToGroups({ page }: { readonly page: DatasetPage }) {
  const { block, manifest, profile } = page;
  const category = firstCategory(knownFields(block, manifest, profile), true);
  const date = block.fields.find((field) => timePartsOf(field).length > 0);
  const _group = category?.field.name ?? (date && `${date.name}.month`);
  if (_group === undefined) return null;
  return (
    <a class="small" href={hrefOf(changed(filtersOf(page), { _group }))}>
      {page.language.say('compare groups')}
    </a>
  );
}
