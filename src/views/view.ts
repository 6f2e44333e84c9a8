import type { Arguments, Members, RawArguments, ReadArguments } from '../arguments/given.ts';
import type { Block, DatasetBlock, ValueBlock } from '../block/block.ts';
import { type Grouping, groupingOf } from '../block/grouping.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import { XY } from '../block/two-numbers.ts';
import type { MarkName, ViewName } from '../block/views.ts';
import type { Figure } from '../figure/figure.ts';
import type { PlainMessage } from '../languages/german.ts';
import type { Language } from '../languages/language.ts';
import type { PageWords } from '../page/block-head.tsx';
import type { Links } from '../page/links.ts';
import { type PageAddress, type PageState, TABLE_NAMES } from '../page/links.ts';
import type { DatasetPage, Found, Html, Page } from '../page/page.ts';
import type { Taken } from '../page/share-menus.tsx';
import type { Publication } from '../portals/publication.ts';
import type { Problem, Warning } from '../problem/errors.ts';
import type { Output, PlannedRun, PlanRun } from '../query/run.ts';
import type { Field } from '../values/field-types.ts';
import type { Boundaries } from '../values/places.ts';
import type { Budget } from '../work/budget.ts';

/** A dataset, as its views ask it. */
export type OfDataset = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly profile?: DatasetProfile;
  /** The shapes of its regions, or of the areas that a field names. */
  readonly boundaries?: () => Boundaries;
  readonly plan: PlanRun;
  readonly readArguments: ReadArguments;
  /** What is the same on all of its pages. */
  readonly kept: Map<string, string>;
};

/** What is known of a page at its door: its block, and where and with what it was asked for. */
export type Arrival = {
  readonly block: Block;
  readonly manifest?: Manifest;
  readonly profile?: DatasetProfile;
  readonly boundaries?: () => Boundaries;
  readonly plan: PlanRun;
  readonly readArguments: ReadArguments;
  readonly kept: Map<string, string>;
  readonly whole?: DatasetPage['whole'];
  readonly files?: DatasetPage['files'];
  readonly given: RawArguments;
  /** Names in the address that the block does not have. */
  readonly unused: readonly string[];
  readonly address: PageAddress;
  /** The service as search engines are told of it; absent of a page that they may not keep. */
  readonly site?: { readonly root: string; readonly publication: Publication };
  readonly mayBeFramed: boolean;
};

/** The same, with what follows from it. */
export type Door = Omit<Arrival, 'block' | 'manifest'> & {
  readonly sent: PageState;
  readonly language: Language;
  readonly today: string;
  /** What is wrong with the page's address. */
  readonly tooLong: Problem | undefined;
  /** The views that its tabs are of. */
  readonly kinds: readonly ViewKind[];
} & (
    | { readonly block: DatasetBlock; readonly manifest: Manifest }
    | { readonly block: ValueBlock; readonly manifest?: undefined }
  );

/** The arguments that a page was given, as read. */
export type Given = Pick<Arguments, 'values' | 'grouping'>;

/** What a view asks of its block. */
export type ViewQuery = {
  readonly view: View;
  /** Its name, if it is one of a dataset's. */
  readonly name?: ViewName;
  /** The arguments, with those of a question that was not sent. */
  readonly values: Members;
  /** Absent if the page is of rows. */
  readonly grouping?: Grouping;
  /** The arguments that were not sent: of the block's first question, or of its map. */
  readonly added: Members;
  /** Set if the arguments imply the view: the page's links then name it, so that they keep it. */
  readonly isImplied?: boolean;
  /** It planned: what the page's answer depends on. */
  readonly planned?: PlannedRun;
};

