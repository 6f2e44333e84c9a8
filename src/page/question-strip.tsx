import type { DatasetBlock } from '../block/block.ts';
import { type Dimension, isHaving, ROW_COUNT, ROW_SHARE, timePartsOf } from '../block/grouping.ts';
import type { FieldStatistics, MapFrame } from '../block/manifest.ts';
import type { Language } from '../languages/language.ts';
import { MEASURES, type MeasureName, measureOfField } from '../measures/measures.ts';
import { decimalText } from '../text/decimal.ts';
import { shortTitle } from '../text/wording.ts';
import { type Field, isNumeric } from '../values/field-types.ts';
import { cellWidthIn, PLACE } from '../values/map-cells.ts';
import { TIME_PARTS } from '../values/time-part.ts';
import {
  type BlockView,
  type FigureOutcome,
  type PageState,
  TABLE_NAMES,
  valuesOf,
} from './block-view.ts';
import { inTurns, keptHtml } from './in-turns.ts';
import { trusted } from './page-shell.tsx';
import { withQuestion } from './view-links.ts';

type StripProps = {
  readonly view: BlockView;
  readonly state: PageState;
  readonly found: FigureOutcome;
};

/** The names that the strip's lists write; its form keeps all others. */
const WRITTEN = ['_group', '_measure', '_mark'];

/** What has no meaning for another question. */
const DROPPED = ['_view', '_shade', ...TABLE_NAMES];

/** The question of a figure as a sentence, whose words can be chosen. */
export function QuestionStrip({ view, state, found }: StripProps) {
  const { noun } = view.block as DatasetBlock;
  const { language } = view;
  const { say } = language;
  const asked = withQuestion(view, state);
  const drawn = found.grouping?.dimensions.map(({ text }) => text) ?? [];
  const [first = '', second = ''] = valuesOf(asked, '_group').flatMap((text) => text.split(','));
  // Every figure counts its rows too.
  const [measure = ROW_COUNT.text, ...others] = valuesOf(asked, '_measure').flatMap((text) =>
    text.split(','),
  );
  const measured = [measure, ...others.filter((text) => text !== ROW_COUNT.text)];
  const isPlaces = found.grouping === undefined;
  const dropped = [...WRITTEN, ...DROPPED];
  const kept = state.filter(([name]) => !dropped.includes(name) && !isHaving(name));
  return (
    <form class="ask strip" method="get" autocomplete="off" aria-label={say('The question')}>
      {kept.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {isPlaces ? (
        ''
      ) : (
        <Choice
          view={view}
          name="_measure"
          label={say('Show')}
          chosen={measured.join() || ROW_COUNT.text}
          title={titleOfMeasures(found, language)}
          offered={() => measuresOf(view)}
        />
      )}
      <Choice
        view={view}
        name="_group"
        id="ask-by"
        label={say(isPlaces ? 'Show' : 'per')}
        chosen={isPlaces ? '' : (drawn[0] ?? first)}
        title={titleOf(found.grouping?.dimensions[0], language)}
        none={isPlaces ? say('one of the {noun}', { noun }) : undefined}
        offered={() => dimensionsIn(view)}
      />
      <Choice
        view={view}
        name="_group"
        id="ask-split"
        label={say('split by')}
        chosen={drawn[1] ?? second}
        title={titleOf(found.grouping?.dimensions[1], language)}
        none={say('nothing')}
        offered={() => dimensionsIn(view).filter(({ isFew }) => isFew)}
      />
      <label>
        {say('as #drawn')}{' '}
        <select id="ask-mark" name="_mark">
          {found.marks.map(({ name, title }) => (
            <option value={name} selected={name === found.figure.mark}>
              {say(title)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">{say('Draw')}</button>
    </form>
  );
}

/** The measures that are offered, in order. */
const OFFERED = Object.entries(MEASURES)
  .filter(([, { rankInForm }]) => rankInForm !== undefined)
  .sort(([, a], [, b]) => (a.rankInForm as number) - (b.rankInForm as number));

type Option = { readonly value: string; readonly title: string };

/** What a page offers to compute of groups; what names things is last, and places are no numbers. */
function measuresOf({ block, manifest, language }: BlockView): Option[] {
  const { say } = language;
  const { fields, noun, geometry } = block as DatasetBlock;
  const isPlace = ({ name }: Field) => name === geometry?.latitude || name === geometry?.longitude;
  const inOrder = fields
    .filter((field) => !isPlace(field) && manifest?.fields[field.name]?.distinct !== 0)
    .toSorted((a, b) => Number(a.label ?? false) - Number(b.label ?? false));
  return [
    { title: say('number of {noun}', { noun }), value: ROW_COUNT.text },
    { title: say('share of {noun}', { noun }), value: ROW_SHARE.text },
    ...OFFERED.flatMap(([of, kind]) => {
      return inOrder
        .filter((field) => kind.of(field))
        .map(({ name, title }) => ({
          value: `${of}:${name}`,
          title: measureOf(of as MeasureName, title, language),
        }));
    }),
  ];
}

/** What a page offers to group by. */
function dimensionsIn({ block, manifest, profile, language }: BlockView): Offered[] {
  const { fields } = block as DatasetBlock;
  const hasSeveralDates = fields.filter((field) => timePartsOf(field).length > 0).length > 1;
  const { rows, fields: known = {} } = manifest ?? {};
  return [
    ...fields.flatMap((field) =>
      dimensionsOf(field, known[field.name], rows, hasSeveralDates, language),
    ),
    ...cellsOf(profile?.map, language),
  ];
}

/** A word of the sentence; what is asked for stays chosen, though the list does not offer it. */
async function Choice(props: {
  view: BlockView;
  name: string;
  id?: string;
  label: string;
  chosen: string;
  /** What is chosen, if the list does not offer it. */
  title?: string | undefined;
  none?: string | undefined;
  offered: () => readonly Option[];
}) {
  const { view, name, id = 'ask-measure', label, chosen, title = chosen, none, offered } = props;
  // The same on all of the block's pages, but for what is chosen.
  const all = String(
    await keptHtml(view, id, () =>
      inTurns(offered(), view.turn, ({ value, title }) => (
        <option value={value}>{shortTitle(title)}</option>
      )),
    ),
  );
  const opening = `<option value="${chosen}"`;
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
        {trusted(isOffered ? all.replace(opening, `${opening} selected=""`) : all)}
      </select>
    </label>
  );
}

/** What is measured, if that is several: `average of Subways and 6 more`. */
function titleOfMeasures({ grouping }: FigureOutcome, language: Language): string | undefined {
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
  const cells = cellWidthIn(text);
  const { say } = language;
  if (cells !== undefined) return cellTitle(cells, language);
  if (width !== undefined) return stepsTitle(field.title, width, language);
  if (partName === undefined) return field.title;
  return say('{part} of {field}', { part: say(TIME_PARTS[partName].words), field: field.title });
}

/** `Riders, in steps of 250000` */
function stepsTitle(field: string, width: string, { say, decimal }: Language): string {
  return say('{field}, in steps of {width}', { field, width: width.replace('.', decimal) });
}

function cellTitle(width: string, { say, decimal }: Language): string {
  const text = width.replace(/(?<=\d)(?=[a-z])/, ' ').replace('.', decimal);
  return say('square of {width}', { width: text });
}

type Offered = Option & { readonly isFew: boolean };

/** With more different values than this, a field that is different in each row is not offered. */
const MOST_VALUES = 1000;

/** So many different numbers are groups of their own; more are put in steps. */
const FEW_NUMBERS = 40;

/** What has more values than this is not offered to split by. */
const MOST_SPLIT = 40;

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
