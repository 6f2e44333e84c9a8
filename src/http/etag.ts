import { createHash } from 'node:crypto';

/** A weak validator over all that an answer depends on. */
export function etagOf(...dependsOn: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(dependsOn)).digest('base64url');
  return `W/"${hash.slice(0, 22)}"`;
}

/** Whether If-None-Match names this ETag (RFC 9110, section 13.1.2: compared weakly). */
export function isUnchanged(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return (
    ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
  );
}
