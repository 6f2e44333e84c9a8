import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { ReadClient } from '../../src/dynamodb/read-client.ts';
import { awsSettings } from '../../src/lambda/aws-settings.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';

afterAll(cleanUp);

/** The headers by which a function with this environment asks what it takes for DynamoDB. */
async function headersIn(env: Readonly<Record<string, string>>): Promise<IncomingHttpHeaders> {
  const before = { ...process.env };
  let headers: IncomingHttpHeaders = {};
  const server = createServer((request, response) => {
    headers = request.headers;
    response.end('{"Count":0}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const all = { ...env, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` };
  Object.assign(process.env, all);
  const client = new ReadClient(awsSettings());
  try {
    await client.query({ TableName: 't' }, new AbortController().signal);
    return headers;
  } finally {
    client.destroy();
    server.close();
    for (const name of Object.keys(all)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

test("a function signs by its environment's keys and region, and by nothing that a file says", async () => {
  const file = path.join(await temporaryFolder(), 'config');
  await writeFile(
    file,
    '[profile other]\nregion = us-east-2\naws_access_key_id = OTHER\naws_secret_access_key = OTHER\n',
  );
  const headers = await headersIn({
    AWS_PROFILE: 'other',
    AWS_CONFIG_FILE: file,
    AWS_SHARED_CREDENTIALS_FILE: file,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'OURS',
    AWS_SECRET_ACCESS_KEY: 'SECRET',
    AWS_SESSION_TOKEN: 'TOKEN',
  });
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=OURS\/\d{8}\/eu-west-1\/dynamodb\/aws4_request, /,
  );
  expect(headers).toMatchObject({
    'x-amz-security-token': 'TOKEN',
    'x-amz-target': 'DynamoDB_20120810.Query',
  });
  expect(JSON.stringify(headers)).not.toMatch(/SECRET|OTHER/);
});
