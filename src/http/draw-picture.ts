import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest, SmallPicture } from '../block/manifest.ts';
import { smallPicture } from '../figure/small-picture.ts';
import { ENGLISH } from '../languages/english.ts';
import { LANGUAGES } from '../languages/languages.ts';
import { LANGUAGE_NAMES } from '../languages/names.ts';
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

/** Work and time of the question that a picture shows, asked of all rows. Then there is none. */
const PICTURE_STEPS = 1e9;
const PICTURE_WITHIN_MS = 60_000;

/** The profile of an import with its picture, if it has one. `store` has all its rows. */
export async function profileWithPicture(
  imported: Imported,
  store: Dataset['store'],
): Promise<DatasetProfile> {
  const picture = await drawPicture(imported, store);
  return picture === undefined ? imported.profile : { ...imported.profile, picture };
}

/** Draws the figure that a block's page opens with, small. Undefined if the page opens with its table. */
async function drawPicture(
  { block, manifest, profile }: Imported,
  store: Dataset['store'],
): Promise<SmallPicture | undefined> {
  const served = { ...askingOf(block), manifest, plan: plansOf({ block, manifest, store }) };
  const budget = new Budget(new Scheduler(), PICTURE_STEPS, PICTURE_WITHIN_MS);
  try {
    const opened = await rowsPage.open(served, profile, { values: {} }, budget);
    if (opened.view !== 'chart' && opened.view !== 'map') return undefined;
    const read = await readFigure({
      ...figureOfView({ served, profile, language: ENGLISH }, opened, budget),
      linkOf: () => () => undefined,
      linkToRow: () => '',
    });
    if (read === undefined) return undefined;
    const svg = smallPicture(read.figure);
    if (svg === undefined) return undefined;
    const said = LANGUAGE_NAMES.map((name) => {
      const { title, statement } = read.figureIn(LANGUAGES[name]);
      return [name, { title, ...(statement === undefined ? {} : { statement }) }] as const;
    });
    return { svg, said: Object.fromEntries(said) as SmallPicture['said'] };
  } catch {
    // It takes too much work, or a publisher's own question does not fit: the page says so. A block
    // without a picture is better than none.
    return undefined;
  }
}
