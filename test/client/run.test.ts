import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { run } from '../../client/src/client.ts';
import { type Service, startService } from '../support/service.ts';
import { refusal } from './refusal.ts';

let service: Service;
let options: { base_url: string };
beforeAll(async () => {
  service = await startService();
  options = { base_url: service.url };
});
afterAll(() => service.close());

const CORAL = { R: 255, G: 127, B: 80 };

describe('run', () => {
  test('gives the answer as the service gives it, its members in params', async () => {
    const filters = { category: ['retail', 'services'], _limit: 3, _explain: true };
    // Suites share the service, and an answer's cost depends on what it has in memory.
    await service.post('business-directory', filters);
    const answer = await run('business-directory', filters, options);
    expect(answer.params.results).toHaveLength(3);
    expect(answer).toEqual((await service.post('business-directory', filters)).body);
    expect((await run('rgb-to-color-name', CORAL, options)).params.name).toBe('Coral');
  });

  test.each([
    ['its id', '0866afd3c60942887af15dc945ab76fc'],
    ["its id behind an owner's name, as Blockspring had it", 'me/0866afd3c60942887af15dc945ab76fc'],
  ])('calls a block by %s', async (_, address) => {
    const { params } = await run(address, { _limit: 1 }, options);
    expect(params).toEqual((await run('business-directory', { _limit: 1 }, options)).params);
  });

  test('a name with other signs is one name, and no other address', async () => {
    const { code, message } = await refusal(run('business-directory?category=retail', {}, options));
    expect(code).toBe('unknown-block');
    expect(message).toContain('business-directory?category=retail');
  });

  test('without arguments gives the first page of everything', async () => {
    const { params } = await run('census-neighborhoods', {}, options);
    expect(params.total).toBe(56);
    const untyped = run as (...args: unknown[]) => ReturnType<typeof run>;
    expect((await untyped('census-neighborhoods', undefined, options)).params).toEqual(params);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])(
    '%d is refused, where JSON would make it no filter',
    async (value) => {
      const untyped = run as (...args: unknown[]) => Promise<unknown>;
      for (const args of [{ parsed_address_min: value }, { business: ['x', value] }]) {
        await expect(untyped('business-directory', args, options)).rejects.toThrow(TypeError);
      }
    },
  );
});

describe('a refusal', () => {
  test('is an error with all that the problem says', async () => {
    const args = { R: 300, G: 'abc' };
    const error = await refusal(run('rgb-to-color-name' as string, args, options));
    const { body } = await service.post('rgb-to-color-name', args);
    const { instance, ...problem } = body;
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('BlockyardError');
    expect(error.message).toBe(problem.detail);
    expect(error.status).toBe(400);
    expect(error.code).toBe('invalid-arguments');
    expect(error.errors).toEqual(problem.errors);
    expect(error.errors).toHaveLength(3);
    expect(error.problem).toEqual({ ...problem, instance: `urn:uuid:${error.runId}` });
    expect(instance).toMatch(/^urn:uuid:/);
  });

  test.each([
    ['unknown-block', 404, 'business-directry', {}],
    ['invalid-arguments', 400, 'business-directory', { catgory: 'retail' }],
    ['body-too-large', 413, 'business-directory', { business: 'x'.repeat(300_000) }],
  ])('%s is told by its code and its status, %d', async (code, status, block, args) => {
    expect(await refusal(run(block, args, options))).toMatchObject({ code, status });
  });
});
