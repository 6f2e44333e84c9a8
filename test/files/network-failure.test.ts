import { expect, test } from '@jest/globals';
import { networkFailure } from '../../src/fetch/fetch-address.ts';

test.each([
  ['ENOTFOUND', 'no-such-host'],
  ['EAI_AGAIN', 'no-such-host'],
  ['ECONNREFUSED', 'no-connection'],
  ['ETIMEDOUT', 'no-connection'],
  ['EHOSTUNREACH', 'no-connection'],
  ['ECONNRESET', 'broken-off'],
  ['Z_BUF_ERROR', 'broken-off'],
  ['Z_DATA_ERROR', 'bad-answer'],
  ['HPE_INVALID_CONSTANT', 'bad-answer'],
  ['HPE_HEADER_OVERFLOW', 'bad-answer'],
  ['EPROTO', 'bad-answer'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'bad-answer'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'bad-certificate'],
  ['CERT_HAS_EXPIRED', 'bad-certificate'],
  ['CERT_REVOKED', 'bad-certificate'],
  ['CRL_HAS_EXPIRED', 'bad-certificate'],
  ['HOSTNAME_MISMATCH', 'bad-certificate'],
  ['INVALID_CA', 'bad-certificate'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'bad-certificate'],
  ['UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY', 'bad-certificate'],
])('%s is %s', (code, kind) => {
  const cause = Object.assign(new Error('told by Node'), { code });
  const failure = networkFailure(cause, 'https://data.test/');
  expect(failure).toMatchObject({ code: kind, cause });
  expect(String(failure)).toMatch(/^Error: https:\/\/data\.test\/: [^\n]+$/);
});

test('an error of our own stays as it is', () => {
  const error = new TypeError('x is not a function');
  expect(networkFailure(error, 'https://data.test/')).toBe(error);
  expect(networkFailure(undefined, 'https://data.test/')).toBeUndefined();
});
