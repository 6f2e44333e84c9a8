import type { KnownBlock } from '@slack/types';
import type { Members } from '../../arguments/given.ts';
import type { BlockDescription } from '../../block/describe-block.ts';
import { readUrlencoded } from '../../http/read-body.ts';
import { decodeUtf8 } from '../../http/request.ts';
import type { TypedNames } from '../chat/command.ts';
import { typedText } from './message.ts';

/** A command that was understood, with what an answer repeats of it. */
export type AskedCommand = {
  readonly block: BlockDescription;
  readonly given: Members;
  /** The parameters' names as typed. */
  readonly typed: TypedNames;
  /** The command as it was understood: `/block directory category:retail`. */
  readonly line: string;
  /** How to ask for help with this block. */
  readonly helpLine: string;
  /** The service's address for links; absent if a link would not be useful. */
  readonly root?: string;
  /** A link to the same answer on the block's page; empty if there is none. */
  readonly link: readonly KnownBlock[];
};

/** The parts of a slash command that are read; who asked, and where, is ignored. */
export type SlashCommand = {
  /** The command's name in the workspace. */
  readonly name: string;
  readonly text: string;
};

/** Reads the command from a request's body, which is a form. */
export function readSlashCommand(body: Uint8Array): SlashCommand {
  const { command, text = '' } = readUrlencoded(decodeUtf8(body));
  const isName = typeof command === 'string' && /^\/[\p{L}\p{N}_.-]{1,31}$/u.test(command);
  return { name: isName ? command : '/block', text: typedText([text].flat().join(' ')) };
}

/**
 * Whether Slack only checks that the server exists. It does so now and then with an unsigned form
 * that has `ssl_check=1` (slackapi/bolt-js issue 1397).
 */
export function isServerCheck(body: Uint8Array): boolean {
  return /(?:^|&)ssl_check=1(?:&|$)/.test(Buffer.from(body).toString('latin1'));
}
