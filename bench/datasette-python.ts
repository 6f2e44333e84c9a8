import path from 'node:path';
import { virtualEnvironment } from '../test/support/virtual-environment.ts';

/** The Python that has Datasette and sqlite-utils. */
export function datasettePython(): Promise<string> {
  return virtualEnvironment('bench-adding', path.join(import.meta.dirname, 'requirements.txt'));
}
