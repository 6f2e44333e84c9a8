import { normalise } from '../arguments/given.ts';
import type { Block, ValueBlock } from '../block/block.ts';
import type { Parameter } from '../block/parameter.ts';
import type { Fault } from '../problem/errors.ts';
import { Description, described, FieldError } from './field-text.tsx';
import { type PageState, valuesOf } from './page-state.ts';

/** The parameters of a block that computes a value. */
export function ParameterControls(props: {
  block: Block;
  state: PageState;
  faults: readonly Fault[];
}) {
  const { block, state, faults } = props;
  const { parameters } = block;
  const { color } = block as ValueBlock;
  const channels: readonly string[] = color?.channels ?? [];
  const control = (parameter: Parameter) => (
    <ParameterControl parameter={parameter} state={state} faults={faults} />
  );
  const rest = parameters.filter(({ name }) => !channels.includes(name));
  return (
    <>
      {color !== undefined && (
        <fieldset class="channels" data-channels={channels.join(' ')}>
          <legend>Colour</legend>
          <div class="picker"></div>
          {parameters.filter(({ name }) => channels.includes(name)).map(control)}
        </fieldset>
      )}
      {rest.map(control)}
    </>
  );
}

function ParameterControl(props: {
  parameter: Parameter;
  state: PageState;
  faults: readonly Fault[];
}) {
  const { parameter, state } = props;
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
      <FieldError name={name} faults={faults} />
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
          placeholder={placeholder(parameter)}
          inputmode={parameter.minimum === undefined ? undefined : 'numeric'}
          {...described(name, description, faults)}
        />
      )}
    </div>
  );
}

function placeholder(parameter: Parameter): string | undefined {
  const { minimum, maximum } = parameter;
  return minimum === undefined ? undefined : `${minimum} to ${maximum}`;
}
