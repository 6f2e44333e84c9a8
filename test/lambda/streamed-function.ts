import { Writable } from 'node:stream';
import type { Context } from 'aws-lambda';

/**
 * A function that streams, in a process of its own. Imports the handler that the first argument
 * names, answers the events that it is sent, in order, tells what became of each, and ends.
 */
const [, , handlerFile] = process.argv;

/** What arrives of a streamed answer. */
export type Streamed = {
  readonly status: number;
  readonly bytes: number;
  readonly lines: number;
  /** The beginning of the body. */
  readonly text: string;
  readonly isWhole: boolean;
};

/** What Lambda sends of an answer ("Response streaming for Lambda functions"), its head included. */
const LAMBDA_SENDS = 200e6;

type Handler = (event: unknown, stream: Writable, context: Context) => Promise<void>;

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: Handler) => handler,
    HttpResponseStream: {
      from: (stream: Writable, head: object) => {
        stream.write(Buffer.concat([Buffer.from(JSON.stringify(head)), Buffer.alloc(8)]));
        return stream;
      },
    },
  },
});

async function streamed(handler: Handler, event: unknown): Promise<Streamed> {
  let [bytes, lines, text, status] = [0, 0, '', 0];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > LAMBDA_SENDS) return done(new Error('Lambda sends no more.'));
      if (status === 0) status = JSON.parse(piece.subarray(0, -8).toString()).statusCode;
      else {
        for (const byte of piece) if (byte === 10) lines++;
        if (text.length < 4096) text += piece.toString();
      }
      done();
    },
  });
  await handler(event, stream, {} as Context).catch(() => {});
  return { status, bytes, lines, text, isWhole: stream.writableFinished };
}

process.once('message', async (events: unknown[]) => {
  const { handler } = await import(handlerFile as string);
  const answers: Streamed[] = [];
  for (const event of events) answers.push(await streamed(handler, event));
  process.send?.(answers, () => process.exit(0));
});
