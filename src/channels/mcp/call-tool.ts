import {
  isBlank,
  isOfTwoNumbers,
  type Members,
  normalise,
  withoutNesting,
} from '../../arguments/given.ts';
import type { Block, DatasetBlock } from '../../block/block.ts';
import type { Described } from '../../block/describe-block.ts';
import { groupingOf, HAVING, havingFilters, havingIn } from '../../block/grouping.ts';
import { alternativeParameter, type Parameter } from '../../block/parameter.ts';
import { PAGE_NAMES } from '../../block/views.ts';
import type { BlockAnswer, CallBlock } from '../../http/call-block.ts';
import { type Outcome, outcomeOfProblem } from '../../http/run-record.ts';
import { asProblem } from '../../http/service.ts';
import { type Fault, invalidArguments, withoutReference } from '../../problem/errors.ts';
import { type ProblemDetails, problemDetails } from '../../problem/problem.ts';
import type { RowsParams } from '../../query/answer-in-words.ts';
import { fitting, numberText, shorten } from '../../text/wording.ts';
import { bytesOf, shortenToBytes, textOfLines } from './data-text.ts';
import { readCursor } from './rows-cursor.ts';
import { fieldsAskedFor, type RowsCall, rowsText } from './rows-text.ts';
import { TOOL_LIMIT } from './tool-of.ts';
import { valueText } from './value-text.ts';

/**
 * A tool's answer: text alone. Clients differ in whether a model reads the text or the structured
 * content, if there are both, so an answer with both would have its rows twice.
 */
export type ToolResult = {
  readonly content: [{ readonly type: 'text'; readonly text: string }];
  readonly isError?: true;
};

export function textResult(lines: readonly string[]): ToolResult {
  return { content: [{ type: 'text', text: textOfLines(lines) }] };
}

/** The run's id, and the service's address as the caller sees it. */
export type Caller = { readonly runId: string; readonly root: string };

/** A tool's answer. `outcome` is for the record, and only there if the call failed in this channel. */
export type Called = { readonly result: ToolResult; readonly outcome?: Outcome };

/** Runs a block as a tool, with the arguments as sent. Never throws. */
export function callTool(
  described: Described,
  call: CallBlock,
  given: Members,
  caller: Caller,
): Promise<Called> {
  return answered(caller, async () => {
    checkOptions(given);
    const { block, manifest, filesNow } = described;
    return block.answers === 'rows'
      ? foundRows({ block, manifest, filesNow }, call, given, caller.root)
      : computedValue(block, call, given, caller.root);
  });
}

/** Turns whatever is thrown into a tool's error. */
export async function answered(
  { runId }: Caller,
  answer: () => Called | Promise<Called>,
): Promise<Called> {
  try {
    return await answer();
  } catch (error) {
    const problem = asProblem(error);
    return { result: refusal(problemDetails(problem, runId)), outcome: outcomeOfProblem(problem) };
  }
}

