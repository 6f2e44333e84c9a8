import type { DatasetBlock } from '../block/block.ts';
import type { ViewName } from '../block/views.ts';
import { numberText } from '../text/wording.ts';
import { type BlockView, matchingIn, type PageState } from './block-view.ts';
import { viewsOf } from './opened-view.ts';
import { linkToView } from './view-links.ts';

const TITLES: Readonly<Record<ViewName, string>> = {
  chart: 'Chart',
  map: 'Map',
  table: 'Table',
  columns: 'Columns',
  api: 'API',
};

/** The views of a block's page, as links to this state in each. */
export function ViewTabs({ view, state }: { view: BlockView; state: PageState }) {
  const { fields } = view.block as DatasetBlock;
  const matching = matchingIn(view.outcome);
  const counts: Partial<Record<ViewName, number | undefined>> = {
    table: matching,
    columns: fields.length,
  };
  return (
    <nav class="tabs" aria-label="Views of these data">
      {viewsOf(view).map((name) => (
        <a
          href={linkToView(view, state, name)}
          aria-current={name === view.opened ? 'page' : undefined}
        >
          {TITLES[name]}
          {counts[name] === undefined ? '' : <small> {numberText(counts[name])}</small>}
        </a>
      ))}
    </nav>
  );
}
