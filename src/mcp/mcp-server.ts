import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { nearName } from '../values/near-name.ts';
import { shorten } from '../values/wording.ts';
import type { ToolResult } from './call-tool.ts';
import type { Tool } from './tool-of.ts';

export type ServerSettings = {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Calls the tool with this name. */
  readonly call: (name: string) => Promise<ToolResult>;
  /** The message's fault as a call. */
  readonly fault?: string;
};

const INSTRUCTIONS = `Each tool is a data function that only reads. Filters on rows must all match; leave out what you do not want to filter by. Write \\* for a star in a text.
An answer says how many rows match: for more than one page, call again with _cursor. Where none matches it says which filter to change.`;

/** Tools change only with the code and the data, but after a deployment the new ones must show. */
const LISTED_FOR_MS = 300_000;

/**
 * A server for one message. It keeps no state, so that any instance of the service can answer. It
 * is not the package's McpServer, which would check arguments before the block can.
 */
export function mcpServer({ version, tools, call, fault }: ServerSettings): Server {
  const server = new Server(
    { name: 'blockyard', version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': { ttlMs: LISTED_FOR_MS, cacheScope: 'private' } },
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools] }));
  server.setRequestHandler('tools/call', async ({ params: { name } }) => {
    if (fault !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, fault);
    if (!tools.some((tool) => tool.name === name)) throw unknownTool(name, tools);
    return call(name);
  });
  return server;
}

/** Replaces the validator that the package would make for each message to check users' input. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error('Nothing is asked of users here.');
  },
};

function unknownTool(name: string, tools: readonly Tool[]): ProtocolError {
  const names = tools.map((tool) => tool.name);
  const near = nearName(name, names);
  const fix = near === undefined ? `There are: ${names.join(', ')}.` : `Did you mean ${near}?`;
  const message = `There is no tool ${shorten(name)}. ${fix}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
