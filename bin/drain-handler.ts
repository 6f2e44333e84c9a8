import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any run, and than Lambda takes to have all requests at a new version. */
const DRAIN_MS = 6000;

/** Called in a deployment, between a new version's first request and an old table's end. */
export const handler = () => sleep(DRAIN_MS);
