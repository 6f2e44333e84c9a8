import type { Block } from '../core/block.ts';
import type { Budget } from '../core/budget.ts';
import type { DatasetFacts } from '../core/dataset-facts.ts';
import type { Boundaries } from '../core/geometry.ts';
import type { PreparedRun } from '../core/run-dataset.ts';
import type { DatasetProfile } from '../page/dataset-profile.ts';

/** A block with all that it needs to be answered. */
export type ServedBlock = {
  readonly block: Block;
  /** Decides a run from valid arguments; throws a Refusal for what cannot be asked. */
  readonly prepare: (values: Readonly<Record<string, unknown>>, budget: Budget) => PreparedRun;
  /** The block's description, as JSON text; made when it is first asked for. */
  readonly description: () => string;
  /** Of the dataset that its rows are of. */
  readonly facts?: DatasetFacts;
  /** For its page. */
  readonly profile?: () => DatasetProfile;
  /** The shapes of its rows' regions. */
  readonly boundaries?: () => Boundaries;
};
