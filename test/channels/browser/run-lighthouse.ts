import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { commandThatWorks } from '../../support/command.ts';
import { toolCommand } from '../../support/tools.ts';
import { CHROMIUM } from '../submit-form.ts';

export type FormFactor = 'mobile' | 'desktop';

/** Of Lighthouse's report: what is looked at here. */
export type LighthouseReport = {
  /** From 0 to 1. */
  readonly categories: Readonly<Record<string, { score: number | null }>>;
  readonly audits: Readonly<
    Record<
      string,
      {
        score: number | null;
        scoreDisplayMode: string;
        numericValue?: number;
        details?: { items?: readonly unknown[] };
      }
    >
  >;
};

/** Runs Lighthouse on a page in a browser of its own; `folder` holds its report. */
export async function runLighthouse(
  url: string,
  formFactor: FormFactor,
  folder: string,
  chromium = CHROMIUM,
): Promise<LighthouseReport> {
  const report = path.join(folder, 'lighthouse.json');
  const options = ['--quiet', '--output=json', `--output-path=${report}`];
  options.push('--chrome-flags=--headless=new --no-sandbox', '--no-enable-error-reporting');
  // Of which nothing is read.
  options.push('--disable-full-page-screenshot');
  if (formFactor === 'desktop') options.push('--preset=desktop');
  await commandThatWorks(toolCommand('lighthouse'), [url, ...options], {
    cwd: folder,
    env: { ...process.env, CHROME_PATH: chromium },
  });
  return JSON.parse(await readFile(report, 'utf8'));
}
