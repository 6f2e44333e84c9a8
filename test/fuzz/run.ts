import { disagreements, full, fullScan } from '../color/disagreements.ts';
import { REGIONS, randomColors } from '../color/random-colors.ts';
import { commandArguments } from '../support/command-arguments.ts';
import { fuzz } from './fuzz.ts';
import { fuzzViews } from './views.ts';

/**
 * `npm run fuzz [-- runs [seed]]`: 100,000 generated requests, in process; a fiftieth as many for
 * pages, figures and files, by sockets; and the nearest of all colour names for a fifth as many random
 * colours, against a scan; a tenth of those in each region that is hard for the formula.
 */
const { isSmoke, args } = commandArguments();
const [runs = isSmoke ? '200' : '100000', seed = '1'] = args;
tell(runs, await fuzz(Number(runs), Number(seed)));
const views = Math.ceil(Number(runs) / 50);
tell(`${views} pages, figures and files:`, await fuzzViews(views, Number(seed)));

const colors = Math.ceil(Number(runs) / 5);
checkColors('all of sRGB', colors, 1);
for (const region of Object.keys(REGIONS)) checkColors(region, Math.ceil(colors / 10), 11);
console.log(`${colors} random colours (seed ${seed}), each with the names that a scan finds.`);

function tell(what: string, statuses: Readonly<Record<string, number>>): void {
  console.log(`${what} requests (seed ${seed}), every answer as documented; by status:`);
  const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  console.log(counts.join(', '));
}

function checkColors(region: string, howMany: number, names: number): void {
  const random = randomColors(region, howMany, Number(seed));
  const differing = disagreements(full.rgb, fullScan, random, names);
  if (differing.length === 0) return;
  throw new Error(`Not the nearest names, ${region}: ${JSON.stringify(differing)}`);
}
