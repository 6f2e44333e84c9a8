import { disagreements, full, fullScan } from '../color/disagreements.ts';
import { randomColors } from '../color/random-colors.ts';
import { fuzz } from './fuzz.ts';

/**
 * `npm run fuzz [-- runs [seed]]`: 100,000 generated requests, in process; and the nearest of all
 * colour names for a fifth as many random colours, against a scan.
 */
const [runs = '100000', seed = '1'] = process.argv.slice(2);
const statuses = await fuzz(Number(runs), Number(seed));
console.log(`${runs} requests (seed ${seed}), every answer as documented; by status:`);
console.log(
  Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', '),
);

const colors = Math.ceil(Number(runs) / 5);
const random = randomColors('all of sRGB', colors, Number(seed));
const differing = disagreements(full.rgb, fullScan, random, 1);
if (differing.length > 0) throw new Error(`Not the nearest names: ${JSON.stringify(differing)}`);
console.log(`${colors} random colours (seed ${seed}), each with the name that a scan finds.`);
