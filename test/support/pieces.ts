/** A file's bytes in pieces of so many, as often as they are asked for. */
export function pieces(text: string | Uint8Array, length = 1000): () => Uint8Array[] {
  const bytes = Buffer.from(text as string);
  return () =>
    Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) =>
      bytes.subarray(i * length, (i + 1) * length),
    );
}
