import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any run, and than Lambda needs to route all requests to a new version. */
const DRAIN_MS = 6000;

/** A deployment calls this between a new version's first request and an old table's removal. */
export const handler = () => sleep(DRAIN_MS);
