import { readArgumentsOf } from '../arguments/arguments.ts';
import type { Arguments, RawArguments, ReadArguments } from '../arguments/given.ts';
import { type KnownNames, knownNamesOf } from '../arguments/names.ts';
import type { Block, DatasetBlock } from '../block/block.ts';
import { describeBlock } from '../block/describe-block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import { oneRowOf } from '../block/row-key.ts';
import type { PlacesAsked } from '../formats/format.ts';
import type { Format } from '../formats/formats.ts';
import type { Problem } from '../problem/errors.ts';
import { callsOf, type RunValue } from '../query/compute-value.ts';
import type { FoundRow } from '../query/read-row.ts';
import type { PlannedRun, PlanRun, RowsOutput } from '../query/run.ts';
import type { Boundaries } from '../values/places.ts';
import type { Budget } from '../work/budget.ts';
import { once } from '../work/once.ts';
import type { Scheduler } from '../work/scheduler.ts';
import type { Answered, Run, ServiceSettings } from './answer.ts';
import type { RowsPage } from './rows-page.ts';

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
  /** Its dataset in Croissant, at a service of this public address. */
  readonly croissant?: (root: string) => object;
  /** Its pages, if it answers with rows. */
  readonly page?: RowsPage;
  /** What only a block with rows answers with. */
  readonly answers?: DatasetAnswers;
  /** HTML that is the same on all of its pages, by name: each part of the form once it was rendered. */
  readonly kept: Map<string, string>;
};

/** What is asked of a block: the request with its arguments as sent, and the work it may take. */
export type Asked<Served extends ServedBlock = ServedBlock> = {
  readonly run: Run;
  readonly served: Served;
  readonly given: RawArguments;
  readonly budget: Budget;
};

/** A block whose answers have rows. */
export type ServedDataset = ServedBlock &
  Required<Pick<ServedBlock, 'manifest' | 'readRow' | 'page' | 'answers'>> & {
    readonly block: DatasetBlock;
  };

export function isOfDataset(served: ServedBlock): served is ServedDataset {
  return served.readRow !== undefined;
}

/** How a block takes arguments. */
type Asking = Pick<ServedBlock, 'block' | 'known' | 'readArguments'>;

export function askingOf<T extends Block>(
  block: T,
  atBlock?: KnownNames,
): Asking & { readonly block: T } {
  const known = knownNamesOf(block, atBlock);
  return { block, known, readArguments: readArgumentsOf(block, known) };
}

export function serveValue(block: Block, run: RunValue): ServedBlock {
  return {
    ...askingOf(block),
    plan: callsOf(run),
    description: once(() => describeBlock(block)),
    kept: new Map(),
  };
}

/** A served dataset as the addresses of its rows take arguments; `all` is it as its own takes them. */
export type ServedRow = ServedDataset & { readonly all: ServedDataset };

export function serveOneRow(served: ServedDataset): ServedRow {
  return { ...served, ...askingOf(oneRowOf(served.block), served.known), all: served };
}

/** Answers that only datasets have. A block brings them: so one without rows carries no code for them. */
export type DatasetAnswers = {
  /** The figure of the block's page as a file. */
  figure(asked: Asked<ServedDataset>): Promise<Answered>;
  /** What is at the address of a row. */
  row(asked: Asked<ServedRow>, format: Format): Promise<Answered>;
  /** Throws a Problem if a whole answer would be longer than its channel sends. */
  checkLength(
    asked: Asked,
    format: Format,
    rows: RowsOutput,
    values: Arguments['values'],
    plan: PlannedRun,
  ): void;
  /** A whole answer that ends with a Problem where it is longer than that. */
  within(
    settings: ServiceSettings,
    format: Format,
    total: number,
    pieces: AsyncIterable<string | Uint8Array>,
  ): AsyncIterable<string | Uint8Array>;
  /** The refusal of a page that has more bytes than leave in one piece. */
  tooLong(most: number): Problem;
};

/** Where a block's rows are on a map; undefined if they have no place. */
export function placesAsked(
  { block, boundaries }: Pick<ServedBlock, 'block' | 'boundaries'>,
  form: unknown,
): PlacesAsked | undefined {
  const { geometry } = block as Partial<DatasetBlock>;
  return geometry && { geometry, boundaries, form: form as PlacesAsked['form'] };
}
