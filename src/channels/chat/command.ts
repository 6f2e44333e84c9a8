import type { Members } from '../../arguments/given.ts';
import type { BlockDescription, DescribedParameter } from '../../block/describe-block.ts';
import { isHaving } from '../../block/grouping.ts';
import { alternativeName, NOT, OR, operatorName } from '../../block/parameter.ts';
import { nearName } from '../../text/near-name.ts';

/** What a chat line or a command line asks for. */
export type Command =
  | { readonly kind: 'help'; readonly block?: BlockDescription }
  | {
      readonly kind: 'invalid';
      /** One text for each part that was not understood, with how to write it. */
      readonly faults: readonly string[];
      readonly block?: BlockDescription;
      /** The part that was understood; its values may be wrong too. */
      readonly understood?: Understood;
    }
  | ({ readonly kind: 'run'; readonly block: BlockDescription } & Understood);

export type Understood = {
  /** The arguments as in a POST's body. */
  readonly arguments: Members;
  readonly typed: TypedNames;
};

/** A name that may stand before a colon, and the parameters that it gives. */
export type Term = {
  /** All its names; the first is the one to show. */
  readonly names: readonly string[];
  readonly title: string;
} & (
  | { readonly kind: 'one'; readonly parameter: DescribedParameter }
  | {
      readonly kind: 'range';
      /** The parameter that a single value goes to. */
      readonly is: DescribedParameter;
      readonly low: DescribedParameter;
      readonly high: DescribedParameter;
    }
);

/** The name that was typed for each parameter. */
export type TypedNames = ReadonlyMap<string, string>;

/** Every term of a block: its parameters and options; the two ends of a range share one term. */
export function termsOf({ parameters, options }: BlockDescription): Term[] {
  const endOf = (field: string | undefined, end: string) =>
    parameters.find((parameter) => parameter.field === field && parameter.op === end);
  const hasNot = parameters.some(({ name }) => name === NOT);
  const known = parameters.filter(({ name }) => name !== NOT && name !== OR);
  const negated = hasNot ? known.flatMap(negatedOf) : [];
  return [...known, ...options, ...negated].map((parameter): Term => {
    const { name, alias, title, field, op } = parameter;
    const names = alias === undefined ? [name] : [alias, name];
    const [low, high] = op === 'is' ? [endOf(field, 'min'), endOf(field, 'max')] : [];
    return low === undefined || high === undefined
      ? { kind: 'one', names, title, parameter }
      : { kind: 'range', names, title, is: parameter, low, high };
  });
}

/** A parameter for the negated filter of a field, which finds the rows that it would leave out. */
function negatedOf(parameter: DescribedParameter): DescribedParameter[] {
  const { name, alias, title, op } = parameter;
  if (op !== 'is') return [];
  const { main: _, ...others } = parameter;
  const short = alias && operatorName(alias, 'not');
  const own = { name: operatorName(name, 'not'), alias: short, title: `${title}, not` };
  return [{ ...others, ...own, op: 'not' }];
}

/** A field's term within an alternative: `_or.1.name`. */
export function alternativeTerm(term: Term, prefix: string): Term {
  const prefixed = (parameter: DescribedParameter): DescribedParameter => {
    const { alias: _, main: __, ...others } = parameter;
    return { ...others, name: prefix + parameter.name };
  };
  const names = term.names.map((name) => prefix + name);
  if (term.kind === 'one') return { ...term, names, parameter: prefixed(term.parameter) };
  const [is, low, high] = [term.is, term.low, term.high].map(prefixed) as [
    ...[DescribedParameter, DescribedParameter, DescribedParameter],
  ];
  return { ...term, names, is, low, high };
}

/** Whether an alternative may have a term: a filter of one field. */
export function isFilterTerm(term: Term): boolean {
  return term.kind === 'range' || term.parameter.field !== undefined;
}

/** Whether a term's values are numbers, as far as the description tells. */
export function isNumeric(term: Term): boolean {
  const { type, range } = term.kind === 'range' ? term.is : term.parameter;
  return type === 'number' || type === 'integer' || typeof range?.min === 'number';
}

/** Finds terms by the typed name; case matters only if two names differ in nothing else. */
export type FindTerm = {
  find(name: string): Term | undefined;
  /** The name that was probably meant. */
  near(name: string): string | undefined;
  /** The name of the main parameter, to show. */
  readonly main?: string;
};

