import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, StreamifyHandler } from 'aws-lambda';
import { type Answer, isTooSlow, isWhole, STALLED_MS } from '../http/answer.ts';
import { valueWithin } from '../work/waiting.ts';
import type { AnswerEvent, LambdaHandler } from './api-gateway-handler.ts';
import { type TellBroken, writeLine } from './lambda-settings.ts';

/** What is written at once of an answer that is whole, so that its reader's progress shows. */
const PIECE_BYTES = 64 * 1024;

export type Pace = {
  /** How long a reader may take nothing, in milliseconds. */
  readonly stalledMs: number;
  /** The time, in milliseconds. */
  readonly now: () => number;
  /** Ends the function's process. */
  readonly end: () => void;
};

/**
 * An answer keeps its function until the reader has it: Lambda's runtime sends what is written, and
 * then the error of a handler that fails, before it takes another call (its `ResponseStream.fail`).
 * So only the end of the process frees the function from a slow reader, and breaks his answer off.
 */
const PACE: Pace = {
  stalledMs: STALLED_MS,
  now: () => performance.now(),
  end: () => process.exit(1),
};

/**
 * A handler that streams to API Gateway, where Lambda can. Calls by our own functions have no
 * request context; they get what the plain handler returns.
 */
export function streamingHandler(
  answer: AnswerEvent,
  plain: LambdaHandler,
  pace = PACE,
  tellBroken: TellBroken = () => {},
): LambdaHandler {
  // A global of Lambda's runtime for Node. The SDK makes another one of this name.
  const runtime: Partial<typeof awslambda> | undefined = globalThis.awslambda;
  if (runtime?.streamifyResponse === undefined) return plain;
  const handler: StreamifyHandler<APIGatewayProxyEvent, void> = async (event, stream, context) => {
    // A read may go on after its run; the next call need not wait for it.
    context.callbackWaitsForEmptyEventLoop = false;
    if (event?.requestContext === undefined) {
      stream.end(JSON.stringify(await plain(event, context)));
      return;
    }
    const answered = await answer(event, true);
    const head = { statusCode: answered.status, headers: answered.headers };
    await write(answered, awslambda.HttpResponseStream.from(stream, head), pace, tellBroken);
  };
  // The runtime knows it by a mark, and calls it with a stream.
  return awslambda.streamifyResponse(handler) as unknown as LambdaHandler;
}

/** Writes a body as fast as its reader takes it. Rejects if it breaks off, or the reader is too slow. */
async function write(
  { body, headers }: Answer,
  stream: Writable,
  pace: Pace,
  tellBroken: TellBroken,
): Promise<void> {
  let sent = 0;
  let waitedMs = 0;
  const taken = async (event: 'drain' | 'finish') => {
    const began = pace.now();
    const isTaken = await valueWithin(once(stream, event), pace.stalledMs);
    waitedMs += pace.now() - began;
    if (isTaken === undefined || isTooSlow(sent, waitedMs)) throw new SlowReader();
  };
  try {
    for await (const piece of isWhole(body) ? inPieces(body ?? '') : body) {
      sent += Buffer.byteLength(piece);
      if (!stream.write(piece)) await taken('drain');
    }
    stream.end();
    await taken('finish');
  } catch (error) {
    const { 'X-Run-Id': runId } = headers;
    if (!(error instanceof SlowReader)) tellBroken(runId, sent, error);
    else {
      writeLine({ level: 'WARN', message: 'slow reader', runId, sentBytes: sent, waitedMs });
      pace.end();
    }
    throw error;
  }
}

class SlowReader extends Error {}

/** At least one piece: the head is sent with the first write, even if that is empty. */
function* inPieces(body: string | Uint8Array): Generator<Uint8Array> {
  const bytes = Buffer.from(body as Uint8Array);
  let at = 0;
  do {
    yield bytes.subarray(at, at + PIECE_BYTES);
    at += PIECE_BYTES;
  } while (at < bytes.length);
}
