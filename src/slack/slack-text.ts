/** What stands where there is nothing: Slack refuses an empty text. */
export const NOTHING = '—';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A text as Slack takes it, at most so long: its three control characters as entities, which could
 * else call a channel or hide a link (docs.slack.dev, "Escaping text").
 */
export function slackText(text: string, most: number): string {
  // Escaping only adds: what is beyond is cut in any case, and need not be looked at.
  const beginning = text.slice(0, most + 1).toWellFormed();
  const escaped = beginning.replace(/[&<>]/g, (character) => ENTITIES[character] as string);
  if (escaped.trim() === '') return NOTHING;
  if (escaped.length <= most) return escaped;
  // Neither within an entity nor within a pair of surrogates.
  return `${escaped.slice(0, most - 1).replace(/(?:&[a-z]{0,3}|[\ud800-\udbff])$/, '')}…`;
}

/** The characters that Slack has sent as entities, as they were typed. */
export function typedText(sent: string): string {
  return sent.replace(/&(amp|lt|gt);/g, (_, name) => TYPED[name] as string);
}

const TYPED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };
