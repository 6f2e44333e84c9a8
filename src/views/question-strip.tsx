import { type Dimension, isHaving, ROW_COUNT, ROW_SHARE, timePartsOf } from '../block/grouping.ts';
import type { FieldStatistics, MapFrame } from '../block/manifest.ts';
import { MOST_LINES } from '../figure/mark.ts';
import { isMeasurable, isRate } from '../first/first-number.ts';
import { knownFields } from '../first/known-fields.ts';
import type { Language } from '../languages/language.ts';
import { MEASURES, type MeasureName, measureOfField } from '../measures/measures.ts';
import { inTurns, keptHtml } from '../page/in-turns.ts';
import { TABLE_NAMES, valuesOf, withQuestion } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import { trusted } from '../page/page-shell.tsx';
import { decimalText } from '../text/decimal.ts';
import { shortTitle } from '../text/wording.ts';
import { ownMember } from '../values/field-type.ts';
import { type Field, isLabel, isNumeric, isYear } from '../values/field-types.ts';
import { cellWidthIn, PLACE } from '../values/map-cells.ts';
import { TIME_PARTS, type TimePart } from '../values/time-part.ts';
import { DaysLine } from './days-line.tsx';
import type { FigureRead } from './figure-on-page.ts';
import { MarkChoice } from './mark-choice.tsx';
import { haveChips, MeasureAdder, MeasuresLine } from './measures-line.tsx';
import { mayBePicked } from './picks.ts';
import { PicksLine } from './picks-line.tsx';
import { ToTwoNumbers } from './two-numbers-link.tsx';

type StripProps = {
  readonly page: DatasetPage;
  readonly found: FigureRead;
};

/** The names that the strip's lists write; its form keeps all others. */
const WRITTEN = ['_group', '_measure', '_mark'];

/** What has no meaning for another question. */
const DROPPED = ['_view', '_shade', '_axis', ...TABLE_NAMES];

