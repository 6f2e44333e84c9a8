import { isBlank, isObject, type Members } from '../../arguments/given.ts';
import type { Described } from '../../block/describe-block.ts';
import { MOST_LIMIT } from '../../block/options.ts';
import type { CallBlock } from '../../http/call-block.ts';
import { scanJson } from '../../http/read-body.ts';
import { textsOf } from '../../portals/block-index.ts';
import { BlockFinder } from '../../portals/find-blocks.ts';
import { type Fault, invalidArguments } from '../../problem/errors.ts';
import { nearName } from '../../text/near-name.ts';
import { firstFew, fitting, numberText, shorten } from '../../text/wording.ts';
import { quotedValue } from '../../values/field-type.ts';
import type { Scheduler } from '../../work/scheduler.ts';
import { blockText } from './block-text.ts';
import { answered, type Called, type Caller, callTool, textResult } from './call-tool.ts';
import { searchText } from './find-blocks.ts';
import {
  measuresInShort,
  READ_ONLY,
  searchSchemas,
  type Tool,
  textSchema,
  toolOf,
} from './tool-of.ts';

/**
 * The bytes of the list of tools, all that the protocol adds included. With more there are three
 * tools for all blocks.
 *
 * A model always has the list in its context.
 */
export const MOST_LIST_BYTES = 12_000;

/** What the protocol adds to the list. */
const BYTES_AROUND = 400;

/** A call of a tool, with what it needs of the service. */
export type ToolCall = {
  readonly given: Members;
  readonly call: CallBlock;
  readonly caller: Caller;
  readonly scheduler: Scheduler;
};

/** The tools of a service: those that are listed, and all that can be called. */
export class Tools {
  /** A tool for each block, or, if that is too long a list, three tools for all blocks. */
  readonly listed: readonly Tool[];
  /** Whether the listed tools are the three. */
  readonly areThree: boolean;
  readonly blocks: readonly Described[];
  readonly finder: BlockFinder;
  readonly #byName: ReadonlyMap<string, Described>;

  constructor(blocks: readonly Described[]) {
    this.blocks = blocks;
    this.finder = new BlockFinder(() => blocks.map(textsOf));
    this.#byName = new Map(blocks.map((described) => [described.block.name, described]));
    const toolPerBlock = toolsPerBlock(blocks);
    this.areThree = toolPerBlock === undefined;
    this.listed = toolPerBlock ?? threeTools(blocks);
  }

  /**
   * Calls a tool by its name. Undefined if there is none. A tool that is not listed can be called
   * too, since a client may have kept another list.
   */
  call(name: string, asked: ToolCall): Promise<Called> | undefined {
    const described = this.#byName.get(name);
    const answer = THREE.get(name);
    if (answer !== undefined && (this.areThree || described === undefined)) {
      return answered(asked.caller, () => answer(this, asked));
    }
    return described && callTool(described, asked.call, asked.given, asked.caller);
  }

