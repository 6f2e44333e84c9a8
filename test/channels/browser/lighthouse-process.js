// Lighthouse, by its own interface, in a process that `run-lighthouse.ts` forks: loaded once, with one
// browser, for all pages that are asked for. Each page is opened anew, with nothing in the cache.
import { pathToFileURL } from 'node:url';

const [packages, chromePath, measures] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(`${packages}/${file}`).href);
const [{ default: lighthouse, desktopConfig }, { launch }, { pageFunctions }, { default: Trace }] =
  await Promise.all([
    load('lighthouse/core/index.js'),
    load('chrome-launcher/dist/index.js'),
    load('lighthouse/core/lib/page-functions.js'),
    load('lighthouse/core/gather/gatherers/trace.js'),
  ]);
// Of a screenshot of the whole page nothing is read.
const flags = { disableFullPageScreenshot: true };
if (measures !== 'speed') {
  // It counts for a second how fast the machine is, for a warning.
  pageFunctions.computeBenchmarkIndex = () => 1000;
  // Pictures of the page as it comes, by which speed is measured.
  const categories = Trace.getDefaultTraceCategories();
  Trace.getDefaultTraceCategories = () => categories.filter((one) => !one.endsWith('.screenshot'));
  flags.skipAudits = ['speed-index', 'screenshot-thumbnails', 'final-screenshot'];
}
const chrome = await launch({ chromePath, chromeFlags: ['--headless=new', '--no-sandbox'] });
process.once('disconnect', () => {
  chrome.kill();
  process.exit();
});

process.on('message', async ({ url, formFactor }) => {
  const config = formFactor === 'desktop' ? desktopConfig : undefined;
  try {
    const { lhr } = await lighthouse(url, { ...flags, port: chrome.port }, config);
    process.send({ report: lhr });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
