import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KnownBlock } from '@slack/types';
import type { Members } from '../../arguments/given.ts';
import type { BlockDescription } from '../../block/describe-block.ts';
import { readUrlencoded } from '../../http/read-body.ts';
import { decodeUtf8, type RequestHeaders } from '../../http/request.ts';
import { Problem } from '../../problem/errors.ts';
import type { TypedNames } from '../chat/command.ts';
import { typedText } from './message.ts';

/** A command that was understood, with what an answer repeats of it. */
export type AskedCommand = {
  readonly block: BlockDescription;
  readonly given: Members;
  /** The arguments as they are sent to the block, with the fields and as many rows as fit. */
  readonly sent: Members;
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

/** The age of Slack's signature, either way. This is Slack's own bound, against replays. */
const MOST_SECONDS = 300;

/** The signed parts of a request, and what is needed to check them. */
type SignedRequest = {
  readonly headers: RequestHeaders;
  /** The bytes as sent: a body that was parsed and written again has another signature. */
  readonly body: Uint8Array;
  readonly secrets: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
};

export const SIGNATURE_HEADERS = ['x-slack-signature', 'x-slack-request-timestamp'] as const;

/**
 * Refuses a request that Slack has not signed with one of these secrets in the last five minutes
 * (docs.slack.dev, "Verifying requests from Slack"). The problem never says what was wrong.
 */
export function checkSignature({ headers, body, secrets, now }: SignedRequest): void {
  const [signature = '', timestamp = ''] = SIGNATURE_HEADERS.map((name) => headers[name] ?? '');
  // A repeated header is joined by a comma, which neither header may contain.
  const isWritten = /^v0=[0-9a-f]{64}$/.test(signature) && /^\d{1,12}$/.test(timestamp);
  const isRecent = Math.abs(Math.floor(now / 1000) - Number(timestamp)) <= MOST_SECONDS;
  if (isWritten && isRecent && secrets.some((secret) => isSameSignature(signature, signed(secret))))
    return;
  throw new Problem('signature-refused', 'The signature is not accepted.');

  function signed(secret: string): string {
    const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body);
    return `v0=${hmac.digest('hex')}`;
  }
}

/** Compares signatures in constant time, so that the time does not tell how much is right. */
function isSameSignature(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The problem if there is no secret to check with: an error of ours; `cause` is for the log. */
export function secretUnavailable(cause: unknown): Problem {
  const detail = 'The signature cannot be checked just now. Try again soon.';
  return new Problem('secret-unavailable', detail, { headers: { 'Retry-After': '1' }, cause });
}

/**
 * Reads the secrets that signatures are checked with: several while a new one replaces an old one.
 * Throws a Problem (`secret-unavailable`) if they cannot be read.
 */
export type ReadSecrets = () => Promise<readonly string[]>;

/** Splits a text into secrets, which are separated by spaces or line ends. */
export function secretsIn(text: string): string[] {
  return text.split(/\s+/).filter((secret) => secret !== '');
}
