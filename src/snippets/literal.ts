/** How a language writes the values of JSON. */
export type Notation = {
  readonly string: (text: string) => string;
  /** A member's name with the separator after it: `R: `. */
  readonly name: (name: string) => string;
  readonly list: readonly [open: string, close: string];
  readonly record: readonly [open: string, close: string];
  readonly constants: { readonly null: string; readonly true: string; readonly false: string };
};

/** A JSON value as a literal; each member of a record has a line, so that it is easy to change. */
export function literal(value: unknown, notation: Notation, indent: string, step = indent): string {
  if (typeof value === 'string') return notation.string(value);
  if (Array.isArray(value)) {
    const members = value.map((member) => literal(member, notation, indent, step));
    return notation.list[0] + members.join(', ') + notation.list[1];
  }
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value);
    return notation.constants[text as keyof Notation['constants']] ?? text;
  }
  const [open, close] = notation.record;
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${indent}${notation.name(name)}${literal(member, notation, indent + step, step)},\n`,
  );
  if (members.length === 0) return open + close;
  return `${open}\n${members.join('')}${indent.slice(step.length)}${close}`;
}
