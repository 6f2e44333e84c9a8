import { normalise } from '../arguments/given.ts';
import type { Block, ValueBlock } from '../block/block.ts';
import type { MapFrame } from '../block/manifest.ts';
import { BBOX, NEAR, type Parameter, WITHIN } from '../block/parameter.ts';
import type { Language } from '../languages/language.ts';
import { FAULTS, type Fault, type FaultCode } from '../problem/errors.ts';
import { type BlockView, type PageState, PLACE_NAMES, valuesOf } from './block-view.ts';
import { TITLES_OF_BOXES } from './fault-text.ts';
import { inEnglish } from './refused.tsx';

/**
 * What is wrong with a field, beside it, in a few words: above, the whole sentence leads here. Rendered
 * even without faults, so that the script can fill it.
 */
export function FieldError(props: { name: string; faults: readonly Fault[]; language: Language }) {
  const { name, faults, language } = props;
  const texts = faults.map(({ code, detail }) =>
    Object.hasOwn(FAULTS, code) ? FAULTS[code as FaultCode] : detail,
  );
  return (
    <p class="error" id={`e-${name}`} {...inEnglish(language)}>
      {[...new Set(texts)].join(' ')}
    </p>
  );
}

/** The attributes that link a box to its description and its faults. */
export function described(name: string, text: string | undefined, faults: readonly Fault[]) {
  const ids = [
    ...(text === undefined ? [] : [`d-${name}`]),
    ...(faults.length === 0 ? [] : [`e-${name}`]),
  ];
  return {
    ...(ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') }),
    ...(faults.length === 0 ? {} : { 'aria-invalid': 'true' as const }),
  };
}

/** A field's description, below its name. */
export function Description({ name, text }: { name: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="quiet" id={`d-${name}`}>
      {text}
    </p>
  );
}

/** The parameters of a block that computes a value. */
export function ParameterControls(props: {
  block: Block;
  language: Language;
  state: PageState;
  faults: readonly Fault[];
}) {
  const { block, language, state, faults } = props;
  const { parameters } = block;
  const { color } = block as ValueBlock;
  const channels: readonly string[] = color?.channels ?? [];
  const control = (parameter: Parameter) => (
    <ParameterControl {...{ block, parameter, language, state, faults }} />
  );
  const rest = parameters.filter(({ name }) => !channels.includes(name));
  return (
    <>
      {color !== undefined && (
        <fieldset class="channels" data-channels={channels.join(' ')}>
          <legend>{language.say('Colour')}</legend>
          <div class="picker"></div>
          {parameters.filter(({ name }) => channels.includes(name)).map(control)}
        </fieldset>
      )}
      {rest.map(control)}
    </>
  );
}

function ParameterControl(props: {
  block: Block;
  parameter: Parameter;
  language: Language;
  state: PageState;
  faults: readonly Fault[];
}) {
  const { parameter, language, state } = props;
  const { name, title, description } = parameter;
  const faults = props.faults.filter((fault) => fault.parameter === name);
  const [value = ''] = valuesOf(state, name);
  // A choice may be sent in any case.
  const chosen =
    parameter.choices === undefined
      ? value
      : value
        ? normalise(parameter, value)
        : parameter.default;
  const id = `f-${name}`;
  return (
    <div class="field">
      <label for={id}>{title}</label>
      <Description name={name} text={description} />
      <FieldError {...{ name, faults }} language={props.language} />
      {parameter.choices !== undefined ? (
        <select id={id} name={name} {...described(name, description, faults)}>
          {parameter.choices.map((choice) => (
            <option value={choice} selected={choice === chosen}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="text"
          id={id}
          name={name}
          value={value}
          placeholder={placeholder(parameter, language)}
          inputmode={parameter.minimum === undefined ? undefined : 'numeric'}
          {...described(name, description, faults)}
        />
      )}
    </div>
  );
}

function placeholder({ minimum, maximum }: Parameter, { say }: Language): string | undefined {
  if (minimum === undefined) return undefined;
  return say('{from} to {to}', { from: `${minimum}`, to: `${maximum}` });
}

/** Distances that are offered; an address may have others. */
const DISTANCES = ['500m', '1km'];

/** How far away rows may be. */
function Distances(props: {
  state: PageState;
  faults: readonly Fault[];
  of: Pick<BlockView, 'block' | 'language'>;
}) {
  const { state, faults, of } = props;
  const { say } = of.language;
  const [given = ''] = valuesOf(state, WITHIN);
  const title = say(TITLES_OF_BOXES[WITHIN]);
  const offered = [...new Set([...DISTANCES, ...(given === '' ? [] : [given]), ''])];
  return (
    <>
      <FieldError name={WITHIN} faults={faults} language={of.language} />
      <div
        class="tools"
        role="radiogroup"
        aria-label={title}
        {...described(WITHIN, undefined, faults)}
      >
        {offered.map((distance, i) => (
          <label class="opt">
            <input
              type="radio"
              id={i === 0 ? `f-${WITHIN}` : `f-${WITHIN}-${i + 1}`}
              name={WITHIN}
              value={distance}
              checked={distance === given}
            />
            {distance === '' ? say('any') : distance.replace(/(?<=\d)(?=[a-z])/i, ' ')}
          </label>
        ))}
      </div>
    </>
  );
}

/** Where the data are, as an example of how places are written. */
function examplesOf(map: MapFrame | undefined): Partial<Record<string, string>> {
  if (map === undefined) return {};
  const { west, south, east, north } = map;
  const text = (...degrees: number[]) => degrees.map((one) => one.toFixed(2)).join(',');
  return {
    [NEAR]: text((west + east) / 2, (south + north) / 2),
    [BBOX]: text(west, south, east, north),
  };
}

/** Asks for rows near a place or in a box. The script adds a button and lets the map be drawn on. */
export function PlaceControls(props: {
  view: BlockView;
  state: PageState;
  faults: readonly Fault[];
}) {
  const { view, state } = props;
  const { say } = view.language;
  if (!view.block.parameters.some(({ name }) => name === NEAR)) return null;
  const faults = props.faults.filter(({ parameter }) =>
    PLACE_NAMES.some((one) => one === parameter),
  );
  const examples = examplesOf(view.profile?.map);
  const isOpen = faults.length > 0 || PLACE_NAMES.some((name) => valuesOf(state, name).length > 0);
  return (
    <details class="f" open={isOpen}>
      <summary>
        <b>{say('Place')}</b>
        <small>{say('near a point, or in a box')}</small>
      </summary>
      {/* The script's button. */}
      <p class="tools"></p>
      {([WITHIN, NEAR, BBOX] as const).map((name) => {
        const own = faults.filter(({ parameter }) => parameter === name);
        if (name === WITHIN) return <Distances state={state} faults={own} of={view} />;
        return (
          <div class="field">
            <label for={`f-${name}`}>{say(TITLES_OF_BOXES[name])}</label>
            <FieldError name={name} faults={own} language={view.language} />
            <input
              type="text"
              id={`f-${name}`}
              name={name}
              value={valuesOf(state, name)[0] ?? ''}
              placeholder={examples[name]}
              {...described(name, undefined, own)}
            />
          </div>
        );
      })}
    </details>
  );
}
