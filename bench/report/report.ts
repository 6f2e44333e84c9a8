import { CONTENDERS, HELLO, JSON_SERVER, OURS, REFERENCE, SQLITE } from '../contenders.ts';
import type { SetName } from '../data/generated-set.ts';
import type { ContenderResult, SetResult } from '../measure-set.ts';
import type { ColorResult } from '../naming/measure-colors.ts';
import { figures, markdownTable } from './markdown-table.ts';
import { geometricMean, median, ratioOf, ratioOverall } from './ratios.ts';
import { standing } from './standing.ts';

export type Results = {
  readonly sets: readonly SetResult[];
  readonly colors: ColorResult;
};

/** The measurements as Markdown tables, ratios first. */
export function report({ sets, colors }: Results): string {
  return [
    '## Throughput as a ratio to the bare columnar server',
    'Median over the rounds of the ratio within a round, then the geometric mean over the numbers of connections.',
    overview(sets),
    '## Against the aims',
    standing(sets),
    comparison(sets),
    ...sets.flatMap((result) => [
      `## ${titleOf(result.set)}`,
      `${result.wildcards} of the queries have a wildcard. A query matches ${result.matching.median} rows (median; mean ${result.matching.mean.toLocaleString('en-US')}).${notes(result)}`,
      detail(result),
    ]),
    '## Colours',
    `${colors.count.toLocaleString('en-US')} named colours, random colours asked for, one process.`,
    colorTable(colors),
  ]
    .map((part) => part.trimEnd())
    .join('\n\n');
}

function overview(sets: readonly SetResult[]): string {
  return markdownTable(
    ['server', ...sets.map(({ set }) => titleOf(set)), 'geometric mean'],
    CONTENDERS.map(({ name }) => {
      const ratios = sets.map((result) => ratioOverall(result, name, REFERENCE));
      return [name, ...ratios.map(figures), `**${figures(geometricMean(ratios))}**`];
    }),
  );
}

/** How many times each of the others blockyard is, set by set. */
function comparison(sets: readonly SetResult[]): string {
  return markdownTable(
    ['blockyard is, times', ...sets.map(({ set }) => titleOf(set)), 'geometric mean'],
    [SQLITE, HELLO, JSON_SERVER].map((other) => {
      const ratios = sets.map((result) => ratioOverall(result, OURS, other));
      return [other, ...ratios.map(figures), `**${figures(geometricMean(ratios))}**`];
    }),
  );
}

function detail(result: SetResult): string {
  const connections = [...(result.contenders[0]?.rounds.keys() ?? [])];
  return markdownTable(
    [
      'server',
      ...connections.flatMap((count) => [
        `${count} conn.: requests/s`,
        'ratio',
        'p50 ms',
        'p99 ms',
      ]),
    ],
    result.contenders.map((contender) => [
      contender.name,
      ...connections.flatMap((count) => {
        const rounds = contender.rounds.get(count) ?? [];
        const middle = (key: 'perSecond' | 'p50' | 'p99') =>
          figures(median(rounds.map((measured) => measured[key])));
        const ratio = figures(ratioOf(result, contender.name, REFERENCE, count));
        return [middle('perSecond'), ratio, middle('p50'), middle('p99')];
      }),
    ]),
  );
}

function notes({ contenders }: SetResult): string {
  return contenders
    .filter(({ isSlow }) => isSlow)
    .map(noteOf)
    .join('');
}

function noteOf({ name, rounds, checkedQueries }: ContenderResult): string {
  const counts = [...rounds.values()].map(([measured]) => measured?.requests ?? 0);
  return ` ${name} is slow here: one round, of ${counts.join(', ')} requests; ${checkedQueries} answers were checked.`;
}

function colorTable({ contenders, compared }: ColorResult): string {
  return markdownTable(
    ['', 'colours/s', 'blockyard is, times', `nearest by CIEDE2000, of ${compared}`],
    contenders.map(({ name, perSecond, timesSlower, asNear }) => [
      name,
      figures(perSecond),
      figures(timesSlower),
      String(asNear),
    ]),
  );
}

function titleOf({ kind, size }: SetName): string {
  return `${kind} ${size.toLocaleString('en-US')}`;
}
