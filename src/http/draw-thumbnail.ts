import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest, Thumbnail } from '../block/manifest.ts';
import { FIELDS_DRAWN, ROWS_DRAWN, thumbnailOf, thumbnailOfRows } from '../figure/thumbnail.ts';
import { ENGLISH } from '../languages/english.ts';
import { type Dataset, plansOf } from '../query/run.ts';
import { Budget } from '../work/budget.ts';
import { Scheduler } from '../work/scheduler.ts';
import { figureOfView } from './figure-outcome.ts';
import { readFigure } from './read-figure.ts';
import { parsedRows } from './row-addresses.ts';
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
 * rows. Without one, it has the first rows. Undefined if there are none.
 */
async function drawThumbnail(
  { block, manifest, profile }: Imported,
  store: Dataset['store'],
): Promise<Thumbnail | undefined> {
  const served = { ...askingOf(block), manifest, plan: plansOf({ block, manifest, store }) };
  const budget = new Budget(new Scheduler(), THUMBNAIL_STEPS, THUMBNAIL_WITHIN_MS);
  try {
    const opened = await rowsPage.open(served, profile, { values: {} }, budget);
    const isFigure = opened.view === 'chart' || opened.view === 'map';
    const read =
      isFigure &&
      (await readFigure({
        ...figureOfView({ served, profile, language: ENGLISH }, opened, budget),
        linkOf: () => () => undefined,
        linkToRow: () => '',
      }));
    const drawn = read && thumbnailOf(read.figure, read.answer, block.fields);
    if (drawn) return drawn;
    const _fields = block.keyFields.slice(0, FIELDS_DRAWN);
    const fields = _fields.flatMap(
      (name) => block.fields.find((field) => field.name === name) ?? [],
    );
    const output = await served.plan({ _fields, _limit: ROWS_DRAWN }, budget).run(budget);
    if (output.kind === 'value' || output.total === 0) return undefined;
    return thumbnailOfRows(await parsedRows(output, budget), fields);
  } catch {
    // It takes too much work, or a publisher's own question does not fit: the page says so. A block
    // without a picture is better than none.
    return undefined;
  }
}
