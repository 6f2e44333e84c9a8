import type { Members } from '../arguments/given.ts';
import { Problem } from '../problem/errors.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { gather } from './gather.ts';

/** Reads an `application/x-www-form-urlencoded` body (WHATWG URL, section 5.1) strictly. */
export function readUrlencoded(text: string): Members {
  const pairs = text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const equals = pair.indexOf('=');
      return equals < 0
        ? [decodeComponent(pair), '']
        : [decodeComponent(pair.slice(0, equals)), decodeComponent(pair.slice(equals + 1))];
    });
  return gather(pairs);
}

/** Reads a `multipart/form-data` body (RFC 7578); a file is read as text. */
export async function readMultipart(body: Uint8Array, contentType: string): Promise<Members> {
  // Refuses what is not UTF-8, which the platform's parser would replace silently.
  decodeUtf8(body);
  const form = await parseMultipart(body, contentType);
  const pairs: [string, string][] = [];
  for (const [name, value] of form) {
    pairs.push([name, typeof value === 'string' ? value : await (value as Blob).text()]);
  }
  return gather(pairs);
}

async function parseMultipart(body: Uint8Array, contentType: string): Promise<FormData> {
  try {
    const headers = { 'content-type': contentType };
    return await new Response(body as Uint8Array<ArrayBuffer>, { headers }).formData();
  } catch (cause) {
    const detail =
      'The multipart body cannot be read: check its boundary, and that its lines end in CR LF.';
    throw new Problem('invalid-form', detail, { cause });
  }
}

function decodeComponent(component: string): string {
  const spaced = component.replace(/\+/g, ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeUtf8(percentDecode(spaced));
  }
}

/** Decodes percent-escapes; a `%` without two hex digits stands for itself, as in browsers. */
function percentDecode(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const decoded: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const hex = bytes.subarray(i + 1, i + 3).toString('latin1');
    if (bytes[i] === 0x25 && /^[0-9a-fA-F]{2}$/.test(hex)) {
      decoded.push(Number.parseInt(hex, 16));
      i += 2;
    } else {
      decoded.push(bytes[i] as number);
    }
  }
  return Uint8Array.from(decoded);
}
