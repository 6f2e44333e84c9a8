import { numberText } from '../values/wording.ts';
import { AddRefusal } from './add-refusal.ts';
import type { Wishes } from './wishes.ts';

/** Something of a file that can be read in several ways. */
export type Question = {
  /** What is not sure, with the place in the file. */
  readonly text: string;
  /** The ways to read it, the safest first: `--yes` takes that. */
  readonly readings: readonly AnswerOf[];
};

export type AnswerOf = {
  /** How it would then be read. */
  readonly label: string;
  /** The options that say so on the command line. */
  readonly option: string;
  /** The wishes with this one. */
  readonly wish: (wishes: Wishes) => Wishes;
};

/** Decides open questions: a person at a terminal, or the safer readings. */
export type Decide = (questions: readonly Question[], wishes: Wishes) => Promise<Wishes>;

/** Takes the safest reading of each question. */
export const takeSafest: Decide = async (questions, wishes) =>
  questions.reduce((all, { readings }) => readings[0]?.wish(all) ?? all, wishes);

/** Where nobody can be asked: the options that answer each question. */
export class OpenQuestions extends AddRefusal {
  constructor(questions: readonly Question[]) {
    const lines = questions.map(({ text, readings }) =>
      [text, ...readings.map(({ label, option }) => `  ${option}   ${label}`)].join('\n'),
    );
    super(`${few(lines, '\n', 'questions')}\n--yes takes the first of each.`);
  }
}

/** So many columns of a question, and questions, are named; a file may have thousands. */
const MOST_NAMED = 10;

/** The first of some texts, and how many there are beyond them. */
export function few(texts: readonly string[], between: string, noun: string): string {
  const more = texts.length - MOST_NAMED;
  const shown = texts.slice(0, MOST_NAMED).join(between);
  return more > 0 ? `${shown}${between}… and ${numberText(more)} more ${noun}` : shown;
}

export const refuseToGuess: Decide = async (questions) => {
  throw new OpenQuestions(questions);
};

/** How often a person may give an answer that is none of the choices. */
const MOST_TRIES = 5;

/** Asks a person; the answer is undefined at the end of what is typed. */
export type Ask = (text: string) => Promise<string | undefined>;

/** Asks a person, who answers with a number, or yes. Throws an AddRefusal if no answer comes. */
export function askBy(ask: Ask): Decide {
  return async (questions, wishes) => {
    let all = wishes;
    for (const question of questions) all = (await answerTo(question, ask)).wish(all);
    return all;
  };
}

async function answerTo({ text, readings }: Question, ask: Ask): Promise<AnswerOf> {
  const [only, ...others] = readings;
  if (only !== undefined && others.length === 0) {
    if (await isAgreed(ask, `\n${text}\nIs that so: ${only.label}?`)) return only;
    throw new AddRefusal('Nothing was written: no other reading is known; an option may name it.');
  }
  const choices = readings.map(({ label }, i) => `  ${i + 1}  ${label}\n`).join('');
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const answer = await ask(`\n${text}\n${choices}1 to ${readings.length}: `);
    if (answer === undefined) break;
    const reading = readings[Number(answer.trim() || Number.NaN) - 1];
    if (reading !== undefined) return reading;
  }
  throw new AddRefusal('Nothing was written: the question has no answer.');
}

/** Asks for a yes; all else is a no, also the end of what is typed. */
export async function isAgreed(ask: Ask, text: string): Promise<boolean> {
  return /^y(es)?$/i.test(((await ask(`${text} [y/N] `)) ?? '').trim());
}
