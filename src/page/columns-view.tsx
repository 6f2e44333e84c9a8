import type { DatasetBlock } from '../block/block.ts';
import { numberText } from '../text/wording.ts';
import type { BlockView, PageState } from './block-view.ts';

/** Each column of a dataset, as its import found it. */
export function ColumnsView({ view }: { view: BlockView; state: PageState }) {
  const { fields } = view.block as DatasetBlock;
  return (
    <h2 id="found" tabindex={-1}>
      {numberText(fields.length)} columns
    </h2>
  );
}
