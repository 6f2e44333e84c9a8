/**
 * A function that streams, in a process of its own: answers the event in the second argument by the
 * handler that the first one names, into the pipe with the number 3, as fast as it is read.
 */
import { Socket } from 'node:net';

const [, , handlerFile = '', event = ''] = process.argv;
const runtime = {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: { from: (stream: unknown) => stream },
};
Object.assign(globalThis, { awslambda: runtime });
const { handler } = await import(handlerFile);
const pipe = new Socket({ fd: 3, readable: false, writable: true });
try {
  await handler(JSON.parse(event), pipe, {});
  process.exit(0);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
