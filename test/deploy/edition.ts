import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../support/service.ts';

/** Another edition of the data, and by what to tell the directory's rows from others'. */
export type Edition = {
  /** Replaces the data of a copy of the checkout. */
  readonly writeTo: (checkout: string) => Promise<void>;
  /** What each row has as its `city_state`. */
  readonly mark: string;
  readonly rows: number;
};

const DATA = 'seed-data/brooklyn-11231-businesses.csv';
const BLOCK = 'functions/business-directory/block.json';

/** The checkout's own. */
export const FIRST_EDITION = { mark: 'Brooklyn, NY', rows: 120 };

/** What `changed-data.test.ts` deploys, and leaves. */
export const SECOND_MARK = 'Brooklyn, second edition';

/** So many that they do not fit on a page. */
const MORE_ROWS = 1001;

/** The checkout's data, with a mark in every row of the directory, and with more rows. */
export async function nextEdition(mark: string): Promise<Edition> {
  const before = await readFile(path.join(ROOT, DATA), 'utf8');
  const more = `"${mark}",Services,Tow Truck Company,ANOTHER TOWING,"62 BEARD ST
BROOKLYN, NY 11231
(40.673553, -74.012992)",,11231,62,Active\n`.repeat(MORE_ROWS);
  const csv = before.replaceAll(`"${FIRST_EDITION.mark}"`, `"${mark}"`) + more;
  const rows = FIRST_EDITION.rows + MORE_ROWS;
  const hash = `sha256:${createHash('sha256').update(csv).digest('hex')}`;
  const block = JSON.parse(await readFile(path.join(ROOT, BLOCK), 'utf8'));
  const writeTo = async (checkout: string) => {
    await writeFile(path.join(checkout, DATA), csv);
    await writeFile(path.join(checkout, BLOCK), JSON.stringify({ ...block, rows, hash }));
  };
  return { writeTo, mark, rows };
}

/** The checkout's data with one letter changed that nobody has said of. */
export const CORRUPT_EDITION: Pick<Edition, 'writeTo'> = {
  writeTo: async (checkout) => {
    const file = path.join(checkout, DATA);
    await writeFile(file, (await readFile(file, 'utf8')).replace('ABILENE', 'ABILENF'));
  },
};
