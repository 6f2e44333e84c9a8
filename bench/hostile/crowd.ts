import { connect } from 'node:net';

/** What many ask for at once; `reads` is whether they read it as fast as it comes, or nothing. */
export const CROWDS = [
  { name: '50 downloads that are read', query: '_format=csv', reads: true },
  {
    name: '50 sorted downloads that nobody reads',
    query: '_format=geojson&_sort=-n0',
    reads: false,
  },
] as const;
const CROWD = 50;

/** Sends a crowd, all at the same moment; returns how to send it away. */
export function sendCrowd(url: string, { query, reads }: (typeof CROWDS)[number]): () => void {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: CROWD }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    if (reads) socket.on('data', () => {});
    socket.write(`GET /api_v2/blocks/hostile?${query} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    return socket;
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
