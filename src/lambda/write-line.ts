/**
 * Writes a line of JSON to the function's log. Lambda's `console` would wrap it in JSON of its own,
 * in which CloudWatch finds no metrics.
 */
export function writeLine(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
