import { readArgumentsOf } from '../arguments/arguments.ts';
import type { DatasetBlock } from '../block/block.ts';
import { askedBy } from '../block/block-figure.ts';
import type { DatasetProfile, Manifest, SmallPicture } from '../block/manifest.ts';
import { smallPicture } from '../figure/small-picture.ts';
import { ENGLISH } from '../languages/english.ts';
import { LANGUAGES } from '../languages/languages.ts';
import { LANGUAGE_NAMES } from '../languages/names.ts';
import { type Dataset, plansOf } from '../query/run.ts';
import { Budget } from '../work/budget.ts';
import { Scheduler } from '../work/scheduler.ts';
import type { OfDataset } from './view.ts';
import { openDataset } from './views.ts';

/** What an import has made of a dataset. */
type Imported = {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly profile: DatasetProfile;
};

/** Work and time of a picture's question, which is about all rows. Then there is no picture. */
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

/** A dataset that was just imported, as views ask it. */
function askable({ block, manifest, profile }: Imported, store: Dataset['store']): OfDataset {
  return {
    block,
    manifest,
    profile,
    plan: plansOf({ block, manifest, store }),
    readArguments: readArgumentsOf(block),
    kept: new Map(),
  };
}

/** Draws the figure that a block's page opens with, small. Undefined if the page opens with its table. */
async function drawPicture(
  imported: Imported,
  store: Dataset['store'],
): Promise<SmallPicture | undefined> {
  const of = askable(imported, store);
  const budget = new Budget(new Scheduler(), PICTURE_STEPS, PICTURE_WITHIN_MS);
  try {
    const query = openDataset(of, { values: {} }, budget);
    const read = await query.view.figure?.(query, { of, language: ENGLISH, budget });
    if (read === undefined) return undefined;
    const svg = smallPicture(read.figure);
    if (svg === undefined) return undefined;
    const said = LANGUAGE_NAMES.map((name) => {
      const { title, statement } = read.figureIn(LANGUAGES[name]);
      return [name, { title, statement }] as const;
    });
    return { svg, said: Object.fromEntries(said) as SmallPicture['said'] };
  } catch {
    // It takes too much work, or a publisher's own question does not fit: the page says so. A block
    // without a picture is better than none.
    return undefined;
  }
}

/** The titles of the publisher's figures in which these rows leave nothing to see. */
export async function emptyFigures(imported: Imported, store: Dataset['store']): Promise<string[]> {
  const of = askable(imported, store);
  const empty: string[] = [];
  for (const figure of of.block.figures ?? []) {
    const budget = new Budget(new Scheduler(), PICTURE_STEPS, PICTURE_WITHIN_MS);
    const given = { query: askedBy(figure), body: {}, isPost: false, isWebhook: false };
    const query = openDataset(of, of.readArguments(given, budget), budget);
    const drawn = await query.view.figure?.(query, { of, language: ENGLISH, budget });
    if (drawn === undefined || drawn.figure.marks.length === 0) empty.push(figure.title);
  }
  return empty;
}
