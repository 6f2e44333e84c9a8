import type { MarkName } from '../block/views.ts';
import type { FigureProps } from './figure-on-page.ts';

/** The end of a question: how its answer is drawn, and the button that asks it. */
export function MarkChoice({ page, found }: FigureProps) {
  const { say } = page.language;
  const { mark } = found.figure;
  // What is drawn unasked stays so: another question may have a better one.
  const askedFor = (name: MarkName) =>
    name === mark && page.values._mark === undefined ? '' : name;
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
