/** A header's text: Node reads headers as Latin-1, but many servers write UTF-8. */
export function headerText(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
