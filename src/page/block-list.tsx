import type { BlockSummary } from '../block/describe-block.ts';

export type BlockListProps = {
  readonly blocks: readonly BlockSummary[];
  readonly toRoot: string;
  /** The query to append to every link: the key, if any. */
  readonly keyed: string;
};

/** All blocks, each a link to its page. */
export function BlockList({ blocks, toRoot, keyed }: BlockListProps) {
  return (
    <ul class="blocks">
      {blocks.map(({ name, title, description, url }) => (
        <li>
          <h2>
            <a href={`${toRoot}${url.slice(1)}${keyed}`}>{title}</a>
          </h2>
          <p>{description}</p>
          <p class="quiet">
            <code>{name}</code>
          </p>
        </li>
      ))}
    </ul>
  );
}

/** The query that carries the key, for a service with access by key. */
export function keyed(key: string | undefined): string {
  return key === undefined ? '' : `?api_key=${encodeURIComponent(key)}`;
}
