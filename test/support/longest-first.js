import path from 'node:path';
import Sequencer from '@jest/test-sequencer';

/**
 * What takes ten seconds and more, the longest first: else one of them may be left to the end, where
 * nothing else is to do while it waits.
 */
const LONGEST = [
  'channels/browser/lighthouse.test.ts',
  'channels/openapi.test.ts',
  'channels/browser/journeys.test.ts',
  'channels/browser/accessibility.test.ts',
  'channels/snippets.test.ts',
  'local/start.test.ts',
  'trust/trust.test.ts',
  'lib/blockyard-stack.test.ts',
  'local/killed.test.ts',
  'terminal/endings.test.ts',
  'local/new-type.test.ts',
  'tape/tape.test.ts',
  'columns/column-rows.test.ts',
  'contract/odd-values.test.ts',
  'dynamodb/store.test.ts',
  'dynamodb/equal-paths.test.ts',
  'local/new-reading-format.test.ts',
  'contract/every-channel.test.ts',
  'lambda/written-lines.test.ts',
];

/** Jest knows how long each took the last time; a new clone does not, and CI has no other. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path: file }) => {
      const at = LONGEST.findIndex((name) => file.endsWith(path.join('test', name)));
      return at < 0 ? LONGEST.length : at;
    };
    return [...super.sort(tests)].sort((one, other) => place(one) - place(other));
  }
}
