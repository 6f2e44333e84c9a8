import type { Arguments } from '../arguments/given.ts';
import { svg } from '../formats/svg.ts';
import type { OpenedView } from '../page/opened-view.ts';
import type { PlannedRun } from '../query/run.ts';
import { compressed } from './answer.ts';
import { etagOf } from './etag.ts';
import type { FigureFile } from './figure-file.ts';
import type { Presentation } from './line.ts';
import { readForPage, sentPairs } from './page-arguments.ts';
import { thrownOn } from './present-data.ts';
import { languageOfPage } from './present-page.ts';
import { checkFormatOptions } from './read-format.ts';
import { outcomeOfOutput } from './run-record.ts';
import type { Asked, ServedDataset } from './served-block.ts';

type FigurePlan = { readonly opened: OpenedView; readonly planned: PlannedRun };

/** A file that runs nothing and loads nothing, wherever it is opened. */
const SVG_HEADERS = {
  'Content-Type': svg.contentType,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'no-cache',
  Vary: 'Accept, Accept-Encoding, Prefer',
};

/**
 * The figure of a block's page as an SVG file. Like all files it has no place for warnings, so a
 * name that the block does not have is refused.
 */
export function figureOf(
  asked: Asked<ServedDataset>,
): Presentation<Arguments, FigurePlan, FigureFile> {
  const { run, served, given, budget } = asked;
  const profile = served.profile?.();
  const began = performance.now();
  return {
    read() {
      return readForPage(asked);
    },
    async plan(read) {
      checkFormatOptions(read.values, 'svg');
      const opened = await served.page.open(served, profile, read, budget);
      served.page.checkFigure(opened);
      return { opened, planned: await served.page.plan(served, profile, opened, budget) };
    },
    head({ values, applied }, { planned, opened }) {
      const headers: Record<string, string> = {
        ...SVG_HEADERS,
        ...(applied === undefined ? {} : { 'Preference-Applied': `handling=${applied}` }),
      };
      if (given.isPost || values._explain === true) return { headers };
      const dependsOn = [planned.cacheKey(), opened.view, opened.values];
      headers.ETag = etagOf(run.settings.build, 'svg', ...dependsOn);
      return { headers };
    },
    async run({ opened }) {
      const language = await languageOfPage(sentPairs(given), served.block);
      return served.page.drawFigure({ served, profile, language }, opened, budget);
    },
    answer({ text, total, output }, headers) {
      return compressed(run, {
        status: 200,
        headers: { ...headers, 'X-Total-Count': String(total) },
        body: text,
        outcome: outcomeOfOutput(output, budget),
        timings: `figure;dur=${(performance.now() - began).toFixed(2)}, `,
      });
    },
    refuse: thrownOn,
  };
}
