import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { vanishingAddresses } from '../../../lib/preflight/vanishing-addresses.ts';
import { startAwsEndpoint } from '../../lambda/aws-endpoint.ts';

const DEFAULT = 'https://a1b2.execute-api.us-east-1.amazonaws.com';

let aws: Awaited<ReturnType<typeof startAwsEndpoint>>;
let isOff: boolean;
beforeEach(async () => {
  isOff = false;
  const paths = ['/', '/api_v2/blocks', '/api_v2/blocks/trees', '/api_v2/blocks/trees/{proxy+}'];
  aws = await startAwsEndpoint(({ operation }) => ({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(
      operation.startsWith('/restapis/a1b2/resources')
        ? { item: paths.map((path) => ({ path })) }
        : { id: 'a1b2', disableExecuteApiEndpoint: isOff },
    ),
  }));
});
afterEach(() => aws.stop());

const ending = (
  baseUrl: string | undefined,
  options: { domainName?: string; stage?: string },
  kept = ['trees'],
) =>
  vanishingAddresses({
    region: 'us-east-1',
    holds: { apiId: 'a1b2', ...(baseUrl === undefined ? {} : { baseUrl }) },
    kept: new Set(kept),
    options: { stage: 'prod', domainName: undefined, ...options },
  });

const AT_DOMAIN = 'https://data.example.org';

test.each<[string, string, Parameters<typeof ending>[1], string[]]>([
  ['stays where it is', `${DEFAULT}/prod`, {}, []],
  ['gets another stage', `${DEFAULT}/prod`, { stage: 'v2' }, [`${DEFAULT}/prod`]],
  ['gets a domain', `${DEFAULT}/prod`, { domainName: 'data.example.org' }, [`${DEFAULT}/prod`]],
  ['gets another domain', AT_DOMAIN, { domainName: 'other.example.org' }, [AT_DOMAIN]],
  ['loses its domain', AT_DOMAIN, {}, [AT_DOMAIN]],
  [
    "keeps a domain beside which API Gateway's address was on",
    AT_DOMAIN,
    { domainName: 'data.example.org' },
    [`${DEFAULT}/prod`],
  ],
])('whoever deploys is told which address ends of a service that %s', async (_, from, to, ends) => {
  expect(await ending(from, to)).toEqual(ends);
});

test('none ends where the domain is kept and the other was off', async () => {
  isOff = true;
  expect(await ending(AT_DOMAIN, { domainName: 'data.example.org' })).toEqual([]);
});

test('a block that goes ends its address', async () => {
  expect(await ending(`${DEFAULT}/prod`, {}, [])).toEqual(['/api_v2/blocks/trees']);
});
