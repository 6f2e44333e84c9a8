import type { Block, DatasetBlock } from '../block/block.ts';
import { isFilterable, type Parameter, Q } from '../block/parameter.ts';
import type { Fault } from '../problem/errors.ts';
import type { Facet } from '../query/groups.ts';
import { ownMember } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { type BlockView, namesWithBox, type PageState, valuesOf } from './block-view.ts';
import {
  Description,
  described,
  FacetControl,
  FieldError,
  ParameterControls,
  PlaceControls,
} from './controls.tsx';
import { inTurns, keptHtml } from './in-turns.ts';
import { RangeControl } from './range-control.tsx';

export type FormProps = { readonly view: BlockView; readonly state: PageState };

/** A block's form. It submits into the address, so that an answer can be bookmarked and shared. */
export function FilterForm({ view, state }: FormProps) {
  const { block } = view;
  const isRows = block.answers === 'rows';
  return (
    <form
      id="form"
      method="get"
      novalidate
      autocomplete="off"
      aria-label={isRows ? 'Filters' : 'Arguments'}
    >
      <h2>{isRows ? 'Filters' : 'Ask'}</h2>
      {isRows ? <SearchBox view={view} state={state} /> : ''}
      {isRows ? <PlaceControls view={view} state={state} faults={faultsOf(view)} /> : ''}
      {isRows ? (
        <Fields view={view} state={state} />
      ) : (
        <ParameterControls block={block} state={state} faults={faultsOf(view)} />
      )}
      <Kept state={state} block={block} />
      <p class="send">
        <button type="submit">{isRows ? 'Filter' : 'Ask'}</button>
      </p>
    </form>
  );
}

/** Words to find in any of a row's texts. */
function SearchBox({ view, state }: FormProps) {
  if (!view.block.parameters.some(({ name }) => name === Q)) return null;
  const faults = faultsOf(view).filter(({ parameter }) => parameter === Q);
  return (
    <div class="field">
      <label for={`f-${Q}`}>Search all texts</label>
      <FieldError name={Q} faults={faults} />
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

/** A dataset's fields: the key fields, then the others by theme. */
function Fields({ view, state }: FormProps) {
  const { fields, keyFields } = view.block as DatasetBlock;
  const boxes = boxesByField(view.block);
  const asked = new Map(fields.filter(isFilterable).map((field) => [field.name, field]));
  const first = keyFields.flatMap((name) => asked.get(name) ?? []);
  const themes = new Map<string, Field[]>();
  for (const field of asked.values()) {
    if (first.includes(field)) continue;
    const theme = field.theme ?? 'More fields';
    const those = themes.get(theme);
    if (those === undefined) themes.set(theme, [field]);
    else those.push(field);
  }
  const facets = facetsOf(view);
  const isGiven = isGivenOn(view, state);
  const control = (field: Field) => {
    const parameters = boxes.get(field.name) ?? [];
    const written = () => (
      <FieldControl field={field} parameters={parameters} view={view} state={state} />
    );
    const isOwn = isGiven(parameters) || facets[field.name] !== undefined;
    return isOwn ? written() : keptHtml(view, field.name, written);
  };
  return (
    <>
      {inTurns(first, view.turn, control)}
      {[...themes].map(([theme, others]) => (
        <details open={others.some(({ name }) => isGiven(boxes.get(name) ?? []))}>
          <summary>
            {theme} <span class="quiet">({others.length})</span>
          </summary>
          {inTurns(others, view.turn, control)}
        </details>
      ))}
    </>
  );
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

type FieldProps = FormProps & { readonly field: Field; readonly parameters: readonly Parameter[] };

function FieldControl({ field, parameters, view, state }: FieldProps) {
  const values = view.manifest?.fields[field.name]?.values;
  const facet = facetsOf(view)[field.name];
  switch (typeOf(field).control) {
    case 'text':
      if (values !== undefined && facet !== undefined) {
        return (
          <FacetControl
            field={field}
            values={values}
            facet={facet}
            state={state}
            faults={faultsOf(view)}
          />
        );
      }
      return <TextControl field={field} view={view} state={state} />;
    case 'choice':
      return <ChoiceControl field={field} view={view} state={state} />;
    case 'range':
      return (
        <RangeControl
          field={field}
          parameters={parameters}
          manifest={view.manifest?.fields[field.name]}
          histogram={ownMember(view.profile?.histograms, field.name)}
          state={state}
          faults={faultsOf(view)}
        />
      );
  }
}

/** Boxes for yes and no. Both together match any row with a value; neither means no filter. */
function ChoiceControl({ field, view, state }: FormProps & { field: Field }) {
  const { name, title, description } = field;
  const given = [view.values[name] ?? valuesOf(state, name)].flat();
  const faults = faultsOf(view).filter(({ parameter }) => parameter === name);
  return (
    <fieldset class="field" {...described(name, description, faults)}>
      <legend>{title}</legend>
      <Description name={name} text={description} />
      <FieldError name={name} faults={faults} />
      {[true, false].map((value) => (
        <label class="choice">
          <input
            type="checkbox"
            id={value ? `f-${name}` : `f-${name}-2`}
            name={name}
            value={String(value)}
            checked={given.includes(value)}
          />{' '}
          {value ? 'yes' : 'no'}
        </label>
      ))}
    </fieldset>
  );
}

function facetsOf({ outcome }: BlockView): Readonly<Record<string, Facet>> {
  return outcome.kind === 'rows' || outcome.kind === 'figure' ? (outcome.facets ?? {}) : {};
}

/** A box for each given text; a row matches if any of them does. */
function TextControl({ field, view, state }: FormProps & { field: Field }) {
  const { name, title, description } = field;
  const given = valuesOf(state, name);
  const suggestions = ownMember(view.profile?.suggestions, name) ?? [];
  const faults = faultsOf(view).filter(({ parameter }) => parameter === name);
  return (
    <div class="field">
      <label for={`f-${name}`}>{title}</label>
      <Description name={name} text={description} />
      <FieldError name={name} faults={faults} />
      {(given.length === 0 ? [''] : given).map((value, i) => (
        <input
          type="text"
          id={i === 0 ? `f-${name}` : `f-${name}-${i + 1}`}
          name={name}
          value={value}
          aria-label={i === 0 ? undefined : `${title}, or`}
          list={suggestions.length === 0 ? undefined : `v-${name}`}
          {...described(name, description, faults)}
        />
      ))}
      {suggestions.length > 0 && (
        <datalist id={`v-${name}`}>
          {suggestions.map((value) => (
            <option value={value}></option>
          ))}
        </datalist>
      )}
    </div>
  );
}

function faultsOf({ outcome }: BlockView): readonly Fault[] {
  return outcome.kind === 'refused' ? outcome.faults : [];
}
