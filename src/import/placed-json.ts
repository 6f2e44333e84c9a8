import { parse, tokenize, type ValueNode } from '@humanwhocodes/momoa';
import { SeedError } from '../files/source-table.ts';
import { numberText } from '../values/wording.ts';

/** The way from a JSON text's root to a part of it: names of members, and places in lists. */
export type Way = readonly (string | number)[];

/** A JSON text's value, and where its parts are. */
export type PlacedJson = {
  readonly value: unknown;
  /** An error about a part; where the part is absent, about what should hold it. */
  fault(reason: string, way: Way, of?: 'name' | 'value'): SeedError;
  /** How far into the text a part begins. */
  offset(way: Way, of?: 'name' | 'value'): number;
};

/** Characters: some 5,000 fields. */
const MOST_LENGTH = 2 ** 20;

/** The parser recurses; what is read here needs five. */
const MOST_DEPTH = 16;

/** Reads JSON in which no name is given twice. Throws a SeedError with the line and column. */
export function readPlacedJson(text: string, file: string): PlacedJson {
  if (text.length > MOST_LENGTH) {
    throw new SeedError(
      file,
      `over ${numberText(MOST_LENGTH)} characters; that is more than it may have`,
    );
  }
  const json = text.replace(/^\ufeff/, '');
  checkTokens(json, file);
  const root = rootOf(json, file);
  const partOf = (way: Way, of: 'name' | 'value') => {
    let node: ValueNode = root;
    for (const [i, step] of way.entries()) {
      const found = childOf(node, step);
      if (found === undefined) return node;
      if (of === 'name' && i === way.length - 1) return found.name ?? found.value;
      node = found.value;
    }
    return node;
  };
  const placed: PlacedJson = {
    value: JSON.parse(json),
    fault: (reason, way, of = 'value') => faultAt(file, reason, partOf(way, of).loc.start),
    offset: (way, of = 'value') => partOf(way, of).loc.start.offset,
  };
  checkNames(root, file);
  return placed;
}

type Place = { readonly line: number; readonly column: number };

function faultAt(file: string, reason: string, { line, column }: Place): SeedError {
  return new SeedError(file, reason, { line, column: String(column) });
}

/** Bounds the depth, and refuses what the parser takes and JSON does not. */
function checkTokens(json: string, file: string): void {
  let depth = 0;
  for (const { type, loc } of asJson(json, file, () => tokenize(json, { mode: 'json' }))) {
    if (type === 'LBrace' || type === 'LBracket') depth++;
    if (type === 'RBrace' || type === 'RBracket') depth--;
    if (depth > MOST_DEPTH) {
      throw faultAt(file, `over ${MOST_DEPTH} objects and lists in each other`, loc.start);
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids these in a text
    if (type === 'String' && /[\0-\x1f]/.test(json.slice(loc.start.offset, loc.end.offset))) {
      const reason = 'a text has a line end or a tab in it; write \\n or \\t, or close its quotes';
      throw faultAt(file, reason, loc.start);
    }
  }
}

function rootOf(json: string, file: string): ValueNode {
  return asJson(json, file, () => parse(json, { mode: 'json' }).body);
}

/** Says in our words where a text is not JSON. */
function asJson<T>(json: string, file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { line, column, offset } = error as Place & { offset?: number };
    if (offset === undefined) throw error;
    const found = json[offset];
    const what =
      found === undefined ? 'it ends too early' : `${JSON.stringify(found)} is unexpected`;
    throw faultAt(file, `not valid JSON: ${what}; ${hintOf(found)}`, { line, column });
  }
}

function hintOf(found: string | undefined): string {
  if (found === undefined) return 'a } or ] is missing';
  if (found === '}' || found === ']') return 'there may be a comma too many, or a value missing';
  if (found === '/' || found === '#') return 'JSON has no comments';
  if (found === '"' || found === '{' || found === '[') return 'a comma or colon may be missing';
  return 'names and texts stand in double quotes';
}

function childOf(node: ValueNode, step: string | number) {
  if (node.type === 'Array') {
    const value = node.elements[Number(step)]?.value;
    return value && { name: undefined, value };
  }
  if (node.type !== 'Object') return undefined;
  return node.members.find(({ name }) => nameOf(name) === step);
}

type NameNode = Extract<ValueNode, { type: 'Object' }>['members'][number]['name'];

function nameOf(name: NameNode): string {
  return name.type === 'String' ? name.value : name.name;
}

/** Throws for the first name that its object has twice; most readers would silently take the last. */
function checkNames(node: ValueNode, file: string): void {
  if (node.type === 'Array') for (const { value } of node.elements) checkNames(value, file);
  if (node.type !== 'Object') return;
  const first = new Map<string, number>();
  for (const { name, value } of node.members) {
    const known = first.get(nameOf(name));
    if (known !== undefined) {
      const reason = `${JSON.stringify(nameOf(name))} is given twice, first in line ${known}; leave one out`;
      throw faultAt(file, reason, name.loc.start);
    }
    first.set(nameOf(name), name.loc.start.line);
    checkNames(value, file);
  }
}
