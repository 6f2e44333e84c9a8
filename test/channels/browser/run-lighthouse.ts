import { fork } from 'node:child_process';
import path from 'node:path';
import { toolPackage } from '../../support/tools.ts';
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

export type Lighthouse = {
  /** Its report of a page; one after the other. */
  run(url: string, formFactor: FormFactor): Promise<LighthouseReport>;
  close(): Promise<void>;
};

type Answer = { readonly report?: LighthouseReport; readonly error?: string };

/**
 * Starts Lighthouse with a browser of its own, for many pages: to start both takes seconds. It looks
 * at what is a matter of yes or no; or it measures speed, too, which takes a third longer.
 */
export function openLighthouse(measures: 'speed' | 'no speed', chromium = CHROMIUM): Lighthouse {
  const packages = path.dirname(toolPackage('lighthouse'));
  const child = fork(
    path.join(import.meta.dirname, 'lighthouse-process.js'),
    [packages, chromium, measures],
    { execArgv: [] },
  );
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Lighthouse ended with ${code}.`)));
  });
  ended.catch(() => {});
  return {
    run: async (url, formFactor) => {
      const answered = new Promise<Answer>((resolve) => {
        child.once('message', (answer) => resolve(answer as Answer));
      });
      child.send({ url, formFactor });
      const { report, error } = await Promise.race([answered, ended]);
      if (report === undefined) throw new Error(error);
      return report;
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended.catch(() => {});
    },
  };
}
