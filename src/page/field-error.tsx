import type { Fault } from '../core/errors.ts';

/** What is wrong with a field, beside it. It is there when nothing is, for the script to fill. */
export function FieldError({ name, faults }: { name: string; faults: readonly Fault[] }) {
  return (
    <p class="error" id={`e-${name}`}>
      {[...new Set(faults.map(({ detail }) => detail))].join(' ')}
    </p>
  );
}
