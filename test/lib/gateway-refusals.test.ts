import { describe, expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ResponseType, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { GATEWAY_REFUSALS, refuseAtGateway } from '../../lib/blocks-api.ts';
import { PROBLEMS } from '../../src/problem/errors.ts';

const RUN_ID = '0b4950c5-75f1-4e23-8f2a-5ad323b7f9e7';

const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'Stack');
const api = new RestApi(stack, 'Api');
api.root.addMethod('ANY');
refuseAtGateway(api);
const responses = Object.values(
  Template.fromStack(stack).findResources('AWS::ApiGateway::GatewayResponse'),
).map(({ Properties }) => Properties);

const bodyOf = (properties: (typeof responses)[number]) =>
  JSON.parse(
    properties.ResponseTemplates['application/json'].replaceAll('$context.requestId', RUN_ID),
  );

describe("API Gateway's own refusals", () => {
  test('all kinds that it knows are ours to word', () => {
    const kinds = Object.values(ResponseType)
      .filter((kind) => kind instanceof ResponseType)
      .map(({ responseType }) => responseType);
    expect(kinds.length).toBeGreaterThanOrEqual(20);
    expect(responses.map(({ ResponseType: kind }) => kind).sort()).toEqual(kinds.sort());
    expect([...GATEWAY_REFUSALS.keys()]).toHaveLength(kinds.length);
  });

  test.each(responses.map((response) => [response.ResponseType, response]))(
    '%s is a problem that old clients can parse too',
    (_, response) => {
      const body = bodyOf(response);
      const { status, title } = PROBLEMS[body.code as keyof typeof PROBLEMS];
      expect(response.StatusCode).toBe(String(status));
      expect(body).toEqual({
        type: `docs/errors.md#${body.code}`,
        title,
        status,
        detail: expect.stringMatching(/\.$/),
        instance: `urn:uuid:${RUN_ID}`,
        code: body.code,
        errors: [{ code: body.code, detail: body.detail }],
        _blockspring_spec: true,
        _errors: [{ title, message: body.detail }],
      });
      expect(response.ResponseParameters).toMatchObject({
        'gatewayresponse.header.X-Run-Id': 'context.requestId',
        'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
        'gatewayresponse.header.Cache-Control': "'no-store'",
        'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      });
      const retryAfter = response.ResponseParameters['gatewayresponse.header.Retry-After'];
      if ([429, 503].includes(status)) expect(retryAfter).toMatch(/^'\d+'$/);
      else expect(retryAfter).toBeUndefined();
    },
  );

  test.each([
    ['UNAUTHORIZED', 401, 'key-missing'],
    ['INVALID_API_KEY', 403, 'key-refused'],
    ['MISSING_AUTHENTICATION_TOKEN', 404, 'not-found'],
    ['REQUEST_TOO_LARGE', 413, 'body-too-large'],
    ['THROTTLED', 429, 'too-many-requests'],
    ['QUOTA_EXCEEDED', 429, 'quota-exceeded'],
    ['DEFAULT_5XX', 503, 'service-unavailable'],
    ['API_CONFIGURATION_ERROR', 500, 'internal-error'],
    ['INTEGRATION_FAILURE', 503, 'service-unavailable'],
    ['INTEGRATION_TIMEOUT', 503, 'service-unavailable'],
  ])('%s is %i %s', (kind, status, code) => {
    const response = responses.find(({ ResponseType: one }) => one === kind);
    expect(bodyOf(response as (typeof responses)[number])).toMatchObject({ status, code });
  });

  test('a key that is denied by the authorizer and one that no plan knows get the same bytes', () => {
    const [denied, unknown] = ['ACCESS_DENIED', 'INVALID_API_KEY'].map((kind) =>
      responses.find(({ ResponseType: one }) => one === kind),
    );
    expect({ ...denied, ResponseType: '' }).toEqual({ ...unknown, ResponseType: '' });
  });
});
