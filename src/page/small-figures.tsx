import type { Bins } from '../block/manifest.ts';

// Figures without words, beside the words that say the same.

/** The height of a small histogram, in units of its own. */
const HEIGHT = 20;

/** A column that has any rows is as high as this at least. */
const LEAST_HEIGHT = 1;

type HistogramProps = {
  readonly bins: Pick<Bins, 'counts'>;
  /** The rows of each bin that filters leave. */
  readonly counts?: readonly number[] | undefined;
  /** The end of the ids of its paths, of which others are made. */
  readonly id?: string;
};

/** How values are spread: the rows that match, before the outline of all. */
export function Histogram({ bins, counts, id }: HistogramProps) {
  const all = bins.counts;
  const most = all.reduce((a, b) => Math.max(a, b), 1);
  return (
    <svg
      class="spark"
      id={id && `s-${id}`}
      viewBox={`0 0 ${all.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="all" id={id && `a-${id}`} d={counts === undefined ? '' : barsOf(all, most)} />
      <path id={id && `h-${id}`} d={barsOf(counts ?? all, most)} />
    </svg>
  );
}

function barsOf(counts: readonly number[], most: number): string {
  return counts
    .map((count, i) => {
      if (count === 0) return '';
      const height = Number(Math.max(LEAST_HEIGHT, (HEIGHT * count) / most).toFixed(1));
      return `M${i} ${HEIGHT}v-${height}h.85v${height}z`;
    })
    .join('');
}

/** The room between two parts, and the least width of one, in per cent. */
const GAP = 1;
const LEAST_WIDTH = 0.4;

/** Parts of all rows, the most common first; an outline at the end for those without a value. */
export function Parts(props: {
  readonly counts: readonly number[];
  readonly rows: number;
  readonly nulls: number;
  readonly id?: string;
}) {
  const { counts, rows, nulls, id } = props;
  let at = 0;
  const percent = (share: number) => `${Number((100 * share).toFixed(2))}%`;
  return (
    <svg class="bar" id={id} aria-hidden="true">
      {counts.map((count) => {
        const x = at / rows;
        at += count;
        const width = Math.max(LEAST_WIDTH / 100, count / rows - GAP / 100);
        return <rect x={percent(x)} width={percent(width)} height="100%" />;
      })}
      {nulls > 0 && (
        <rect class="b" x={percent(1 - nulls / rows)} width={percent(nulls / rows)} height="100%" />
      )}
    </svg>
  );
}
