import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Field } from '../fields/field.ts';
import { isNumeric } from '../fields/field-types.ts';
import { isWildcard, type Pattern } from '../query/pattern.ts';
import type { Condition, PatternsTest, Predicate, RangesTest } from '../query/predicate.ts';
import { isHoldable, LIMITS } from './limits.ts';
import { keyAttribute } from './table-shape.ts';

export type FilterExpression = {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, AttributeValue>>;
};

/**
 * The predicate as a DynamoDB filter expression; undefined if none of it can be expressed. It may
 * let through rows that do not match but never drops one that does: conditions that DynamoDB cannot
 * express (its limits, a wildcard on digits) are left to `matches`.
 */
export function filterExpression(
  predicate: Predicate,
  fields: readonly Field[],
): FilterExpression | undefined {
  const draft = new Draft();
  const parts: string[] = [];
  for (const condition of predicate) {
    const before = draft.mark();
    const part = partOf(condition, draft, fields);
    const expression = [...parts, ...(part === undefined ? [] : [part])].join(' AND ');
    if (part === undefined || !fits(expression, draft)) draft.reset(before);
    else parts.push(part);
  }
  if (parts.length === 0) return undefined;
  return { expression: parts.join(' AND '), names: draft.names(), values: draft.values() };
}

/** Counts what AWS calls operators: comparisons, functions, AND, OR, and each operand of IN. */
export function countOperators(expression: string): number {
  return (
    expression.match(
      />=|<=|=|\bBETWEEN\b|\bAND\b|\bOR\b|\bIN\b|,|contains|begins_with|attribute_exists/g,
    ) ?? []
  ).length;
}

function fits(expression: string, draft: Draft): boolean {
  return (
    Buffer.byteLength(expression) <= LIMITS.expressionBytes &&
    countOperators(expression) <= LIMITS.operators &&
    draft.bytes() <= LIMITS.variableBytes
  );
}

/** Leaves negations, `empty` and several ranges to `matches`. */
function partOf(condition: Condition, draft: Draft, fields: readonly Field[]): string | undefined {
  if (condition.not || condition.test === 'empty') return undefined;
  if (condition.test === 'patterns') return textPart(condition, draft);
  const field = fields.find(({ name }) => name === condition.field);
  const isOwnKey = field !== undefined && isNumeric(field);
  return rangePart(condition, isOwnKey ? condition.field : keyAttribute(condition.field), draft);
}

function rangePart({ anyOf }: RangesTest, attribute: string, draft: Draft): string | undefined {
  const [[min, max] = [0, 0], ...others] = anyOf;
  if (others.length > 0 || anyOf.length === 0) return undefined;
  const low = isHoldable(min) ? min : undefined;
  const high = isHoldable(max) ? max : undefined;
  if (low === undefined && high === undefined) return undefined;
  const name = draft.name(attribute);
  if (low === undefined) return `${name} <= ${draft.number(high as number)}`;
  if (high === undefined) return `${name} >= ${draft.number(low)}`;
  return `${name} BETWEEN ${draft.number(low)} AND ${draft.number(high)}`;
}

function textPart(
  { field, byDigits, anyOf }: Condition & PatternsTest,
  draft: Draft,
): string | undefined {
  const wildcards = anyOf.filter(isWildcard);
  // A phone number's key lacks the leading 1, which wildcards must match.
  if (byDigits && wildcards.length > 0) return undefined;
  const name = draft.name(keyAttribute(field));
  const exact = anyOf.filter((pattern) => !isWildcard(pattern)).map(([text]) => text as string);
  const parts: string[] = [];
  for (let i = 0; i < exact.length; i += LIMITS.inOperands) {
    const operands = exact.slice(i, i + LIMITS.inOperands).map((text) => draft.text(text));
    parts.push(
      operands.length === 1 ? `${name} = ${operands[0]}` : `${name} IN (${operands.join(', ')})`,
    );
  }
  parts.push(...wildcards.map((pattern) => wildcardPart(name, pattern, draft)));
  return parts.length === 1 ? parts[0] : `(${parts.join(' OR ')})`;
}

function wildcardPart(name: string, pattern: Pattern, draft: Draft): string {
  const [first = '', ...rest] = pattern;
  const parts = [
    ...(first === '' ? [] : [`begins_with(${name}, ${draft.text(first)})`]),
    ...rest.filter((text) => text !== '').map((text) => `contains(${name}, ${draft.text(text)})`),
  ];
  if (parts.length === 0) return `attribute_exists(${name})`;
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' AND ')})`;
}

/** Collects the names and values of an expression; a part of them can be taken back. */
class Draft {
  readonly #names: string[] = [];
  readonly #values: AttributeValue[] = [];

  name(attribute: string): string {
    const found = this.#names.indexOf(attribute);
    return `#f${found >= 0 ? found : this.#names.push(attribute) - 1}`;
  }

  text(S: string): string {
    return `:v${this.#values.push({ S }) - 1}`;
  }

  number(value: number): string {
    return `:v${this.#values.push({ N: String(value) }) - 1}`;
  }

  mark(): { names: number; values: number } {
    return { names: this.#names.length, values: this.#values.length };
  }

  reset({ names, values }: { names: number; values: number }): void {
    this.#names.length = names;
    this.#values.length = values;
  }

  bytes(): number {
    const texts = this.#values.map(({ S, N }) => S ?? N ?? '');
    return [...this.#names, ...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }

  names(): Record<string, string> {
    return Object.fromEntries(this.#names.map((name, i) => [`#f${i}`, name]));
  }

  values(): Record<string, AttributeValue> {
    return Object.fromEntries(this.#values.map((value, i) => [`:v${i}`, value]));
  }
}
