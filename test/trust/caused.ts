import type { Values } from './trust-service.ts';

/** Queries for which a seed once found a fault. */
export const CAUSED: readonly Values[] = [
  // Half of a character matched the half of a stored one, but only where an index found the rows.
  { phone: '718-624-7581', place: ['*\ude00 *', '*\ud83d*'] },
  { place: '\ud835' },
];
