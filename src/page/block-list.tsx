import type { BlockSummary } from '../block/describe-block.ts';

export type BlockListProps = {
  readonly blocks: readonly BlockSummary[];
  readonly toRoot: string;
  /** The query that every link has. */
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

/** With access by key, a link carries it. */
export function keyed(key: string | undefined): string {
  return key === undefined ? '' : `?api_key=${encodeURIComponent(key)}`;
}
