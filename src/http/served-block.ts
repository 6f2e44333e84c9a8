import { readArgumentsOf } from '../arguments/arguments.ts';
import type { Arguments, QueryNames, RawArguments, ReadArguments } from '../arguments/given.ts';
import { type KnownNames, knownNamesOf, namesInQuery } from '../arguments/names.ts';
import type { PlainReaderOf } from '../arguments/plain.ts';
import { type Block, type DatasetBlock, datasetOf } from '../block/block.ts';
import { describeBlock } from '../block/describe-block.ts';
import { areaDimension, type Grouping } from '../block/grouping.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import type { ListedFile, VersionFiles } from '../formats/files.ts';
import type { PlacesAsked } from '../formats/format.ts';
import type { Format } from '../formats/formats.ts';
import type { aboutData } from '../portals/about-data.ts';
import type { checkLength, pageTooLong, within } from '../query/answer-length.ts';
import { callsOf, type RunValue } from '../query/compute-value.ts';
import type { FoundRow } from '../query/read-row.ts';
import type { withAddresses } from '../query/row-addresses.ts';
import type { PlanRun } from '../query/run.ts';
import { ownMember } from '../values/field-type.ts';
import type { Boundaries } from '../values/places.ts';
import type { readView, refusedView, renderBlockPage } from '../views/block-page.tsx';
import type { Arrival, Door, ViewQuery } from '../views/view.ts';
import { Budget, RUN_STEPS } from '../work/budget.ts';
import { once } from '../work/once.ts';
import type { Scheduler } from '../work/scheduler.ts';
import type { Answered, Run } from './answer.ts';
import { formatOf } from './read-format.ts';
import type { Handler } from './routes.ts';

/** A block with all that is needed to answer its requests. */
export type ServedBlock = {
  readonly block: Block;
  /** The names that its requests may have. */
  readonly known: KnownNames;
  readonly readArguments: ReadArguments;
  /** Plans its runs. A block brings its own: so one without a dataset carries no code for rows. */
  readonly plan: PlanRun;
  /** Reads the row whose address ends with this segment, if it answers with rows. */
  readonly readRow?: (segment: string, budget: Budget) => Promise<FoundRow>;
  /** The block's description as JSON text, made on first use. */
  readonly description: () => string;
  /** The manifest of its dataset, if it answers with rows. */
  readonly manifest?: Manifest;
  /** The dataset's profile, for the block's page. */
  readonly profile?: () => DatasetProfile;
  /** The shapes of the regions that its rows are about. */
  readonly boundaries?: () => Boundaries;
  /** Its own OpenAPI document as JSON text, where it is known. */
  readonly openapi?: (scheduler: Scheduler) => string | Promise<string>;
  /** Its dataset as a Data Package, in which a reference relative to the blocks is an address. */
  readonly dataPackage?: (hrefOf: (reference: string) => string) => object;
  /** Its dataset in Croissant, at a service of this public address. */
  readonly croissant?: (root: string) => object;
  /** Where the files of its version are, if it has any. */
  readonly files?: VersionFiles | undefined;
  /** The same as documents and pages name them, with the lengths that are known now. */
  readonly filesNow?: (() => readonly ListedFile[]) | undefined;
  /** A mark that differs where these do, for the ETags of what names them. */
  readonly filesMark?: (() => string) | undefined;
  /** Loads the code of its pages, which most requests do not want. */
  readonly views: () => Promise<PageViews>;
  /** What only a block with rows answers with. */
  readonly answers?: DatasetAnswers;
  /** HTML that is the same on all of its pages, by name: each part of the form once it was rendered. */
  readonly kept: Map<string, string>;
};

/** What is asked of a block: the request, what was read of it, and the work it may take. */
export type Asked<Served extends ServedBlock = ServedBlock> = {
  readonly run: Run;
  readonly served: Served;
  /** Its arguments as sent, with the names in its query, and the format that it asks for. */
  readonly given: RawArguments & { readonly names: QueryNames };
  readonly format: Format;
  readonly budget: Budget;
};

/** What a request asks of a block, read once. Each run has a budget of its own. */
export function askedOf<Served extends ServedBlock>(
  run: Run,
  served: Served,
  sent: RawArguments,
  names = namesInQuery(sent.query, served.known, sent.isPost),
): Asked<Served> {
  const { request, scheduler, settings } = run;
  const given = { ...sent, names };
  const format = formatOf(request, served.block, given);
  const budget = new Budget(scheduler, RUN_STEPS, settings.runWithinMs, request, settings.now);
  return { run, served, given, format, budget };
}

