import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type AwsAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What AWS is asked: an operation's name (JSON protocols) or path (REST), and the body. */
export type AwsCall = { readonly operation: string; readonly body: string };

/** An address that answers as AWS would, on 127.0.0.1. The SDK asks it while it is started. */
export async function startAwsEndpoint(answer: (call: AwsCall) => Promise<AwsAnswer> | AwsAnswer) {
  const calls: AwsCall[] = [];
  const server = createServer(async (request, response) => {
    const { 'x-amz-target': target } = request.headers;
    const operation = String(target ?? '').split('.')[1] ?? decodeURIComponent(request.url ?? '');
    const call = { operation, body: await textOf(request) };
    calls.push(call);
    const { status = 200, headers = {}, body } = await answer(call);
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1', ...headers });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const settings = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
  };
  const before = Object.keys(settings).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, settings);
  return {
    calls,
    async stop(): Promise<void> {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
