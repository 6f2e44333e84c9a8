/** Shown for an empty text, which Slack refuses. */
export const NOTHING = '—';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A text for Slack of at most `most` characters. Its three control characters become entities:
 * they could notify a channel or hide a link (docs.slack.dev, "Escaping text").
 */
export function slackText(text: string, most: number): string {
  // Escaping only lengthens a text, so the characters after `most` would be cut in any case.
  const beginning = text.slice(0, most + 1).toWellFormed();
  const escaped = beginning.replace(/[&<>]/g, (character) => ENTITIES[character] as string);
  if (escaped.trim() === '') return NOTHING;
  if (escaped.length <= most) return escaped;
  // Do not cut inside an entity or a surrogate pair.
  return `${escaped.slice(0, most - 1).replace(/(?:&[a-z]{0,3}|[\ud800-\udbff])$/, '')}…`;
}

/** Turns the entities that Slack sends back into the characters that were typed. */
export function typedText(sent: string): string {
  return sent.replace(/&(amp|lt|gt);/g, (_, name) => TYPED[name] as string);
}

const TYPED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };
