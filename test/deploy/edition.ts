import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';

/** Another edition of the data: a folder, and by what to tell the directory's rows from others'. */
export type Edition = {
  readonly seedData: string;
  /** What each row has as its `city_state`. */
  readonly mark: string;
  readonly rows: number;
};

const DIRECTORY = 'brooklyn-11231-businesses';

/** The checkout's own. */
export const FIRST_EDITION = { mark: 'Brooklyn, NY', rows: 120 };

/** What `changed-data.test.ts` deploys, and leaves. */
export const SECOND_MARK = 'Brooklyn, second edition';

/** So many that they do not fit on a page. */
const MORE_ROWS = 1001;

/** The checkout's data, with a mark in every row of the directory, and with more rows. */
export async function nextEdition(mark: string): Promise<Edition> {
  const seedData = path.join(await temporaryFolder(), 'seed-data');
  await cp(path.join(ROOT, 'seed-data'), seedData, { recursive: true });
  const file = path.join(seedData, `${DIRECTORY}.csv`);
  const before = await readFile(file, 'utf8');
  const more = `"${mark}",Services,Tow Truck Company,ANOTHER TOWING,"62 BEARD ST
BROOKLYN, NY 11231
(40.673553, -74.012992)",,11231,62,Active\n`.repeat(MORE_ROWS);
  const csv = before.replaceAll(`"${FIRST_EDITION.mark}"`, `"${mark}"`) + more;
  await writeFile(file, csv);
  const rows = FIRST_EDITION.rows + MORE_ROWS;
  const about = path.join(seedData, `${DIRECTORY}.source.json`);
  const source = JSON.parse(await readFile(about, 'utf8'));
  const sha256 = createHash('sha256').update(csv).digest('hex');
  await writeFile(about, JSON.stringify({ ...source, rows, sha256 }));
  return { seedData, mark, rows };
}

/** The checkout's data with one letter changed that nobody has said of. */
export async function corruptEdition(): Promise<string> {
  const seedData = path.join(await temporaryFolder(), 'seed-data');
  await cp(path.join(ROOT, 'seed-data'), seedData, { recursive: true });
  const file = path.join(seedData, `${DIRECTORY}.csv`);
  await writeFile(file, (await readFile(file, 'utf8')).replace('ABILENE', 'ABILENF'));
  return seedData;
}
