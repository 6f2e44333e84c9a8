import { type Browser, openBrowser, visit } from '../../test/channels/browser/browser.ts';
import { type FormFactor, openLighthouse } from '../../test/channels/browser/run-lighthouse.ts';
import { commandArguments } from '../../test/support/command-arguments.ts';
import { install } from '../../test/support/install.ts';
import { startService } from '../../test/support/service.ts';
import { writeSection } from '../report/write-section.ts';

/**
 * `npm run bench:page`: how fast a person sees a page, by Lighthouse's simulated phone and desktop,
 * and how soon after a change of the form the new rows are there. Writes its own part of
 * `bench/RESULTS.md`.
 */
const { isSmoke } = commandArguments();
const ROUNDS = isSmoke ? 1 : 3;
/** Changes of a box, and moves of a slider, that are timed. */
const CHANGES = isSmoke ? 1 : 40;

/** Of the section that is written. */
const TITLE = 'The pages';

const blocks = '/api_v2/blocks';
const CENSUS = `${blocks}/census-neighborhoods`;
const PAGES = {
  'census-neighborhoods': CENSUS,
  'business-directory': `${blocks}/business-directory`,
  'rgb-to-color-name': `${blocks}/rgb-to-color-name?R=255&G=127&B=80&alternatives=3`,
};
const MEASURED = isSmoke ? { 'census-neighborhoods': CENSUS } : PAGES;
const FORM_FACTORS: readonly FormFactor[] = isSmoke ? ['desktop'] : ['mobile', 'desktop'];

await install('test/channels/tools');

const service = await startService();
const lighthouse = openLighthouse('speed');
try {
  const scores = await scoresOfAll();
  const browser = await openBrowser();
  const refreshed = await refreshTimes(browser).finally(() => browser.close());
  const date = new Date().toISOString().slice(0, 10);
  const how = `\`npm run bench:page\`, ${date}: Lighthouse 12.8 with its simulated slow phone and its desktop, median of ${ROUNDS}; then the time from a change of the form of \`census-neighborhoods\` to the frame with its rows, ${CHANGES} changes each. Two noisy cores, which the service, the browser and Lighthouse share.`;
  if (!isSmoke) await writeSection(TITLE, [how, '', ...scores, '', ...refreshed]);
} finally {
  await lighthouse.close();
  await service.close();
}

async function scoresOfAll(): Promise<string[]> {
  const lines = [
    '| page | on | performance | largest paint, ms | blocked, ms | layout shift | bytes |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: |',
  ];
  for (const [name, address] of Object.entries(MEASURED)) {
    for (const formFactor of FORM_FACTORS) {
      const rounds: number[][] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const { categories, audits } = await lighthouse.run(service.url + address, formFactor);
        const figure = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
        rounds.push([
          100 * (categories.performance?.score ?? Number.NaN),
          figure('largest-contentful-paint'),
          figure('total-blocking-time'),
          figure('cumulative-layout-shift'),
          figure('total-byte-weight'),
        ]);
      }
      const [score = 0, paint = 0, blocked = 0, shift = 0, bytes = 0] = [0, 1, 2, 3, 4].map((i) =>
        quantile(
          rounds.map((round) => round[i] as number),
          0.5,
        ),
      );
      const cells = [name, formFactor, score.toFixed(0), paint.toFixed(0), blocked.toFixed(0)];
      const line = `| ${[...cells, shift.toFixed(3), bytes.toLocaleString('en')].join(' | ')} |`;
      console.log(line);
      lines.push(line);
    }
  }
  return lines;
}

/** From what a person does to the frame that shows its answer, as the page itself can tell. */
async function refreshTimes(browser: Browser): Promise<string[]> {
  const page = await visit(browser);
  await page.goto(service.url + CENSUS);
  const timed = (control: string, i: number): Promise<number> =>
    page.evaluate(
      ([selector, step]: [string, number]) =>
        new Promise<number>((resolve) => {
          const input = document.querySelector(selector) as HTMLInputElement;
          const answer = document.querySelector('#answer') as HTMLElement;
          const seen = new MutationObserver(() => {
            seen.disconnect();
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
          });
          seen.observe(answer, { childList: true });
          input.value = String(4200 + 100 * (step % 60));
          const began = performance.now();
          input.dispatchEvent(new Event('input', { bubbles: true }));
        }),
      [control, i],
    );
  const lines = ['| the person | p50, ms | p95, ms |', '| --- | ---: | ---: |'];
  for (const [title, control] of [
    ['moves a slider', 'fieldset:has(#f-total_population_min) input[type=range]'],
    ['types into a box', '#f-total_population_min'],
  ] as const) {
    const times: number[] = [];
    for (let i = 0; i < CHANGES; i++) times.push(await timed(control, i));
    const line = `| ${title} | ${quantile(times, 0.5).toFixed(0)} | ${quantile(times, 0.95).toFixed(0)} |`;
    console.log(line);
    lines.push(line);
  }
  return lines;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] as number;
}
