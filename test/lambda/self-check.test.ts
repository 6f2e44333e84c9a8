import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { block } from '../../functions/rgb-to-color-name/block.ts';
import { serveValue } from '../../src/http/served-block.ts';
import { checkFiles, withSelfCheck } from '../../src/lambda/lambda-handler.ts';

const served = serveValue(block, () => ({}));

describe('the check of a function by itself', () => {
  test('passes where all files are there', async () => {
    await expect(checkFiles(served)()).resolves.toBeUndefined();
  });

  test('fails where a file that pages need cannot be read', async () => {
    const missing = () => {
      throw new Error('no such file');
    };
    for (const lacking of [{ profile: missing }, { boundaries: missing }]) {
      await expect(checkFiles({ ...served, ...lacking })()).rejects.toThrow('no such file');
    }
  });

  test('is not run by a request', async () => {
    const handler = withSelfCheck(
      async () => ({ statusCode: 200, body: 'answered' }),
      async () => {
        throw new Error('checked');
      },
    );
    const request = { httpMethod: 'GET' } as APIGatewayProxyEvent;
    await expect(handler(request)).resolves.toMatchObject({ body: 'answered' });
    for (const event of [{}, null, undefined]) {
      await expect(handler(event as unknown as APIGatewayProxyEvent)).rejects.toThrow('checked');
    }
  });
});
