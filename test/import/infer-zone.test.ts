import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ZoneEvidence } from '../../src/recipe/evidence/zone.ts';

/** Kept, since to make one takes longer than a hundred uses. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const kept = formats.get(timeZone);
  if (kept !== undefined) return kept;
  const made = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, made);
  return made;
}

/** An instant as a zone's clocks show it, with the offset, by Intl alone. */
function shownIn(zone: string, instant: number): string {
  const format = formatOf(zone);
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value;
  const offset = name?.replace('GMT', '') || '+00:00';
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  const ahead = (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  return new Date(instant + ahead).toISOString().replace('Z', offset);
}

function evidenceOf(texts: readonly string[]): ZoneEvidence {
  const evidence = new ZoneEvidence();
  for (const text of texts) evidence.add(text, new Date(text).toISOString());
  return evidence;
}

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Asia/Tokyo',
];
const YEARS = { min: Date.UTC(1990, 0), max: Date.UTC(2026, 0) };

test("the zone that is found gives each cell its own offset, and there is one for a zone's own times", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.array(fc.integer(YEARS), { minLength: 1, maxLength: 60 }),
      (zone, instants) => {
        const texts = instants.map((instant) => shownIn(zone, instant));
        const found = evidenceOf(texts).find();
        expect(instants.map((instant) => shownIn(found?.timeZone as string, instant))).toEqual(
          texts,
        );
      },
    ),
    { seed: 26, numRuns: 60 },
  );
});

test.each<[string, readonly string[], string | undefined]>([
  [
    'one offset of whole hours',
    ['2020-01-15T00:30:00+02:00', '2020-07-15T00:30:00+02:00'],
    'Etc/GMT-2',
  ],
  ['one offset behind UTC', ['2020-01-15T00:30:00-0500'], 'Etc/GMT+5'],
  ['one offset of three quarters of an hour', ['2020-01-15T00:30:00+08:45'], 'Australia/Eucla'],
  [
    'the offsets of a zone',
    ['2020-01-15T00:30:00+01:00', '2020-07-15T00:30:00+02:00'],
    'Africa/Ceuta',
  ],
  [
    'those offsets, at the wrong times',
    ['2020-01-15T00:30:00+02:00', '2020-07-15T00:30:00+01:00'],
    undefined,
  ],
  [
    'an offset that stays a day longer than clocks have it',
    ['2021-10-30T10:00:00+02:00', '2021-11-01T10:00:00+02:00', '2021-12-01T10:00:00+01:00'],
    undefined,
  ],
  ['an offset beside UTC', ['2020-01-15T00:30:00Z', '2020-07-15T00:30:00+02:00'], undefined],
  ['an offset of nowhere', ['2020-01-15T00:30:00+03:07'], undefined],
])('%s', (_, texts, timeZone) => {
  expect(evidenceOf(texts).find()?.timeZone).toBe(timeZone);
});

test('random offsets are in no zone, however many there are', () => {
  const texts = Array.from({ length: 30_000 }, (_, i) =>
    shownIn(ZONES[i % 2] as string, Date.UTC(1900, 0, 1 + i)),
  );
  expect(evidenceOf(texts).find()).toBeUndefined();
});
