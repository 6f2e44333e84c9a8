import type { Block, DatasetBlock } from '../block/block.ts';
import { type Parameter, Q } from '../block/parameter.ts';
import type { Fault } from '../problem/errors.ts';
import { type Field, keysOfDay } from '../values/field-types.ts';
import {
  type BlockView,
  matchingIn,
  namesWithBox,
  type PageState,
  valuesOf,
} from './block-view.ts';
import { described, FieldError, ParameterControls, PlaceControls } from './controls.tsx';
import { TITLES_OF_BOXES } from './fault-text.ts';
import { FieldFilter, type FilterProps, hasCounts } from './field-filter.tsx';
import { filteredFields, filterOrder, isFilteredBeside } from './filter-order.ts';
import { inTurns, keptHtml } from './in-turns.ts';

export type FormProps = { readonly view: BlockView; readonly state: PageState };

/** The form of a block that computes a value. It submits into the address, as filters do. */
export function AskForm({ view, state }: FormProps) {
  const { block, language } = view;
  const { say } = language;
  return (
    <form id="form" method="get" novalidate autocomplete="off" aria-label={say('Arguments')}>
      <h2>{say('Ask')}</h2>
      <ParameterControls {...{ block, language, state }} faults={faultsOf(view)} />
      <Kept state={state} block={block} />
      <p class="send">
        <button type="submit">{say('Ask')}</button>
      </p>
    </form>
  );
}

/**
 * The filters of a dataset, as a form that submits into the address, so that an answer can be
 * bookmarked and shared. It stands beside a figure; beside a table and on a phone, it is a sheet that
 * a link opens.
 */
export function FilterForm({ view, state }: FormProps) {
  const { outcome, language } = view;
  const { say } = language;
  const matching = matchingIn(outcome);
  return (
    <aside
      id="filters"
      class={outcome.kind === 'rows' ? 'rail sheet' : 'rail'}
      aria-labelledby="filters-title"
    >
      <h2 class="block" id="filters-title" tabindex={-1}>
        {say('Filters')}
        <a class="close" href="#answer">
          {say('Done')}
        </a>
      </h2>
      {/* An address of its own, since that of the page may be the sheet's. */}
      <form
        {...{ id: 'form', action: '?', method: 'get', novalidate: true, autocomplete: 'off' }}
        aria-label={say('Filters')}
      >
        <SearchBox view={view} state={state} />
        <PlaceControls view={view} state={state} faults={faultsOf(view)} />
        <Fields view={view} state={state} />
        <Kept state={state} block={view.block} />
        <p class="send">
          <button type="submit" id="send">
            {matching === undefined ? say('Show #rows') : say('Show {count}', { count: matching })}
          </button>
        </p>
      </form>
    </aside>
  );
}

/** Opens the filters where they do not stand beside the answer, with how many are set. */
export function FiltersLink({ view, state }: FormProps) {
  const boxes = new Set(namesWithBox(view.block));
  const set = new Set(state.flatMap(([name]) => (boxes.has(name) ? [name] : [])));
  const { say, number } = view.language;
  return (
    <a class="plain to-filters" href="#filters">
      {say('Filters')}
      {set.size === 0 ? '' : ` (${number(set.size)})`}
    </a>
  );
}

/** On a phone, at the lower edge: how many rows match, and the way to the filters. */
export function PhoneBar({ view, state }: FormProps) {
  const matching = matchingIn(view.outcome);
  const { noun } = view.block as DatasetBlock;
  const rows = view.manifest?.rows ?? 0;
  const { say } = view.language;
  return (
    <nav class="phonebar" id="bar" aria-label={say('Filters of this page')}>
      <b>
        {matching === undefined
          ? ''
          : matching === rows
            ? say('{count} {noun}', { count: rows, noun })
            : say('{count} of {all}', { count: matching, all: rows })}
      </b>
      <FiltersLink view={view} state={state} />
    </nav>
  );
}

