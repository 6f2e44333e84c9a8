import type { Block } from '../block/block.ts';
import { type Grouping, isHaving } from '../block/grouping.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import { alternativeName, BBOX, NEAR, Q, WITHIN } from '../block/parameter.ts';
import type { MarkName, ViewName } from '../block/views.ts';
import type { Figure } from '../figure/figure.ts';
import type { PlainMessage } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import type { Publication } from '../portals/publication.ts';
import type { Fault, ProblemTitle, Warning } from '../problem/errors.ts';
import type { BinCounts, Facet } from '../query/groups.ts';
import type { PageBefore } from '../query/run.ts';
import type { FilterHelp } from '../query/why-empty.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import type { Turn } from './in-turns.ts';

/**
 * All that a block's page shows, as plain data, so that pages can be a separate bundle; and what
 * lets others have their turns while it is rendered.
 */
export type BlockView = {
  readonly block: Block;
  /** How the page speaks. */
  readonly language: Language;
  readonly manifest?: Manifest | undefined;
  readonly profile?: DatasetProfile | undefined;
  /** The arguments as sent; names may repeat. */
  readonly given: readonly (readonly [string, string])[];
  /** The arguments as read, if they are valid. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Names in the address that the block does not have; they are in neither of these. */
  readonly unused: readonly string[];
  /** What the page shows. Absent if the block has one value, or its arguments are refused. */
  readonly opened?: ViewName | undefined;
  /** Whether the arguments imply the view, which the page's links must then name. */
  readonly isImplied?: boolean;
  /** The arguments of a question that nobody sent: the block's first. */
  readonly added?: PageState | undefined;
  readonly address: PageAddress;
  /** The service as search engines are told of it; absent of a page that they may not keep. */
  readonly site?: { readonly root: string; readonly publication: Publication } | undefined;
  /** The day on which it is shown: `2026-11-28`. */
  readonly today: string;
  /** Whether other sites may show the page in a frame. */
  readonly mayBeFramed: boolean;
  readonly outcome: PageOutcome;
  /** What a search may have meant. */
  readonly hints?: readonly SearchHint[];
  readonly turn: Turn;
  /** HTML, and what is decided once, that is the same on all pages of the block; pages add to it. */
  readonly kept: Map<string, string>;
};

/** Where a page is, so that its links work under any stage or base path. */
export type PageAddress = {
  /** The page's absolute address without its query, for snippets. */
  readonly url: string;
  /** The relative link from the page to the service's root: `../../`. */
  readonly toRoot: string;
};

/** The columns of a page's table, and what they leave out. */
export type TableShown = {
  readonly columns: readonly TableColumn[];
  /** All columns that rows have, in order of use. */
  readonly inUse: readonly Field[];
  /** How many columns have no value in the whole dataset; they are not shown unasked. */
  readonly empty: number;
  /** Whether somebody chose the columns. All of them are shown then. */
  readonly isChosen: boolean;
};

/** A column in a word and a small figure: parts of its rows, or a histogram. */
export type ColumnSummary = {
  readonly rows: number;
  readonly nulls: number;
  readonly text: string;
  /** The same with a shorter number, where there is little room. */
  readonly short?: string;
  readonly parts?: readonly number[];
  readonly bins?: readonly number[];
  readonly isLog?: true;
};

/** A column of a page's table. */
export type TableColumn = {
  readonly field: Field;
  /** How wide it is, and from which window on it is shown: classes of the style. */
  readonly width?: string;
  readonly from?: string;
  /** Characters that surely fit its width. */
  readonly fits: number;
  /** Whether a card on a phone has it. */
  readonly isOnCard?: boolean;
  /** Whether most of its cells on this page are written from the right, so that it stands there. */
  readonly isFromRight?: boolean;
};

export type PageOutcome =
  /** No arguments were given, but the block needs some. */
  | { readonly kind: 'unasked' }
  | {
      readonly kind: 'refused';
      readonly title: ProblemTitle;
      readonly detail: string;
      readonly faults: readonly Fault[];
      readonly runId: string;
    }
  | {
      readonly kind: 'rows';
      readonly rows: readonly Row[];
      /** The answer's columns, and those that the table has. */
      readonly columns: readonly Field[];
      readonly table: TableShown;
      /** Whether the table has fewer rows than `_limit` asks for, to have fewer cells. */
      readonly isShort: boolean;
      /** Set if the rows are groups, with how many of the dataset's rows are in them. */
      readonly groups?: { readonly grouping: Grouping; readonly matching: number };
      readonly facets?: Readonly<Record<string, Facet>>;
      readonly bins?: Readonly<Record<string, BinCounts>>;
      /** The rows as the body of a table, in HTML. */
      readonly body: string;
      readonly total: number;
      readonly next: string | null;
      /** What comes before the page. Absent if nobody knows, or asks. */
      readonly before?: PageBefore;
      /** What is told of columns, each of the rows that match. */
      readonly summaries: Readonly<Record<string, ColumnSummary>>;
      /** How many rows a page has, if nothing cuts it. */
      readonly limit: number;
      readonly warnings: readonly Warning[];
      readonly help?: readonly FilterHelp[];
    }
  | FigureOutcome
  /** The columns of the dataset, of which the import told all. */
  | { readonly kind: 'columns'; readonly warnings: readonly Warning[] }
  | {
      readonly kind: 'value';
      readonly value: Readonly<Record<string, unknown>>;
      readonly warnings: readonly Warning[];
    };

