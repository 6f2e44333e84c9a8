import type { Source } from '../../src/block/manifest.ts';

/** What the importer is told of rows that come from nowhere. */
export const GENERATED_SOURCE: Source = {
  title: 'Generated rows',
  publisher: 'bench',
  license: 'MIT',
  date: '2026-01-01',
};
