import { isBlank } from '../../arguments/given.ts';

/** A cursor that also says how many rows are before it, so that the next page can count. */
export function cursorAfter(next: string, before: number | undefined, shown: number): string {
  return before === undefined ? next : `${next}.${before + shown}`;
}

/** A cursor as its block takes it, and the number of rows before it. A POST's does not say that. */
export function readCursor(sent: unknown): { readonly cursor: unknown; readonly before?: number } {
  if (isBlank(sent)) return { cursor: sent, before: 0 };
  const [, cursor, before] = (typeof sent === 'string' && COUNTED.exec(sent)) || [];
  return cursor === undefined ? { cursor: sent } : { cursor, before: Number(before) };
}

const COUNTED = /^([\w-]+)\.(\d{1,12})$/;
