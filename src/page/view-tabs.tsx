import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import type { ViewName } from '../block/views.ts';
import type { Message } from '../languages/german.ts';
import { type BlockView, matchingIn, type PageState } from './block-view.ts';
import { viewsOf } from './opened-view.ts';
import { linkToView } from './view-links.ts';

const TITLES = {
  chart: 'Chart',
  map: 'Map',
  table: 'Table',
  columns: 'Columns',
  api: 'API',
} as const satisfies Readonly<Record<ViewName, Message>>;

/** The views of a block's page, as links to this state in each. */
export function ViewTabs({ view, state }: { view: BlockView; state: PageState }) {
  const block = view.block as DatasetBlock;
  const { fields, noun } = block;
  const { profile, kept } = view;
  const of = { block, manifest: view.manifest as Manifest, profile, kept };
  const { say, number } = view.language;
  const matching = matchingIn(view.outcome);
  const counts: Partial<Record<ViewName, number | undefined>> = {
    table: matching,
    columns: fields.length,
  };
  return (
    <nav class="tabs" aria-label={say('Views of these data')}>
      {viewsOf(of, view.opened).map((name) => (
        <a
          href={linkToView(view, state, name)}
          aria-current={name === view.opened ? 'page' : undefined}
        >
          {say(TITLES[name])}
          {counts[name] !== undefined && (
            <small>
              {' '}
              {number(counts[name])}
              {name === 'table' ? <span class="vh"> {noun}</span> : ''}
            </small>
          )}
        </a>
      ))}
    </nav>
  );
}
