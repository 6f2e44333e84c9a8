import type { MarkName } from '../block/views.ts';
import type { FigureProps } from './figure-on-page.ts';

/** The end of a question: how its answer is drawn, and the button that asks it. */
export function MarkChoice({ page, found }: FigureProps) {
  const { say } = page.language;
  const { mark } = found.figure;
  // The usual mark stays unasked if it was: another question may have another one.
  const [usual] = found.marks;
  const isUnasked = page.values._mark === undefined && usual?.name === mark;
  const askedFor = (name: MarkName) => (isUnasked && name === mark ? '' : name);
  return (
    <>
      <label>
        {say('as #drawn')}{' '}
        <select id="ask-mark" name="_mark">
          {found.marks.map(({ name, title }) => (
            <option value={askedFor(name)} selected={name === mark}>
              {say(title)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">{say('Draw')}</button>
    </>
  );
}
