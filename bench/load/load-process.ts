import { openConnection } from './connection.ts';
import type { Measured, Slice } from './slice.ts';

/** The load, in a process of its own so that it shares no event loop with what it measures. */
process.on('message', async (slice: Slice) => process.send?.(await run(slice)));
process.on('disconnect', () => process.exit());
process.send?.('ready');

/** A closed loop: every connection sends its next request when it has the answer to the last. */
function run({ port, requests, connections, seconds, mostRequests }: Slice): Promise<Measured> {
  const wires = requests.map((request) => Buffer.from(request));
  const opened = Array.from({ length: connections }, () => openConnection(port));
  const latencies: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1000;
  let sent = 0;
  let waiting = connections;

  return new Promise((resolve) => {
    for (const connection of opened) {
      const next = (): void => {
        const start = performance.now();
        if (start >= until || sent >= mostRequests) {
          connection.close();
          waiting--;
          if (waiting === 0) resolve(measured(latencies, start - began));
          return;
        }
        connection.send(wires[sent++ % wires.length] as Buffer, () => {
          latencies.push(performance.now() - start);
          next();
        });
      };
      next();
    }
  });
}

function measured(latencies: number[], milliseconds: number): Measured {
  const sorted = Float64Array.from(latencies).sort();
  const quantile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
  return {
    requests: sorted.length,
    perSecond: (sorted.length / milliseconds) * 1000,
    p50: quantile(0.5),
    p99: quantile(0.99),
  };
}
