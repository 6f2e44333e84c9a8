import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nameOfDelimiter } from '../../src/block/declaration.ts';
import { sniffCsv } from '../../src/files/csv/sniff-csv.ts';
import { findEncoding } from '../../src/files/encoding.ts';
import type { Sniffed } from '../../src/files/file-format.ts';
import { commandArguments } from '../../test/support/command-arguments.ts';
import { machine } from '../report/machine.ts';
import { figures, markdownTable } from '../report/markdown-table.ts';
import { type AnnotatedFile, type Corpus, madeCorpora, readCorpora } from './corpus.ts';
import { madeUp } from './made-up.ts';
import { type Damaged, measureDamage } from './measure-damage.ts';
import { COLUMNS, measureReading } from './measure-reading.ts';

/**
 * `npm run bench:dialects -- <checkout>`: how often the delimiter is found that people wrote down, what
 * is left of damaged files, and how long reading takes. `--smoke` needs no checkout. `--made-up` reads
 * made-up files instead: see made-up.ts.
 */
const { isSmoke, args } = commandArguments();
if (args[0] === '--made-up') {
  await madeUp(args.slice(1), isSmoke);
  process.exit();
}

/** Our names of the annotations' delimiters. */
const NAMES: Readonly<Record<string, string>> = { vslash: 'vertical bar' };

/** What the annotations call an encoding; others are guessed by nobody, so any that decodes will do. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'windows-1251': 'windows-1251',
  'shif-jis': 'shift_jis',
  gb2312: 'gb18030',
};

async function sniff({ name, bytes, encoding }: AnnotatedFile): Promise<Sniffed> {
  const readBytes = () => [bytes];
  const found = await findEncoding(readBytes, name).catch(() => {
    return { encoding: ENCODINGS[encoding] ?? 'macintosh', badBytes: 'replace' as const };
  });
  // Where a person would be asked, the first reading, as `--yes` takes it.
  const asked = 'needsAsking' in found ? found.needsAsking?.readings[0] : undefined;
  const { badBytes } = { ...found, ...asked } as { readonly badBytes?: 'replace' };
  const all = badBytes === undefined ? {} : { badBytes };
  const source = { readBytes, file: name, encoding: asked?.encoding ?? found.encoding };
  return sniffCsv(source, all);
}

type Measured = {
  readonly row: readonly string[];
  readonly wrong: readonly string[];
  readonly share: number;
};

async function measure({ name, files, missing }: Corpus): Promise<Measured> {
  const wrong: string[] = [];
  let asked = 0;
  let wrongAsked = 0;
  let seconds = 0;
  for (const file of files) {
    const start = performance.now();
    const sniffed = await sniff(file);
    seconds += (performance.now() - start) / 1000;
    const found = nameOfDelimiter(sniffed.dialect.delimiter ?? ',');
    const isAsked = sniffed.alternatives.length > 0;
    if (isAsked) asked++;
    if (found === (NAMES[file.delimiter] ?? file.delimiter)) continue;
    wrong.push(`| ${file.name} | ${file.delimiter} | ${found} | ${isAsked ? 'asked' : ''} |`);
    if (isAsked) wrongAsked++;
  }
  const share = 1 - wrong.length / files.length;
  return {
    row: [
      name,
      String(files.length),
      `${(100 * share).toFixed(1)} %`,
      String(asked),
      `${wrongAsked} of ${wrong.length}`,
      String(missing),
      figures((1000 * seconds) / files.length),
    ],
    wrong,
    share,
  };
}

/** So many files of each class of damage. */
const DAMAGED_FILES = isSmoke ? 1 : 100;

/** Rows of the file that is read, and how often it is. */
const [ROWS, ROUNDS] = isSmoke ? [200, 1] : [100_000, 5];

/** Of all cells, and of the rows that were not damaged. */
const [LEAST_RIGHT, LEAST_EQUAL] = [0.99, 0.999];

const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(2)} %`;

function damageRow(name: string, all: readonly Damaged[]): string[] {
  const sum = (of: Exclude<keyof Damaged, 'name'>) => all.reduce((sum, one) => sum + one[of], 0);
  return [
    name,
    percent(sum('right'), sum('cells')),
    percent(sum('equal'), sum('whole')),
    ...(['damaged', 'mended', 'setAside', 'refused', 'untold', 'unseen'] as const).map((of) =>
      sum(of).toLocaleString('en-US'),
    ),
  ];
}

const [checkout] = args;
if (checkout === undefined && !isSmoke) {
  console.error('Name the folder of a checkout of github.com/ws-garcia/CSVsniffer.');
  process.exit(1);
}
const measured: Measured[] = [];
const corpora = checkout === undefined ? madeCorpora() : readCorpora(checkout);
for (const corpus of corpora) measured.push(await measure(corpus));
const damaged = await measureDamage(DAMAGED_FILES);
const { bytes, seconds } = await measureReading(ROWS, ROUNDS);
if (isSmoke) await madeUp([], isSmoke);
const alone = seconds.get('csv-parse alone') as number;

const text = `# Dialects of other people's files

