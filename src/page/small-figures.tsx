/** Figures without words, beside the words that say the same. */

/** The height of a small histogram, in units of its own. */
const HEIGHT = 20;

/** A column that has any rows is as high as this at least. */
const LEAST_HEIGHT = 1;

/** A histogram of rows in equal ranges. */
export function Bins({ counts }: { counts: readonly number[] }) {
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  const path = counts
    .map((count, i) => {
      if (count === 0) return '';
      const height = Math.max(LEAST_HEIGHT, (HEIGHT * count) / most).toFixed(1);
      return `M${i} ${HEIGHT}v-${height}h.85V${HEIGHT}z`;
    })
    .join('');
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${counts.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

/** The room between two parts, and the least width of one, in per cent. */
const GAP = 1;
const LEAST_WIDTH = 0.4;

/** Parts of all rows, the most common first; an outline at the end for those without a value. */
export function Parts(props: { counts: readonly number[]; rows: number; nulls: number }) {
  const { counts, rows, nulls } = props;
  let at = 0;
  const percent = (share: number) => `${Number((100 * share).toFixed(2))}%`;
  return (
    <svg class="bar" aria-hidden="true">
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
