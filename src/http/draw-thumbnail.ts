import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest, Thumbnail } from '../block/manifest.ts';
import { thumbnailOf } from '../figure/thumbnail.ts';
import { ENGLISH } from '../languages/english.ts';
import { Problem } from '../problem/errors.ts';
import { type Dataset, plansOf } from '../query/run.ts';
import { Budget } from '../work/budget.ts';
import { Scheduler } from '../work/scheduler.ts';
import { figureOfView } from './figure-outcome.ts';
import { readFigure } from './read-figure.ts';
import { rowsPage } from './rows-page.ts';
import { askingOf } from './served-block.ts';

/** What an import has made of a dataset. */
type Imported = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly profile: DatasetProfile;
};

/** Work and time of the question that a thumbnail shows, asked of all rows. Then there is none. */
const THUMBNAIL_STEPS = 1e9;
const THUMBNAIL_WITHIN_MS = 60_000;

/** The profile of an import with its thumbnail, if it has one. `store` has all its rows. */
export async function profileWithThumbnail(
  imported: Imported,
  store: Dataset['store'],
): Promise<DatasetProfile> {
  const thumbnail = await drawThumbnail(imported, store);
  return thumbnail === undefined ? imported.profile : { ...imported.profile, thumbnail };
}

/**
 * Draws the figure that a block's page opens with, small, as the page would: of the groups of all
 * rows. Undefined if the page opens with a table.
 */
async function drawThumbnail(
  { block, manifest, profile }: Imported,
  store: Dataset['store'],
): Promise<Thumbnail | undefined> {
  const served = { ...askingOf(block), manifest, plan: plansOf({ block, manifest, store }) };
  const budget = new Budget(new Scheduler(), THUMBNAIL_STEPS, THUMBNAIL_WITHIN_MS);
  try {
    const opened = await rowsPage.open(served, profile, { values: {} }, budget);
    if (opened.view !== 'chart' && opened.view !== 'map') return undefined;
    const read = await readFigure({
      ...figureOfView({ served, profile, language: ENGLISH }, opened, budget),
      linkOf: () => () => undefined,
      linkToRow: () => '',
    });
    return read && thumbnailOf(read.figure, read.answer, block.fields);
  } catch (error) {
    // It takes too much work, or a publisher's own question does not fit: the page says so.
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
