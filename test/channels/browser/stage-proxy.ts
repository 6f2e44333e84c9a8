import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

export type StageProxy = {
  readonly url: string;
  /** Paths that were asked for outside the prefix. */
  readonly strays: string[];
  close(): Promise<void>;
};

/** A server in front of a service, which takes a prefix off each path, and may say which. */
export async function startStageProxy(
  serviceUrl: string,
  prefix: string,
  isSaid = true,
): Promise<StageProxy> {
  const strays: string[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    if (!url.startsWith(`${prefix}/`)) {
      strays.push(url);
      response.writeHead(404).end('There is nothing outside the stage.');
      return;
    }
    const said = isSaid ? { 'x-forwarded-prefix': prefix } : {};
    const onward = httpRequest(serviceUrl + url.slice(prefix.length), {
      method,
      headers: { ...headers, ...said },
    });
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    strays,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
