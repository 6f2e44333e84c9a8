import type { Fault } from '../problem/errors.ts';
import type { Facet } from '../query/groups.ts';
import type { Field } from '../values/field-types.ts';
import { fold } from '../values/fold.ts';
import { numberText } from '../values/wording.ts';
import { Description, described, FieldError } from './field-text.tsx';
import { type PageState, valuesOf } from './page-state.ts';

/** A box for each of a field's few values, with the rows that it would find beside the other filters. */
export function FacetControl(props: {
  field: Field;
  values: readonly string[];
  facet: Facet;
  state: PageState;
  faults: readonly Fault[];
}) {
  const { field, state, values, facet } = props;
  const { name, title, description } = field;
  const faults = props.faults.filter(({ parameter }) => parameter === name);
  const counts = new Map(facet.values.map(({ value, count }) => [fold(String(value)), count]));
  const given = valuesOf(state, name);
  const chosen = new Set(given.map((text) => fold(text.replaceAll('\\*', '*'))));
  const isListed = (text: string) =>
    values.some((value) => fold(value) === fold(text.replaceAll('\\*', '*')));
  return (
    <fieldset class="field facet" {...described(name, description, faults)}>
      <legend>{title}</legend>
      <Description name={name} text={description} />
      <FieldError name={name} faults={faults} />
      {values.map((value, i) => (
        <label class="choice">
          <input
            type="checkbox"
            id={i === 0 ? `f-${name}` : `f-${name}-${i + 1}`}
            name={name}
            value={value.replaceAll('*', '\\*')}
            checked={chosen.has(fold(value))}
          />{' '}
          {value}{' '}
          <span class="count" id={`c-${name}-${i}`}>
            {numberText(counts.get(fold(value)) ?? 0)}
          </span>
        </label>
      ))}
      {given
        .filter((text) => !isListed(text))
        .map((text) => (
          <label class="choice">
            <input type="checkbox" name={name} value={text} checked /> {text}
          </label>
        ))}
    </fieldset>
  );
}
