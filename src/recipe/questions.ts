import { firstFew, numberText } from '../text/wording.ts';
import { andGiven, type Given } from './given.ts';

/** What a file leaves open: it can be read in several ways. */
export type Question = {
  /** What is not sure, with the place in the file. */
  readonly text: string;
  /** The ways to read it, the safest first: `--yes` takes that. */
  readonly readings: readonly Reading[];
  /** Set if `--yes` does not answer it, since each reading loses something. */
  readonly needsAnswer?: true;
};

export type Reading = {
  /** How it would then be read. */
  readonly label: string;
  /** The options that say so on the command line. */
  readonly option: string;
  /** What is given by them. */
  readonly given: Given;
};

/** Decides open questions: a person at a terminal, or the safer readings. Returns all that is given then. */
export type Decide = (questions: readonly Question[], given: Given) => Promise<Given>;

/** Why a command does nothing, in lines for whoever called it. */
export class AddRefusal extends Error {}

/** Takes the safest reading of each question. Throws an AddRefusal if one has none. */
export const takeSafest: Decide = async (questions, given) => {
  const open = questions.filter(({ needsAnswer }) => needsAnswer);
  if (open.length > 0) throw new OpenQuestions(open);
  return questions.reduce((all, { readings }) => andGiven(all, readings[0]?.given ?? {}), given);
};

export const refuseToGuess: Decide = async (questions) => {
  throw new OpenQuestions(questions);
};

/** Where nobody can be asked: the options that answer each question. */
class OpenQuestions extends AddRefusal {
  constructor(questions: readonly Question[]) {
    const end = questions.some(({ needsAnswer }) => needsAnswer)
      ? '--yes is no answer to that.'
      : '--yes takes the first of each.';
    super(`${few(questions.map(withOptions), '\n', 'questions')}\n${end}`);
  }
}

/** A question with the options that answer it, a line each. */
export function withOptions({ text, readings }: Question): string {
  return [text, ...readings.map(({ label, option }) => `  ${option}   ${label}`)].join('\n');
}

/**
 * Columns that a question of `add` names, and questions that it lists. The others are counted; a
 * file may have thousands.
 */
const MOST_NAMED = 10;

/** The first of some texts, and how many there are beyond them. */
export function few(texts: readonly string[], between: string, noun: string): string {
  return firstFew(
    texts,
    MOST_NAMED,
    (more) => `${between}… and ${numberText(more)} more ${noun}`,
    between,
  );
}

/** The same reading of several columns. */
export function joined(all: readonly Reading[]): Reading {
  return {
    label: (all[0] as Reading).label,
    option: few(
      all.map(({ option }) => option),
      ' ',
      'columns',
    ),
    given: all.reduce<Given>((given, one) => andGiven(given, one.given), {}),
  };
}
