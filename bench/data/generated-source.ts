import type { DataSource } from '../../src/block/manifest.ts';

/** What the importer is told of rows that come from nowhere. */
export const GENERATED_SOURCE: DataSource = {
  title: 'Generated rows',
  publisher: 'bench',
  license: 'MIT',
  date: '2026-01-01',
};
