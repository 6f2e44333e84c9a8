import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Player, startPlayer } from './play.ts';
import { MESSY_FILES, printOf } from './print.ts';
import { differencesOf } from './renewal.ts';
import { tapeRequest } from './requests.ts';
import versions from './versions.json' with { type: 'json' };

// `npm run tape` asks all; CONTRIBUTING.md says what to do where answers differ.

const RECORDED = readFileSync(path.join(import.meta.dirname, 'answers.txt'), 'utf8').split('\n');
const EACH = 17;

let player: Player;
beforeAll(async () => {
  player = await startPlayer();
});
afterAll(() => player.stop());

test('each seventeenth of the answers on the tape is the same', async () => {
  const answers = new Map<number, string>();
  for (let number = 0; number < RECORDED.length - 1; number += EACH) {
    answers.set(number, (await player.play(tapeRequest(number))).entry);
  }
  expect(answers.size).toBeGreaterThan(2900);
  const differing = differencesOf(answers, RECORDED).map(
    ({ number, kind, parts }) =>
      `${kind}: ${parts.join(', ')}. See it: npm run tape -- compare ${number}`,
  );
  expect(differing).toEqual([]);
});

test('the datasets have the versions that they had', () => {
  expect(player.versions).toEqual(versions);
});

test('each twentieth of the messy files is added and checked as it was, word for word', async () => {
  const prints = readFileSync(path.join(import.meta.dirname, 'prints.txt'), 'utf8').split('\n');
  for (let number = 0; number < MESSY_FILES; number += 20) {
    const { entry, text } = await printOf(number);
    expect([number, entry, text]).toEqual([number, prints[number], text]);
  }
});
