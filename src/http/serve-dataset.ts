import { describeBlock } from '../block/describe-block.ts';
import { croissantOf } from '../portals/croissant.ts';
import { readRow } from '../query/read-row.ts';
import { type Dataset, plansOf } from '../query/run.ts';
import { once } from '../work/once.ts';
import { answerBy } from './line.ts';
import { figureOf } from './present-figure.ts';
import { rowDataOf, rowPageOf } from './present-row.ts';
import { rowsPage } from './rows-page.ts';
import { askingOf, type DatasetAnswers, type ServedBlock } from './served-block.ts';
import { checkLength, pageTooLong, within } from './stream-length.ts';

/** A dataset as a block that is served, with all that answers its requests. */
export function serveDataset(
  dataset: Dataset,
  more: Pick<ServedBlock, 'boundaries' | 'profile'> = {},
): ServedBlock {
  const { block, manifest } = dataset;
  const description = once(() => describeBlock(block, manifest));
  return {
    ...askingOf(block),
    manifest,
    ...more,
    plan: plansOf(dataset),
    page: rowsPage,
    answers,
    croissant: (root) => croissantOf(block, manifest, root),
    readRow: (segment, budget) => readRow(dataset, segment, budget),
    description,
    kept: new Map(),
  };
}

const answers: DatasetAnswers = {
  figure: (asked) => answerBy(asked, figureOf(asked)),
  row: (asked, format) =>
    format === 'html'
      ? answerBy(asked, rowPageOf(asked))
      : answerBy(asked, rowDataOf(asked, format)),
  checkLength,
  within,
  tooLong: pageTooLong,
};
