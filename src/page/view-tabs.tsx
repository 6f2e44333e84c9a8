import type { DatasetBlock } from '../block/block.ts';
import type { ViewName } from '../block/views.ts';
import { numberText } from '../text/wording.ts';
import type { BlockView, PageState } from './block-view.ts';
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
  const matching = matchingIn(view);
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

/** How many rows match; undefined if nobody counted them. */
function matchingIn({ outcome }: BlockView): number | undefined {
  if (outcome.kind === 'figure') return outcome.matching;
  return outcome.kind === 'rows' ? (outcome.groups?.matching ?? outcome.total) : undefined;
}
