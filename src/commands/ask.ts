import { andGiven } from '../recipe/given.ts';
import { AddRefusal, type Choice, type Decide, type Question } from '../recipe/questions.ts';

/** How often a person may give an answer that is not one of the choices. */
const MOST_TRIES = 5;

/** Asks a person. Resolves to undefined at the end of the input. */
export type Ask = (text: string) => Promise<string | undefined>;

/** Asks a person, who answers with a number or with yes. Throws an AddRefusal without an answer. */
export function askBy(ask: Ask): Decide {
  return async (questions, given) => {
    let all = given;
    for (const question of questions) all = andGiven(all, (await answerTo(question, ask)).given);
    return all;
  };
}

async function answerTo({ text, readings }: Question, ask: Ask): Promise<Choice> {
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

/** Asks for a yes. Anything else is a no, and so is the end of the input. */
export async function isAgreed(ask: Ask, text: string): Promise<boolean> {
  return /^y(es)?$/i.test(((await ask(`${text} [y/N] `)) ?? '').trim());
}
