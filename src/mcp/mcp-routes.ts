import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Members } from '../arguments/given.ts';
import type { Described } from '../block/describe-block.ts';
import { isAllowedOrigin } from '../http/allow-origin.ts';
import { type Answered, JSON_TYPE, type Run } from '../http/answer.ts';
import { pageAddress } from '../http/answer-page.ts';
import type { CallBlock } from '../http/call-block.ts';
import { MCP_PATH, type Routes, refuseAddress, withoutSlash } from '../http/routes.ts';
import type { Outcome } from '../http/run-record.ts';
import { Problem } from '../problem/errors.ts';
import { shorten } from '../values/wording.ts';
import { shapedCall } from './call-shape.ts';
import { callTool } from './call-tool.ts';
import { mcpServer } from './mcp-server.ts';
import { plainErrors } from './plain-errors.ts';
import { type Message, readMessage } from './read-message.ts';
import { type Tool, toolOf } from './tool-of.ts';

export type McpChannel = {
  readonly blocks: readonly Described[];
  readonly call: CallBlock;
};

/** The blocks as tools of the Model Context Protocol, in its old and new versions, sessionless. */
export function mcpRoutes(channel: McpChannel): Routes {
  const tools = channel.blocks.map(toolOf);
  const POST = async (run: Run) => {
    checkOrigin(run);
    const message = await readMessage(run.request);
    return message.refused === undefined
      ? answerMessage(run, message, channel, tools)
      : refused(message.refused);
  };
  const route = { block: null, allowed: ['POST', 'OPTIONS'], POST };
  return { at: new Map([[MCP_PATH, route]]), elsewhere: { block: null, any: refuseAddress } };
}

/**
 * Throws a Problem for a page that may not read answers: the protocol wants it refused before
 * anything runs (revision 2025-11-25, Transports, "Security Warning").
 */
function checkOrigin({ request, settings }: Run): void {
  if (isAllowedOrigin(request, settings.allowOrigin ?? '*')) return;
  const detail = `Pages of ${shorten(request.headers.origin ?? '')} may not call tools here; whoever runs this service can allow them (ALLOW_ORIGIN; deployed: allowOrigin).`;
  throw new Problem('origin-refused', detail);
}

/** Answers with the protocol's own package, which takes Fetch requests and gives responses. */
async function answerMessage(
  { request, settings, runId }: Run,
  { text, value }: Message,
  { blocks, call }: McpChannel,
  tools: readonly Tool[],
): Promise<Answered> {
  const root = new URL('.', withoutSlash(pageAddress(request).url)).href;
  let outcome: Outcome | undefined;
  let broken: Error | undefined;
  const callNamed = async (name: string) => {
    const described = blocks.find(({ block }) => block.name === name) as Described;
    const called = await callTool(described, call, given(value), { runId, root });
    ({ outcome } = called);
    return called.result;
  };
  const { message, ...malformed } = shapedCall(value);
  const asked = { version: settings.build, tools, call: callNamed, ...malformed };
  const { fetch } = createMcpHandler(() => mcpServer(asked), {
    keepAliveMs: 0,
    onerror: (error) => {
      broken = error;
    },
  });
  // Without the caller's abort signal, so that an answer is completed even if nobody waits for it.
  const sent = new Request(`${request.origin}${request.path}`, {
    method: 'POST',
    headers: request.headers as Record<string, string>,
    body: text,
  });
  const response = await fetch(sent, value === undefined ? {} : { parsedBody: message });
  const { status } = response;
  if (status >= 500) throw broken ?? new Error('The protocol server broke.');
  const body = plainErrors(await response.text());
  if (body === '') return { status, headers: NOT_KEPT, body: null };
  const type = response.headers.get('content-type') ?? JSON_TYPE;
  return {
    status,
    headers: { ...NOT_KEPT, 'Content-Type': type },
    body,
    ...(outcome && { outcome }),
  };
}

const NOT_KEPT = { 'Cache-Control': 'no-store' };

/** The arguments as sent: the protocol's package would drop names such as `__proto__`. */
function given(message: unknown): Members {
  const sent = (message as { params?: { arguments?: Members } }).params?.arguments;
  return Object.assign(Object.create(null), sent);
}

/** A JSON-RPC error, which clients of the protocol show. */
function refused(message: string): Answered {
  const error = { code: -32600, message };
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error });
  return { status: 400, headers: { ...NOT_KEPT, 'Content-Type': JSON_TYPE }, body };
}
