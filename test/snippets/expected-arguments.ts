import { decimalText } from '../../src/text/decimal.ts';
import type { Received } from './recorder.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** What a block should be sent for a call, by each way of sending arguments. */
export function expectedArguments(sent: Arguments, as: Received['as']): Arguments {
  const values = Object.entries(JSON.parse(JSON.stringify(sent)) as Arguments).map(
    ([name, value]) => [name.toWellFormed(), wellFormed(value)] as const,
  );
  if (as === 'JSON') return Object.fromEntries(values);
  return Object.fromEntries(
    values.flatMap(([name, value]) => {
      const texts = [value].flat().map(textOf);
      return texts.length === 0 ? [] : [[name, texts.length === 1 ? texts[0] : texts]];
    }),
  );
}

function wellFormed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wellFormed);
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function textOf(value: unknown): string {
  return typeof value === 'number' ? decimalText(value) : String(value);
}
