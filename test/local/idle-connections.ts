import net, { type AddressInfo } from 'node:net';
import type { Answer } from '../../src/http/answer.ts';
import { CONNECTION_BOUNDS } from '../../src/local/connections.ts';
import { serverOf } from '../../src/local/node-http.ts';

// Sends what five idle connections keep in memory of answers of 24 MiB, each with bytes of its own.

const BYTES = 24 * 2 ** 20;

const answer = async (): Promise<Answer> => ({
  status: 200,
  headers: {},
  body: Buffer.alloc(BYTES, 'x'),
});
// Idle connections stay for an hour: however slow the machine is, none is closed meanwhile.
const { server, waiting } = serverOf(answer, { ...CONNECTION_BOUNDS, idleMs: 3_600_000 });
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;

/** Some of what nobody holds is only freed after a collection, or by the next one. */
async function held(): Promise<number> {
  for (let i = 0; i < 10; i++) {
    global.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return process.memoryUsage().arrayBuffers;
}

const before = await held();
for (let i = 0; i < 5; i++) {
  const client = net.connect(port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await new Promise<void>((isRead) => {
    client.on('data', () => {
      if (client.bytesRead > BYTES) isRead();
    });
  });
}
while (waiting.bytes > 0) await new Promise(setImmediate);
const left = (await held()) - before;
server.getConnections((_, count) => {
  process.send?.({ held: left, count }, () => process.exit());
});
