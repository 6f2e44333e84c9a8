import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Channel, cellsOf, type Members } from './channel-answer.ts';
import { type ReadText, readMembers, readRows } from './mcp-text.ts';

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

/** The text of a tool's answer, which is all that it has. Throws an error of the tool. */
export async function callText(client: Client, name: string, given: Members): Promise<string> {
  const { isError, content, structuredContent } = await client.callTool({
    name,
    arguments: given,
  });
  const [{ text }] = content as unknown as [{ text: string }];
  if (isError) throw new Error(text);
  if (structuredContent !== undefined) throw new Error('rows twice');
  return text;
}

/** A block as a tool, called by the official client in both eras until it has all rows. */
export function mcpChannels(): Record<string, Channel> {
  return Object.fromEntries(
    (Object.keys(ERAS) as Revision[]).map((revision): [string, Channel] => [
      `MCP, ${revision}`,
      async ({ service, block, arguments: given }) => {
        const client = await mcpClient(service.url, revision);
        const { name } = block;
        if (block.answers === 'value') {
          return { rows: [cellsOf(readMembers(await callText(client, name, given)))] };
        }
        const { _limit = 1000 } = given;
        const rows: Record<string, string>[] = [];
        let page: ReadText;
        let cursor: Members = {};
        do {
          const asked = { ...given, ...cursor, _limit: Number(_limit) - rows.length };
          page = readRows(await callText(client, name, asked));
          rows.push(...page.rows.map(cellsOf));
          cursor = { _cursor: page.cursor };
        } while (page.cursor !== undefined && rows.length < Number(_limit));
        const { total, columns } = page;
        return { rows, total, columns, isCut: page.cursor !== undefined };
      },
    ]),
  );
}
