import type { DatasetBlock } from '../block/block.ts';
import { type GROUP_NAMES, ROW_SHARE, timePartsOf } from '../block/grouping.ts';
import type { FieldStatistics, MapFrame } from '../block/manifest.ts';
import { MEASURES } from '../measures/measures.ts';
import { decimalText } from '../text/decimal.ts';
import { inSentence } from '../text/wording.ts';
import { type Field, isNumeric } from '../values/field-types.ts';
import { cellWidthIn, PLACE } from '../values/map-cells.ts';
import { TIME_PARTS } from '../values/time-part.ts';
import {
  asksForGroups,
  type BlockView,
  LEAST_ROWS_OF_GROUP,
  type PageState,
  valuesOf,
} from './block-view.ts';
import { inTurns, keptHtml, type Turn } from './in-turns.ts';

type GroupProps = { readonly view: BlockView; readonly state: PageState };

/** Asks for groups instead of rows: by which field, and what to compute of each. */
export function GroupControls({ view, state }: GroupProps) {
  const written = () => <Controls view={view} state={state} />;
  return asksForGroups(state) ? written() : keptHtml(view, '_group', written);
}

function Controls({ view, state }: GroupProps) {
  const { fields } = view.block as DatasetBlock;
  const known = view.manifest?.fields ?? {};
  const dimensions = [
    ...fields.flatMap((field) => dimensionsOf(field, known[field.name], view.manifest?.rows)),
    ...cellsOf(view.profile?.map),
  ];
  if (dimensions.length === 0) return null;
  return (
    <details open={asksForGroups(state)}>
      <summary>Count and measure</summary>
      <Select
        name="_group"
        title="Count by"
        none="nothing: show the rows"
        state={state}
        turn={view.turn}
        offered={[{ label: '', options: dimensions }]}
      />
      <Select
        name="_measure"
        title="Measure"
        none="how many"
        state={state}
        turn={view.turn}
        offered={[
          SHARES,
          ...OFFERED.map(([of, kind]) => ({
            label: kind.title,
            options: fields
              .filter((field) => kind.of(field) && known[field.name]?.distinct !== 0)
              .map(({ name, title }) => ({
                value: `${of}:${name}`,
                title: `${kind.title} ${inSentence(title)}`,
              })),
          })),
        ]}
      />
      <div class="field">
        <label for="f-least-rows">Only groups with at least</label>
        <input
          type="text"
          inputmode="numeric"
          id="f-least-rows"
          name={LEAST_ROWS_OF_GROUP}
          value={valuesOf(state, LEAST_ROWS_OF_GROUP).join()}
        />{' '}
        rows
      </div>
    </details>
  );
}

/** What is offered before the measures of fields. */
const SHARES: Options = {
  label: '',
  options: [{ value: ROW_SHARE.text, title: ROW_SHARE.column.title }],
};

/** The measures that are offered, in order. */
const OFFERED = Object.entries(MEASURES)
  .filter(([, { rankInForm }]) => rankInForm !== undefined)
  .sort(([, a], [, b]) => (a.rankInForm as number) - (b.rankInForm as number));

type Option = { readonly value: string; readonly title: string };
type Options = { readonly label: string; readonly options: readonly Option[] };

/** A list to choose from; what the address has stays chosen, though the list does not offer it. */
function Select(props: {
  name: (typeof GROUP_NAMES)[number];
  title: string;
  none: string;
  state: PageState;
  turn: Turn;
  offered: readonly Options[];
}) {
  const { name, title, none, state, turn, offered } = props;
  const given = valuesOf(state, name).join(',');
  const isOffered = offered.some(({ options }) => options.some(({ value }) => value === given));
  const option = ({ value, title }: Option) => (
    <option value={value} selected={value === given}>
      {title}
    </option>
  );
  return (
    <div class="field">
      <label for={`f-${name}`}>{title}</label>
      <select id={`f-${name}`} name={name}>
        <option value="">{none}</option>
        {given === '' || isOffered ? '' : option({ value: given, title: given })}
        {offered.map(({ label, options }) =>
          label === '' ? (
            inTurns(options, turn, option)
          ) : options.length === 0 ? (
            ''
          ) : (
            <optgroup label={label}>{inTurns(options, turn, option)}</optgroup>
          ),
        )}
      </select>
    </div>
  );
}

/** With more different values than this, a field that is different in each row is not offered. */
const MOST_VALUES = 1000;

/** So many different numbers are groups of their own; more are put in steps. */
const FEW_NUMBERS = 40;

/** What a page offers to group by: fields whose values occur more than once, parts of dates, steps of numbers. */
function dimensionsOf(
  field: Field,
  known: FieldStatistics | undefined,
  rows: number | undefined,
): Option[] {
  const { name, title } = field;
  const { distinct = 0, min, max } = known ?? {};
  if (distinct < 2) return [];
  const parts = timePartsOf(field);
  if (parts.length > 0) {
    return parts.map((part) => ({
      value: `${name}.${part}`,
      title: `${title}, ${TIME_PARTS[part].title}`,
    }));
  }
  if (!isNumeric(field) || distinct <= FEW_NUMBERS) {
    return distinct <= MOST_VALUES || distinct < (rows ?? 0) ? [{ value: name, title }] : [];
  }
  const step = stepOf((max ?? 0) - (min ?? 0));
  if (step === undefined) return [];
  return [{ value: `${name}.${step}`, title: `${title}, in steps of ${step}` }];
}

/** Cells, so wide that about a dozen of them reach from the south of the map to the north. */
function cellsOf(map: MapFrame | undefined): Option[] {
  const km = map && stepOf((map.north - map.south) * KM_PER_DEGREE);
  if (km === undefined) return [];
  const width = Number(km) < 0.01 ? '10m' : `${km}km`;
  const value = `${PLACE}.${width}`;
  if (cellWidthIn(value) === undefined) return [];
  return [{ value, title: `Place, in cells of ${width}` }];
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
