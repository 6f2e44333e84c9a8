import type { Bins, FieldStatistics } from '../block/manifest.ts';
import type { Parameter } from '../block/parameter.ts';
import type { Language } from '../languages/language.ts';
import type { Fault } from '../problem/errors.ts';
import type { BinCounts } from '../query/groups.ts';
import { fold } from '../text/fold.ts';
import { shortTitle } from '../text/wording.ts';
import { ownMember } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { isUnitInTitle } from '../values/number.ts';
import { ofData } from './block-head.tsx';
import { numbersOf } from './cells.ts';
import { Description, described, FieldError } from './controls.tsx';
import { isCounted, isFilteredBeside } from './filter-order.ts';
import { keyText, shareText } from './key-text.ts';
import { valuesOf } from './links.ts';
import type { DatasetPage, Found } from './page.ts';
import { RangeControl } from './range-control.tsx';
import { Histogram, Parts } from './small-figures.tsx';

export type FilterProps = {
  readonly page: DatasetPage;
  readonly found: Found;
  readonly field: Field;
  /** The field's parameters that have a box here. */
  readonly parameters: readonly Parameter[];
  /** The fields of all filters, of which some may be of none. */
  readonly filtered: readonly (string | undefined)[];
  readonly isOpen: boolean;
};

/** Whether the rows of the filter are counted for this page, so that it differs from other pages. */
export function hasCounts({ found, field }: FilterProps): boolean {
  const { facets = {}, bins = {} } = found;
  return ownMember(facets, field.name) !== undefined || ownMember(bins, field.name) !== undefined;
}

/** What is known of a field's values, and the rows of each that the other filters leave. */
type OfField = {
  readonly rows: number;
  /** Whether there are filters on anything else. */
  readonly isFiltered: boolean;
  readonly statistics: FieldStatistics | undefined;
  readonly bins: Bins | undefined;
  readonly binCounts: BinCounts | undefined;
  readonly choices: readonly Choice[] | undefined;
  /** Rows without a value. */
  readonly empty: number | undefined;
};

/** A value of a filter, and how many rows it would find; undefined if they are not counted. */
type Choice = { readonly value: string; readonly label: string; readonly count?: number };

/** A field's filter: its name, how its values are spread, and below that what may be asked for. */
export function FieldFilter(props: FilterProps) {
  const { page, field, parameters, isOpen } = props;
  const { name, title, unit, description } = field;
  const known = knownOf(props);
  const faults = (props.found.faults ?? []).filter(({ parameter }) =>
    parameters.some((one) => one.name === parameter),
  );
  return (
    <details class="f" open={isOpen}>
      <summary>
        <b {...ofData(page)} title={shortTitle(title) === title ? undefined : title}>
          {shortTitle(title)}
          {unit === undefined || isUnitInTitle(unit, title) ? '' : `, ${unit}`}
        </b>
        <small id={`i-${name}`}>{summaryOf(field, known, page)}</small>
        <SmallFigure field={field} known={known} />
      </summary>
      <fieldset {...described(name, description, faults)}>
        <legend class="vh">
          {title}
          {known.choices?.some(({ count }) => count !== undefined) === true
            ? `, ${page.language.say('with how many {noun} each would find', {
                noun: page.block.noun,
              })}`
            : ''}
        </legend>
        <Description name={name} text={description} />
        <Control {...props} known={known} faults={faults} />
        <FieldError name={name} faults={faults} language={page.language} />
      </fieldset>
    </details>
  );
}

function Control(props: FilterProps & { known: OfField; faults: readonly Fault[] }) {
  const { field, parameters, faults, page, known } = props;
  if (known.choices !== undefined) {
    return <ChoiceControl {...props} choices={known.choices} />;
  }
  if (typeOf(field).control === 'range') {
    return (
      <RangeControl
        field={field}
        parameters={parameters}
        faults={faults}
        language={page.language}
        state={page.links.state}
        statistics={known.statistics}
        bins={known.bins}
        median={medianOf(field, known, page)}
        note={noteOf(field, known, page)}
      />
    );
  }
  return <TextControl {...props} suggestions={suggestionsOf(field, known, page)} />;
}

/** A list of fewer than one in so many values is no list, if each value is of one row alone. */
const LEAST_LISTED = 10;

/** Values to choose from while typing. */
function suggestionsOf({ name }: Field, known: OfField, { profile, manifest }: DatasetPage) {
  const { distinct = 0, nulls = 0 } = known.statistics ?? {};
  const suggestions = ownMember(profile?.suggestions, name) ?? [];
  const isArbitrary =
    distinct === manifest.rows - nulls && distinct > LEAST_LISTED * suggestions.length;
  return isArbitrary ? [] : suggestions;
}

