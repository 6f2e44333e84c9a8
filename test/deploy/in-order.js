import path from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** A deployed service's life: what a file leaves is what the next one finds. */
const ORDER = [
  'deployed-service.test.ts',
  'changed-data.test.ts',
  'refused-deployment.test.ts',
  'access-by-key.test.ts',
  'many-blocks.test.ts',
  'removal.test.ts',
];

export default class InOrder extends Sequencer {
  /** The contract first, which has no place of its own here. */
  sort(tests) {
    const place = (test) => ORDER.indexOf(path.basename(test.path));
    return [...tests].sort((a, b) => place(a) - place(b) || (a.path < b.path ? -1 : 1));
  }
}