/** Words to find in any of a row's texts. */
function SearchBox({ view, state }: FormProps) {
  if (!view.block.parameters.some(({ name }) => name === Q)) return null;
  const faults = faultsOf(view).filter(({ parameter }) => parameter === Q);
  return (
    <div class="field search-all">
      <label for={`f-${Q}`}>{view.language.say(TITLES_OF_BOXES[Q])}</label>
      <FieldError name={Q} faults={faults} language={view.language} />
      <input
        type="search"
        id={`f-${Q}`}
        name={Q}
        value={valuesOf(state, Q).join(' ')}
        {...described(Q, undefined, faults)}
      />
    </div>
  );
}

/** Hidden inputs for what has no box but must survive a submit: sort order, page size, the key. */
function Kept({ state, block }: { state: PageState; block: Block }) {
  const own = new Set([...namesWithBox(block), '_cursor']);
  return (
    <>
      {state
        .filter(([name]) => !own.has(name))
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
    </>
  );
}

/** Filters that are open although nothing is asked of them. */
const FIRST_OPEN = 2;

/** A dataset's filters: the most useful in sight, the rest folded, by theme if they have themes. */
function Fields({ view, state }: FormProps) {
  const { manifest, block } = view;
  if (manifest === undefined) return null;
  const { first, more } = filterOrder(block as DatasetBlock, manifest);
  const boxes = boxesByField(block);
  const isGiven = isGivenOn(view, state);
  // A refused page has no values, but what was sent.
  const filtered = filteredFields(
    block as DatasetBlock,
    state.map(([name]) => name),
  );
  const filter = (field: Field, isOpen = false) => {
    const parameters = boxes.get(field.name) ?? [];
    const isAsked = isGiven(parameters);
    const props: FilterProps = {
      ...{ view, state, field, parameters, filtered, faults: faultsOf(view) },
      isOpen: isOpen || isAsked,
    };
    const written = () => <FieldFilter {...props} />;
    // Links to periods repeat what else the page is asked.
    const hasLinks = keysOfDay(field) !== undefined;
    if (isAsked || hasLinks || hasCounts(props)) return written();
    const isFiltered = isFilteredBeside(filtered, field.name);
    return keptHtml(view, `${isOpen} ${isFiltered} ${field.name}`, written);
  };
  return (
    <>
      {inTurns(first, view.turn, (field, i) => filter(field, i < FIRST_OPEN))}
      {more.length !== 0 && (
        <details class="more" open={more.some(({ name }) => isGiven(boxes.get(name) ?? []))}>
          <summary>{view.language.say('{count} more filters', { count: more.length })}</summary>
          {[...byTheme(more)].map(([theme, fields]) => (
            <>
              {theme === undefined ? '' : <h3>{theme}</h3>}
              {inTurns(fields, view.turn, (field) => filter(field))}
            </>
          ))}
        </details>
      )}
    </>
  );
}

function byTheme(fields: readonly Field[]): Map<string | undefined, Field[]> {
  const themes = new Map<string | undefined, Field[]>();
  for (const field of fields) {
    const those = themes.get(field.theme);
    if (those === undefined) themes.set(field.theme, [field]);
    else those.push(field);
  }
  return themes;
}

/**
 * Whether any of some parameters is given or has a fault, so that its box must not be folded, and is
 * no longer as on other pages.
 */
function isGivenOn(view: BlockView, state: PageState) {
  const given = new Set<string | undefined>([
    ...state.map(([name]) => name),
    ...faultsOf(view).map(({ parameter }) => parameter),
  ]);
  return (parameters: readonly Parameter[]) => parameters.some(({ name }) => given.has(name));
}

/** Each field's parameters with a box in the form. Negations have none: a link drops them. */
function boxesByField({ parameters }: Block): ReadonlyMap<string, readonly Parameter[]> {
  const boxes = new Map<string, Parameter[]>();
  for (const parameter of parameters) {
    const { field, op } = parameter;
    if (field === undefined || op === 'not') continue;
    const those = boxes.get(field);
    if (those === undefined) boxes.set(field, [parameter]);
    else those.push(parameter);
  }
  return boxes;
}

function faultsOf({ outcome }: BlockView): readonly Fault[] {
  return outcome.kind === 'refused' ? outcome.faults : [];
}
