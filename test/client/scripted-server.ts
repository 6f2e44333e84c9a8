import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Scripted = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is; all else as JSON. */
  readonly body?: unknown;
  /** Ends the connection in the middle of the body. */
  readonly isCut?: boolean;
};

export type Received = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type ScriptedServer = {
  readonly url: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
};

/** A server that gives one answer after the other, the last one again and again; none: no answer. */
export async function scriptedServer(...answers: readonly Scripted[]): Promise<ScriptedServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: await text(request) });
    const answer = answers[Math.min(received.length, answers.length) - 1];
    if (answer === undefined) return;
    const { status = 200, body = '', isCut = false } = answer;
    response.writeHead(status, answer.headers);
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    // Once the system has taken it, the client gets it, and then the end of the connection.
    if (isCut) response.write(sent, () => response.destroy());
    else response.end(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
