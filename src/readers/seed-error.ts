import { inOneLine } from '../values/wording.ts';

/** One line that says what is wrong with a seed file and where, for its maintainer. */
export class SeedError extends Error {
  constructor(file: string, reason: string, where: { line?: number; column?: string } = {}) {
    const { line, column } = where;
    const place = [
      ...(line === undefined ? [] : [`line ${line}`]),
      ...(column === undefined ? [] : [`column ${inOneLine(column)}`]),
    ].join(', ');
    super(`${inOneLine(file)}${place === '' ? '' : `, ${place}`}: ${reason}`);
  }
}
