import type { Warning } from '../problem/errors.ts';
import { numberText, shorten } from '../values/wording.ts';

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

/** What a page did not use of its address. A filter may have been meant, so it is said first. */
export function Unused({ names, of }: { names: readonly string[]; of: string }) {
  if (names.length === 0) return null;
  const more = names.length - MOST_UNUSED;
  return (
    <p class="unused">
      <strong>Not used: </strong>
      {names.slice(0, MOST_UNUSED).map((name, i) => (
        <>
          {i === 0 ? '' : ', '}
          <code>{shorten(name)}</code>
        </>
      ))}
      {more > 0 ? ` and ${numberText(more)} more` : ''}. {of} has no parameter of{' '}
      {names.length === 1 ? 'this name' : 'these names'}: what is below is not filtered by it.
    </p>
  );
}

const MOST_UNUSED = 10;
