import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gather, readUrlencoded } from '../../src/http/read-body.ts';

export type Received = {
  readonly method: string;
  readonly url: string;
  readonly key: string | undefined;
  /** How the arguments came; of `JSON` alone they have types. */
  readonly as: 'JSON' | 'form' | 'query';
  readonly arguments: unknown;
};

/** A server that writes down what it is sent, and answers like a block. */
export type Recorder = {
  readonly url: string;
  readonly received: Received[];
  close(): Promise<unknown>;
};

export async function startRecorder(): Promise<Recorder> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        method: request.method ?? '',
        url: request.url ?? '',
        key: request.headers['x-api-key'] as string | undefined,
        ...argumentsOf(request.url ?? '', request.headers['content-type'], Buffer.concat(chunks)),
      });
      // R and spreadsheets ask for CSV; curl asks by GET too.
      const isOfCsv = !request.headers['user-agent']?.startsWith('curl');
      if (request.method === 'GET' && isOfCsv) response.end('ok\r\n1\r\n');
      else response.end('{"params":{"ok":1}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/block`,
    received,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function argumentsOf(
  url: string,
  type: string | undefined,
  body: Buffer,
): Pick<Received, 'as' | 'arguments'> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  if (type === 'application/json') return { as: 'JSON', arguments: JSON.parse(text) };
  if (type !== undefined) return { as: 'form', arguments: { ...readUrlencoded(text) } };
  const query = new URLSearchParams(url.slice(`${url}?`.indexOf('?')));
  return { as: 'query', arguments: { ...gather(query) } };
}
