import { findBlock } from '../chat/find-block.ts';
import { readCommand } from '../chat/read-command.ts';
import { type Token, tokensOf } from '../chat/tokenize.ts';
import { usageOf, usageOfBlock } from '../chat/usage.ts';
import type { Members } from '../core/arguments.ts';
import type { BlockSummary } from '../core/describe-block.ts';
import { ANSWER_CUT, type Fault, type Warning } from '../core/errors.ts';
import { answerText } from './answer-text.ts';
import { printable } from './printable.ts';
import { readOptions } from './read-options.ts';
import {
  DEFAULT_URL,
  type Description,
  faultOfSettings,
  NoService,
  objectIn,
  Refused,
  type Service,
  type ServiceAnswer,
  serviceAt,
} from './service.ts';
import { USAGE, usageText } from './usage-text.ts';
import type { World } from './world.ts';

/** What a program ends with. */
const EXIT = { done: 0, refused: 1, noService: 2 } as const;

/** Rows of a table, where the line does not say: what a page of a browser has. */
const ROWS_A_PAGE = 40;

/** Runs a command line against a service; the exit code is what it ends with. */
export async function runCommandLine(args: readonly string[], world: World): Promise<number> {
  const options = readOptions(args);
  if ('fault' in options) return refuse(world, [options.fault]);
  const [command, ...line] = options.line;
  if (options.isHelp || command === undefined || command === 'help') {
    world.out(USAGE);
    return EXIT.done;
  }
  if (command !== 'run') {
    const fault = `${JSON.stringify(command)} is not a command. Write npx blockyard run, then a block.`;
    return refuse(world, [fault]);
  }
  const url = options.url ?? (world.url || DEFAULT_URL);
  const key = options.key ?? (world.key || undefined);
  const fault = faultOfSettings(url, key);
  if (fault !== undefined) return refuse(world, [fault]);
  const format = options.format === undefined ? [] : [`_format:${options.format}`];
  try {
    const asked = { tokens: tokensOf(line), format: tokensOf(format) };
    return await runLine(asked, serviceAt(url, key, world.fetch), world);
  } catch (error) {
    if (error instanceof Refused) return refuseAs(world, error.answer);
    const { message } = error as Error;
    // Otherwise an answer of a shape that no service of ours gives.
    const isKnown = error instanceof NoService;
    const told = isKnown ? message : `blockyard cannot read what answers: ${message}`;
    world.err(`${printable(told)}\n`);
    return EXIT.noService;
  }
}

type Line = { readonly tokens: readonly Token[]; readonly format: readonly Token[] };

async function runLine({ tokens, format }: Line, service: Service, world: World): Promise<number> {
  const list = await service.blocks();
  const blocks = await blocksFor(tokens, list, service);
  const typed = readCommand(tokens, blocks);
  // A form is an option: a block with it alone means all of its rows, and help has no form.
  const isRun = typed.kind === 'run' || (typed.block !== undefined && tokens.length === 1);
  const command = format.length > 0 && isRun ? readCommand([...tokens, ...format], blocks) : typed;
  if (command.kind === 'lost') return refuse(world, command.faults);
  if (command.kind === 'help') {
    const { block } = command;
    world.out(usageText(block === undefined ? usageOf(blocks) : usageOfBlock(block, list)));
    return EXIT.done;
  }
  const { block, arguments: given } = command;
  const isTable = !Object.hasOwn(given, '_format');
  const limit =
    isTable && block.key_fields !== undefined && !Object.hasOwn(given, '_limit')
      ? { _limit: ROWS_A_PAGE }
      : {};
  const answer = await service.run(block.name, { ...given, ...limit });
  if (answer.status !== 200) return refuseAs(world, answer);
  if (isTable) tell(answer, block, given, world);
  else world.out(answer.text);
  if (answer.next !== undefined) {
    world.err(
      `There are more. The next page: the same line with _cursor:${printable(answer.next)}\n`,
    );
  }
  return EXIT.done;
}

/** The block that a line begins with, described; all of them where it begins with none. */
async function blocksFor(
  tokens: readonly Token[],
  list: readonly BlockSummary[],
  service: Service,
): Promise<Description[]> {
  const [first] = tokens;
  const found = first === undefined ? undefined : findBlock(first.name ?? first.value, list);
  const needed = found !== undefined && 'block' in found ? [found.block] : list;
  return Promise.all(needed.map(({ name }) => service.describe(name)));
}

function tell(answer: ServiceAnswer, block: Description, given: Members, world: World): void {
  const body = objectIn(answer.text);
  const {
    params,
    _warnings: warnings,
    _explain: explained,
  } = (body ?? {}) as { params?: Members | null; _warnings?: Warning[]; _explain?: object };
  if (typeof params !== 'object' || params === null)
    throw new NoService('What answers there is not a blockyard service: no params.');
  world.out(answerText(block, given, params, world.columns));
  for (const { title, message } of warnings ?? []) {
    // That it is cut is told with how to go on.
    if (title !== ANSWER_CUT) world.err(`${printable(message)}\n`);
  }
  if (explained !== undefined) world.err(`_explain: ${printable(JSON.stringify(explained))}\n`);
}

function refuse({ err }: World, faults: readonly string[]): number {
  err(faults.map((fault) => `${printable(fault)}\n`).join(''));
  return EXIT.refused;
}

/** A problem's faults, one a line; of the service's own failures, that it has failed. */
function refuseAs(world: World, { status, text }: ServiceAnswer): number {
  const problem = objectIn(text) as { detail?: string; errors?: readonly Fault[] } | undefined;
  const faults = problem?.errors?.map(({ detail }) => detail) ?? [];
  const [first = problem?.detail ?? `The service answered ${status}.`, ...others] = faults;
  refuse(world, [first, ...others]);
  if (status === 401 || status === 403) world.err('A key is given by --key or BLOCKYARD_KEY.\n');
  return status >= 500 ? EXIT.noService : EXIT.refused;
}
