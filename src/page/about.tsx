import type { BlockView } from './block-view.ts';

/** Where the data come from, for those who build on them. */
export function About({ view }: { view: BlockView }) {
  const { facts, block } = view;
  if (facts === undefined) return <></>;
  const { title, publisher, url, license, date, changes } = facts.source;
  return (
    <section class="about" aria-labelledby="about">
      <h2 id="about">Where the data come from</h2>
      <dl>
        <dt>Source</dt>
        <dd>
          {url === undefined ? title : <a href={url}>{title}</a>}. {publisher}, {date}.
        </dd>
        <dt>Terms</dt>
        <dd>{license}</dd>
        {changes === undefined ? (
          ''
        ) : (
          <>
            <dt>Changes</dt>
            <dd>{changes}</dd>
          </>
        )}
        <dt>Version</dt>
        <dd>
          <code>{facts.version}</code>, {facts.rows} rows
        </dd>
        <dt>Block</dt>
        <dd>
          <code>{block.name}</code> or <code>{block.id}</code>
        </dd>
      </dl>
    </section>
  );
}
