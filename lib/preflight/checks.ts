import { checkAccount } from './account-limits.ts';
import { checkCertificate } from './certificate.ts';
import { checkKept } from './deployed-options.ts';
import { checkNode } from './node-version.ts';

/**
 * What is checked before anything is built, in this order: a line here, and a file beside. A check
 * throws a one-line Error for what AWS would refuse, and returns the lines to print.
 */
const CHECKS = [checkNode, checkKept, checkCertificate, checkAccount];

/** What all checks ask of a deployment together. */
type Deployment = Parameters<typeof checkNode>[0] &
  Parameters<typeof checkKept>[0] &
  Parameters<typeof checkCertificate>[0] &
  Parameters<typeof checkAccount>[0];

/** Has a deployment checked, and returns the lines to print. Throws at the first refusal. */
export async function checkDeployment(deployment: Deployment): Promise<string[]> {
  const lines: string[] = [];
  for (const check of CHECKS) lines.push(...(await check(deployment)));
  return lines;
}
