import { ERAS, type Revision } from '../support/mcp-channel.ts';
import type { Answer, Service } from '../support/service.ts';

export const ERA_NAMES = Object.keys(ERAS) as Revision[];

export type Sent = {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
};

/** The headers that the protocol wants of every message. */
export const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** A request as it is written in an era: from 2026-07-28 on each says who asks, and for what. */
export function messageOf(revision: Revision, { method, params = {} }: Sent) {
  const isModern = revision === '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: isModern ? { ...params, _meta } : params,
    }),
    headers: {
      ...HEADERS,
      'mcp-protocol-version': revision,
      ...(isModern ? { 'mcp-method': method } : {}),
      ...(isModern && typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    },
  };
}

/** Sends a request without a client; the JSON-RPC message that answers it. */
export async function sendMessage(service: Service, revision: Revision, sent: Sent) {
  const { body, headers } = messageOf(revision, sent);
  return replyOf(await service.send('/mcp', { method: 'POST', headers, body }));
}

/** The one message of an answer, in either of its forms. */
export function replyOf({ body, text }: Answer) {
  return body ?? JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null');
}
