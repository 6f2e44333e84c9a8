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
  /** What the function wrote to its log until then: Lambda may freeze a process after the last byte. */
  readonly log: string;
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

let log = '';
const writeOut = process.stdout.write.bind(process.stdout);
process.stdout.write = (text: unknown) => {
  log += text;
  return writeOut(text as string);
};

async function streamed(handler: Handler, event: unknown): Promise<Streamed> {
  let [bytes, lines, text, status] = [0, 0, '', 0];
  let logged: string | undefined;
  log = '';
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > LAMBDA_SENDS) return done(new Error('Lambda sends no more.'));
      if (status === 0) status = JSON.parse(piece.subarray(0, -8).toString()).statusCode;
      else {
        for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++;
        if (text.length < 4096) text += piece.toString();
      }
      done();
    },
    final(done) {
      logged = log;
      done();
    },
  });
  await handler(event, stream, {} as Context).catch(() => {});
  return { status, bytes, lines, text, isWhole: stream.writableFinished, log: logged ?? log };
}

process.once('message', async (events: unknown[]) => {
  const { handler } = await import(handlerFile as string);
  const answers: Streamed[] = [];
  for (const event of events) answers.push(await streamed(handler, event));
  process.send?.(answers, () => process.exit(0));
});
