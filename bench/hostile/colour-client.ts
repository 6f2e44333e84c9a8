import { setTimeout as sleep } from 'node:timers/promises';

/** Somebody else, in a process of their own: asks for a colour ten times a second, and tells how long each took. */
const [url] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
for (let i = 0; ; i++) {
  const began = performance.now();
  const status = await askFor(`R=${i % 256}&G=127&B=80`);
  const took = performance.now() - began;
  process.send?.({ took, status });
  await sleep(Math.max(0, 100 - took));
}

/** The answer's status; 0 if the connection was refused or reset. */
async function askFor(query: string): Promise<number> {
  try {
    const address = `${url}/api_v2/blocks/rgb-to-color-name?${query}`;
    const response = await fetch(address, { headers: { connection: 'close' } });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
