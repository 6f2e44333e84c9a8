import { MOST_LINES } from '../figure/mark.ts';
import type { Picks } from '../figure/question.ts';
import { changed, hrefOf, withQuestion } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import { nearest } from '../text/near-name.ts';
import { shortTitle } from '../text/wording.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import type { FigureProps, FigureRead } from './figure-on-page.ts';
import { pickedField, picksOf } from './picks.ts';

/** The second line of a question: the values of a field that are picked, and one control that adds. */

/** Values of a list to choose from; more are typed, with so many suggestions. */
const MOST_OF_LIST = 20;
const MOST_SUGGESTED = 200;

/** Chips of many picks. The filters have all. */
const FEW_CHIPS = 3;

type PicksProps = FigureProps & {
  /** The field whose values are picked. */
  readonly field: Field;
};

export function PicksLine({ page, found, field }: PicksProps) {
  const { say } = page.language;
  const { picks, isWhole } = pickedOf(page, field);
  // A filter of patterns or of ranges is no list of values.
  if (!isWhole) return null;
  const texts = picks.map(({ text }) => text);
  const shown = texts.length > MOST_LINES ? picks.slice(0, FEW_CHIPS) : picks;
  const question = withQuestion(page.links);
  const hasSquares = found.grouping?.dimensions[1]?.field === field && found.figure.mark === 'line';
  // A line has the colour of its place among those that are drawn.
  const missing = missingOf(field, picks, found);
  const drawn = picks.filter((pick) => !missing.includes(pick));
  const lookOf = (pick: (typeof picks)[number]) =>
    hasSquares && drawn.length > 1 && drawn.includes(pick) ? `c${drawn.indexOf(pick) + 1}` : '';
  return (
    <fieldset class="picks" aria-label={field.title}>
      <span class="quiet" dir="auto">
        {shortTitle(field.title)}
      </span>
      {shown.map((pick) => {
        const { text, name } = pick;
        const look = lookOf(pick);
        return (
          <a
            class={look ? `chip ${look}` : 'chip'}
            href={hrefOf(changed(question, { [field.name]: texts.filter((one) => one !== text) }))}
            aria-label={say('Drop: {filter}', { filter: name })}
          >
            {hasSquares && drawn.includes(pick) && (
              <svg aria-hidden="true">
                <rect width="100%" height="100%" />
              </svg>
            )}
            <bdi>{shortTitle(name)}</bdi>
            <i aria-hidden="true">×</i>
          </a>
        );
      })}
      {picks.length > shown.length && (
        <a href="#filters">{say('and {count} more', { count: picks.length - shown.length })}</a>
      )}
      <Adder page={page} field={field} found={found} picked={texts} />
      <AsOne page={page} found={found} />
    </fieldset>
  );
}

/**
 * How much of a field is picked, if the figure has the names of the picks: `3 of 62 values of
 * Country`. One alone has its name in the filter.
 */
export function pickedIn(page: DatasetPage, found: FigureRead, field: Field) {
  const { picks, isWhole } = pickedOf(page, field);
  const count = picks.length - missingOf(field, picks, found).length;
  if (!isWhole || count < 2) return undefined;
  const all = page.manifest.fields[field.name]?.distinct ?? picks.length;
  const { say } = page.language;
  const said = { count, all, field: field.title };
  return { field, text: say('{count} of {all} values of {field}', said) };
}

/** The picks with their names, as the address has them. */
function pickedOf({ values, language }: DatasetPage, field: Field) {
  const picks = picksOf(field, values);
  const isWhole = picks !== undefined || values[field.name] === undefined;
  return {
    isWhole,
    picks: (picks?.values ?? []).map((value) => ({
      value,
      text: value === null ? '' : (typeOf(field).argumentOf(value) ?? String(value)),
      name: typeOf(field).shown(value, field, language),
    })),
  };
}

