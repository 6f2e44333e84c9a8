import { normalise } from '../arguments/given.ts';
import type { MapFrame } from '../block/manifest.ts';
import { BBOX, NEAR, type Parameter, WITHIN } from '../block/parameter.ts';
import type { Language } from '../languages/language.ts';
import { FAULTS, type Fault, type FaultCode } from '../problem/errors.ts';
import { TITLES_OF_BOXES } from './fault-text.ts';
import { inEnglish } from './faults.tsx';
import { PLACE_NAMES, valuesOf } from './links.ts';
import type { DatasetPage, Page } from './page.ts';

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
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
    'aria-invalid': faults.length === 0 ? undefined : ('true' as const),
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

type ControlsProps = { readonly page: Page; readonly faults: readonly Fault[] };

/** The parameters of a block that computes a value. */
export function ParameterControls({ page, faults }: ControlsProps) {
  const { block, language } = page;
  const { parameters } = block;
  const color = block.answers === 'value' ? block.color : undefined;
  const channels: readonly string[] = color?.channels ?? [];
  const control = (parameter: Parameter) => (
    <ParameterControl page={page} parameter={parameter} faults={faults} />
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

function ParameterControl(props: ControlsProps & { parameter: Parameter }) {
  const { parameter, page } = props;
  const { language } = page;
  const { name, title, description } = parameter;
  const faults = props.faults.filter((fault) => fault.parameter === name);
  const [value = ''] = valuesOf(page.links.state, name);
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
      <FieldError name={name} faults={faults} language={language} />
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
function Distances({ page, faults }: ControlsProps) {
  const { language, links } = page;
  const { say } = language;
  const [given = ''] = valuesOf(links.state, WITHIN);
  const title = say(TITLES_OF_BOXES[WITHIN]);
  const offered = [...new Set([...DISTANCES, ...(given === '' ? [] : [given]), ''])];
  return (
    <>
      <FieldError name={WITHIN} faults={faults} language={language} />
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
export function PlaceControls(props: ControlsProps & { page: DatasetPage }) {
  const { page } = props;
  const { state } = page.links;
  const { say } = page.language;
  if (!page.block.parameters.some(({ name }) => name === NEAR)) return null;
  const faults = props.faults.filter(({ parameter }) =>
    PLACE_NAMES.some((one) => one === parameter),
  );
  const examples = examplesOf(page.profile?.map);
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
        if (name === WITHIN) return <Distances page={page} faults={own} />;
        return (
          <div class="field">
            <label for={`f-${name}`}>{say(TITLES_OF_BOXES[name])}</label>
            <FieldError name={name} faults={own} language={page.language} />
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
