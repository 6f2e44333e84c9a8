import { isOfTwoNumbers, type Members } from '../../arguments/given.ts';
import type { BlockDescription, BlockSummary } from '../../block/describe-block.ts';
import { BINARY_FORMATS } from '../../formats/formats.ts';
import { ANSWER_CUT, type Fault, type Warning, withoutReference } from '../../problem/errors.ts';
import type { ProblemDetails } from '../../problem/problem.ts';
import { fold } from '../../text/fold.ts';
import { nearName } from '../../text/near-name.ts';
import { inOneLine, numberText } from '../../text/wording.ts';
import { type Command, findBlock, type Understood } from '../chat/command.ts';
import { readCommand } from '../chat/read-command.ts';
import { type Token, tokensOf } from '../chat/tokenize.ts';
import { faultsOfValues, faultTexts, usageOf, usageOfBlock, valuesToCheck } from '../chat/usage.ts';
import { answerText } from './answer-text.ts';
import { COMMANDS, commandLineUsage, readOptions, usageText } from './run-options.ts';
import {
  DEFAULT_URL,
  faultsOfSettings,
  NoService,
  objectIn,
  Refused,
  type Service,
  type ServiceAnswer,
  serviceAt,
} from './service-at.ts';

/** The environment of a command line. */
export type ShellIo = {
  /** The service's address, and a key for it, from the environment. */
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly fetch: typeof fetch;
  /** May return a promise, if its reader is slow. */
  readonly out: (text: string | Uint8Array) => unknown;
  readonly err: (line: string) => void;
  /** The terminal's width, to which tables are fitted; absent if there is no terminal. */
  readonly columns?: number | undefined;
};

/** Exit codes. `refused`: the line must change; `notAnswered`: it may be sent again unchanged. */
const EXIT = { done: 0, refused: 1, notAnswered: 2 } as const;

/** The rows of a table if the line does not say: as many as on a page in a browser. */
const ROWS_A_PAGE = 40;

/** Runs a command line against a service and returns the exit code. */
export async function runCommandLine(args: readonly string[], shell: ShellIo): Promise<number> {
  const { isHelp, line: words, format, faults: ofOptions, ...settings } = readOptions(args);
  const [command, ...line] = words;
  const url = settings.url ?? (shell.url || DEFAULT_URL);
  const key = settings.key ?? (shell.key || undefined);
  const isUsage = isHelp || command === undefined || command === 'help';
  if (isUsage && ofOptions.length === 0) {
    shell.out(commandLineUsage(shell.columns));
    return EXIT.done;
  }
  const faults = [
    ...ofOptions,
    ...(isUsage || command === 'run' ? [] : [notACommand(command)]),
    ...(isUsage ? [] : faultsOfSettings(url, key)),
  ];
  if (faults.length > 0) return refuse(shell, faults);
  try {
    const asked = { tokens: tokensOf(line), format };
    return await runLine(asked, serviceAt(url, key, shell.fetch), shell);
  } catch (error) {
    if (error instanceof Refused) return refuseAs(shell, error.answer);
    const { message } = error as Error;
    // Any other error comes from an answer in a form that no blockyard service gives.
    const isKnown = error instanceof NoService;
    const text = isKnown ? message : `blockyard cannot read what answers: ${message}`;
    shell.err(inOneLine(text));
    return EXIT.notAnswered;
  }
}

function notACommand(command: string): string {
  const near = nearName(command, [...COMMANDS, 'help']);
  const fix =
    near === undefined
      ? 'Write npx blockyard run, then a block; or npx blockyard help.'
      : `Did you mean ${near}?`;
  return `${JSON.stringify(command)} is not a command. ${fix}`;
}

type Line = { readonly tokens: readonly Token[]; readonly format?: string };

async function runLine(
  { tokens, format }: Line,
  service: Service,
  shell: ShellIo,
): Promise<number> {
  const list = await service.blocks();
  const blocks = await blocksFor(tokens, list, service);
  const typed = readCommand(tokens, blocks);
  const isHelp = typed.kind === 'help' && tokens.length !== 1;
  const command = isHelp ? typed : withFormat(typed, format);
  if (command.kind === 'invalid') {
    return refuse(shell, [...command.faults, ...(await faultsOfRest(command, service))]);
  }
  if (command.kind === 'help') {
    const { block } = command;
    const usage = block === undefined ? usageOf(blocks) : usageOfBlock(block, list);
    shell.out(usageText(usage, shell.columns));
    return EXIT.done;
  }
  const { block, arguments: given } = command;
  const asFile = fold(String(given._format ?? ''));
  if (shell.columns !== undefined && BINARY_FORMATS.includes(asFile)) {
    const fault = `${asFile} is no text. Send it to a file: add > ${block.name}.${asFile}`;
    return refuse(shell, [fault]);
  }
  const isTable = !Object.hasOwn(given, '_format');
  const limit =
    isTable &&
    block.key_fields !== undefined &&
    !Object.hasOwn(given, '_limit') &&
    !isOfTwoNumbers(given)
      ? { _limit: ROWS_A_PAGE }
      : {};
  const asked = { ...given, ...limit };
  const answer = await service.run(block.name, asked, isTable ? undefined : shell.out);
  if (answer.status !== 200) return refuseAs(shell, answer, command);
  if (isTable) printAnswer(answer, block, given, shell);
  if (answer.next !== undefined) {
    shell.err(
      `There are more. The next page: the same line with _cursor:${inOneLine(answer.next)}`,
    );
  }
  return EXIT.done;
}

