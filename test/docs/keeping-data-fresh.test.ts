import { expect, test } from '@jest/globals';
import { DEADLINE_MS, HEADERS_MS, IDLE_MS, MOST_BYTES } from '../../src/fetching/fetch-file.ts';
import { MOST_REDIRECTS } from '../../src/fetching/follow-redirects.ts';
import { readDocument } from './markdown.ts';

const document = readDocument('docs/keeping-data-fresh.md');

test.each([
  `at most ${MOST_REDIRECTS}, each checked`,
  `${MOST_BYTES / 2 ** 30} GiB, as sent and as unpacked`,
  `${HEADERS_MS / 1000} s until an answer begins, ${IDLE_MS / 1000} s between two pieces of it, ${DEADLINE_MS / 60_000} minutes in all`,
])('docs/keeping-data-fresh.md has the bound: %s', (bound) => {
  expect(document).toContain(bound);
});
