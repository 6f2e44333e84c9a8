import fc from 'fast-check';
import type { DatasetBlock } from '../../src/block/block.ts';
import { groupColumns, groupingOf, measuresOf, timePartsOf } from '../../src/block/grouping.ts';

/** The options of a question about groups. */
export type Question = {
  readonly _group?: readonly string[];
  readonly _measure?: readonly string[];
  readonly _sort?: string;
  readonly _having?: Readonly<Record<string, unknown>>;
  readonly _limit?: number;
};

/** What the rows of a block can be grouped by: a field, a part of a time, ranges of numbers. */
export function randomDimension({ fields }: DatasetBlock): fc.Arbitrary<string> {
  return fc.constantFrom(
    ...fields.flatMap((field) => [
      field.name,
      ...timePartsOf(field).map((part) => `${field.name}.${part}`),
      ...(['number', 'integer'].includes(field.type)
        ? [`${field.name}.10`, `${field.name}.0.7`, `${field.name}.0.01`]
        : []),
    ]),
  );
}

/** Groups may also be cells of a map, if rows have places. */
function randomOfGroups(block: DatasetBlock): fc.Arbitrary<string> {
  const cells = ['10m', '300ft', '0.5km', '2km', '50km', '900mi'].map((width) => `place.${width}`);
  return block.geometry === undefined
    ? randomDimension(block)
    : fc.oneof(
        { weight: 3, arbitrary: randomDimension(block) },
        { weight: 1, arbitrary: fc.constantFrom(...cells) },
      );
}

/** Questions that a block answers; some are sorted by a column of theirs. */
export function randomQuestion(block: DatasetBlock): fc.Arbitrary<Question> {
  const named = fc.constantFrom(
    'count',
    'share:count',
    ...block.fields.flatMap((field) => measuresOf(field).map((of) => `${of}:${field.name}`)),
  );
  const measure = fc
    .tuple(named, fc.integer({ min: 10, max: 99 }))
    .map(([text, hundredths]) => text.replace('p90', `p${hundredths}`));
  return fc
    .record(
      {
        _group: fc.uniqueArray(randomOfGroups(block), { minLength: 1, maxLength: 3 }),
        _measure: fc.uniqueArray(measure, { minLength: 1, maxLength: 8 }),
        sortBy: fc.tuple(
          fc.tuple(fc.nat(), fc.boolean()),
          fc.option(fc.tuple(fc.nat(), fc.boolean())),
        ),
        having: fc.tuple(
          fc.nat(),
          fc.constantFrom('_min', '_max', ''),
          fc.constantFrom(0, 1, 2, 5),
        ),
        _limit: fc.integer({ min: 1, max: 40 }),
      },
      { requiredKeys: [] },
    )
    .filter(({ _group, _measure }) => _group !== undefined || _measure !== undefined)
    .map(({ sortBy, having, ...options }): Question => {
      const grouping = groupingOf(block, options);
      if (grouping === undefined) return options;
      const columns = groupColumns(grouping);
      const by = (sortBy ?? [])
        .flatMap((one) => (one === null ? [] : [one]))
        .map(([nth, isDown]) => `${isDown ? '-' : ''}${columns[nth % columns.length]?.name}`);
      const numbers = columns.filter(({ type }) => type === 'number' || type === 'integer');
      const [of = 0, end, bound] = having ?? [];
      const filtered = numbers[of % numbers.length]?.name;
      return {
        ...options,
        ...(sortBy === undefined ? {} : { _sort: by.join() }),
        ...(having === undefined || filtered === undefined
          ? {}
          : { _having: { [`${filtered}${end}`]: bound } }),
      };
    });
}
