import { connect } from 'node:net';

/** So many ask at once; `reads` is whether they read as fast as it comes, or nothing. */
export type Crowd = {
  readonly name: string;
  readonly count: number;
  /** The block, and what is asked of it. */
  readonly asked: string;
  readonly reads: boolean;
};

export const CROWDS: readonly Crowd[] = [
  { name: 'nobody', count: 0, asked: '', reads: false },
  { name: '50 downloads that are read', count: 50, asked: 'hostile?_format=csv', reads: true },
  {
    name: '50 sorted downloads that nobody reads',
    count: 50,
    asked: 'hostile?_format=geojson&_sort=-n0',
    reads: false,
  },
  {
    name: '1,000 downloads that nobody reads',
    count: 1000,
    asked: 'hostile?_format=csv',
    reads: false,
  },
  {
    name: '1,000 pages of 4 MB that nobody reads',
    count: 1000,
    asked: 'long?_limit=1000',
    reads: false,
  },
];

/** Sends a crowd, all at the same moment; returns how to send it away. */
export function sendCrowd(url: string, { asked, count, reads }: Crowd): () => void {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    if (reads) socket.on('data', () => {});
    else socket.pause();
    socket.write(`GET /api_v2/blocks/${asked} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    return socket;
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
