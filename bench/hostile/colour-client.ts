import { setTimeout as sleep } from 'node:timers/promises';

/** Somebody else, in a process of their own: asks for a colour ten times a second, and tells how long each took. */
const [url] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
for (let i = 0; ; i++) {
  const began = performance.now();
  const response = await fetch(`${url}/api_v2/blocks/rgb-to-color-name?R=${i % 256}&G=127&B=80`, {
    headers: { connection: 'close' },
  });
  await response.arrayBuffer();
  const took = performance.now() - began;
  process.send?.({ took, status: response.status });
  await sleep(Math.max(0, 100 - took));
}