function knownOf(props: FilterProps): OfField {
  const { page, found, field, filtered } = props;
  const { manifest, profile } = page;
  const { facets, bins } = found;
  const { name } = field;
  const statistics = ownMember(manifest.fields, name);
  const facet = ownMember(facets, name);
  const binCounts = ownMember(bins, name);
  const isFiltered = isFilteredBeside(filtered, name);
  const commonest = ownMember(profile?.commonest, name) ?? [];
  const isAll = !isFiltered && commonest.length === statistics?.distinct;
  const counted =
    facet?.values.map(({ value, count }) => [textOf(value), count] as const) ??
    (isAll ? commonest : undefined);
  const isChoice = isCounted(field, manifest);
  return {
    rows: manifest.rows,
    isFiltered,
    statistics,
    binCounts,
    bins: ownMember(profile?.bins, name),
    choices: isChoice ? choicesOf(props, statistics?.values ?? [], commonest, counted) : undefined,
    empty: facet?.empty ?? binCounts?.empty ?? (isFiltered ? undefined : statistics?.nulls),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

type ValueRows = readonly (readonly [value: string, rows: number])[];

/** The values in one order on all pages: the most common of all rows first. */
function choicesOf(
  { field, page: { language, links } }: FilterProps,
  values: readonly string[],
  commonest: ValueRows,
  counted: ValueRows | undefined,
): Choice[] {
  const isYesOrNo = field.type === 'boolean';
  const named = commonest.map(([value]) => value);
  const all = isYesOrNo ? ['yes', 'no'] : [...named, ...values];
  const counts = new Map(counted?.map(([value, count]) => [fold(value), count]));
  const listed = new Map<string, string>();
  for (const value of all) if (!listed.has(fold(value))) listed.set(fold(value), value);
  const given = isYesOrNo ? [] : valuesOf(links.state, field.name);
  return [
    ...[...listed].map(([folded, label]) => ({
      value: isYesOrNo ? String(label === 'yes') : label.replaceAll('*', '\\*'),
      label: isYesOrNo ? language.say(label as 'yes' | 'no') : label,
      count: counted && (counts.get(folded) ?? 0),
    })),
    ...given
      .filter((text) => !listed.has(fold(plain(text))))
      .map((value) => ({ value, label: value })),
  ];
}

/** A text as it stands in a row: a star that is no pattern is written with a backslash. */
function plain(text: string): string {
  return text.replaceAll('\\*', '*');
}

/** The values that a filter names, each by itself. None if a star in one asks for many. */
export function pickedTexts({ links }: DatasetPage, field: Field): readonly string[] {
  if (typeOf(field).control === 'range') return [];
  const given = [...new Set(valuesOf(links.state, field.name))].filter(
    (text) => text.trim() !== '',
  );
  return given.some((text) => text.replaceAll('\\*', '').includes('*')) ? [] : given;
}

/** What a filter is about, in a few words. */
function summaryOf(field: Field, known: OfField, page: DatasetPage) {
  const { statistics, choices, empty, rows, isFiltered } = known;
  const { say } = page.language;
  const { distinct = 0, nulls = 0, min, max } = statistics ?? {};
  if (distinct === 0) return say('no value in any row');
  const [yes, no] = choices?.map(({ count }) => count) ?? [];
  if (field.type === 'boolean' && yes !== undefined && no !== undefined) {
    if (yes + no === 0) return say('no row');
    return say('yes for {share}', { share: shareText(yes, yes + no + (empty ?? 0)) });
  }
  // Blank among all rows says nothing of those that match.
  const blank =
    nulls === 0 || isFiltered ? '' : `, ${say('{share} blank', { share: shareText(nulls, rows) })}`;
  if (min === undefined || max === undefined || typeOf(field).control !== 'range') {
    const { length } = pickedTexts(page, field);
    if (length > 0 && distinct > 1) {
      return say('{count} picked, {all} values', { count: length, all: distinct });
    }
    return (distinct === 1 ? say('1 value') : say('{count} values', { count: distinct })) + blank;
  }
  const context = numbersOf(field, page);
  const [from = '', to = ''] = [min, max].map((key) => keyText(field, key, context, page.language));
  const isLog = known.bins?.isLog && from !== to ? `, ${say('log scale')}` : '';
  return (from === to ? from : say('{from} to {to}', { from, to })) + isLog + blank;
}

/** The median of all rows, where these are the rows that are shown; of two values, it says nothing. */
function medianOf({ name }: Field, { isFiltered }: OfField, { profile, manifest }: DatasetPage) {
  const { distinct = 0 } = ownMember(manifest.fields, name) ?? {};
  return isFiltered || distinct <= 2 ? undefined : ownMember(profile?.medians, name);
}

/** What the figure of a range does not show: blank rows, and the median of all rows. */
function noteOf(field: Field, known: OfField, page: DatasetPage): string {
  const { empty = 0 } = known;
  const median = medianOf(field, known, page);
  const { language } = page;
  const { say } = language;
  const value = median && keyText(field, median, numbersOf(field, page), language);
  const parts = [
    ...(empty === 0 ? [] : [say('{count} blank.', { count: empty })]),
    ...(value === undefined ? [] : [say('The median is {value}.', { value: `${value}` })]),
  ];
  return parts.join(' ');
}

/** A figure beside the name: of bins, of values, or of yes and no. */
function SmallFigure({ field, known }: { field: Field; known: OfField }) {
  const { bins, binCounts, choices, rows, empty = 0, isFiltered } = known;
  const { name, type } = field;
  if (choices !== undefined) {
    if (choices.every(({ count }) => count === undefined)) return null;
    const counts = choices.map(({ count = 0 }) => count);
    if (type !== 'boolean')
      return <Histogram bins={{ counts: counts.slice(0, MOST_BARS) }} id={name} />;
    const [yes = 0, no = 0] = counts;
    return <Parts counts={[yes]} rows={Math.max(1, yes + no + empty)} nulls={0} id={`s-${name}`} />;
  }
  if (bins === undefined || bins.counts.length < 2 || rows === 0) return null;
  const counts = binCounts?.counts ?? (isFiltered ? [] : undefined);
  return <Histogram bins={bins} counts={counts} id={name} />;
}

/** Values in the small figure of a choice. */
const MOST_BARS = 10;

/** Values in sight; the others are folded. */
const MOST_CHOICES = 6;

function ChoiceControl(props: FilterProps & { readonly choices: readonly Choice[] }) {
  const { field, choices, page } = props;
  const { state } = page.links;
  const { name, type } = field;
  const { language } = page;
  // Yes may be written in several ways.
  const asRead = (text: string) => typeOf(field).read(text, { ...field, field: name });
  const given = type === 'boolean' ? valuesOf(state, name).map(asRead) : valuesOf(state, name);
  const chosen = new Set(given.map((value) => fold(plain(String(value)))));
  const isChosen = ({ value }: Choice) => chosen.has(fold(plain(value)));
  const most = Math.max(1, ...choices.map(({ count = 0 }) => count));
  const seen = choices.length === MOST_CHOICES + 1 ? choices.length : MOST_CHOICES;
  const written = (choice: Choice, i: number) => (
    <label class="opt">
      <input
        type="checkbox"
        id={i === 0 ? `f-${name}` : `f-${name}-${i + 1}`}
        name={name}
        value={choice.value}
        checked={isChosen(choice)}
      />
      <bdi>{choice.label}</bdi>{' '}
      {choice.count !== undefined && (
        <Count id={`c-${name}-${i}`} of={choice.count} most={most} language={language} />
      )}
    </label>
  );
  const rest = choices.slice(seen);
  return (
    <>
      {choices.slice(0, seen).map(written)}
      {rest.length !== 0 && (
        <details open={rest.some(isChosen)}>
          <summary>{language.say('{count} more', { count: rest.length })}</summary>
          {rest.map((choice, i) => written(choice, i + seen))}
        </details>
      )}
    </>
  );
}

/** How many rows a choice would find, as a number and as a bar. */
function Count(props: { id: string; of: number; most: number; language: Language }) {
  const { id, of, most, language } = props;
  return (
    <span class="count" id={id}>
      {language.number(of)}
      <svg class="bar" aria-hidden="true">
        <rect width={`${Number(((100 * of) / most).toFixed(2))}%`} height="100%" />
      </svg>
    </span>
  );
}

/** A box for each given text; a row matches if any of them does. */
function TextControl(
  props: FilterProps & { faults: readonly Fault[]; suggestions: readonly string[] },
) {
  const { field, page, faults, suggestions } = props;
  const { name, title } = field;
  const given = valuesOf(page.links.state, name);
  return (
    <>
      {(given.length === 0 ? [''] : given).map((value, i) => (
        <input
          type="text"
          id={i === 0 ? `f-${name}` : `f-${name}-${i + 1}`}
          name={name}
          value={value}
          aria-label={i === 0 ? title : page.language.say('{field}, or', { field: title })}
          list={suggestions.length === 0 ? undefined : `v-${name}`}
          {...described(name, undefined, faults)}
        />
      ))}
      {suggestions.length > 0 && (
        <datalist id={`v-${name}`}>
          {suggestions.map((value) => (
            <option value={value}></option>
          ))}
        </datalist>
      )}
    </>
  );
}
