import { figures, markdownTable } from '../report/markdown-table.ts';
import { ACCESS_CASES } from './access-case.ts';
import { SHAPES } from './dataset-shape.ts';
import type { Measured } from './measured-case.ts';
import { pathCost } from './path-cost.ts';
import { residentCost } from './resident-cost.ts';

/** A run as Markdown: what was measured, and the model's figure as `measured / model`. */
export function results(measured: Measured): string {
  return `# The last run

Measured on ${measured.machine}, by \`npm --prefix bench run bench:scaling\`, which writes this page
and [measured.json](measured.json), which [docs/scaling.md](../../docs/scaling.md) is made of. DynamoDB is
dynalite in a process of its own; CPU is that of our process alone. A figure behind a slash is the
model's; its times are guesses at AWS, and not to be compared with those here.

## Requests by the table's own paths

${casesTable(measured)}
## Loads into memory

${loadsTable(measured)}`;
}

function casesTable({ cases }: Measured): string {
  return markdownTable(
    ['path', 'rows', 'items', 'pages', 'capacity units', 'here, ms', 'CPU, ms'],
    cases.flatMap((found) => {
      const access = ACCESS_CASES.find(({ name }) => name === found.name);
      if (access === undefined) return [];
      const cost = pathCost(access, found.rows);
      return [
        [
          access.title,
          found.rows.toLocaleString('en-US'),
          both(found.items, cost.items),
          both(found.pages, cost.pages),
          both(found.capacityUnits, cost.capacityUnits),
          figures(found.milliseconds),
          figures(found.cpuMilliseconds),
        ],
      ];
    }),
  );
}

function loadsTable({ loads }: Measured): string {
  return markdownTable(
    [
      'dataset',
      'rows',
      'pages',
      'capacity units',
      'here, s',
      'CPU, µs a row',
      'held, bytes a row',
      'at most, bytes a row',
      'process grew, MiB',
      'a query, ms',
    ],
    loads.map((found) => {
      const shape = SHAPES[found.kind];
      const { load } = residentCost(shape, found.rows);
      return [
        found.kind,
        found.rows.toLocaleString('en-US'),
        both(found.pages, load.pages),
        both(found.capacityUnits, load.capacityUnits),
        figures(found.milliseconds / 1000),
        both(Math.round(found.cpuMicrosecondsPerRow), shape.loadMicroseconds),
        both(Math.round(found.heldBytesPerRow), shape.heldBytes),
        both(Math.round(found.peakBytesPerRow), shape.peakBytes),
        figures(found.residentSetBytes / 2 ** 20),
        figures(found.queryMilliseconds),
      ];
    }),
  );
}

function both(measured: number, model: number): string {
  return `${measured.toLocaleString('en-US')} / ${model.toLocaleString('en-US')}`;
}
