import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { answerOf, type Channel, type Members } from './channel-answer.ts';

/** The protocol's eras, by the revision that the official client takes of each. */
export const ERAS = { '2026-07-28': 'auto', '2025-11-25': 'legacy' } as const;
export type Revision = keyof typeof ERAS;

const clients = new Map<string, Promise<Client>>();

/** The official client, connected to a service; one for each service and revision. */
export function mcpClient(url: string, revision: Revision): Promise<Client> {
  const key = `${revision} ${url}`;
  const known = clients.get(key);
  if (known !== undefined) return known;
  const made = connect(url, revision);
  clients.set(key, made);
  return made;
}

async function connect(url: string, revision: Revision): Promise<Client> {
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode: ERAS[revision] } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  if (client.getNegotiatedProtocolVersion() !== revision) {
    throw new Error(`The client speaks ${client.getNegotiatedProtocolVersion()}.`);
  }
  return client;
}

/** A block as a tool, called by the official client in both eras. */
export function mcpChannels(): Record<string, Channel> {
  return Object.fromEntries(
    (Object.keys(ERAS) as Revision[]).map((revision): [string, Channel] => [
      `MCP, ${revision}`,
      async ({ service, block, arguments: given }) => {
        const client = await mcpClient(service.url, revision);
        const limit = block.answers === 'rows' ? { _limit: 1000 } : {};
        const { isError, content, structuredContent } = await client.callTool({
          name: block.name,
          arguments: { ...limit, ...given },
        });
        if (isError) throw new Error(JSON.stringify(content));
        const { _warnings, block: _, version, addresses, ...params } = structuredContent as Members;
        return answerOf(params);
      },
    ]),
  );
}