/** A value of a field that is like a word that was searched for, and finds more rows as a filter. */
export type SearchHint = {
  readonly field: Field;
  /** As a filter has it. */
  readonly value: string;
  /** The word that it is like, and the others, which are still searched for. */
  readonly word: string;
  readonly others: string;
  readonly rows: number;
};

/** A figure, with its parts as HTML. */
export type FigureOutcome = {
  readonly kind: 'figure';
  readonly figure: Figure;
  /** The marks that can draw the question, as the page offers them. */
  readonly marks: readonly { readonly name: MarkName; readonly title: PlainMessage }[];
  /** What is drawn, which may have longer periods than were asked for. Absent of rows on a map. */
  readonly grouping?: Grouping;
  readonly picture: string;
  readonly caption: string;
  /** The first of its numbers as a table; absent if the picture is one. */
  readonly numbers?: string;
  readonly numbersShown: number;
  /** How many rows match. */
  readonly matching: number;
  readonly facets?: Readonly<Record<string, Facet>>;
  readonly bins?: Readonly<Record<string, BinCounts>>;
  readonly warnings: readonly Warning[];
  readonly help?: readonly FilterHelp[];
};

/** How many rows match. Undefined if the page does not tell. */
export function matchingIn(outcome: PageOutcome): number | undefined {
  if (outcome.kind === 'figure') return outcome.matching;
  return outcome.kind === 'rows' ? (outcome.groups?.matching ?? outcome.total) : undefined;
}

/** A page's arguments as the pairs of a query. */
export type PageState = readonly (readonly [string, string])[];

/** Arguments as the pairs of a query; a list repeats its name. */
export function pairsOf(values: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
}

/** The pairs of a request that a page's links keep: those that the block knows, and the key. */
export function pageState(block: Block, given: PageState): PageState {
  const all = [...block.parameters, ...block.options];
  const known = new Set(all.map(({ name }) => name).concat('api_key'));
  // Links of a view in a frame lead to the whole page.
  for (const name of ['_format', '_embed']) known.delete(name);
  const formerly = new Map(all.map(({ formerly, name }) => [formerly, name]));
  return given
    .map(([name, value]) => [formerly.get(name) ?? name, value] as const)
    .filter(
      ([name, value]) =>
        (known.has(name) || isOfAlternative(name) || isHaving(name)) && value.trim() !== '',
    );
}

function isOfAlternative(name: string): boolean {
  return alternativeName(name) !== undefined;
}

/** Replaces the pairs of the names in `changes`; null removes a name. */
export function changed(
  state: PageState,
  changes: Readonly<Record<string, string | readonly string[] | null>>,
): PageState {
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
  return [...state.filter(([name]) => !Object.hasOwn(changes, name)), ...added];
}

/** Arguments of a table: no figure's question has them. */
export const TABLE_NAMES: readonly string[] = ['_sort', '_fields', '_limit', '_cursor'];

/** Drops names, and the page that was turned to, which another answer does not have. */
export function without(state: PageState, names: readonly string[]): PageState {
  return state.filter(([name]) => name !== '_cursor' && !names.includes(name));
}

/** The answer's anchor: links that sort or turn pages keep scroll position and focus there. */
export const FOUND = '#found';

/** A link of only a query, which works under any path. */
export function hrefOf(state: PageState, place = ''): string {
  return `?${new URLSearchParams(state.map(([name, value]) => [name, value]))}${place}`;
}

/** The values of a name, in order. */
export function valuesOf(state: PageState, name: string): string[] {
  return state.filter(([other]) => other === name).map(([, value]) => value);
}

/** The parameters that ask for rows by their place. */
export const PLACE_NAMES = [NEAR, WITHIN, BBOX] as const;

/** The parameters with a box in a block's form; others are kept until a link drops them. */
export function namesWithBox({ answers, parameters }: Block): string[] {
  const named = parameters
    .filter(({ field, op }) => answers === 'value' || (field !== undefined && op !== 'not'))
    .map(({ name }) => name);
  return answers === 'value' ? named : [...named, Q, ...PLACE_NAMES];
}
