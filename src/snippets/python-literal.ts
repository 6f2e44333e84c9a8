import { literal, type Notation } from './literal.ts';
import { quoted } from './quoted.ts';

/** A JSON value as a Python literal. */
export function pythonLiteral(value: unknown): string {
  return literal(value, NOTATION, '    ');
}

export function pythonString(text: string): string {
  return quoted(text, {
    quote: '"',
    special: { '\\': '\\\\', '\n': '\\n', '"': '\\"' },
    codePoint: (hex) =>
      hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`,
  });
}

const NOTATION: Notation = {
  string: pythonString,
  name: (name) => `${pythonString(name)}: `,
  list: ['[', ']'],
  record: ['{', '}'],
  constants: { null: 'None', true: 'True', false: 'False' },
};
