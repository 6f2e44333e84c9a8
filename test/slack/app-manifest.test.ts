import { expect, test } from '@jest/globals';
import { slackManifest } from '../../src/channels/slack/app-manifest.ts';

test.each([
  'https://data.example',
  'https://data.example/',
  'https://data.example/open/data',
  'https://a1b2c3.execute-api.eu-west-1.amazonaws.com/prod/',
])('the command of %s is sent to the address below it', (root) => {
  const [command] = slackManifest(root).features.slash_commands;
  expect(command?.url).toBe(`${root.replace(/\/$/, '')}/integrations/slack`);
});

test('the app may only be called by its command', () => {
  const { oauth_config: oauth, settings } = slackManifest('https://data.example');
  expect(oauth.scopes).toEqual({ bot: ['commands'] });
  expect(Object.values(settings)).not.toContain(true);
});

// The lengths and forms of Slack's own schema (slackapi/manifest-schema, version 1.0.0).
test("every text is within Slack's limits", () => {
  const { display_information: shown, features } = slackManifest('https://data.example');
  const [{ command, url, description, usage_hint: hint } = { command: '' }] =
    features.slash_commands;
  expect(command).toMatch(/^\/[a-z]{1,31}$/);
  expect(url).toMatch(/^https:\/\//);
  const within: [string | undefined, number][] = [
    ...([
      [shown.name, 35],
      [shown.description, 140],
    ] as [string, number][]),
    ...([
      [description, 2000],
      [hint, 1000],
      [url, 3000],
    ] as [string, number][]),
  ];
  for (const [text = '', most] of within) {
    expect(text.length).toBeGreaterThan(0);
    expect(text.length).toBeLessThanOrEqual(most);
  }
});
