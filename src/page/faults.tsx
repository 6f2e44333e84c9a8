import type { Block } from '../block/block.ts';
import type { PlainMessage } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import type { Fault, ProblemTitle } from '../problem/errors.ts';
import { nearName } from '../text/near-name.ts';
import { shorten } from '../text/wording.ts';
import type { SaidFault } from './fault-text.ts';
import { changed, hrefOf, namesWithBox, type PageState, valuesOf } from './links.ts';

/** The faults of a problem, or what it says itself. Both ends of a range have the same, shown once. */
export function saidOnce(refused: {
  readonly detail: string;
  readonly faults: readonly Fault[];
}): readonly SaidFault[] {
  const { detail, faults } = refused;
  return faults.length === 0
    ? [{ detail }]
    : [...new Map(faults.map((f) => [f.detail, f])).values()];
}

/** The title of a problem, for people: a page has no arguments, no cursors and no datasets. */
export function titleOf(title: ProblemTitle, { say }: Language): string {
  return say(FOR_PEOPLE[title] ?? title);
}

const FOR_PEOPLE: Partial<Record<ProblemTitle, PlainMessage>> = {
  'The arguments are not valid': 'Something does not fit',
  'The dataset has changed since this cursor was given':
    'The data have changed since this list was shown',
};

/** The language of errors' details, if the page speaks another. */
export function inEnglish({ name }: Language) {
  return { lang: name === 'en' ? undefined : 'en' };
}

/** Details for operators and developers: codes, names, and the run. */
export function ForPrograms(props: {
  said: readonly SaidFault[];
  runId: string;
  language: Language;
}) {
  const { said, runId, language } = props;
  return (
    <details class="quiet">
      <summary>{language.say('For programs')}</summary>
      {said.map(
        ({ code, parameter, detail }) =>
          code !== undefined && (
            <p>
              <code>{code}</code> {parameter === undefined ? '' : <code>{parameter}</code>}{' '}
              <span {...inEnglish(language)}>{detail}</span>
            </p>
          ),
      )}
      <p>{language.say('Run {id}', { id: runId })}</p>
    </details>
  );
}

/** Links to the page with a fault mended: as suggested, or without the name that is not known. */
export function Mended(props: {
  fault: SaidFault;
  block: Block;
  state: PageState;
  language: Language;
}) {
  const { fault, block, state, language } = props;
  const names = new Set(block.parameters.map(({ name }) => name));
  return (
    <>
      <Suggested fault={fault} names={names} state={state} language={language} />{' '}
      <LeftOut fault={fault} block={block} state={state} language={language} />
    </>
  );
}

/** A link to the page without an unknown name, or an option that nobody can type in a box. */
function LeftOut(props: { fault: SaidFault; block: Block; state: PageState; language: Language }) {
  const { fault, block, state, language } = props;
  const { code, parameter = '', suggestion } = fault;
  const left = state.filter(([name]) => shorten(name) !== parameter);
  const isOption = parameter.startsWith('_') && !namesWithBox(block).includes(parameter);
  const mayGo = code === 'unknown-parameter' || (isOption && suggestion === undefined);
  if (!mayGo || left.length === state.length) return null;
  return (
    <a class="button" href={hrefOf(changed(left, { _cursor: null }))}>
      {language.say('Leave it out')}
    </a>
  );
}

/** Replaces only the wrong word of a list with the suggestion. */
function mended(values: readonly string[], { allowed }: SaidFault, suggestion: string): string[] {
  const words = values.flatMap((value) => value.split(',').map((word) => word.trim()));
  if (allowed === undefined || words.length < 2) return [suggestion];
  return words.map((word) => (nearName(word, allowed) === suggestion ? suggestion : word));
}

/** A link that applies the suggestion, which is another value or another name. */
function Suggested(props: {
  fault: SaidFault;
  names: ReadonlySet<string>;
  state: PageState;
  language: Language;
}) {
  const { fault, names, state, language } = props;
  const { parameter, suggestion } = fault;
  if (parameter === undefined || suggestion === undefined) return null;
  const isName = fault.code === 'unknown-parameter';
  // A name that is already given would then have two values.
  const isTaken = state.some(([name]) => name === suggestion);
  if (isName && (isTaken || (!names.has(suggestion) && !suggestion.startsWith('_')))) return null;
  const fixed = isName
    ? state.map(([name, value]) => [name === parameter ? suggestion : name, value] as const)
    : changed(state, { [parameter]: mended(valuesOf(state, parameter), fault, suggestion) });
  return (
    <a class="button" href={hrefOf(changed(fixed, { _cursor: null }))}>
      {language.say('Use {value}', { value: suggestion })}
    </a>
  );
}
