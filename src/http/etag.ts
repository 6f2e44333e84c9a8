import { hash } from 'node:crypto';

/** A weak validator over all that an answer depends on. */
export function etagOf(...dependsOn: readonly unknown[]): string {
  const digest = hash('sha256', JSON.stringify(dependsOn), 'base64url');
  return `W/"${digest.slice(0, 22)}"`;
}

/** Whether If-None-Match names this ETag (RFC 9110, section 13.1.2: compared weakly). */
export function isUnchanged(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return (
    ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
  );
}
