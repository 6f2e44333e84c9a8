import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Reach } from '../../src/fetch/fetch-address.ts';
import { type Certificate, selfSigned } from '../support/certificate.ts';

/** A server on this machine, and what it was asked. */
export type FileServer = {
  readonly port: number;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
};

export type Asked = {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** The name that TLS asked for. */
  readonly servername: string | false | undefined;
};

export const HOSTS = ['data.test', 'other.test', 'dotted.test', '127.0.0.1'];
const certificate = selfSigned({ names: HOSTS });
export const CA = certificate.cert;

/** Takes 127.0.0.1 as a public address; 127.0.0.2, say, is none. */
export const LOCAL_REACH: Reach = {
  protocols: ['https:'],
  anyPort: true,
  takesAddress: (address) => address === '127.0.0.1',
};
export const LOCAL_HTTP_REACH: Reach = { ...LOCAL_REACH, protocols: ['https:', 'http:'] };

/** Every name is at 127.0.0.1. */
export const atHome = async () => ['127.0.0.1'];

/** Answers https as the listener says. */
export function serveTls(
  answer: http.RequestListener,
  given: { address?: string; certificate?: Certificate } = {},
): Promise<FileServer> {
  const asked: Asked[] = [];
  const server = https.createServer(given.certificate ?? certificate, (request, response) => {
    const { servername } = request.socket as TLSSocket & { servername?: string | false };
    asked.push({ path: request.url ?? '', headers: request.headers, servername });
    answer(request, response);
  });
  // Clients break off handshakes here.
  server.on('tlsClientError', () => {});
  return listening(server, asked, given.address);
}

/** Answers http as the listener says. */
export function serve(answer: http.RequestListener): Promise<FileServer> {
  const asked: Asked[] = [];
  const server = http.createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers, servername: undefined });
    answer(request, response);
  });
  return listening(server, asked);
}

/** Answers whatever it is sent with what the listener writes. */
export function serveBytes(write: (socket: net.Socket) => void): Promise<FileServer> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => write(socket));
  });
  return listening(server, []);
}

async function listening(
  server: net.Server,
  asked: readonly Asked[],
  address = '127.0.0.1',
): Promise<FileServer> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
