import type { BlockFile } from '../block/block-file.ts';

/** The same block with another data file; what it says of the file follows it at once. */
export function withFile(block: BlockFile, file: string, hash: string): BlockFile {
  const { hash: _old, boundaries, ...others } = block;
  // A GeoJSON file may hold the rows' shapes too.
  const isSame = boundaries?.file === block.file;
  const shapes = boundaries && { boundaries: isSame ? { ...boundaries, file } : boundaries };
  const members = Object.entries({ ...others, ...shapes }).flatMap(([name, value]) =>
    name === 'file' ? Object.entries({ file, hash }) : [[name, value]],
  );
  return Object.fromEntries(members);
}

/** A block file as text; what is short is on one line. */
export function blockFileText(block: BlockFile): string {
  const text = JSON.stringify(block, undefined, 2);
  // Texts hold no line ends: JSON escapes them.
  const short = text.replace(
    /^( *)(.*)([[{])\n([^[\]{}]*?)\n *([\]}])/gm,
    (long, indent, before, opening, inner, closing) => {
      const line = inner.replace(/\n */g, ' ').trim();
      const space = opening === '{' ? ' ' : '';
      const whole = `${indent}${before}${opening}${space}${line}${space}${closing}`;
      return whole.length <= MOST_LINE ? whole : long;
    },
  );
  return `${short}\n`;
}

const MOST_LINE = 100;
