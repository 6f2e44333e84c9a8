/** What parsing a JSON text does not tell. */
export type JsonScan = {
  /** How deep it is nested. */
  readonly depth: number;
  /**
   * The first name that an object has twice. Most JSON parsers silently take the last one (RFC
   * 8259, section 4: "the behavior … is unpredictable").
   */
  readonly repeatedName?: string;
};

/** Scans a JSON text, which must be valid; without recursion. */
export function scanJson(text: string): JsonScan {
  let depth = 0;
  let repeatedName: string | undefined;
  // The names so far of each open object; null for a list.
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OPEN_OBJECT:
        depth = Math.max(depth, open.push(new Set()));
        isName = true;
        break;
      case OPEN_LIST:
        depth = Math.max(depth, open.push(null));
        isName = false;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        open.pop();
        break;
      case COMMA:
        isName = open.at(-1) !== null;
        break;
      case COLON:
        isName = false;
        break;
      case QUOTE: {
        const end = endOfText(text, at);
        const names = open.at(-1);
        if (isName && names) {
          const name: string = JSON.parse(text.slice(at, end + 1));
          if (names.has(name)) repeatedName ??= name;
          names.add(name);
        }
        at = end;
      }
    }
  }
  return repeatedName === undefined ? { depth } : { depth, repeatedName };
}

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const [COMMA, COLON, QUOTE, BACKSLASH] = [0x2c, 0x3a, 0x22, 0x5c];

/** The position of the quote that closes the one at `start`. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === BACKSLASH) at++;
    else if (unit === QUOTE) return at;
  }
  return text.length;
}
