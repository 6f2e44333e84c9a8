import { hash } from 'node:crypto';

/** A weak ETag, a hash of everything that an answer depends on. */
export function etagOf(...dependsOn: readonly unknown[]): string {
  const digest = hash('sha256', JSON.stringify(dependsOn), 'base64url');
  return `W/"${digest.slice(0, 22)}"`;
}

/**
 * A weak ETag of an address's text that changes only when the code does, so that its type is all
 * that it varies by. Made without a hash, since loading node:crypto takes longer than the answer.
 */
export function etagOfBuild(build: string, contentType: string): string {
  const [type] = contentType.split(';');
  return `W/"${`${build}-${type}`.replace(/[^\w-]/g, '-')}"`;
}

/** Whether If-None-Match names this ETag, by weak comparison (RFC 9110, section 13.1.2). */
export function isUnchanged(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return (
    ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
  );
}
