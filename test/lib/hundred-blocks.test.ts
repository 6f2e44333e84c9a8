import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { partOf } from '../../lib/blockyard-stack.ts';
import { checkLimits, templatesIn } from '../../lib/deployment-limits.ts';
import type { BuiltBlock } from '../../src/build/build-block.ts';
import { type BuiltService, buildService } from '../../src/build/build-service.ts';
import { synthesizeUnchecked } from '../support/deployment.ts';
import { manyBlocks } from '../support/many-blocks.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';

type Synthesized = ReturnType<typeof synthesizeUnchecked>;

let service: BuiltService;
let hundred: Synthesized;
let forty: Synthesized;
beforeAll(async () => {
  const [root, blocks, out] = [ROOT, await manyBlocks(2), await temporaryFolder()];
  service = await buildService({ root, blocks, out });
  hundred = synthesizeUnchecked(many(100));
  forty = synthesizeUnchecked(many(40));
});
afterAll(cleanUp);

/** The service with as many blocks, each like the first; of a part, where one is given. */
function many(count: number, part?: number): BuiltService {
  const [built] = service.blocks as [BuiltBlock];
  const names = Array.from({ length: 1000 }, (_, i) => `data-${i}`).filter(
    (name) => part === undefined || partOf(name) === part,
  );
  const blocks = names
    .slice(0, count)
    .map((name) => ({ ...built, block: { ...built.block, name, id: name } }));
  return { ...service, blocks };
}

const countOf = (template: Record<string, object>) => Object.keys(template.Resources ?? {}).length;

test('a hundred blocks are within every limit', () => {
  const parts = hundred.parts.map(({ template }) => countOf(template));
  expect(parts).toHaveLength(12);
  expect(Math.max(...parts)).toBeLessThan(300);
  expect(countOf(hundred.root)).toBeLessThan(150);
  expect(hundred.ofType('AWS::ApiGateway::Resource')).toHaveLength(206);
  expect(() => checkLimits(templatesIn(hundred.app.synth().directory))).not.toThrow();
});

test('each template says what it is and whose blocks it has, within what AWS takes', () => {
  expect(hundred.root.Description).toMatch(
    /^blockyard: .* nested stacks,.*\bdata-0\b.* and \d+ more$/,
  );
  for (const { name, template } of hundred.parts) {
    expect(template.Description).toMatch(
      /^Part\d+ of blockyard: the tables, functions and routes of/,
    );
    const own = many(100).blocks.filter(({ block }) => name === `Part${partOf(block.name)}`);
    for (const { block } of own) expect(template.Description).toContain(block.name);
  }
  const long = many(25, 1);
  const named = long.blocks.map((built, i) => ({
    ...built,
    block: { ...built.block, name: `${built.block.name}-${'x'.repeat(40)}-${i}` },
  }));
  const { root, parts } = synthesizeUnchecked({ ...long, blocks: named });
  for (const { Description } of [root, ...parts.map(({ template }) => template)]) {
    expect(Buffer.byteLength(Description)).toBeLessThanOrEqual(512);
  }
  expect(root.Description).toMatch(/ and \d+ more$/);
});

test('a block too many for its part is refused, in a line with the number and what to do', () => {
  expect(() => synthesizeUnchecked(many(19, 1))).toThrow(
    /^part 1 of the stack has 19 blocks, and a part takes 18: data-\d+, .*\. Rename one, or deploy some of them under another stackName\.$/,
  );
});

test('all data blocks have the code of one bundle, and checks of their own', () => {
  const textsOf = (file: string) =>
    service.blocks.map(({ code }) => readFileSync(path.join(code, file), 'utf8'));
  expect(new Set(textsOf('index.mjs')).size).toBe(1);
  expect(textsOf('index.mjs')[0]).toContain('./compiled-schema.mjs');
});

/** Which parts a part waits for. */
function waits({ root, parts }: Synthesized): Map<string, readonly string[]> {
  const names = parts.map(({ name }) => name);
  return new Map(
    names.map((name) => [
      name,
      [root.Resources[name].DependsOn ?? []].flat().filter((one: string) => names.includes(one)),
    ]),
  );
}

test.each([100, 40])(
  'of %i tables at most 40 are imported at once, and at most 4 parts wait for no other',
  (count) => {
    const stack = count === 100 ? hundred : forty;
    const waiting = waits(stack);
    const tables = new Map(
      stack.parts.map(({ name, template }) => [
        name,
        JSON.stringify(template).match(/"AWS::DynamoDB::Table"/g)?.length ?? 0,
      ]),
    );
    const waveOf = (name: string): number =>
      Math.max(0, ...(waiting.get(name) ?? []).map((one) => 1 + waveOf(one)));
    const waves = [...waiting.keys()].map(waveOf);
    for (const wave of new Set(waves)) {
      const names = [...waiting.keys()].filter((name) => waveOf(name) === wave);
      const sum = names.reduce((total, name) => total + (tables.get(name) ?? 0), 0);
      expect(sum).toBeLessThanOrEqual(40);
      expect(names.length).toBeLessThanOrEqual(4);
      // Each waits for the whole wave before.
      for (const name of names) {
        expect(waiting.get(name)).toEqual(
          [...waiting.keys()].filter((one) => waveOf(one) === wave - 1),
        );
      }
    }
    expect([...tables.values()].reduce((a, b) => a + b)).toBe(count);
  },
);

test('a block stays in its part when others come', () => {
  const partsOf = ({ parts }: Synthesized) =>
    new Map(
      parts.flatMap(({ name, template }) =>
        [...JSON.stringify(template).matchAll(/"FunctionName":"blockyard_([\w-]+)"/g)].map(
          ([, block]) => [block, name] as const,
        ),
      ),
    );
  const [before, after] = [partsOf(forty), partsOf(hundred)];
  expect(before.size).toBe(40);
  for (const [block, part] of before) expect(after.get(block)).toBe(part);
});

test('the stage gets the routes of all parts, and gets them again when there are others', () => {
  const deploymentOf = ({ ofType }: Synthesized) => {
    const [[id, { DependsOn }] = ['', { DependsOn: undefined }]] = ofType(
      'AWS::ApiGateway::Deployment',
    );
    return { id, after: DependsOn ?? [] };
  };
  expect(deploymentOf(hundred).after).toEqual(
    expect.arrayContaining(hundred.parts.map(({ name }) => name)),
  );
  const few = many(2);
  const [first, ...others] = few.blocks as [BuiltBlock, ...BuiltBlock[]];
  const readdressed = { ...first, block: { ...first.block, id: 'another-address' } };
  const [before, after] = [few, { ...few, blocks: [readdressed, ...others] }].map((one) =>
    deploymentOf(synthesizeUnchecked(one)),
  );
  expect(after?.id).not.toBe(before?.id);
});
