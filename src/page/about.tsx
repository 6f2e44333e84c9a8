import type { Block } from '../block/block.ts';
import { badRowsSentence, type Manifest } from '../block/manifest.ts';
import type { Language } from '../languages/language.ts';

/** Where the data come from, for people who build on them. */
export function About(props: { page: { block: Block; manifest?: Manifest; language: Language } }) {
  const { page } = props;
  const { manifest, block, language } = page;
  const { say } = language;
  const sources = block.answers === 'value' ? (block.sources ?? []) : [];
  return (
    <section class="about" aria-labelledby="about">
      <h2 id="about">{say('Where the data come from')}</h2>
      <dl>
        {manifest === undefined ? '' : <OfDataset manifest={manifest} language={language} />}
        {sources.map(({ title, publisher, url, license, version }) => (
          <>
            <dt>{say('Source')}</dt>
            <dd>
              {url === undefined ? title : <a href={url}>{title}</a>}. {publisher},{' '}
              {say('version {version}', { version })}. {license}.
            </dd>
          </>
        ))}
        <dt>{say('Block')}</dt>
        <dd>
          <code>{block.name}</code>
          {block.id === block.name ? '' : ` ${say('or')} `}
          {block.id === block.name ? '' : <code>{block.id}</code>}
        </dd>
      </dl>
    </section>
  );
}

function OfDataset(props: { manifest: Manifest; language: Language }) {
  const { manifest, language } = props;
  const { say } = language;
  const { title, publisher, url, license, date, changes } = manifest.source;
  const from = [publisher, date].filter((text) => text !== undefined).join(', ');
  const bad = badRowsSentence(manifest, language);
  return (
    <>
      <dt>{say('Source')}</dt>
      <dd>
        {url === undefined ? title : <a href={url}>{title}</a>}.{from === '' ? '' : ` ${from}.`}
      </dd>
      {license === undefined ? '' : <dt>{say('Terms')}</dt>}
      {license === undefined ? '' : <dd>{license}</dd>}
      {changes === undefined ? '' : <dt>{say('Changes')}</dt>}
      {changes === undefined ? '' : <dd>{changes}</dd>}
      <dt>{say('Version')}</dt>
      <dd>
        <code>{manifest.version}</code>,{' '}
        {manifest.rows === 1 ? say('1 row') : say('{count} rows', { count: manifest.rows })}
      </dd>
      {bad === undefined ? '' : <dt>{say('Bad rows')}</dt>}
      {bad === undefined ? '' : <dd>{bad}</dd>}
    </>
  );
}
