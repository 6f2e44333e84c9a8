import { describe, expect, test } from '@jest/globals';
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { authorizeKey } from '../../src/lambda/key-authorizer.ts';

const KEY = 'abcdefghij-KLMNOP_0123456789';
const OTHER = 'zyxwvutsrq9876543210';
const ARN = 'arn:aws:execute-api:eu-west-1:123456789012:a1b2/prod/POST/api_v2/blocks/x';

function event(request: {
  headers?: Record<string, string>;
  query?: Record<string, string[]>;
}): APIGatewayRequestAuthorizerEvent {
  const { headers = {}, query = {} } = request;
  return {
    type: 'REQUEST',
    methodArn: ARN,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, [v]])),
    queryStringParameters: Object.fromEntries(Object.entries(query).map(([k, v]) => [k, v.at(-1)])),
    multiValueQueryStringParameters: query,
  } as unknown as APIGatewayRequestAuthorizerEvent;
}

describe('a key is found', () => {
  test.each([
    ['as x-api-key', { headers: { 'x-api-key': KEY } }],
    ['as X-Api-Key', { headers: { 'X-Api-Key': ` ${KEY} ` } }],
    ['as a bearer token', { headers: { Authorization: `Bearer ${KEY}` } }],
    ['as a bearer token, whatever the case', { headers: { authorization: `bearer  ${KEY}` } }],
    ['in the query', { query: { api_key: [KEY] } }],
    ['in the query, behind a blank one', { query: { api_key: ['', KEY] } }],
    [
      'in the query, where the header is blank',
      { headers: { 'x-api-key': ' ' }, query: { api_key: [KEY] } },
    ],
    [
      'in the query, where Authorization is of another kind',
      { headers: { Authorization: 'Basic Zm9v' }, query: { api_key: [KEY] } },
    ],
    [
      'as x-api-key before all others',
      {
        headers: { 'x-api-key': KEY, Authorization: `Bearer ${OTHER}` },
        query: { api_key: [OTHER] },
      },
    ],
    [
      'as a bearer token before the query',
      { headers: { Authorization: `Bearer ${KEY}` }, query: { api_key: [OTHER] } },
    ],
  ])('%s', (_, request) => {
    expect(authorizeKey(event(request))).toEqual({
      principalId: 'caller',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' }],
      },
      usageIdentifierKey: KEY,
    });
  });
});

describe('without a key', () => {
  test.each([
    ['nothing', {}],
    ['a blank key', { headers: { 'x-api-key': '' }, query: { api_key: [''] } }],
    ['a bearer without a token', { headers: { Authorization: 'Bearer ' } }],
    ['another scheme', { headers: { Authorization: 'Basic dXNlcjpwYXNz' } }],
    ['a key under another name', { query: { apikey: [KEY] } }],
  ])('%s is the text that API Gateway answers with 401', (_, request) => {
    expect(() => authorizeKey(event(request))).toThrow(/^Unauthorized$/);
  });

  test('an event with no headers and no query at all is one too', () => {
    const bare = {
      ...event({}),
      headers: null,
      multiValueHeaders: null,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
    };
    expect(() => authorizeKey(bare)).toThrow(/^Unauthorized$/);
  });
});

test.each([
  ['too short', 'abc'],
  ['too long', 'a'.repeat(129)],
  ['of other characters', `${KEY}%20${KEY}`],
  ['a line end and more', `${KEY}\n${KEY}`],
])('what cannot be a key (%s) is denied, and not asked for', (_, key) => {
  const { policyDocument, usageIdentifierKey } = authorizeKey(event({ query: { api_key: [key] } }));
  expect(policyDocument.Statement).toMatchObject([{ Effect: 'Deny', Resource: '*' }]);
  expect(usageIdentifierKey).toBeUndefined();
});
