import { checkEncoding, readBytes, scanJson } from '../http/read-body.ts';
import { decodeUtf8, type HttpRequest } from '../http/request.ts';
import { shorten } from '../values/wording.ts';

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
  // The protocol has no batches since revision 2025-06-18, and one could ask for a hundred runs.
  if (/^\s*\[/.test(text)) {
    return { text, refused: 'A batch is not read here; send one message in a request.' };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { text };
  }
  const { depth, repeatedName } = scanJson(text);
  if (depth > MOST_DEPTH) {
    return { text, refused: `The message is nested over ${MOST_DEPTH} deep.` };
  }
  if (repeatedName === undefined) return { text, value };
  const name = JSON.stringify(shorten(repeatedName));
  return { text, refused: `The message has ${name} twice in one object.` };
}

/** Far more than any message has; it keeps recursive code within its stack. */
const MOST_DEPTH = 64;
