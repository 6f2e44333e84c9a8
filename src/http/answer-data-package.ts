import type { DatasetBlock } from '../block/block.ts';
import { dataPackageOf } from '../block/describe-block.ts';
import { type Answered, JSON_TYPE, type Run } from './answer.ts';
import { answerCached } from './answer-cached.ts';
import { pageAddress } from './page-address.ts';
import { refuseNames } from './read-query.ts';
import { BLOCKS_PATH } from './routes.ts';
import type { ServedBlock } from './served-block.ts';

/** Answers with a dataset's Data Package, whose path is the block's address as the caller sees it. */
export function answerDataPackage(
  run: Run,
  { block, manifest }: Required<Pick<ServedBlock, 'block' | 'manifest'>>,
): Answered {
  refuseNames(run.request.query, [], 'a Data Package, which describes all rows');
  const { url, toRoot } = pageAddress(run.request);
  const csv = `${toRoot}${BLOCKS_PATH.slice(1)}/${block.name}?_format=csv&_raw=true`;
  const described = dataPackageOf(block as DatasetBlock, manifest, new URL(csv, url).href);
  return answerCached(run, JSON.stringify(described), { 'Content-Type': JSON_TYPE });
}
