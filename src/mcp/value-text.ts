import { cellText, tableText } from './table-text.ts';

/** A value's members, one a line; a list of objects is a table. */
export function valueText(params: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [`${name}: ${cellText(value)}`];
    if (value.length === 0) return [`${name}: none`];
    if (typeof value[0] !== 'object') return [`${name}: ${cellText(value)}`];
    return [`${name}:`, ...tableText(Object.keys(value[0]), value).lines];
  });
}
