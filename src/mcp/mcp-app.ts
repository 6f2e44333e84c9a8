import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Hono } from 'hono/quick';
import type { Members } from '../core/arguments.ts';
import type { Described } from '../core/describe-block.ts';
import type { CallBlock } from '../http/call-block.ts';
import {
  type AppSettings,
  answer,
  JSON_TYPE,
  MCP_PATH,
  type RunContext,
  type RunEnv,
  refuseMethod,
  runApp,
} from '../http/run-app.ts';
import type { Outcome } from '../http/run-record.ts';
import { shapedCall } from './call-shape.ts';
import { callTool } from './call-tool.ts';
import { mcpServer } from './mcp-server.ts';
import { plainErrors } from './plain-errors.ts';
import { type Message, readMessage } from './read-message.ts';
import { toolOf } from './tool-of.ts';

export type McpDoor = {
  readonly blocks: readonly Described[];
  readonly call: CallBlock;
};

/** The blocks as tools of the Model Context Protocol, in both of its eras; without sessions. */
export function mcpApp(door: McpDoor, settings: AppSettings): Hono<RunEnv> {
  const app = runApp(settings, null);
  const tools = door.blocks.map(toolOf);
  const blocks = new Map(door.blocks.map((described) => [described.block.name, described]));

  async function serve(c: RunContext, { text, value }: Message): Promise<Response> {
    let outcome: Outcome | undefined;
    let broken: Error | undefined;
    const call = async (name: string) => {
      const { runId } = c.get('run');
      const called = await callTool(blocks.get(name) as Described, door.call, given(value), runId);
      ({ outcome } = called);
      return called.result;
    };
    const { message, ...malformed } = shapedCall(value);
    const asked = { version: settings.build, tools, call, ...malformed };
    const { fetch } = createMcpHandler(() => mcpServer(asked), {
      keepAliveMs: 0,
      onerror: (error) => {
        broken = error;
      },
    });
    const { url, raw } = c.req;
    // Without the caller's signal: an answer is made whole, whoever still waits for it.
    const request = new Request(url, { method: 'POST', headers: raw.headers, body: text });
    const response = await fetch(request, value === undefined ? {} : { parsedBody: message });
    if (response.status >= 500) throw broken ?? new Error('The protocol server broke.');
    const answered = plainErrors(await response.text());
    const type = response.headers.get('content-type') ?? JSON_TYPE;
    const headers = { 'Content-Type': type, 'Cache-Control': 'no-store' };
    if (answered === '') return answer(c, null, response.status, { 'Cache-Control': 'no-store' });
    return answer(c, answered, response.status, headers, outcome);
  }

  app.post(MCP_PATH, async (c) => {
    const message = await readMessage(c.req.raw);
    return message.refused === undefined ? serve(c, message) : refuse(c, message.refused);
  });
  app.all(MCP_PATH, (c) => refuseMethod(c, ['POST', 'OPTIONS']));
  return app;
}

/** The arguments as they were sent: the protocol's reader would drop a name such as `__proto__`. */
function given(message: unknown): Members {
  const sent = (message as { params?: { arguments?: Members } }).params?.arguments;
  return Object.assign(Object.create(null), sent);
}

/** An error of JSON-RPC, which a client of the protocol shows. */
function refuse(c: RunContext, message: string): Response {
  const error = { code: -32600, message };
  const text = JSON.stringify({ jsonrpc: '2.0', id: null, error });
  return answer(c, text, 400, { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' });
}
