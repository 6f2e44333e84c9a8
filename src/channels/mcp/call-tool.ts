import { isBlank, type Members, normalise, withoutNesting } from '../../arguments/given.ts';
import type { Block, DatasetBlock } from '../../block/block.ts';
import type { Described } from '../../block/describe-block.ts';
import { GROUP_NAMES } from '../../block/grouping.ts';
import { alternativeParameter } from '../../block/parameter.ts';
import type { BlockAnswer, CallBlock } from '../../http/call-block.ts';
import { type Outcome, outcomeOfProblem } from '../../http/run-record.ts';
import { asProblem } from '../../http/service.ts';
import { ANSWER_CUT, type Fault, invalidArguments, type Warning } from '../../problem/errors.ts';
import { type ProblemDetails, problemDetails } from '../../problem/problem.ts';
import type { RowsParams } from '../../query/answer-in-words.ts';
import { fitting, numberText, shorten } from '../../text/wording.ts';
import { rowsInWords, rowsText, valueText } from './rows-text.ts';
import { TOOL_LIMIT } from './tool-of.ts';

/** A tool's answer: text for a model, and the same as data. */
export type ToolResult = {
  readonly content: [{ readonly type: 'text'; readonly text: string }];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
};

/** Warnings that a model is sent, and their characters. */
const MOST_WARNINGS = 5;
const MOST_OF_A_WARNING = 300;

/** The run's id, and the service's address as the caller sees it. */
type Caller = { readonly runId: string; readonly root: string };

/**
 * Runs a block as a tool, with the arguments as sent. Never throws. `outcome` is for the record and
 * only there if the call failed here: the block's own run records what the block answered.
 */
export async function callTool(
  described: Described,
  call: CallBlock,
  given: Members,
  { runId, root }: Caller,
): Promise<{ result: ToolResult; outcome?: Outcome }> {
  try {
    checkOptions(given);
    const answer = await call(described.block.name, withLimit(described.block, given));
    const result =
      answer.kind === 'answered'
        ? toolAnswer(described, given, answer, root)
        : refusal(answer.problem);
    return { result };
  } catch (error) {
    const problem = asProblem(error);
    return { result: refusal(problemDetails(problem, runId)), outcome: outcomeOfProblem(problem) };
  }
}

/** The options of a block that a tool does not take; they are refused, not silently ignored. */
const NOT_TAKEN: Readonly<Record<string, string>> = {
  _format: 'it answers in text and as data',
  _raw: 'it answers in text and as data',
  _explain: 'how a run went is told over HTTP',
  _view: 'it is of a page',
  _mark: 'it is of a page',
  _embed: 'it is of a page',
};

function checkOptions(given: Members): void {
  const faults = Object.entries(NOT_TAKEN)
    .filter(([name]) => !isBlank(given[name]))
    .map(([parameter, why]) => {
      const detail = `${parameter} is not a parameter of a tool: ${why}. Leave it out.`;
      return { code: 'unknown-parameter' as const, detail, parameter };
    });
  if (faults.length > 0) throw invalidArguments(faults);
}

function withLimit({ answers }: Block, given: Members): Members {
  if (answers !== 'rows' || !isBlank(given._limit)) return given;
  return Object.assign(Object.create(null), given, { _limit: TOOL_LIMIT });
}

function toolAnswer(
  { block, manifest }: Described,
  given: Members,
  { params, warnings }: Extract<BlockAnswer, { kind: 'answered' }>,
  root: string,
): ToolResult {
  const inWords =
    block.answers === 'rows'
      ? rowsInWords(
          block as DatasetBlock,
          valuesOf(block, withoutNesting(given)),
          params as RowsParams,
          manifest,
          root,
        )
      : undefined;
  const { version, addresses } = inWords?.citation ?? {};
  const lines = inWords === undefined ? valueText(params) : rowsText(inWords);
  return {
    content: [{ type: 'text', text: [...lines, ...notesOf(warnings)].join('\n') }],
    structuredContent: {
      ...params,
      ...(version === undefined ? {} : { block: block.name, version, addresses }),
      ...(warnings.length === 0 ? {} : { _warnings: warnings }),
    },
  };
}

