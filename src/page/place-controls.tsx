import type { MapFrame } from '../block/manifest.ts';
import { BBOX, NEAR, WITHIN } from '../block/parameter.ts';
import type { Fault } from '../problem/errors.ts';
import type { BlockView } from './block-view.ts';
import { described, FieldError } from './field-text.tsx';
import { type PageState, PLACE_NAMES, valuesOf } from './page-state.ts';

const LABELS = {
  [NEAR]: 'Near (longitude, latitude)',
  [WITHIN]: 'Within this distance',
  [BBOX]: 'In a box (west, south, east, north)',
} as const;

/** Where the data are, as an example of how places are written. */
function examplesOf(map: MapFrame | undefined): Partial<Record<string, string>> {
  const within = { [WITHIN]: '500m' };
  if (map === undefined) return within;
  const { west, south, east, north } = map;
  const text = (...degrees: number[]) => degrees.map((one) => one.toFixed(2)).join(',');
  return {
    ...within,
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
  if (!view.block.parameters.some(({ name }) => name === NEAR)) return null;
  const faults = props.faults.filter(({ parameter }) =>
    PLACE_NAMES.some((one) => one === parameter),
  );
  const examples = examplesOf(view.profile?.map);
  const isOpen = faults.length > 0 || PLACE_NAMES.some((name) => valuesOf(state, name).length > 0);
  return (
    <details open={isOpen}>
      <summary>Place</summary>
      {PLACE_NAMES.map((name) => {
        const own = faults.filter(({ parameter }) => parameter === name);
        return (
          <div class="field">
            <label for={`f-${name}`}>{LABELS[name]}</label>
            <FieldError name={name} faults={own} />
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
