import { plainReaderOf } from '../arguments/plain.ts';
import { fileReference } from '../block/addresses.ts';
import { dataPackageOf, describeBlock } from '../block/describe-block.ts';
import { oneRowOf } from '../block/row-key.ts';
import { type ListedFile, listFiles, markOfFiles } from '../formats/files.ts';
import { aboutData } from '../portals/about-data.ts';
import { croissantOf } from '../portals/croissant.ts';
import { checkLength, pageTooLong, within } from '../query/answer-length.ts';
import { readRow } from '../query/read-row.ts';
import { withAddresses } from '../query/row-addresses.ts';
import { type Dataset, plansOf } from '../query/run.ts';
import { lastOf } from '../work/once.ts';
import { answerBy } from './line.ts';
import { pictureOf } from './present-page.ts';
import { rowDataOf, rowPageOf } from './present-row.ts';
import { fileHandlers, fileInstead } from './serve-file.ts';
import { askingOf, type DatasetAnswers, type ServedBlock } from './served-block.ts';

/** A dataset as a block that is served, with all that answers its requests. */
export function serveDataset(
  dataset: Dataset,
  more: Pick<ServedBlock, 'boundaries' | 'files' | 'profile'> = {},
): ServedBlock {
  const { block, manifest } = dataset;
  const filesNow = () => listFiles(block.formats, manifest.rows, more.files);
  const described = lastOf(markOfFiles, (files: readonly ListedFile[]) =>
    describeBlock(block, manifest, files),
  );
  return {
    ...askingOf(block, undefined, plainReaderOf),
    manifest,
    ...more,
    plan: plansOf(dataset),
    views: () => import('../views/views.ts'),
    answers,
    filesNow,
    filesMark: () => markOfFiles(filesNow()),
    dataPackage: (hrefOf) => {
      const file = filesNow().find(({ format }) => format === 'csv');
      const reference =
        file === undefined
          ? `${block.name}?_format=csv&_raw=true`
          : fileReference(block.name, file.extension, manifest.version);
      return dataPackageOf(block, manifest, { path: hrefOf(reference), bytes: file?.bytes });
    },
    croissant: (root) => croissantOf(block, manifest, root, filesNow()),
    readRow: (segment, budget) => readRow(dataset, segment, budget),
    description: () => described(filesNow()),
    kept: new Map(),
  };
}

const answers: DatasetAnswers = {
  picture: async (asked) => answerBy(asked, pictureOf(asked, await asked.served.views())),
  ofOneRow: (served) => ({
    ...served,
    ...askingOf(oneRowOf(served.block), served.known),
    all: served,
  }),
  row: async (asked) =>
    asked.format === 'html'
      ? answerBy(asked, rowPageOf(asked, await asked.served.all.views()))
      : answerBy(asked, rowDataOf(asked, asked.format)),
  files: fileHandlers,
  fileInstead,
  about: aboutData,
  withAddresses,
  checkLength,
  within,
  tooLong: pageTooLong,
};
