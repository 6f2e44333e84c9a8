/** Normalises a header: lower case, with `_` for anything but letters and digits. */
export function columnName(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/_$/, '');
}
