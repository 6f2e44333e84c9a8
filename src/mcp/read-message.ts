import { decodeUtf8 } from '../http/decode-utf8.ts';
import { checkEncoding, readBytes } from '../http/read-bytes.ts';
import { repeatedName } from '../http/repeated-name.ts';
import type { HttpRequest } from '../http/request.ts';
import { shorten } from '../words/shorten.ts';

/** A body, with its value if it is JSON. The protocol's package checks its form. */
export type Message = {
  readonly text: string;
  readonly value?: unknown;
  /** Why the message is refused, for a JSON-RPC error (-32600). */
  readonly refused?: string;
};

/** Reads a message. Throws a Problem for a body that is too large, cut off, or not UTF-8. */
export async function readMessage(request: HttpRequest): Promise<Message> {
  checkEncoding(request.headers);
  const text = decodeUtf8(await readBytes(request));
  const refused = refusalOf(text);
  if (refused !== undefined) return { text, refused };
  try {
    const value: unknown = JSON.parse(text);
    const name = repeatedName(text);
    if (name === undefined) return { text, value };
    return {
      text,
      refused: `The message has ${JSON.stringify(shorten(name))} twice in one object.`,
    };
  } catch {
    return { text };
  }
}

/** Far more than any message has; it keeps recursive code within its stack. */
const MOST_DEPTH = 64;

function refusalOf(text: string): string | undefined {
  // The protocol has no batches since revision 2025-06-18, and one could ask for a hundred runs.
  if (/^\s*\[/.test(text)) return 'A batch is not read here; send one message in a request.';
  if (depthOf(text) <= MOST_DEPTH) return undefined;
  return `The message is nested over ${MOST_DEPTH} deep.`;
}

/** How deep a JSON text is nested; for other text the number has no meaning. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (isText) {
      if (character === '\\') i++;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth--;
  }
  return deepest;
}