Written by \`npm run bench:dialects -- <checkout>\`, on ${new Date().toISOString().slice(0, 10)}: ${machine().split(';')[0]}.

## Delimiters

The corpora are those of [CSVsniffer](https://github.com/ws-garcia/CSVsniffer), in its checkout, with
its annotations. *Asked* are files where a second reading is nearly as good, of delimiter or header.

${markdownTable(
  [
    'corpus',
    'files',
    'delimiter right',
    'asked',
    'wrong and asked',
    'not in the checkout',
    'ms a file',
  ],
  measured.map(({ row }) => row),
)}
The aims are 93 % and 98 %. These are wrong:

| file | annotated | found | |
| --- | --- | --- | --- |
${measured.flatMap(({ wrong }) => wrong).join('\n')}

\`nsign\` and \`space\` are no delimiters here: each further one would make the others less certain.

## Real files

On 2026-11-23, 260 files, most of them likely new to the project, of nine public repositories (BuzzFeedNews,
fivethirtyeight, mwaskom/seaborn-data, openflights, owid-datasets, plotly/datasets, TheEconomist,
the-pudding, vega-datasets; CSV, TSV, JSON, GeoJSON and Excel up to 8 MB) went through \`add --yes\`: 248
were added and none of 5,636,526 cells differed from a reading by papaparse, JSON.parse or openpyxl
without being told (Excel's numbers to the 15 digits that Excel shows); 12 were refused, each with its
reason: 3 JSON documents of several lists, 3 that are no table, and 6 tables of openflights, of which over
1 % of the rows have another width than the header. The files are not kept here.

## Made-up files

On 2026-11-28, \`--made-up 20000 1000\`: 246,037 things, 17 wrong and not told: 15 numbers of nines that occur
once or are near the others, a sheet without a header, and versions without a header. None refused; 0.69
questions a file, 0.79 when these files were first read. \`--made-up --mixed 3000 2000\`, with what people met
with other tools: 39,510 things, 8 wrong and not told: 7 numbers of nines that occur once, and a count of
equal digits, no two of them equal. 108 refused, each JSONP, with a way on; 1.23 questions a file.
Once a negative number of nines is told if it occurs once, \`--made-up --mixed 1500 20000\`: 19,855 things, none
wrong and not told, 1.19 questions a file.
\`--made-up --mixed 18500 30000\`: 249,736 things, 10 wrong and not told in 10 files: 3 headers below a line of a
logger that has no units below them (mended), 3 rows of labels below names of which two columns of five are
asked about, 2 versions without a header, and 2 columns of six digits with a 1e5, kept as the texts that they
are. 560 refused, each JSONP; 1.18 questions a file.

## Public files before and after issue 55

On 2026-11-28, 1,247 files up to 1.5 MB of nine public repositories (Rdatasets, fivethirtyeight,
plotly/datasets, seaborn-data, vega-datasets, openflights, big-mac-data, country-codes, palmerpenguins) were
proposed before the issue (4e23d0b5) and after it: 1,190 added both times, 56 refused both times, one refused
before alone; 134 questions before, 131 after. 49 columns differ; each was read: 41 right, none wrong in its
values, 8 neither.

## Damaged files

${DAMAGED_FILES} generated tables of 100 to 399 rows a class, in each of which 1 to 3 rows are damaged
([damaged-files.ts](../../test/files/damaged-files.ts), seeded), added by \`add --yes --bad-rows mend\`.
*Cells right* are those of all rows, damaged ones too; what is set aside counts as wrong. *Untold* are
rows that differ or are missing while no line of theirs is said to be mended, set aside or left out;
*unseen* are those of them whose text is a whole row, such as one that is cut off within its last cell:
nothing in the file shows it.

${markdownTable(
  [
    ...['damage', 'cells right', 'other rows equal', 'rows damaged', 'mended', 'set aside'],
    ...['files refused', 'untold', 'unseen'],
  ],
  [...damaged.map((one) => damageRow(one.name, [one])), damageRow('all', damaged)],
)}
The aims are 99 % of all cells, 99.9 % of the other rows, and none untold but what is unseen.

## Time

A generated file of ${ROWS.toLocaleString('en-US')} rows, ${COLUMNS} columns and ${Math.round(bytes / 1e6)} MB, processor time, the median of five rounds:

${markdownTable(
  ['step', 's', '÷ csv-parse alone'],
  [...seconds].map(([name, taken]) => [name, figures(taken), figures(taken / alone)]),
)}`;
if (!isSmoke) await writeFile(path.join(import.meta.dirname, 'RESULTS.md'), text);
if (measured.some(({ share }, i) => share < ([0.93, 0.98][i] as number))) process.exitCode = 1;
const total = (of: Exclude<keyof Damaged, 'name'>) =>
  damaged.reduce((sum, one) => sum + one[of], 0);
if (total('right') < LEAST_RIGHT * total('cells')) process.exitCode = 1;
if (total('equal') < LEAST_EQUAL * total('whole')) process.exitCode = 1;
if (total('untold') > total('unseen')) process.exitCode = 1;