/** The options of a block that a tool does not take; they are refused, not silently ignored. */
const NOT_TAKEN: Readonly<Record<string, string>> = {
  _format: 'it answers in text',
  _raw: 'it answers in text',
  _bom: 'it answers in text',
  _explain: 'how a run went is told over HTTP',
  ...Object.fromEntries(PAGE_NAMES.map((name) => [name, 'it is of a page'])),
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

type DescribedDataset = Described & { readonly block: DatasetBlock };

/**
 * How often a tool asks its block. A second time if not all rows of the page fit: for those that do,
 * so that the answer's cursor leads to the next one. A deployed channel has the time for two.
 */
const MOST_CALLS = 2;

async function foundRows(
  { block, manifest, filesNow }: DescribedDataset,
  call: CallBlock,
  given: Members,
  root: string,
): Promise<Called> {
  const { cursor, before } = readCursor(given._cursor);
  const sent = withMembers(withoutNesting(given), { _cursor: cursor });
  const fields = fieldsAskedFor(block, sent);
  let limit: unknown = isBlank(given._limit) ? TOOL_LIMIT : given._limit;
  // All of these are in one answer.
  const isWhole = isOfTwoNumbers(given);
  for (let calls = 1; ; calls++) {
    const page = {
      _cursor: cursor,
      _limit: isWhole ? given._limit : limit,
      _fields: fields ?? given._fields,
    };
    const answer = await call(block.name, withMembers(given, page));
    if (answer.kind === 'refused') return { result: refusal(answer.problem) };
    const params = answer.params as RowsParams;
    const files = filesNow?.() ?? [];
    const values = valuesOf(block, sent);
    const asked: RowsCall = { block, manifest, files, sent, values, before, root };
    const { lines, shown } = rowsText(asked, params, answer.warnings);
    if (shown === params.count || calls === MOST_CALLS || isWhole)
      return { result: textResult(lines) };
    limit = shown;
  }
}

async function computedValue(
  block: Block,
  call: CallBlock,
  given: Members,
  root: string,
): Promise<Called> {
  const answer: BlockAnswer = await call(block.name, given);
  if (answer.kind === 'refused') return { result: refusal(answer.problem) };
  return { result: textResult(valueText(block, given, answer.params, answer.warnings, root)) };
}

/** The same members and these; blank ones are left out. */
function withMembers(given: Members, more: Members): Members {
  const all: Record<string, unknown> = Object.assign(Object.create(null), given, more);
  for (const name of Object.keys(more)) if (isBlank(all[name])) delete all[name];
  return all;
}

/** The arguments, each by its own name, as the block read them. They are valid, since it answered. */
function valuesOf(block: DatasetBlock, sent: Members): Members {
  const all = [...block.parameters, ...block.options];
  const byName = new Map(all.map((parameter) => [parameter.name, parameter]));
  const values: Record<string, unknown> = Object.create(null);
  const named = (name: string): Parameter | undefined => byName.get(name);
  readInto(values, sent, (name) => named(name) ?? alternativeParameter(name, named));
  const grouping = groupingOf(block, values);
  if (grouping === undefined || havingIn(sent) === undefined) return values;
  const filters = havingFilters(grouping);
  const prefix = `${HAVING}.`;
  readInto(values, sent, (name) =>
    name.startsWith(prefix) ? filters.get(name.slice(prefix.length))?.parameter : undefined,
  );
  return values;
}

function readInto(
  values: Record<string, unknown>,
  sent: Members,
  parameterOf: (name: string) => Parameter | undefined,
): void {
  for (const name of Object.keys(sent)) {
    const parameter = parameterOf(name);
    if (parameter === undefined || isBlank(sent[name])) continue;
    const value = normalise(parameter, sent[name]);
    if (!isBlank(value)) values[name] = value;
  }
}

function refusal(problem: ProblemDetails): ToolResult {
  const errors = problem.errors.map(({ allowed, ...fault }) =>
    allowed === undefined
      ? fault
      : { ...fault, allowed: allowed.filter((name) => !Object.hasOwn(NOT_TAKEN, name)) },
  );
  return { ...textResult(problemText({ ...problem, errors })), isError: true };
}

/** Faults that a model is sent, their characters, and those of the names that it may use. */
const MOST_FAULTS = 10;
const MOST_OF_A_FAULT = 300;
const MOST_OF_NAMES = 400;

/** The bytes of a fault, since JSON writes some characters as six bytes, and of all faults. */
const MOST_FAULT_BYTES = 2000;
const MOST_FAULTS_BYTES = 6500;

/** A problem as text for a model: the first faults, and how to mend the call. */
export function problemText({
  title,
  code,
  status,
  instance,
  errors,
  unlisted = 0,
}: ProblemDetails): string[] {
  if (status >= 500) {
    const runId = instance.replace('urn:uuid:', '');
    return [
      `${title} (${code}). Try again in a second; where it stays, report the run id ${runId}.`,
    ];
  }
  const lines = [...new Set(errors.map(faultLine))];
  const shown = fitting(lines.slice(0, MOST_FAULTS), bytesOf, MOST_FAULTS_BYTES);
  const more = lines.length - shown.length + unlisted;
  return [
    `${title} (${code}).`,
    ...shown,
    ...(more === 0 ? [] : [`${numberText(more)} more are left out.`]),
    'Mend the arguments and call again.',
  ];
}

function faultLine({ detail, allowed = [], suggestion }: Fault): string {
  const names = allowed.join(', ');
  const isSaid = suggestion !== undefined || names === '' || detail.includes(names);
  const more = isSaid ? '' : ` There are: ${shorten(names, MOST_OF_NAMES)}`;
  return shortenToBytes(
    `- ${shorten(withoutReference(detail), MOST_OF_A_FAULT)}${more}`,
    MOST_FAULT_BYTES,
  );
}
