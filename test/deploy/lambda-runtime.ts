import path from 'node:path';
import { install } from '../support/install.ts';

/** The folder of the `node` that Lambda runs our functions on; installed where it is not there yet. */
export async function lambdaRuntime(): Promise<string> {
  await install('test/deploy/runtime');
  return path.join(import.meta.dirname, 'runtime', 'node_modules', '.bin');
}
