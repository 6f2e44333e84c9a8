import { type Measure, MOST_MEASURES, ROW_COUNT } from '../block/grouping.ts';
import { MOST_OF_PANEL, MOST_PANELS, measuresInPanels, panelFor } from '../figure/series.ts';
import { isMeasurable, isRate } from '../first/first-number.ts';
import { type KnownField, knownFields } from '../first/known-fields.ts';
import type { Language } from '../languages/language.ts';
import { MEASURES, type MeasureName, measureOfField } from '../measures/measures.ts';
import { changed, hrefOf, valuesOf, withQuestion } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import { shortTitle } from '../text/wording.ts';
import type { FigureProps, FigureRead } from './figure-on-page.ts';

/** Several measures of a line over time: a chip for each, and one control that adds. */

/** The measures that a line draws, but for the count of the rows that it is of. */
function panelsDrawn(
  { manifest }: DatasetPage,
  { grouping }: FigureRead,
): readonly (readonly Measure[])[] {
  if (grouping === undefined || grouping.dimensions.length !== 1) return [];
  return measuresInPanels({ answer: { grouping }, known: { statistics: manifest.fields } });
}

/** The measures as the address has them. */
function measuresAsked({ links }: DatasetPage): readonly string[] {
  return valuesOf(withQuestion(links), '_measure').flatMap((text) => text.split(','));
}

/** Whether the measures have a line of their own: they are several. */
export function haveChips(page: DatasetPage, found: FigureRead): boolean {
  return panelsDrawn(page, found).flat().length > 1;
}

export function MeasuresLine({ page, found }: FigureProps) {
  const { language } = page;
  const { say } = language;
  const drawn = panelsDrawn(page, found).flat();
  const question = withQuestion(page.links);
  const { picture } = found.figure;
  const looks = picture?.layout === 'plot' ? (picture.names ?? []).map(({ look }) => look) : [];
  const areOfOneKind = drawn.every(({ of }) => of === drawn[0]?.of);
  const texts = measuresAsked(page);
  return (
    <fieldset class="picks" aria-label={say('Columns #measured')}>
      <span class="quiet">{say('Columns #measured')}</span>
      {drawn.map((measure, i) => {
        const name =
          areOfOneKind && measure.field !== undefined
            ? measure.field.title
            : titleOfMeasure(measure, page);
        const others = texts.filter((text) => text !== measure.text);
        return (
          <a
            class={`chip ${looks[i] ?? ''}`}
            href={hrefOf(changed(question, { _measure: others.join() }))}
            aria-label={say('Drop: {filter}', { filter: name })}
          >
            <svg aria-hidden="true">
              <rect width="100%" height="100%" />
            </svg>
            <bdi>{shortTitle(name)}</bdi>
            <i aria-hidden="true">×</i>
          </a>
        );
      })}
      <MeasureAdder page={page} found={found} />
    </fieldset>
  );
}

/** What adds a measure to a line over time: those that fit its plots first, then those of others. */
export function MeasureAdder({ page, found }: FigureProps) {
  const { say } = page.language;
  const lists = addable(page, panelsDrawn(page, found));
  if (lists.length === 0) return null;
  return (
    <select id="ask-and" name="_measure" aria-label={say('Add a measure')}>
      <option value="">{say('and…')}</option>
      {lists.map(([group, options]) => (
        <optgroup label={group}>
          {options.map(({ text, title }) => (
            <option value={text}>{shortTitle(title)}</option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

type Addable = { readonly text: string; readonly title: string };

/** What adds numbers up. Rates are averaged. */
const ADDING: readonly MeasureName[] = ['sum', 'share:sum'];

/** The columns that can be drawn too, in lists by where they are drawn. */
function addable(
  page: DatasetPage,
  panels: readonly (readonly Measure[])[],
): readonly (readonly [group: string, options: readonly Addable[]])[] {
  const { block, manifest, profile, language } = page;
  const drawn = panels.flat();
  if (drawn.length === 0 || measuresAsked(page).length >= MOST_MEASURES) return [];
  const first = drawn.find(({ field }) => field !== undefined)?.of ?? 'avg';
  const most = panels.length > 1 ? MOST_OF_PANEL : MOST_MEASURES;
  const lists = new Map<string, Addable[]>();
  for (const known of knownFields(block, manifest, profile)) {
    const { field } = known;
    if (!isMeasurable(known, block) || drawn.some((one) => one.field?.name === field.name))
      continue;
    const of = measureFor(first, known);
    const { unit } = field;
    const at = panelFor({ of, field, column: { unit } }, panels, manifest.fields);
    const isFull = at < 0 ? panels.length >= MOST_PANELS : (panels[at]?.length ?? 0) >= most;
    if (isFull) continue;
    const group = groupTitle(unit, at >= 0, language);
    const title = inLine(measureOfField(of, field.title, language), language);
    lists.set(group, [...(lists.get(group) ?? []), { text: `${of}:${field.name}`, title }]);
  }
  const same = (group: string) => (group.includes(language.say('same figure')) ? 0 : 1);
  return [...lists].sort(([a], [b]) => same(a) - same(b));
}

/** The measure of a column that is like the first one, if the column has that. */
function measureFor(first: MeasureName, known: KnownField): MeasureName {
  const mayBe = MEASURES[first].of(known.field) && !(isRate(known) && ADDING.includes(first));
  return mayBe ? first : 'avg';
}

function groupTitle(unit: string | undefined, isSame: boolean, { say }: Language): string {
  const place = isSame ? say('same figure') : say('a plot of its own');
  return unit === undefined ? place : say('in {unit}: {place}', { unit, place });
}

function titleOfMeasure({ of, field }: Measure, { language, block }: DatasetPage): string {
  if (field !== undefined) return inLine(measureOfField(of, field.title, language), language);
  const { noun } = block;
  return of === ROW_COUNT.of
    ? language.say('number of {noun}', { noun })
    : language.say('share of {noun}', { noun });
}

/** `average of Subways`: German nouns keep their capital. */
function inLine(title: string, { name }: Language): string {
  return name === 'de' ? title : title.charAt(0).toLowerCase() + title.slice(1);
}
