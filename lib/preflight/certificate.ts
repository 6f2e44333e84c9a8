import type { DeploymentOptions } from '../deployment-options.ts';

/** Where a stack is deployed, and its certificate. */
type CertificateAsked = {
  readonly account: string;
  readonly region: string;
  readonly options: Pick<DeploymentOptions, 'certificateArn'>;
};

/**
 * Throws a one-line Error for a certificate that API Gateway could not use: that of a regional domain
 * is in ACM in the API's own region ("Set up a Regional custom domain name in API Gateway"), and an
 * account sees its own alone. AWS would refuse the domain after the tables' imports.
 */
export function checkCertificate(asked: CertificateAsked): string[] {
  const { certificateArn } = asked.options;
  if (certificateArn === undefined) return [];
  const [, , , region, account] = certificateArn.split(':');
  if (region !== asked.region) {
    throw new Error(
      `the certificate is in ${region}, and the stack in ${asked.region}: API Gateway takes one of its own region. Request or import it there (docs/deploying.md#a-domain-of-your-own).`,
    );
  }
  if (account !== asked.account) {
    throw new Error(
      `the certificate is in the account ${account}, and the stack in ${asked.account}: API Gateway takes one of its own account.`,
    );
  }
  return [];
}
