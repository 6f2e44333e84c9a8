import stringWidth from 'string-width';

/** Text of a service or a caller without what a terminal would take for a command or turn round. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ').toWellFormed();
}

/** A text as lines of at most so many columns, cut at its spaces; a longer word is not cut. */
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