/** The question of a figure as a sentence, whose words can be chosen. */
export function QuestionStrip({ page, found }: StripProps) {
  const { noun } = page.block;
  const { language } = page;
  const { say } = language;
  const asked = withQuestion(page.links);
  const drawn = found.grouping?.dimensions.map(({ text }) => text) ?? [];
  const [first = '', second = ''] = valuesOf(asked, '_group').flatMap((text) => text.split(','));
  // Every figure counts its rows too.
  const [measure = ROW_COUNT.text, ...others] = valuesOf(asked, '_measure').flatMap((text) =>
    text.split(','),
  );
  const measured = [measure, ...others.filter((text) => text !== ROW_COUNT.text)];
  const isPlaces = found.grouping === undefined;
  const isOfLines = !isPlaces && ['line', 'band'].includes(found.figure.mark);
  const hasChips = isOfLines && haveChips(page, found);
  const { partName } = found.grouping?.dimensions[1] ?? {};
  const isOfDays = partName === 'weekend' || partName === 'weekday';
  const dropped = [...WRITTEN, ...DROPPED];
  const kept = page.links.state.filter(([name]) => !dropped.includes(name) && !isHaving(name));
  return (
    <form class="ask strip" method="get" autocomplete="off" aria-label={say('The question')}>
      <div class="asked">
        {kept.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {hasChips && <OfAll page={page} found={found} measured={measured} />}
        {!isPlaces && !hasChips && (
          <Choice
            page={page}
            name="_measure"
            label={say('Show')}
            chosen={measured.join() || ROW_COUNT.text}
            title={titleOfMeasures(found, language)}
            offered={() => measuresOf(page)}
          />
        )}
        {isOfLines && !hasChips && <MeasureAdder page={page} found={found} />}
        <Choice
          page={page}
          name="_group"
          id="ask-by"
          label={say(isPlaces ? 'Show' : 'per')}
          chosen={isPlaces ? '' : (drawn[0] ?? first)}
          title={titleOf(found.grouping?.dimensions[0], language)}
          none={isPlaces ? say('one of the {noun}', { noun }) : undefined}
          offered={() => dimensionsIn(page)}
        />
        <Choice
          page={page}
          name="_group"
          id="ask-split"
          label={say('split by')}
          chosen={drawn[1] ?? second}
          title={titleOf(found.grouping?.dimensions[1], language)}
          none={say('nothing')}
          offered={() => dimensionsIn(page).filter(({ isFew }) => isFew)}
          without={nonsenseBeside(drawn[0], page)}
          more={[...fewLeft(page, found), ...pickable(page, found)]}
        />
        <MarkChoice page={page} found={found} />
        <ToTwoNumbers page={page} found={found} />
      </div>
      {found.picked && <PicksLine page={page} found={found} field={found.picked} />}
      {hasChips && <MeasuresLine page={page} found={found} />}
      {isOfDays && <DaysLine page={page} found={found} />}
    </form>
  );
}

/** One function of all columns that a figure draws: `average of 3 columns`. */
function OfAll(props: StripProps & { measured: readonly string[] }) {
  const { page, found, measured } = props;
  const { language } = page;
  const { say } = language;
  const columns = say('{count} columns', { count: measured.length });
  const fields = (found.grouping?.measures ?? []).flatMap(({ field }) => field ?? []);
  const isOfFields = fields.length === measured.length;
  const offered = OFFERED.filter(([, { of }]) => isOfFields && fields.every(of)).map(([of]) => ({
    value: fields.map(({ name }) => `${of}:${name}`).join(),
    title: measureOf(of as MeasureName, columns, language),
  }));
  const isOffered = offered.some(({ value }) => value === measured.join());
  const all = isOffered ? offered : [{ value: measured.join(), title: columns }, ...offered];
  return (
    <label>
      {say('Show')}{' '}
      <select id="ask-measure" name="_measure">
        {all.map(({ value, title }) => (
          <option value={value} selected={value === measured.join()}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The measures that are offered, in order. */
const OFFERED = Object.entries(MEASURES)
  .filter(([, { rankInForm }]) => rankInForm !== undefined)
  .sort(([, a], [, b]) => (a.rankInForm as number) - (b.rankInForm as number));

/** `group` is the heading that options stand under in a list. */
type Choosable = { readonly value: string; readonly title: string; readonly group?: string };

/** What adds numbers up, which compare others, and what is made of the numbers of several rows. */
const ADDING: readonly string[] = ['sum', 'share:sum'];

/**
 * What a page offers to compute of groups, a list a column. Ids, years and coordinates are no
 * numbers to add up, and rates are averaged.
 */
function measuresOf({ block, manifest, profile, language }: DatasetPage): Choosable[] {
  const { say } = language;
  const { noun } = block;
  const measured = knownFields(block, manifest, profile);
  return [
    { title: say('number of {noun}', { noun }), value: ROW_COUNT.text },
    { title: say('share of {noun}', { noun }), value: ROW_SHARE.text },
    ...measured
      .filter((known) => isMeasurable(known, block))
      .flatMap((known) => {
        const { field } = known;
        return OFFERED.filter(([of, kind]) => {
          return kind.of(field) && !(isRate(known) && ADDING.includes(of));
        }).map(([of]) => ({
          value: `${of}:${field.name}`,
          title: measureOf(of as MeasureName, field.title, language),
          group: field.title,
        }));
      }),
  ];
}

/** Parts of the date that is drawn which show nothing beside it. */
function nonsenseBeside(drawn = '', { block }: DatasetPage): readonly string[] {
  const [name = '', part = ''] = drawn.split('.');
  const field = block.fields.find((one) => one.name === name);
  if (field === undefined) return [];
  const beside = ownMember<TimePart>(TIME_PARTS, part)?.beside ?? [];
  return timePartsOf(field)
    .filter((one) => !beside.includes(one))
    .map((one) => `${name}.${one}`);
}

/** Fields with many values, of which the filters leave a few. */
function fewLeft({ block }: DatasetPage, { facets = {} }: FigureRead): Choosable[] {
  const { fields } = block;
  return fields.flatMap(({ name, title }) => {
    const { values = [], others = 1 } = ownMember(facets, name) ?? {};
    const left = values.filter(({ count }) => count > 0).length;
    return others === 0 && left > 1 && left <= MOST_LINES ? [{ value: name, title }] : [];
  });
}

/** Over time, fields with more values than a split elsewhere may have: these are picked. */
function pickable({ block, manifest }: DatasetPage, { grouping }: FigureRead): Choosable[] {
  const [first] = grouping?.dimensions ?? [];
  if (first === undefined || !isOverTime(first, manifest.fields[first.field.name])) return [];
  return block.fields.flatMap((field) => {
    const { name, title } = field;
    const { distinct = 0 } = manifest.fields[name] ?? {};
    const isMany = distinct > MOST_SPLIT && distinct <= MOST_PICKABLE;
    return isMany && field !== first.field && mayBePicked(field) && !isLabel(field)
      ? [{ value: name, title }]
      : [];
  });
}

/** Whether a dimension is of times that follow each other. */
function isOverTime({ part, field, width }: Dimension, known: FieldStatistics | undefined) {
  return part === undefined ? width === undefined && isYear(field, known) : part.recurs !== true;
}

/** What a page offers to group by. */
function dimensionsIn({ block, manifest, profile, language }: DatasetPage): Offered[] {
  const { fields } = block;
  const hasSeveralDates = fields.filter((field) => timePartsOf(field).length > 0).length > 1;
  const { rows, fields: known = {} } = manifest;
  return [
    ...fields.flatMap((field) =>
      dimensionsOf(field, known[field.name], rows, hasSeveralDates, language),
    ),
    ...cellsOf(profile?.map, language),
  ];
}

/** A word of the sentence; what is asked for stays chosen, though the list does not offer it. */
async function Choice(props: {
  page: DatasetPage;
  name: string;
  id?: string;
  label: string;
  chosen: string;
  /** What is chosen, if the list does not offer it. */
  title?: string | undefined;
  none?: string | undefined;
  offered: () => readonly Choosable[];
  /** Values that this question has no use for, and options that it alone has. */
  without?: readonly string[];
  more?: readonly Choosable[];
}) {
  const { page, name, id = 'ask-measure', label, chosen, title = chosen, none, offered } = props;
  const { without = [], more = [] } = props;
  // The same on all of the block's pages, but for what is chosen.
  const kept = String(
    await keptHtml(page, id, () =>
      inTurns(grouped(offered()), page.turn, ([group, options]) => {
        const list = options.map(({ value, title }) => (
          <option value={value}>{shortTitle(title)}</option>
        ));
        if (group !== undefined) return <optgroup label={shortTitle(group)}>{list}</optgroup>;
        return trusted(list.join(''));
      }),
    ),
  );
  const opening = `<option value="${chosen}"`;
  const fitting = without
    .filter((value) => value !== chosen)
    .reduce((html, value) => html.replace(optionOf(value), ''), kept);
  const added = more
    .filter(({ value }) => value !== chosen && !kept.includes(`<option value="${value}"`))
    .map(({ value, title }) => String(<option value={value}>{title}</option>));
  const all = fitting + added.join('');
  const isOffered = all.includes(opening);
  if (all === '' && none !== undefined) return null;
  return (
    <label>
      {label}{' '}
      <select id={id} name={name}>
        {none === undefined ? '' : <option value="">{none}</option>}
        {chosen === '' || isOffered ? (
          ''
        ) : (
          <option value={chosen} selected>
            {title && shortTitle(title)}
          </option>
        )}
        {trusted(isOffered ? all.replace(opening, () => `${opening} selected=""`) : all)}
      </select>
    </label>
  );
}

/** Options in lists: those that follow each other and have the same heading. */
function grouped(
  options: readonly Choosable[],
): [group: string | undefined, options: Choosable[]][] {
  const lists: [string | undefined, Choosable[]][] = [];
  for (const option of options) {
    const last = lists.at(-1);
    if (last !== undefined && last[0] === option.group) last[1].push(option);
    else lists.push([option.group, [option]]);
  }
  return lists;
}

/** An option as it is written. Names and parts of fields have no characters of patterns but points. */
const optionOf = (value: string) =>
  new RegExp(`<option value="${value.replaceAll('.', '\\.')}"[^>]*>[^<]*</option>`);

/** What is measured, if that is several: `average of Subways and 6 more`. */
function titleOfMeasures({ grouping }: FigureRead, language: Language): string | undefined {
  const [first, ...others] = (grouping?.measures ?? []).filter(({ field }) => field !== undefined);
  if (first?.field === undefined) return undefined;
  const title = measureOf(first.of, first.field.title, language);
  const count = others.length;
  return count === 0 ? title : language.say('{first} and {count} more', { first: title, count });
}

/** `average of Subways` */
function measureOf(of: MeasureName, field: string, language: Language): string {
  const title = measureOfField(of, field, language);
  // German nouns keep their capital.
  return language.name === 'de' ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

/** What is drawn, in words: `square of 100 m`, `Riders, in steps of 250000`. */
function titleOf(dimension: Dimension | undefined, language: Language): string | undefined {
  if (dimension === undefined) return undefined;
  const { text, field, width, partName } = dimension;
  const cells = dimension.cells && cellWidthIn(text);
  const { say } = language;
  if (cells !== undefined) return cellTitle(cells, language);
  if (width !== undefined) return stepsTitle(field.title, width, language);
  if (partName === undefined) return field.title;
  return say('{part} of {field}', { part: say(TIME_PARTS[partName].words), field: field.title });
}

/** `Riders, in steps of 250000` */
function stepsTitle(field: string, width: string, { say, decimal, number }: Language): string {
  const [whole = '', part] = width.split('.');
  const steps = part === undefined ? number(Number(whole)) : `${whole}${decimal}${part}`;
  return say('{field}, in steps of {width}', { field, width: steps });
}

function cellTitle(width: string, { say, decimal }: Language): string {
  const text = width.replace(/(?<=\d)(?=[a-z])/, ' ').replace('.', decimal);
  return say('square of {width}', { width: text });
}

type Offered = Choosable & { readonly isFew: boolean };

/** With more different values than this, a field that is different in each row is not offered. */
const MOST_VALUES = 1000;

/** So many different numbers are groups of their own; more are put in steps. */
const FEW_NUMBERS = 40;

/** What has more values than this is not offered to split by. */
const MOST_SPLIT = 40;

/** Of a line over time, values are picked: from as many as can be suggested. */
const MOST_PICKABLE = 200;

/** What a page offers to group by: fields whose values occur more than once, parts of dates, steps of numbers. */
function dimensionsOf(
  field: Field,
  known: FieldStatistics | undefined,
  rows: number | undefined,
  hasSeveralDates: boolean,
  language: Language,
): Offered[] {
  const { say } = language;
  const { name, title } = field;
  const { distinct = 0, min, max } = known ?? {};
  if (distinct < 2) return [];
  const parts = timePartsOf(field);
  if (parts.length > 0) {
    return parts.map((part) => ({
      value: `${name}.${part}`,
      title: hasSeveralDates
        ? say('{part} of {field}', { part: say(TIME_PARTS[part].words), field: title })
        : say(TIME_PARTS[part].words),
      isFew: ('recurs' in TIME_PARTS[part] && part !== 'week_of_year') || part === 'year',
    }));
  }
  if (!isNumeric(field) || distinct <= FEW_NUMBERS) {
    const isFew = distinct <= MOST_SPLIT;
    return distinct <= MOST_VALUES || distinct < (rows ?? 0) ? [{ value: name, title, isFew }] : [];
  }
  // Steps of ids and codes are of nothing.
  if (isLabel(field) && !isYear(field, known)) return [];
  const step = stepOf((max ?? 0) - (min ?? 0));
  if (step === undefined) return [];
  return [{ value: `${name}.${step}`, title: stepsTitle(title, step, language), isFew: true }];
}

/** Cells, so wide that about a dozen of them reach from the south of the map to the north. */
function cellsOf(map: MapFrame | undefined, language: Language): Offered[] {
  const km = map && stepOf((map.north - map.south) * KM_PER_DEGREE);
  if (km === undefined) return [];
  const width = Number(km) < 0.01 ? '10m' : `${km}km`;
  const value = `${PLACE}.${width}`;
  if (cellWidthIn(value) === undefined) return [];
  return [{ value, title: cellTitle(width, language), isFew: false }];
}

/** Along a meridian. */
const KM_PER_DEGREE = 111;

/** About how many steps a range of numbers is put in. */
const STEPS = 12;

/** 1, 2 or 5 times a power of ten, as decimal text; undefined if it is too small or too large. */
function stepOf(span: number): string | undefined {
  if (!(span > 0)) return undefined;
  const power = 10 ** Math.floor(Math.log10(span / STEPS));
  const step = [1, 2, 5, 10].find((n) => span / (n * power) <= STEPS) ?? 10;
  const text = decimalText(Number((step * power).toPrecision(1)));
  return text.length <= 15 ? text : undefined;
}
