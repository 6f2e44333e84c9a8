import { firstFew, inOneLine, numberText } from '../text/wording.ts';
import { andGiven, type Given } from './given.ts';

/** A question about a file that can be read in several ways. */
export type Question = {
  /** What is open, with the place in the file. */
  readonly text: string;
  /** The possible readings, the safest first. `--yes` takes that one. */
  readonly readings: readonly Choice[];
  /** Set if each reading loses something, so that `--yes` does not answer the question. */
  readonly needsAnswer?: true;
  /** Set if what is told of the file names the other readings anyway. */
  readonly isTold?: true;
};

export type Choice = {
  /** The reading in words. */
  readonly label: string;
  /** The options of the command line that choose it. */
  readonly option: string;
  /** What these options give. */
  readonly given: Given;
};

/** A reading that one option chooses, `--header-rows 2`, and that gives one value. */
export function answer<Member extends keyof Given>(
  label: string,
  option: string,
  member: Member,
  value: Given[Member] & (string | number),
): Choice {
  return { label, option: `--${option} ${value}`, given: { [member]: value } };
}

/** Decides open questions: by a person, or by the safest readings. Returns what is given then. */
export type Decide = (questions: readonly Question[], given: Given) => Promise<Given>;

/** Tells the caller, in lines, why a command does nothing. */
export class AddRefusal extends Error {}

/** Takes the safest reading of each question. Throws an AddRefusal if a question needs a person. */
export const takeSafest: Decide = async (questions, given) => {
  const open = questions.filter(({ needsAnswer }) => needsAnswer);
  if (open.length > 0) throw new OpenQuestions(open);
  return questions.reduce((all, { readings }) => andGiven(all, readings[0]?.given ?? {}), given);
};

/** Takes the safest reading of each question, and keeps the questions in `taken`. */
export function keepTaken(taken: Question[]): Decide {
  return async (questions, given) => {
    const safest = await takeSafest(questions, given);
    taken.push(...questions);
    return safest;
  };
}

/** Says what `--yes` took of a question's readings, and which options choose the others. */
export function takenText({ text, readings }: Question, file: string): string {
  const [said = ''] = text.split('\n');
  const of = inOneLine(file);
  const bare = (said.startsWith(of) ? said.slice(of.length).replace(/^[:,]? /, '') : said).replace(
    /\.$/,
    '',
  );
  const [safest, ...others] = readings;
  const instead = others.map(({ label, option }) => `${label} (${option})`).join(', or ');
  return `${bare.replace(/^has /, 'the file has ')}; --yes took: ${safest?.label}; otherwise ${instead}`;
}

export const refuseToGuess: Decide = async (questions) => {
  throw new OpenQuestions(questions);
};

/** Lists the options that answer each question, if nobody can be asked. */
class OpenQuestions extends AddRefusal {
  constructor(questions: readonly Question[]) {
    const end = questions.some(({ needsAnswer }) => needsAnswer)
      ? '--yes is no answer to that.'
      : '--yes takes the first of each.';
    super(`${few(questions.map(withOptions), '\n', 'questions')}\n${end}`);
  }
}

/** A question, followed by the options that answer it, a line each. */
export function withOptions({ text, readings }: Question): string {
  return [text, ...readings.map(({ label, option }) => `  ${option}   ${label}`)].join('\n');
}

/**
 * Columns that a question of `add` names, and questions that it lists. The others are counted; a
 * file may have thousands.
 */
const MOST_NAMED = 10;

/** Joins the first of some texts, and says how many more there are. */
export function few(texts: readonly string[], between: string, noun: string): string {
  return firstFew(
    texts,
    MOST_NAMED,
    (more) => `${between}… and ${numberText(more)} more ${noun}`,
    between,
  );
}

/** Joins equal readings of several columns into one. Their options may be equal, too. */
export function joined(all: readonly Choice[]): Choice {
  const options = new Set(all.map(({ option }) => option));
  return {
    label: (all[0] as Choice).label,
    option: few([...options], ' ', 'columns'),
    given: all.reduce<Given>((given, one) => andGiven(given, one.given), {}),
  };
}
