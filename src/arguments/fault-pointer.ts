/** A place in a body, as a JSON Pointer in a URI fragment (RFC 6901, sections 3 and 6). */
export function faultPointer(path: readonly string[]): string {
  return `#${path.map((step) => `/${escapeStep(step)}`).join('')}`;
}

function escapeStep(step: string): string {
  return encodeURIComponent(step.toWellFormed().replace(/~/g, '~0').replace(/\//g, '~1'));
}
