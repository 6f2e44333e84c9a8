import type { Handling } from '../arguments/given.ts';

/** The handling that a Prefer header asks for (RFC 7240); the first counts if there are several. */
export function preferredHandling(prefer: string | null): Handling | undefined {
  const found = /(?:^|,)\s*handling\s*=\s*"?(strict|lenient)"?\s*(?=[,;]|$)/i.exec(prefer ?? '');
  return found?.[1]?.toLowerCase() as Handling | undefined;
}

/** The preference for an answer with the addresses of its rows. */
export const ROW_ADDRESSES = 'row-addresses';

/** Whether a Prefer header asks for the addresses of the answer's rows. */
export function prefersAddresses(prefer: string | undefined): boolean {
  return prefer !== undefined && /(?:^|,)\s*row-addresses\s*(?=[,;]|$)/i.test(prefer);
}
