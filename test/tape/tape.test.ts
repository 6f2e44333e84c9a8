import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Player, startPlayer } from './play.ts';
import { MESSY_FILES, printOf } from './print.ts';
import { tapeRequest } from './requests.ts';
import versions from './versions.json' with { type: 'json' };

// `npm run tape` asks all; CONTRIBUTING.md says what to do where answers differ.

const ANSWERS = readFileSync(path.join(import.meta.dirname, 'answers.txt'), 'utf8').split('\n');
const EACH = 17;

let player: Player;
beforeAll(async () => {
  player = await startPlayer();
});
afterAll(() => player.stop());

test('each seventeenth of the answers on the tape is the same', async () => {
  const differing: string[] = [];
  let asked = 0;
  for (let number = 0; number < ANSWERS.length - 1; number += EACH) {
    const request = tapeRequest(number);
    const { entry } = await player.play(request);
    asked++;
    if (entry !== ANSWERS[number]) {
      differing.push(`${number}: ${entry} to ${request.method} ${request.path}`);
    }
  }
  expect(asked).toBeGreaterThan(2900);
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
