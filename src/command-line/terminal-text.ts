import stringWidth from 'string-width';

/** Wraps a text at its spaces into lines of at most `columns`; a longer word is not cut. */
export function wrapped(text: string, columns = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(' ')) {
    const longer: string = line === undefined ? word : `${line} ${word}`;
    if (line === undefined || stringWidth(longer) <= columns) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line ?? ''];
}
