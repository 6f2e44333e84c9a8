import type { DescribedParameter } from '../core/describe-block.ts';
import { type FindTerm, fieldOf } from './terms.ts';

/**
 * A value as the service takes it: where its choices are fields, a field's short name is that field
 * (`_sort:-density`, `_fields:name,density`). Anything else stays as it was typed.
 */
export function readChoice(
  { type, choices = [] }: DescribedParameter,
  value: string,
  terms: FindTerm,
): string {
  if (type !== 'choice') return value;
  const parts = value.split(',');
  const named = parts.map((part) => {
    const [, sign = '', name = ''] = /^(-?)(.*)$/s.exec(part.trim()) ?? [];
    if (choices.some((choice) => choice.toLowerCase() === part.trim().toLowerCase())) return part;
    const term = terms.find(name);
    const choice = term === undefined ? part : sign + fieldOf(term);
    return choices.includes(choice) ? choice : part;
  });
  return named.join(',');
}
