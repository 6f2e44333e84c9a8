import type { ValueBlock } from '../block/block.ts';
import { numberText } from '../values/wording.ts';
import type { BlockView } from './block-view.ts';

/** Where the data come from, for people who build on them. */
export function About({ view }: { view: Pick<BlockView, 'block' | 'manifest'> }) {
  const { manifest, block } = view;
  const { sources = [] } = block as ValueBlock;
  return (
    <section class="about" aria-labelledby="about">
      <h2 id="about">Where the data come from</h2>
      <dl>
        {manifest === undefined ? '' : <OfDataset manifest={manifest} />}
        {sources.map(({ title, publisher, url, license, version }) => (
          <>
            <dt>Source</dt>
            <dd>
              {url === undefined ? title : <a href={url}>{title}</a>}. {publisher}, version{' '}
              {version}. {license}.
            </dd>
          </>
        ))}
        <dt>Block</dt>
        <dd>
          <code>{block.name}</code>
          {block.id === block.name ? '' : ' or '}
          {block.id === block.name ? '' : <code>{block.id}</code>}
        </dd>
      </dl>
    </section>
  );
}

function OfDataset({ manifest }: { manifest: NonNullable<BlockView['manifest']> }) {
  const { title, publisher, url, license, date, changes } = manifest.source;
  const from = [publisher, date].filter((text) => text !== undefined).join(', ');
  return (
    <>
      <dt>Source</dt>
      <dd>
        {url === undefined ? title : <a href={url}>{title}</a>}.{from === '' ? '' : ` ${from}.`}
      </dd>
      {license === undefined ? '' : <dt>Terms</dt>}
      {license === undefined ? '' : <dd>{license}</dd>}
      {changes === undefined ? '' : <dt>Changes</dt>}
      {changes === undefined ? '' : <dd>{changes}</dd>}
      <dt>Version</dt>
      <dd>
        <code>{manifest.version}</code>, {numberText(manifest.rows)} rows
      </dd>
    </>
  );
}
