import { fuzz } from './fuzz.ts';

/** `npm run fuzz [-- runs [seed]]`: 100,000 generated requests, in process. */
const [runs = '100000', seed = '1'] = process.argv.slice(2);
const statuses = await fuzz(Number(runs), Number(seed));
console.log(`${runs} requests (seed ${seed}), every answer as documented; by status:`);
console.log(
  Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', '),
);