/** Adds a value to those that are picked: chosen from a list, or typed if that would be long. */
function Adder(props: FigureProps & { field: Field; picked: readonly string[] }) {
  const { page, found, field, picked } = props;
  const { say } = page.language;
  const choices = choicesOf(page, found, field).filter(({ text }) => !picked.includes(text));
  if (choices.length === 0) return null;
  const words =
    picked.length === 0 ? say('pick up to {count}', { count: MOST_LINES }) : say('add one');
  const label = say('Add a value of {field}', { field: field.title });
  if (choices.length + picked.length <= MOST_OF_LIST) {
    return (
      <select id="ask-pick" name={field.name} aria-label={label}>
        <option value="">{words}</option>
        {choices.map(({ text, name }) => (
          <option value={text}>{shortTitle(name)}</option>
        ))}
      </select>
    );
  }
  return (
    <>
      <input
        id="ask-pick"
        name={field.name}
        list="ask-picks"
        placeholder={words}
        aria-label={label}
        dir="auto"
      />
      <datalist id="ask-picks">
        {choices.slice(0, MOST_SUGGESTED).map(({ text }) => (
          <option value={text} />
        ))}
      </datalist>
    </>
  );
}

/** The values that can be picked, by name. */
function choicesOf(
  { language }: DatasetPage,
  { choices = [] }: Pick<FigureRead, 'choices'>,
  field: Field,
) {
  return choices.flatMap((value) => {
    const text = value === null ? undefined : typeOf(field).argumentOf(value);
    return text === undefined ? [] : [{ text, name: typeOf(field).shown(value, field, language) }];
  });
}

/** Of a line with a filter that names a few values: the way to one line, or to a line of each. */
function AsOne({ page, found }: FigureProps) {
  const [first, second] = found.grouping?.dimensions ?? [];
  const picked = pickedField(page.block, page.values);
  if (picked === undefined || first === undefined) return null;
  const { say } = page.language;
  const isOne = second === undefined && page.values._as_one === true;
  if (!isOne && second?.field !== picked) return null;
  const question = withQuestion(page.links);
  const changes: Parameters<typeof changed>[1] = isOne
    ? { _as_one: null }
    : { _group: first.text, _as_one: 'true' };
  return (
    <a class="small" href={hrefOf(changed(question, changes))}>
      {isOne ? say('a line for each {field}', { field: picked.title }) : say('as one')}
    </a>
  );
}

/** Links that are offered for a word that is no value. */
const MOST_MEANT = 3;

/** Hints of a figure: which values to begin with, and what a word that is no value may have meant. */
export function PickHints({ page, found, field }: PicksProps) {
  const { picks } = pickedOf(page, field);
  const { toPick } = found.figure;
  const question = withQuestion(page.links);
  const { say } = page.language;
  const link = (texts: readonly string[], name: string) => (
    <a class="button" href={hrefOf(changed(question, { [field.name]: texts }))}>
      <bdi>{shortTitle(name)}</bdi>
    </a>
  );
  if (toPick !== undefined && picks.length === 0) {
    const offered = choicesOf(page, { ...found, choices: toPick }, field);
    return (
      <p class="hint">
        <span>{say('Pick up to {count} to see them in colour:', { count: MOST_LINES })}</span>
        {offered.map(({ text, name }) => link([text], name))}
      </p>
    );
  }
  const missing = missingOf(field, picks, found);
  if (missing.length === 0) return null;
  const choices = choicesOf(page, found, field);
  const texts = picks.map(({ text }) => text);
  return (
    <p class="hint">
      {missing.slice(0, MOST_MEANT).map(({ text, name }) => {
        const meant = nearest(
          name,
          choices.map(({ name }) => ({ words: [name] })),
        ).slice(0, MOST_MEANT);
        return (
          <>
            <span>
              {say('There is no {field} “{word}” here.', { field: field.title, word: name })}
            </span>
            {meant.map(({ word }) => {
              const other = choices.find((one) => one.name === word)?.text ?? word;
              const instead = texts.map((one) => (one === text ? other : one));
              return link([...new Set(instead)], word);
            })}
          </>
        );
      })}
    </p>
  );
}

/** Picks that no row of the figure has. */
function missingOf<P extends { readonly value: Picks['values'][number] }>(
  field: Field,
  picks: readonly P[],
  { present }: FigureRead,
): readonly P[] {
  if (present === undefined) return [];
  const { keyOf } = typeOf(field);
  const keys = new Set(present.flatMap((value) => (value === null ? [] : keyOf(value, field))));
  return picks.filter(({ value }) => value !== null && !keys.has(keyOf(value, field)));
}