/** What a view is read with. */
export type Reading<Of = OfDataset, P = DatasetPage> = {
  readonly of: Of;
  /** The page as it is known before: its language, and what its links are made of. */
  readonly page: P;
  /** Warnings of the arguments. */
  readonly warnings: readonly Warning[];
  readonly budget: Budget;
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

/** What was read for a view. */
export type Read = Found & {
  /** What is recorded of it; absent if nothing was read. */
  readonly output?: Output;
  /** How many rows or groups the answer has, and the cursor of the next page. */
  readonly total?: number;
  readonly next?: string | null;
  readonly warnings?: readonly Warning[];
  /** What a search may have meant. */
  readonly hints?: readonly SearchHint[];
  /** The question that was answered, if it differs from what was asked. */
  readonly answered?: ViewQuery;
};

/** What is read where a view has nothing to show. */
export type Instead = { readonly instead: ViewQuery };

/** What a page shows. After `read`, nothing waits for the data. */
export type View<R extends Read = Read> = {
  /** Where the first stop of the keyboard leads: `To the figure`. */
  readonly skip: PlainMessage;
  /** Where the filters are: beside what is shown, or in a sheet over it. It has none if absent. */
  readonly filters?: 'beside' | 'sheet';
  /** How groups are drawn that ask for no mark. */
  readonly usual?: MarkName;
  /** Set if it lists the block's examples, which are below others. */
  readonly listsExamples?: true;
  /** What the answer depends on. */
  plan?(query: ViewQuery, of: OfDataset, budget: Budget): PlannedRun;
  read(query: ViewQuery, reading: Reading): Promise<R | Instead>;
  /** The page's title, and what a link to it says. */
  words(read: R, page: Page): PageWords;
  /** What is asked, above what is shown. */
  strip?(read: R, page: Page): Html;
  show(read: R, page: Page): Html;
  /** The same alone, for a frame in another page. */
  embed?(read: R, page: Page): Html;
  /** What can be taken away: files, and texts to copy. */
  files?(read: R, page: Page): Taken | undefined;
  /** Its figure as plain data; undefined if no mark can draw it. Absent if it has none. */
  figure?(query: ViewQuery, drawing: Drawing): Promise<DrawnView | undefined>;
};

/**
 * A view of a dataset. To add one, write it in a file here, name it in src/block/views.ts, and list
 * it in views.ts.
 */
export type ViewKind<R extends Read = Read> = View<R> & {
  readonly name: ViewName;
  /** What its tab says. */
  readonly title: PlainMessage;
  /** What is beside that: a number. */
  badge?(page: DatasetPage, found: Found): Html;
  /** Whether a block's page has it. */
  offered(of: OfDataset): boolean;
  /** Whether a block's page opens with it, if the arguments ask for no other. */
  isFirst?(of: OfDataset): boolean;
  /** Whether arguments that name no view are for this one. */
  isMeant?(of: OfDataset, given: Given): boolean;
  /** What it asks; `first` is the block's first question, if it opens with that. */
  ask(of: OfDataset, given: Given, first?: Members): ViewQuery;
  /** The arguments of a link to it. */
  state(links: Links): PageState;
};

/** What a figure without links is read with. */
export type Drawing = Pick<Reading, 'of' | 'budget'> & Pick<DatasetPage, 'language'>;

/** A figure, how many rows or groups it is of, and what is recorded of it. */
export type DrawnView = {
  readonly figure: Figure;
  readonly figureIn: (language: DatasetPage['language']) => Figure;
  readonly grouping?: Grouping;
  readonly total: number;
  readonly output: Output;
  /** What was asked for it, if that is more than its view was asked. */
  readonly values?: Members;
};

/** What a view asks with another question than the one that was sent. */
export function withOtherQuestion(
  view: ViewKind,
  { block }: OfDataset,
  values: Members,
  question: Members,
): Omit<ViewQuery, 'isImplied'> | undefined {
  const filters = Object.entries(values).filter(([name]) => !TABLE_NAMES.includes(name));
  const all = { ...Object.fromEntries(filters), ...question };
  const grouping = groupingOf(block, all);
  if (grouping === undefined && question[XY] === undefined) return undefined;
  return { view, name: view.name, values: all, grouping, added: question };
}
