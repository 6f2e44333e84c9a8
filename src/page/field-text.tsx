import type { Fault } from '../problem/errors.ts';

/** What is wrong with a field, beside it. It is there when nothing is, for the script to fill. */
export function FieldError({ name, faults }: { name: string; faults: readonly Fault[] }) {
  return (
    <p class="error" id={`e-${name}`}>
      {[...new Set(faults.map(({ detail }) => detail))].join(' ')}
    </p>
  );
}

/** Ties a box to what is said of it, and to what is wrong with it. */
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

/** What a field is, below its name. */
export function Description({ name, text }: { name: string; text: string | undefined }) {
  return text === undefined ? (
    <></>
  ) : (
    <p class="quiet" id={`d-${name}`}>
      {text}
    </p>
  );
}
