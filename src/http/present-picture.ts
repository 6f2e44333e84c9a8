import type { Arguments } from '../arguments/given.ts';
import { svg } from '../formats/svg.ts';
import type { FigureFile } from '../views/figure-file.ts';
import type { ViewQuery } from '../views/view.ts';
import { compressed } from './answer.ts';
import { etagOf } from './etag.ts';
import type { Presentation } from './line.ts';
import { thrownOn } from './present-data.ts';
import { checkFormatOptions } from './read-format.ts';
import { outcomeOfOutput } from './run-record.ts';
import type { Asked, DatasetViews, ServedDataset } from './served-block.ts';

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
export function pictureOf(
  { run, served, given, budget }: Asked<ServedDataset>,
  views: DatasetViews,
): Presentation<Arguments, ViewQuery, FigureFile> {
  const of = { ...served, profile: served.profile?.() };
  const began = performance.now();
  return {
    read() {
      return views.readForPage(served.readArguments, given, budget);
    },
    plan(read) {
      checkFormatOptions(read.values, 'svg');
      const query = views.openDataset(of, read, budget);
      views.checkFigure(query);
      return query;
    },
    head({ values, applied }, query) {
      const headers: Record<string, string> = { ...SVG_HEADERS };
      if (applied !== undefined) headers['Preference-Applied'] = `handling=${applied}`;
      if (given.isPost || values._explain === true) return { headers };
      const dependsOn = [query.planned?.cacheKey(), query.name, query.values];
      headers.ETag = etagOf(run.settings.build, 'svg', ...dependsOn);
      return { headers };
    },
    query(query) {
      const language = views.languageOf(views.sentPairs(given), served.block);
      return views.figureFile(query, { of, language, budget });
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