/** The service's faults in the understood part of an invalid line. */
async function faultsOfRest(
  { block, understood }: Extract<Command, { kind: 'invalid' }>,
  service: Service,
): Promise<string[]> {
  if (block === undefined || understood === undefined) return [];
  if (Object.keys(understood.arguments).length === 0) return [];
  try {
    const answer = await service.run(block.name, valuesToCheck(understood));
    return answer.status === 400 ? faultsOfValues(block, understood, errorsIn(answer)) : [];
  } catch (error) {
    // Even if the service does not answer, the known faults are reported.
    if (error instanceof NoService) return [];
    throw error;
  }
}

/** Describes the block that a line begins with, or all blocks if it begins with none. */
async function blocksFor(
  tokens: readonly Token[],
  list: readonly BlockSummary[],
  service: Service,
): Promise<BlockDescription[]> {
  const [first] = tokens;
  const found = first === undefined ? undefined : findBlock(first.name ?? first.value, list);
  const needed = found !== undefined && 'block' in found ? [found.block] : list;
  return Promise.all(needed.map(({ name }) => service.describe(name)));
}

function printAnswer(
  answer: ServiceAnswer,
  block: BlockDescription,
  given: Members,
  shell: ShellIo,
): void {
  const body = objectIn(answer.text);
  const {
    params,
    _warnings: warnings,
    _explain: explained,
  } = (body ?? {}) as { params?: Members | null; _warnings?: Warning[]; _explain?: object };
  if (typeof params !== 'object' || params === null)
    throw new NoService('What answers there is not a blockyard service: no params.');
  shell.out(answerText(block, given, params, shell.columns));
  for (const { title, message } of warnings ?? []) {
    // The line about the next page already says that the answer is cut.
    if (title !== ANSWER_CUT) shell.err(inOneLine(message));
  }
  if (explained !== undefined) shell.err(`_explain: ${inOneLine(JSON.stringify(explained))}`);
}

function refuse({ err }: ShellIo, faults: readonly string[]): number {
  for (const fault of faults) err(inOneLine(fault));
  return EXIT.refused;
}

/** Prints a problem's faults, one a line. Those of a command use the names that were typed. */
function refuseAs(
  shell: ShellIo,
  answer: ServiceAnswer,
  command?: Extract<Command, { kind: 'run' }>,
): number {
  const { status, text } = answer;
  const errors = errorsIn(answer);
  const faults =
    command === undefined
      ? errors.map(({ detail }) => withoutReference(detail))
      : faultTexts(command.block, command.typed, errors);
  const { detail, unlisted } = (objectIn(text) ?? {}) as Partial<ProblemDetails>;
  const more = unlisted === undefined ? [] : [`${numberText(unlisted)} more are not listed.`];
  const [first = detail ?? `The service answered ${status}.`, ...others] = faults;
  refuse(shell, [first, ...others, ...more]);
  if (status === 401 || status === 403) shell.err('A key is given by --key or BLOCKYARD_KEY.');
  const isLater = status === 429 || status >= 500;
  return isLater ? EXIT.notAnswered : EXIT.refused;
}

function errorsIn({ text }: ServiceAnswer): readonly Fault[] {
  const { errors } = (objectIn(text) ?? {}) as { errors?: readonly Fault[] };
  return errors ?? [];
}

const NOTHING: Understood = { arguments: Object.create(null), typed: new Map() };

/**
 * Adds the format of `--format` to a command. A block's name alone, which would ask for help, then
 * runs the block without filters.
 */
function withFormat(command: Command, format: string | undefined): Command {
  const { block } = command;
  if (format === undefined || block === undefined) return command;
  const { arguments: given, typed } = understoodOf(command);
  const choices = block.options.find(({ name }) => name === '_format')?.choices ?? [];
  const faults = command.kind === 'invalid' ? [...command.faults] : [];
  if (!choices.some((choice) => fold(choice) === fold(format))) {
    faults.push(`--format ${format}: the formats are ${choices.join(', ')}.`);
  } else if (Object.hasOwn(given, '_format')) {
    faults.push(`--format ${format} and _format:${given._format} are for the same. Write one.`);
  }
  if (faults.length > 0) {
    return { kind: 'invalid', block, faults, understood: { arguments: given, typed } };
  }
  const formatted = Object.assign(Object.create(null), given, { _format: format });
  const names = new Map([...typed, ['_format', '--format'] as const]);
  return { kind: 'run', block, arguments: formatted, typed: names };
}

function understoodOf(command: Command): Understood {
  if (command.kind === 'run') return command;
  return (command.kind === 'invalid' ? command.understood : undefined) ?? NOTHING;
}
