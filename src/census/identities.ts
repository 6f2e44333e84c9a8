/** Figures of one area by column; null if the source has none. */
export type Figures = Readonly<Record<string, number | null>>;

const AGES = ['under_5', '5_to_17', '18_24', '25_34', '35_44', '45_54', '55_64', '65_plus'];

/** Identities of every area's counts: the left is the sum of the right (2010 SF1, DP-1). */
const IDENTITIES: readonly (readonly [string, readonly string[]])[] = [
  ['households', ['families', 'nonfamily_hhs']],
  ['nonfamily_hhs', ['single_person_hh', 'roommates']],
  ['total_units', ['households', 'vacant_units']],
  ['households', ['owner_occupied_units', 'renter_occupied_units']],
  ['total_population', ['pop_in_households', 'gq_pop']],
  ['total_population', AGES],
];

/** Throws the Error from `failed` for the first identity that does not hold. */
export function assertIdentities(figures: Figures, failed: (reason: string) => Error): void {
  for (const [whole, parts] of IDENTITIES) {
    const values = parts.map((part) => figures[part] ?? null);
    const sum = values.reduce((a, b) => (a === null || b === null ? null : a + b));
    if (sum !== null && figures[whole] !== sum) {
      throw failed(`${whole} is ${figures[whole]}, but ${parts.join(' + ')} is ${sum}`);
    }
  }
}
