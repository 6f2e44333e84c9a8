import { MOST_KEY_BYTES } from '../query/query.ts';

/**
 * Limits that DynamoDB enforces and emulators do not (AWS: "Quotas in Amazon DynamoDB", "Service,
 * account, and table quotas"). Sizes are in bytes.
 */
export const LIMITS = {
  expressionBytes: 4096,
  operators: 300,
  inOperands: 100,
  /** All substitution variables of one expression. */
  variableBytes: 2 * 2 ** 20,
  partitionKeyBytes: MOST_KEY_BYTES,
  sortKeyBytes: 1024,
  itemBytes: 400 * 1024,
  indexesPerTable: 20,
  indexNameLength: { least: 3, most: 255 },
  /** For an attribute that is an index's key. */
  keyAttributeNameLength: 255,
  /** Zero, and magnitudes from 1e-130 to 9.99…e125. */
  leastNumber: 1e-130,
  mostNumber: 9.99e125,
} as const;

/** Whether DynamoDB can hold this number. */
export function isHoldable(value: number): boolean {
  const size = Math.abs(value);
  return size === 0 || (size >= LIMITS.leastNumber && size <= LIMITS.mostNumber);
}
