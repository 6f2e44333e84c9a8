import type { Values } from './trust-service.ts';

/** Queries for which a seed once found a fault. */
export const CAUSED: readonly Values[] = [];
