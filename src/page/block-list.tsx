import { numberText } from '../values/wording.ts';
import { BlockPicture } from './block-picture.tsx';
import type { ListedBlock } from './listed-block.ts';

export type BlockListProps = {
  readonly blocks: readonly ListedBlock[];
  readonly toRoot: string;
  /** The query to append to every link: the key, if any. */
  readonly keyed: string;
};

/** Longer lists have no pictures, or no descriptions either, so that a page stays below 30 KB. */
const MOST_PICTURED = 60;
const MOST_PICTURE_LENGTH = 60_000;
const MOST_DESCRIBED = 200;

/** Blocks, each a link to its page, with what is known of its data. */
export function BlockList({ blocks, toRoot, keyed }: BlockListProps) {
  const length = blocks.reduce((sum, { picture }) => sum + (picture?.path.length ?? 0), 0);
  const arePictured = blocks.length <= MOST_PICTURED && length <= MOST_PICTURE_LENGTH;
  const areDescribed = blocks.length <= MOST_DESCRIBED;
  return (
    <ul class="blocks">
      {blocks.map(({ summary: { name, title, description, url }, ...data }) => (
        <li>
          {arePictured ? <BlockPicture block={data} /> : ''}
          <h2>
            <a href={`${toRoot}${url.slice(1)}${keyed}`}>{title}</a>
          </h2>
          <p class="quiet">{factsOf(data)}</p>
          {areDescribed ? <p>{description}</p> : ''}
          <p class="quiet">
            <code>{name}</code>
          </p>
        </li>
      ))}
    </ul>
  );
}

function factsOf({ rows, noun = 'rows', date }: Omit<ListedBlock, 'summary'>): string {
  if (rows === undefined) return 'Computes its answer';
  return `${numberText(rows)} ${noun}${date === undefined ? '' : `, as of ${date}`}`;
}

/** The query that carries the key, for a service with access by key. */
export function keyed(key: string | undefined): string {
  return key === undefined ? '' : `?api_key=${encodeURIComponent(key)}`;
}
