import type { ListedBlock } from './listed-block.ts';

/** A block's picture, which only decorates: what it shows is on the block's page. */
export function BlockPicture({ block }: { block: Pick<ListedBlock, 'picture' | 'isColor'> }) {
  const { picture, isColor } = block;
  if (picture === undefined) return isColor ? <Colors /> : null;
  const { kind, width, height, path } = picture;
  return (
    <svg
      class={`picture ${kind}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={kind === 'bars' ? 'none' : undefined}
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

function Colors() {
  return (
    <svg class="picture bars" viewBox="0 0 12 3" preserveAspectRatio="none" aria-hidden="true">
      {[75, 55, 35].flatMap((lightness, y) =>
        Array.from({ length: 12 }, (_, x) => (
          <rect x={x} y={y} width="1" height="1" fill={`hsl(${x * 30} 60% ${lightness}%)`} />
        )),
      )}
    </svg>
  );
}
