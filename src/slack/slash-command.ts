import { decodeUtf8 } from '../http/decode-utf8.ts';
import { readUrlencoded } from '../http/read-form.ts';
import { typedText } from './slack-text.ts';

/** What is read of a slash command; who asked, and where, is not. */
export type SlashCommand = {
  /** What the workspace calls the command. */
  readonly name: string;
  readonly text: string;
};

/** The command in a request's body, which is a form. */
export function readSlashCommand(body: Uint8Array): SlashCommand {
  const { command, text = '' } = readUrlencoded(decodeUtf8(body));
  const isName = typeof command === 'string' && /^\/[\p{L}\p{N}_.-]{1,31}$/u.test(command);
  return { name: isName ? command : '/block', text: typedText([text].flat().join(' ')) };
}

/**
 * Whether Slack only asks if the server is there, now and then, by a form with `ssl_check=1` that
 * it does not sign (slackapi/bolt-js issue 1397).
 */
export function isServerCheck(body: Uint8Array): boolean {
  return /(?:^|&)ssl_check=1(?:&|$)/.test(Buffer.from(body).toString('latin1'));
}
