import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TextDictionary } from '../../src/measures/text-ids.ts';
import type { TextRun } from '../../src/text/text-run.ts';
import { finish } from '../../src/work/work.ts';
import { ampleBudget } from '../support/ample.ts';

const texts = fc.uniqueArray(
  fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('x'.repeat(90))),
  {
    maxLength: 30,
  },
);

test('a text has one id, whichever runs it is in and whichever of their texts are asked for', async () => {
  const run = fc.tuple(texts, fc.infiniteStream(fc.boolean()));
  await fc.assert(
    fc.asyncProperty(fc.array(run, { maxLength: 6 }), async (all) => {
      const [ids, known] = [new TextDictionary(), new Map<string, number>()];
      for (const [its, isAsked] of all) {
        const asked = Array.from(its.keys()).filter(() => isAsked.next().value);
        const found = await finish(ids.idsOf(runOf(its), asked), ampleBudget());
        for (const [i, index] of asked.entries()) {
          const text = its[index] as string;
          const id = known.get(text) ?? known.size;
          known.set(text, id);
          expect(found[i]).toBe(id);
        }
        expect(ids.count).toBe(known.size);
      }
    }),
    { seed: 11, numRuns: 400 },
  );
});

function runOf(its: readonly string[]): TextRun {
  const ends: number[] = [];
  let bytes = 0;
  for (const text of its) {
    bytes += Buffer.byteLength(text);
    ends.push(bytes);
  }
  return { bytes: Buffer.from(its.join('')), ends: Uint32Array.from(ends) };
}
