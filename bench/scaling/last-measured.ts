import { readFileSync } from 'node:fs';
import type { Measured } from './measured-case.ts';

/** What the last full run found; a run writes it. */
export const MEASURED = new URL('measured.json', import.meta.url);

export function lastMeasured(): Measured {
  return JSON.parse(readFileSync(MEASURED, 'utf8')) as Measured;
}
