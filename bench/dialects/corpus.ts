import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file whose dialect people wrote down. */
export type AnnotatedFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly encoding: string;
  /** The delimiter's name, as in the annotations. */
  readonly delimiter: string;
};

export type Corpus = {
  readonly name: string;
  readonly files: readonly AnnotatedFile[];
  /** How many annotated files the folder does not have. */
  readonly missing: number;
};

/** A corpus of three small files, made here. */
export function madeCorpora(): Corpus[] {
  const delimiters = { comma: ',', semicolon: ';', tab: '\t' };
  const rows = Array.from({ length: 20 }, (_, i) => [`A${i}`, `Name ${i}`, `2024-05-${10 + i}`]);
  const files = Object.entries(delimiters).map(([delimiter, sign]): AnnotatedFile => {
    const text = [['id', 'name', 'day'], ...rows].map((row) => `${row.join(sign)}\n`).join('');
    return { name: `${delimiter}.csv`, bytes: Buffer.from(text), encoding: 'utf-8', delimiter };
  });
  return [{ name: 'made', files, missing: 0 }];
}

/** The two corpora of a checkout of github.com/ws-garcia/CSVsniffer. */
export function readCorpora(checkout: string): Corpus[] {
  return [
    readCorpus(
      'CSV Wrangling',
      path.join(checkout, 'CSV_Wrangling/data/github/Curated files'),
      path.join(checkout, 'CSV_Wrangling/data/github/Manual_Dialect_Annotation.txt'),
    ),
    readCorpus(
      'W3C-CSVW',
      path.join(checkout, 'python/W3C-CSVW'),
      path.join(checkout, 'python/ground truth/W3C-CSVW-dialect_annotations.txt'),
    ),
  ];
}

function readCorpus(name: string, folder: string, annotations: string): Corpus {
  // Two lines stand above: a comment, and the header.
  const lines = readFileSync(annotations, 'utf8').trim().split(/\r?\n/).slice(2);
  const files = lines.flatMap((line) => {
    const [file = '', encoding = '', delimiter = ''] = line.split('|');
    const whole = path.join(folder, file);
    if (!existsSync(whole)) return [];
    return [{ name: file, bytes: readFileSync(whole), encoding, delimiter }];
  });
  return { name, files, missing: lines.length - files.length };
}