  /** What a caller may have meant by a name that no tool has. */
  hintAt(name: string): string {
    const names = [...this.listed.map((tool) => tool.name), ...this.#byName.keys()];
    const near = nearName(name, names);
    if (near !== undefined) return `Did you mean ${near}?`;
    return `There are: ${firstFew([...new Set(names)], MOST_NAMES)}.`;
  }

  /** The block that the arguments name. Throws a Problem if there is none. */
  blockIn({ block: name }: Members): Described {
    const found = typeof name === 'string' ? this.#byName.get(name.trim()) : undefined;
    if (found !== undefined) return found;
    const near = typeof name === 'string' ? nearName(name, [...this.#byName.keys()]) : undefined;
    const fix = near === undefined ? 'find has their names.' : `Did you mean ${near}?`;
    const is = isBlank(name)
      ? 'block is missing'
      : `block is ${quotedValue(name)}, and there is none of that name`;
    throw refused('block', `${is}. ${fix}`, isBlank(name) ? 'missing-parameter' : 'not-a-choice');
  }
}

/** Names that an error lists. */
const MOST_NAMES = 20;

/** A tool for each block; undefined if that is too long a list. */
function toolsPerBlock(blocks: readonly Described[]): readonly Tool[] | undefined {
  const room = MOST_LIST_BYTES - BYTES_AROUND;
  const tools: Tool[] = [];
  let bytes = 0;
  for (const described of blocks) {
    const tool = toolOf(described);
    bytes += Buffer.byteLength(JSON.stringify(tool)) + 1;
    if (bytes > room) return undefined;
    tools.push(tool);
  }
  return tools;
}

/** What the three tools answer. Each may throw a Problem. */
const THREE: ReadonlyMap<string, (tools: Tools, asked: ToolCall) => Promise<Called>> = new Map([
  ['find', findTool],
  ['describe', describeTool],
  ['query', queryTool],
]);

async function findTool(tools: Tools, { given, scheduler }: ToolCall): Promise<Called> {
  checkNames(given, ['words', 'from']);
  const { words = '' } = given;
  const text = [words].flat().join(' ');
  if (![words].flat().every((one) => typeof one === 'string') || text.length > MOST_CHARACTERS) {
    throw refused(
      'words',
      `words is ${quotedValue(words)}; expected a text of at most ${MOST_CHARACTERS} characters.`,
      'not-text',
    );
  }
  const { index, ...found } = await tools.finder.search(text, scheduler);
  return { result: textResult(searchText(found, tools.blocks, index, fromIn(given))) };
}

/** Characters of what is searched for. */
const MOST_CHARACTERS = 1000;

async function describeTool(tools: Tools, { given }: ToolCall): Promise<Called> {
  checkNames(given, ['block', 'from']);
  return { result: textResult(blockText(tools.blockIn(given), fromIn(given))) };
}

async function queryTool(tools: Tools, { given, call, caller }: ToolCall): Promise<Called> {
  const described = tools.blockIn(given);
  const fix = 'There are: block, arguments. Arguments of the block are members of arguments.';
  checkNames(given, ['block', 'arguments'], fix);
  return callTool(described, call, argumentsIn(given.arguments), caller);
}

/** The arguments of a query: an object, or one as JSON text, as some models write it. */
function argumentsIn(sent: unknown): Members {
  const value = typeof sent === 'string' ? parsed(sent) : (sent ?? {});
  if (isObject(value)) return Object.assign(Object.create(null), value);
  const detail = `arguments is ${quotedValue(sent)}; expected an object of the block's arguments, such as {"field": "value"}.`;
  throw refused('arguments', detail, 'not-an-object');
}

/** The value of a JSON text. Undefined if it is none, or has a name twice, so that either may be meant. */
function parsed(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    const { depth, repeatedName } = scanJson(text);
    return depth > MOST_DEPTH || repeatedName !== undefined ? undefined : value;
  } catch {
    return undefined;
  }
}

/** How deep the arguments of a query may be nested: far more than any are. */
const MOST_DEPTH = 64;

function fromIn({ from = 0 }: Members): number {
  const number = from === null || from === '' ? 0 : Number(from);
  if (Number.isInteger(number) && number >= 0 && number < 1e6) return number;
  throw refused(
    'from',
    `from is ${quotedValue(from)}; expected the number that an answer names.`,
    'not-an-integer',
  );
}

/** Throws a Problem that names what the tool does not take, with `fix` or the nearest name. */
function checkNames(given: Members, allowed: readonly string[], fix?: string): void {
  const unknown = Object.keys(given).filter(
    (name) => !allowed.includes(name) && !isBlank(given[name]),
  );
  if (unknown.length === 0) return;
  const faults = unknown.slice(0, MOST_NAMES).map((name): Fault => {
    const suggestion = nearName(name, allowed);
    const names = fix ?? `There are: ${allowed.join(', ')}.`;
    const mend = suggestion === undefined ? names : `Did you mean ${suggestion}?`;
    return {
      code: 'unknown-parameter',
      detail: `${shorten(name)} is not a parameter of this tool. ${mend}`,
      parameter: shorten(name),
    };
  });
  throw invalidArguments(faults);
}

function refused(parameter: string, detail: string, code: Fault['code']) {
  return invalidArguments([{ code, detail, parameter }]);
}

/** The bytes of the blocks' names in the description of `find`. */
const MOST_NAMES_BYTES = 1500;

/** Three tools by which a model finds a block, reads what it has, and asks it. */
function threeTools(blocks: readonly Described[]): Tool[] {
  const names = blocks.map(({ block }) => block.name);
  const shown = fitting(names, (name) => name.length + 2, MOST_NAMES_BYTES, 1);
  const others = names.length - shown.length;
  const list = `${shown.join(', ')}${others > 0 ? `, and ${numberText(others)} more` : ''}`;
  const block = textSchema("a block's name, as find tells it");
  const from = { type: 'integer', description: 'to go on, as an answer says' };
  return [
    {
      name: 'find',
      title: 'Find data',
      description: `Finds blocks (datasets and functions) by words: by their titles, fields and common values. Tells which field has a value that a word matches. Begin here. Blocks: ${list}.`,
      inputSchema: {
        type: 'object',
        properties: { words: textSchema('the nouns of the question, such as rats Brooklyn'), from },
        required: ['words'],
      },
      annotations: READ_ONLY,
    },
    {
      name: 'describe',
      title: 'Describe a block',
      description:
        'A block on a page: its fields with types, ranges and common values, how to ask it, examples, source and licence.',
      inputSchema: { type: 'object', properties: { block, from }, required: ['block'] },
      annotations: READ_ONLY,
    },
    {
      name: 'query',
      title: 'Query a block',
      description:
        'Asks a block. Filters on rows must all match. _group and _measure count and compute, so that no row need be read. An answer says how many rows match, and how to go on.',
      inputSchema: {
        type: 'object',
        properties: {
          block,
          arguments: {
            type: 'object',
            description:
              "The block's fields by name, as describe tells them, and options. A range is two arguments, of age: age_min and age_max, inclusive. _not: {field: value to leave out}. _or: [{…}, {…}].",
            properties: {
              ...searchSchemas(),
              _group: textSchema('fields to group by: field, date.month, number.10 (width)'),
              _measure: textSchema(measuresInShort()),
              _xy: textSchema('two numbers of each row: x,y'),
              _sort: textSchema('a or -a,b; -count for the most'),
              _fields: textSchema('a,b'),
              _facets: textSchema('fields to count'),
              _limit: { type: 'integer', maximum: MOST_LIMIT },
              _cursor: textSchema('as an answer says'),
            },
          },
        },
        required: ['block'],
      },
      annotations: READ_ONLY,
    },
  ];
}
