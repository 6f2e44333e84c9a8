import type { Block } from '../block/block.ts';
import { type Parameter, Q } from '../block/parameter.ts';
import { type Field, keysOfDay } from '../values/field-types.ts';
import { described, FieldError, ParameterControls, PlaceControls } from './controls.tsx';
import { TITLES_OF_BOXES } from './fault-text.ts';
import { FieldFilter, type FilterProps, hasCounts, pickedTexts } from './field-filter.tsx';
import { filteredFields, filterOrder, isFilteredBeside } from './filter-order.ts';
import { inTurns, keptHtml } from './in-turns.ts';
import { namesWithBox, type PageState, valuesOf } from './links.ts';
import type { DatasetPage, Found, Page } from './page.ts';

type FormProps = { readonly page: Page; readonly found: Found };
type FiltersProps = { readonly page: DatasetPage; readonly found: Found };

/** The form of a block that computes a value. It submits into the address, as filters do. */
export function AskForm({ page, found }: FormProps) {
  const { block, language, links } = page;
  const { say } = language;
  return (
    <form id="form" method="get" novalidate autocomplete="off" aria-label={say('Arguments')}>
      <h2>{say('Ask')}</h2>
      <ParameterControls page={page} faults={found.faults ?? []} />
      <Kept state={links.state} block={block} />
      <p class="send">
        <button type="submit">{say('Ask')}</button>
      </p>
    </form>
  );
}

/**
 * The filters of a dataset, as a form that submits into the address, so that an answer can be
 * bookmarked and shared. It is beside a figure; over a table and on a phone, it is a sheet that a link
 * opens.
 */
export function FilterForm(props: FiltersProps & { readonly isSheet: boolean }) {
  const { page, found, isSheet } = props;
  const { block, links } = page;
  const { say } = page.language;
  const { matching, faults = [] } = found;
  return (
    <aside id="filters" class={isSheet ? 'rail sheet' : 'rail'} aria-labelledby="filters-title">
      <h2 class="block" id="filters-title" tabindex={-1}>
        {say('Filters')}
        <a class="close" href="#answer">
          {say('Done')}
        </a>
      </h2>
      {/* An address of its own, since that of the page may be the sheet's. */}
      <form
        id="form"
        action="?"
        method="get"
        novalidate={true}
        autocomplete="off"
        aria-label={say('Filters')}
      >
        <SearchBox page={page} found={found} />
        <PlaceControls page={page} faults={faults} />
        <Fields page={page} found={found} />
        <Kept state={links.state} block={block} />
        <p class="send">
          <button type="submit" id="send">
            {matching === undefined ? say('Show #rows') : say('Show {count}', { count: matching })}
          </button>
        </p>
      </form>
    </aside>
  );
}

/** Opens the filters where they are not beside the answer, with how many are set. */
export function FiltersLink({ page }: { readonly page: Page }) {
  const boxes = new Set(namesWithBox(page.block));
  const set = new Set(page.links.state.flatMap(([name]) => (boxes.has(name) ? [name] : [])));
  const { say, number } = page.language;
  return (
    <a class="plain to-filters" href="#filters">
      {say('Filters')}
      {set.size === 0 ? '' : ` (${number(set.size)})`}
    </a>
  );
}

/** On a phone, at the lower edge: how many rows match, and the way to the filters. */
export function PhoneBar({ page, found: { matching } }: FiltersProps) {
  const { noun } = page.block;
  const { rows } = page.manifest;
  const { say } = page.language;
  return (
    <nav class="phonebar" id="bar" aria-label={say('Filters of this page')}>
      <b>
        {matching === undefined
          ? ''
          : matching === rows
            ? say('{count} {noun}', { count: rows, noun })
            : say('{count} of {all}', { count: matching, all: rows })}
      </b>
      <FiltersLink page={page} />
    </nav>
  );
}

/** Words to find in any of a row's texts. */
function SearchBox({ page, found }: FiltersProps) {
  if (!page.block.parameters.some(({ name }) => name === Q)) return null;
  const faults = (found.faults ?? []).filter(({ parameter }) => parameter === Q);
  return (
    <div class="field search-all">
      <label for={`f-${Q}`}>{page.language.say(TITLES_OF_BOXES[Q])}</label>
      <FieldError name={Q} faults={faults} language={page.language} />
      <input
        type="search"
        id={`f-${Q}`}
        name={Q}
        value={valuesOf(page.links.state, Q).join(' ')}
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
function Fields({ page, found }: FiltersProps) {
  const { manifest, block } = page;
  const order = filterOrder(block, manifest);
  // Values that are picked, to be seen beside each other, are what the page is about.
  const isPicked = (field: Field) => pickedTexts(page, field).length > 1;
  const first = [...order.more.filter(isPicked), ...order.first].sort(
    (a, b) => Number(isPicked(b)) - Number(isPicked(a)),
  );
  const more = order.more.filter((field) => !isPicked(field));
  const boxes = boxesByField(block);
  const isGiven = isGivenOn(page, found);
  // A refused page has no values, but what was sent.
  const filtered = filteredFields(
    block,
    page.links.state.map(([name]) => name),
  );
  const filter = (field: Field, isOpen = false) => {
    const parameters = boxes.get(field.name) ?? [];
    const isAsked = isGiven(parameters);
    const props: FilterProps = {
      page,
      found,
      field,
      parameters,
      filtered,
      isOpen: isOpen || isAsked,
    };
    const written = () => <FieldFilter {...props} />;
    // Links to periods repeat what else the page is asked.
    const hasLinks = keysOfDay(field) !== undefined;
    if (isAsked || hasLinks || hasCounts(props)) return written();
    const isFiltered = isFilteredBeside(filtered, field.name);
    return keptHtml(page, `${isOpen} ${isFiltered} ${field.name}`, written);
  };
  return (
    <>
      {inTurns(first, page.turn, (field, i) => filter(field, i < FIRST_OPEN))}
      {more.length !== 0 && (
        <details class="more" open={more.some(({ name }) => isGiven(boxes.get(name) ?? []))}>
          <summary>{page.language.say('{count} more filters', { count: more.length })}</summary>
          {[...byTheme(more)].map(([theme, fields]) => (
            <>
              {theme === undefined ? '' : <h3>{theme}</h3>}
              {inTurns(fields, page.turn, (field) => filter(field))}
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
function isGivenOn({ links }: DatasetPage, { faults = [] }: Found) {
  const given = new Set<string | undefined>([
    ...links.state.map(([name]) => name),
    ...faults.map(({ parameter }) => parameter),
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
