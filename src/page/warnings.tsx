import type { Warning } from '../problem/errors.ts';

/** The warnings of an answer. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul class="warnings">
      {warnings.map(({ title, message }) => (
        <li>
          <strong>{title}.</strong> {message}
        </li>
      ))}
    </ul>
  );
}
