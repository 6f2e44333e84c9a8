import type { Fault } from '../problem/errors.ts';

/** A field's faults, beside it. Rendered even without faults, so that the script can fill it. */
export function FieldError({ name, faults }: { name: string; faults: readonly Fault[] }) {
  return (
    <p class="error" id={`e-${name}`}>
      {[...new Set(faults.map(({ detail }) => detail))].join(' ')}
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