export function findTermOf(block: BlockDescription): FindTerm {
  const terms = termsOf(block);
  const exact = new Map<string, Term>();
  const folded = new Map<string, Term | undefined>();
  for (const term of terms) {
    for (const name of term.names) {
      if (exact.has(name)) continue;
      exact.set(name, term);
      const lower = name.toLowerCase();
      const isShared = folded.has(lower) && folded.get(lower) !== term;
      folded.set(lower, isShared ? undefined : term);
    }
  }
  const known = terms.flatMap(({ names }) => names);
  const main = terms.find((term) => term.kind === 'one' && term.parameter.main === true);
  const plain = (name: string) => exact.get(name) ?? folded.get(name.toLowerCase());
  // The same term each time, as tokens are sorted by it.
  const inAlternatives = new Map<string, Term>();
  const inAlternative = (typed: string): Term | undefined => {
    const alternative = alternativeName(typed.toLowerCase());
    const term = alternative && plain(alternative.name);
    if (alternative === undefined || term === undefined || !isFilterTerm(term)) return undefined;
    const key = alternative.prefix + term.names[0];
    const made = inAlternatives.get(key) ?? alternativeTerm(term, alternative.prefix);
    inAlternatives.set(key, made);
    return made;
  };
  // What groups can be filtered by follows from the groups; the service judges it.
  const hasGroups = block.options.some(({ name }) => name === '_group');
  const havings = new Map<string, Term>();
  const having = (typed: string): Term | undefined => {
    const name = typed.toLowerCase();
    if (!hasGroups || !isHaving(name)) return undefined;
    const parameter: DescribedParameter = { name, title: name, type: 'text', required: false };
    const term = havings.get(name) ?? { kind: 'one', names: [name], title: name, parameter };
    havings.set(name, term);
    return term;
  };
  return {
    find: (name) => plain(name) ?? inAlternative(name) ?? having(name),
    near: (name) => nearName(name, known),
    main: main?.names[0],
  };
}

/** The field's name if the term is the field's plain filter; otherwise the parameter's name. */
export function fieldOf(term: Term): string {
  if (term.kind === 'range') return term.is.name;
  const { field, op, name } = term.parameter;
  return op === 'is' && field !== undefined ? field : name;
}

/** The names of a block. */
export type BlockNames = Pick<BlockDescription, 'id' | 'name' | 'alias'>;

/** A block, or those whose names all have the word, or else those with a similar one. */
type FoundByWord<B> =
  | { readonly block: B }
  | { readonly candidates: readonly B[]; readonly haveIt: boolean };

/**
 * Finds the block that a word means: its name, its id, its alias, or a word of its name. Of several
 * blocks that have the word, it means one without an alias, which had the word before a block that
 * was given an alias came; then the one whose name begins with it.
 */
export function findBlock<B extends BlockNames>(
  word: string,
  blocks: readonly B[],
): FoundByWord<B> {
  const lower = word.toLowerCase();
  const called = blocks.find(({ id, name }) => [id, name].some((one) => one === word));
  const block =
    called ?? blocks.find(({ id, name }) => [id, name].some((one) => one.toLowerCase() === lower));
  if (block !== undefined) return { block };
  const having = blocks.filter(({ name }) => wordsInName(name).includes(lower));
  const choices = [
    blocks.filter(({ alias }) => alias?.toLowerCase() === lower),
    having,
    having.filter(({ alias }) => alias === undefined),
    having.filter(({ alias, name }) => alias === undefined && wordsInName(name)[0] === lower),
  ];
  const [only] = choices.find(({ length }) => length === 1) ?? [];
  if (only !== undefined) return { block: only };
  if (having.length > 0) return { candidates: having, haveIt: true };
  const wordsOf = ({ name, alias = name }: B) => [name, alias, ...wordsInName(name)];
  const near = nearName(word, blocks.flatMap(wordsOf));
  const candidates = blocks.filter((one) => near !== undefined && wordsOf(one).includes(near));
  return { candidates, haveIt: false };
}

/**
 * The alias that a new block needs so that the words of other blocks' names keep their meaning:
 * the shortest word that neither these nor its own fields have, or its whole name. Undefined if it
 * shares no word.
 */
export function aliasBeside(
  name: string,
  others: readonly string[],
  fields: readonly string[],
): string | undefined {
  const taken = new Set(others.flatMap(wordsInName));
  const words = wordsInName(name);
  if (!words.some((word) => taken.has(word))) return undefined;
  return shortWords(name).find((word) => !taken.has(word) && !fields.includes(word)) ?? name;
}

/** The words of a name that may be short names, the shortest first. */
function shortWords(name: string): string[] {
  const words = wordsInName(name).filter((word) => word.length >= LEAST_LETTERS);
  return words.sort((a, b) => a.length - b.length);
}

/** A shorter word of a name is no short name. */
const LEAST_LETTERS = 3;

function wordsInName(name: string): string[] {
  return name.toLowerCase().split(/[-_]/);
}

/**
 * A block's alias, or the shortest word of its name that means it among these blocks. The names of
 * its parameters are excluded, to avoid confusion. Returns the full name if there is no such word.
 */
export function shortNameOf(block: BlockDescription, blocks: readonly BlockNames[]): string {
  const own = new Set(termsOf(block).flatMap(({ names }) => names));
  const isThisBlock = (word: string) => {
    const found = findBlock(word, blocks);
    return 'block' in found && found.block.id === block.id;
  };
  const words = shortWords(block.name).filter((word) => !own.has(word));
  return [block.alias ?? [], words].flat().find(isThisBlock) ?? block.name;
}