/** The arguments as the block read them; they are valid, since it answered. */
function valuesOf({ parameters, options }: Block, given: Members): Members {
  const values: Record<string, unknown> = Object.create(null);
  const grouping = options.filter(({ name }) => GROUP_NAMES.some((one) => one === name));
  const byName = new Map([...parameters, ...grouping].map((each) => [each.name, each]));
  const own = (name: string) => byName.get(name);
  for (const name of Object.keys(given)) {
    const parameter = own(name) ?? alternativeParameter(name, own);
    if (parameter === undefined) continue;
    const sent = given[name];
    const value = isBlank(sent) ? undefined : normalise(parameter, sent);
    if (!isBlank(value)) values[name] = value;
  }
  return values;
}

/** Warnings as notes, except that the answer is cut, which the text says in another way. */
function notesOf(warnings: readonly Warning[]): string[] {
  return warnings
    .filter(({ title }) => title !== ANSWER_CUT)
    .slice(0, MOST_WARNINGS)
    .map(({ message }) => `Note: ${shorten(message, MOST_OF_A_WARNING)}`);
}

function refusal(problem: ProblemDetails): ToolResult {
  const { code, detail, instance } = problem;
  const all = problem.errors.map(({ allowed, ...fault }) =>
    allowed === undefined
      ? fault
      : { ...fault, allowed: allowed.filter((name) => !Object.hasOwn(NOT_TAKEN, name)) },
  );
  const errors = fittingFaults(all);
  const lines = problemText({ ...problem, errors }, all.length - errors.length);
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: { code, detail, errors, instance },
    isError: true,
  };
}

/** Faults that a model is sent, their characters, and those of the names that it may use. */
const MOST_FAULTS = 10;
const MOST_OF_A_FAULT = 300;
const MOST_OF_NAMES = 400;

/**
 * A problem as text for a model: all faults, and how to mend the call. `leftOut` is the number of
 * faults that neither this text nor the data has.
 */
export function problemText(
  { title, status, instance, errors }: ProblemDetails,
  leftOut: number,
): string[] {
  if (status >= 500) {
    const runId = instance.replace('urn:uuid:', '');
    return [`${title}. Try again in a second; where it stays, report the run id ${runId}.`];
  }
  const lines = [...new Set(errors.map(faultLine))];
  const more = lines.length - MOST_FAULTS;
  return [
    `${title}.`,
    ...lines.slice(0, MOST_FAULTS),
    ...(more > 0 ? [`${numberText(more)} more are in structuredContent.`] : []),
    ...(leftOut > 0 ? [`${numberText(leftOut)} more are left out.`] : []),
    'Mend the arguments and call again.',
  ];
}

function faultLine({ detail, allowed = [], suggestion }: Fault): string {
  const names = allowed.join(', ');
  const isSaid = suggestion !== undefined || names === '' || detail.includes(names);
  const more = isSaid ? '' : ` There are: ${shorten(names, MOST_OF_NAMES)}`;
  return `- ${shorten(detail, MOST_OF_A_FAULT)}${more}`;
}

/** The most characters of a problem's data that a model is sent: about 4,000 tokens. */
const MOST_CHARACTERS = 16_000;
/** A longer pointer is left out: it has the whole name, which may be as long as a message. */
const MOST_OF_A_POINTER = 300;

/** The first of these faults: as many as fit, but at least one. */
export function fittingFaults(faults: readonly Fault[]): Fault[] {
  const bounded = faults.map(({ pointer = '', ...fault }) =>
    pointer !== '' && pointer.length <= MOST_OF_A_POINTER ? { ...fault, pointer } : fault,
  );
  return fitting(bounded, (fault) => JSON.stringify(fault).length, MOST_CHARACTERS, 1);
}
