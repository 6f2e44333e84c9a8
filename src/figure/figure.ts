import type { DataSource } from '../block/manifest.ts';
import { AXIS_NAMES, type AxisName, MARK_NAMES, type MarkName } from '../block/views.ts';
import { isNumeric } from '../values/field-types.ts';
import { ONLY_OF } from './axis-kinds.ts';
import type { AxisOffer, Drawn, Subject } from './mark.ts';
import { markOf } from './marks.ts';
import { type GroupsQuestion, periodsIn, type Question } from './question.ts';
import { joined, plainText, undrawnSentence, type Words } from './words.ts';

/** What stands below a figure: where its numbers come from. */
export type Plate = {
  readonly source: DataSource;
  /** `all 1,706 days`, `1,676 of 3,023 sightings`. */
  readonly rows: string;
  readonly version: string;
};

/**
 * A figure as plain data: what it shows, its words, its numbers as a table, and what it is drawn of.
 * It is made of an answer, and drawn for a page, an embedding page and a file alike.
 */
export type Figure = Omit<Drawn, 'caption' | 'form' | 'misfit' | 'offers'> & {
  readonly mark: MarkName;
  /** The axes that say something true of its numbers, each with the mark that has it. */
  readonly axes: readonly (AxisOffer & { readonly mark: MarkName })[];
  /** Why it is not on the axis that was asked for. */
  readonly refused?: string;
  /** All sentences under it. */
  readonly caption: Words;
  /** What it is, in one line: `Line: Average of riders, by month`. */
  readonly name: string;
  /** The first sentence with a number of it; absent if it has none. */
  readonly statement?: string;
  /** What it shows in one text: for those who do not see it, and for previews of links. */
  readonly sentence: string;
  /** `All 1,706 days`, `366 of 1,706 days`. */
  readonly state: string;
  readonly plate: Plate;
  /** What drawings write beside it, in its language. */
  readonly said: {
    readonly bar: string;
    readonly share: string;
    /** `version 1f2e3d`. */
    readonly version: string;
  };
};

/** The marks that can draw an answer; the first one is the usual. None if it has no number. */
export function marksFor(question: Question): MarkName[] {
  const { answer } = question;
  if (answer !== undefined && !answer.grouping.measures.some(({ column }) => isNumeric(column))) {
    return [];
  }
  const subjects = subjectsOf(question);
  return MARK_NAMES.filter((name) => {
    const mark = markOf(name);
    return subjects.includes(mark.of) && mark.fits?.(question) !== false;
  });
}

function subjectsOf(question: Question): readonly Subject[] {
  const { answer, places, xy, known } = question;
  if (places !== undefined) return ['places'];
  if (answer === undefined) return [xy?.found.of === 'rows' ? 'points' : 'squares'];
  const [one, second, third] = answer.grouping.dimensions;
  if (one === undefined || third !== undefined) return [];
  if (one.cells !== undefined && second === undefined) return ['cells'];
  const isTime = answer.grouping.dimensions.some((each) => periodsIn(question, each) !== undefined);
  const time: readonly Subject[] = isTime ? ['time'] : [];
  if (second !== undefined) return ['two', ...time];
  if (one.width !== undefined) return ['one', 'steps', ...time];
  const hasAreas = known.areas?.field === one.field.name || known.map?.kind === 'regions';
  return hasAreas ? ['one', 'areas', ...time] : ['one', ...time];
}

const hasAxis = (mark: MarkName, axis: AxisName) => markOf(mark).axes?.includes(axis) === true;

/**
 * The mark that draws an answer: the one that is asked for, or else the first that has the axis that
 * is asked for, or else the usual.
 */
export function markFor(question: Question, asked?: MarkName): MarkName | undefined {
  return chosenOf(marksFor(question), question, asked);
}

function chosenOf(fitting: readonly MarkName[], { axis }: Question, asked?: MarkName) {
  return (
    fitting.find((name) => name === asked) ??
    fitting.find((name) => axis !== undefined && hasAxis(name, axis)) ??
    fitting[0]
  );
}

/** Makes the figure of an answer. Undefined if no mark can draw it. */
export function figureOf(question: Question, asked?: MarkName): Figure | undefined {
  const fitting = marksFor(question);
  const mark = chosenOf(fitting, question, asked);
  if (mark === undefined) return undefined;
  const kind = markOf(mark);
  const { caption, form, misfit, offers, ...drawn } = kind.draw(question);
  const { known, answer, places, xy } = question;
  const matching = answer?.matching ?? places?.total ?? xy?.found.rows ?? 0;
  const isAll = matching === known.rows;
  const { rows: count, noun, version } = known;
  const { say } = known.language;
  const some = say('{count} of {all} {noun}', { count: matching, all: count, noun });
  const [state, all] =
    count === 1
      ? [say('1 row'), say('1 row')]
      : [say('All {count} {noun}', { count, noun }), say('all {count} {noun}', { count, noun })];
  const statement = caption.find((words) => words.some((piece) => typeof piece === 'object'));
  const whole = joined([...caption, ...undrawnSentence(question, kind.measures?.(question))]);
  return {
    ...drawn,
    mark,
    caption: whole,
    state: isAll ? state : some,
    axes: axesOf(question, mark, offers, fitting),
    refused: misfit ?? refusedOf(question, mark),
    name: `${form}: ${drawn.title}`,
    statement: statement === undefined ? undefined : plainText(statement),
    sentence: `${form}: ${drawn.title}. ${plainText(whole)}`,
    plate: { source: known.source, rows: isAll ? all : some, version },
    said: {
      bar: say('Bar'),
      share: say('Share'),
      version: say('version {version}', { version: version.slice(0, 6) }),
    },
  };
}

/** The axes that are offered: those of the mark, and of others that can draw the same answer. */
function axesOf(
  question: Question,
  mark: MarkName,
  offers: readonly AxisOffer[] | undefined,
  fitting: readonly MarkName[],
): Figure['axes'] {
  if (offers === undefined) return [];
  const others = fitting.filter((name) => name !== mark);
  const all = [
    ...offers.map((offer) => ({ ...offer, mark })),
    ...others.flatMap((name) => {
      const others = markOf(name).offers?.(question as GroupsQuestion) ?? [];
      return others.map((offer) => ({ ...offer, mark: name }));
    }),
  ];
  return AXIS_NAMES.flatMap((axis) => all.find(({ name }) => name === axis) ?? []);
}

/** Why a mark has not the axis that is asked for, if it has no such axis at all. */
function refusedOf({ axis, known }: Question, mark: MarkName): string | undefined {
  if (axis === undefined || hasAxis(mark, axis)) return undefined;
  return known.language.say(ONLY_OF[axis]);
}