/** A block whose answers have rows. */
export type ServedDataset = Omit<ServedBlock, 'views'> &
  Required<Pick<ServedBlock, 'manifest' | 'readRow' | 'answers'>> & {
    readonly block: DatasetBlock;
    readonly views: () => Promise<DatasetViews>;
  };

export function isOfDataset(served: ServedBlock): served is ServedDataset {
  return served.readRow !== undefined;
}

/** How a block takes arguments. */
type Asking = Pick<ServedBlock, 'block' | 'known' | 'readArguments'>;

export function askingOf<T extends Block>(
  block: T,
  atBlock?: KnownNames,
  plainReaderOf?: PlainReaderOf,
): Asking & { readonly block: T } {
  const known = knownNamesOf(block, atBlock);
  return { block, known, readArguments: readArgumentsOf(block, known, plainReaderOf) };
}

export function serveValue(block: Block, run: RunValue): ServedBlock {
  return {
    ...askingOf(block),
    plan: callsOf(run),
    description: once(() => describeBlock(block)),
    views: () => import('../views/value.tsx'),
    kept: new Map(),
  };
}

/** A served dataset as the addresses of its rows take arguments; `all` is it as its own takes them. */
export type ServedRow = ServedDataset & { readonly all: ServedDataset };

/** The pages of a block. The two kinds of blocks have other views. */
export type PageViews = {
  arriveAt(arrival: Arrival): Door;
  /** Reads the arguments of a page. Throws a Problem with every fault. */
  readPage(door: Door, budget: Budget): Arguments;
  /** Chooses what a page shows; `read` is undefined if nothing was asked. */
  openView(door: Door, read: Arguments | undefined, budget: Budget): ViewQuery;
  readView: typeof readView;
  refusedView: typeof refusedView;
  renderBlockPage: typeof renderBlockPage;
};

export type DatasetViews = typeof import('../views/views.ts');

/** What answers at the addresses of files. */
export type FileHandlers = {
  /** Of the current version, by the end of the address. */
  readonly current: readonly (readonly [extension: string, Handler])[];
  /** Of all versions, in their folder. */
  readonly ofVersions: Handler;
};

/** Answers that only datasets have. A block brings them: so one without rows carries no code for them. */
export type DatasetAnswers = {
  /** The figure of the block's page as a file. */
  picture(asked: Asked<ServedDataset>): Promise<Answered>;
  /** A served dataset as the addresses of its rows take arguments. */
  ofOneRow(served: ServedDataset): ServedRow;
  /** What is at the address of a row. */
  row(asked: Asked<ServedRow>): Promise<Answered>;
  /** What is at the addresses of the files, if there are any. */
  files(served: ServedDataset): FileHandlers | undefined;
  /** The reference of the file with the same bytes as an answer that is too long; if there is one. */
  fileInstead(asked: Asked, values: Arguments['values']): string | undefined;
  /** Adds the addresses of its rows to an answer. */
  readonly withAddresses: typeof withAddresses;
  /** What a workbook tells of its data. */
  readonly about: typeof aboutData;
  /** Throws a Problem if a whole answer would be longer than its channel sends. */
  readonly checkLength: typeof checkLength;
  /** A whole answer that ends with a Problem where it is longer than that. */
  readonly within: typeof within;
  /** The refusal of a page that has more bytes than leave in one piece. */
  readonly tooLong: typeof pageTooLong;
};

/** Where a block's rows are on a map; undefined if they have no place. */
export function placesAsked(
  { block, boundaries }: Pick<ServedBlock, 'block' | 'boundaries'>,
  form: unknown,
): PlacesAsked | undefined {
  const geometry = datasetOf(block)?.geometry;
  return geometry && { geometry, boundaries, form: form as PlacesAsked['form'] };
}

/** The shapes of the groups of areas, by the values that name them. Undefined of other groups. */
export function areasAsked(
  { block, boundaries, profile }: Pick<ServedBlock, 'block' | 'boundaries' | 'profile'>,
  grouping: Grouping,
): PlacesAsked | undefined {
  const dataset = datasetOf(block);
  const dimension = dataset && areaDimension(grouping, dataset);
  if (dimension === undefined) return undefined;
  const { name: region } = dimension.column;
  return {
    geometry: { kind: 'regions', region, longitude: '', latitude: '' },
    boundaries: () => {
      const shapes = boundaries?.() ?? {};
      const { areaOf } = profile?.().areas ?? {};
      if (areaOf === undefined) return shapes;
      return Object.fromEntries(
        Object.entries(areaOf).map(([value, area]) => [value, ownMember(shapes, area) ?? 'null']),
      );
    },
  };
}
