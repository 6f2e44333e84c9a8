import type { FigureProps } from './figure-on-page.ts';

/** The end of a question: how its answer is drawn, and the button that asks it. */
export function MarkChoice({ page, found }: FigureProps) {
  const { say } = page.language;
  return (
    <>
      <label>
        {say('as #drawn')}{' '}
        <select id="ask-mark" name="_mark">
          {found.marks.map(({ name, title }) => (
            <option value={name} selected={name === found.figure.mark}>
              {say(title)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">{say('Draw')}</button>
    </>
  );
}
