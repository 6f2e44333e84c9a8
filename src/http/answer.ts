/** An answer as plain data, for every channel to write. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
};

/** A long body may be an iterable that makes each piece when its reader asks for it. */
export type Body = Piece | AsyncIterable<Piece> | null;

type Piece = string | Uint8Array;

export const JSON_TYPE = 'application/json; charset=utf-8';

export function isWhole(body: Body): body is Piece | null {
  return body === null || typeof body === 'string' || body instanceof Uint8Array;
}

/** The whole body, for callers that cannot pass on pieces. */
export async function bytesOf(body: Body): Promise<Buffer> {
  if (isWhole(body)) return Buffer.from((body ?? '') as Uint8Array);
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces);
}

export async function textOf(body: Body): Promise<string> {
  return typeof body === 'string' ? body : (await bytesOf(body)).toString();
}
