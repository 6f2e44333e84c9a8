import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetAliasCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Members } from '../arguments/arguments.ts';
import type { Manifest } from '../block/manifest.ts';
import { checkRows } from '../dynamodb/check-rows.ts';
import { causeOf } from '../problem/errors.ts';
import { type Patience, patiently } from '../waiting/patience.ts';
import { type FirstAnswer, firstAnswerIn, isAsExpected } from './first-answer.ts';
import { eventOf } from './invoke-block.ts';

/** What the build knows of a block, by which a new version of it is judged. */
export type BlockExpectation = {
  readonly example: Members;
  readonly answer: FirstAnswer;
  /** Of its dataset. */
  readonly manifest?: Pick<Manifest, 'rows' | 'rowsPerShard'>;
};

/** A version that is to go live. */
export type NewVersion = {
  readonly block: string;
  /** The function's name, and the ARN of the version. */
  readonly functionName: string;
  readonly version: string;
  /** By which the version is called that is live now. */
  readonly alias: string;
  /** Its dataset's. */
  readonly table?: string;
};

/** Where a check asks; one attempt a request, since the check itself is patient. */
export type Asked = {
  readonly lambda: LambdaClient;
  readonly dynamodb: DynamoDBClient;
  readonly wait?: Patience['wait'];
};

/** A permission is seconds old here, and IAM may not know of it everywhere yet. */
const GRANTED_WITHIN_MS = 60_000;

/**
 * A version that loads its data into memory answers 503 meanwhile, and loads only while it is being
 * called: longer than a load may take.
 */
const READY_WITHIN_MS = 5 * 60_000;

/** Longer than a function's start, of up to 10 s, and a call of it, of as much. */
const REQUEST = { connectionTimeout: 5000, requestTimeout: 30_000, throwOnRequestTimeout: true };

export function newAsked(): Asked {
  const settings = { maxAttempts: 1, requestHandler: REQUEST };
  return { lambda: new LambdaClient(settings), dynamodb: new DynamoDBClient(settings) };
}

/**
 * Checks a block's new version, before it gets any request: that the files beside its code are
 * there, that its table has all rows, and that its first example is answered, to a call as API
 * Gateway makes it, as it was when it was built. Throws an Error for whoever deploys.
 */
export async function checkVersion(
  newVersion: NewVersion,
  { example, answer, manifest }: BlockExpectation,
  { lambda, dynamodb, wait }: Asked,
  signal: AbortSignal,
): Promise<void> {
  const granted = AbortSignal.timeout(GRANTED_WITHIN_MS);
  const isPassing = (error: Error) =>
    isDenied(error) ? !granted.aborted : isOfTheMoment(error) && !signal.aborted;
  const patience: Patience = { isPassing, signal, ...(wait === undefined ? {} : { wait }) };
  const invoke = (payload: object) => patiently(() => call(lambda, newVersion, payload), patience);
  // A deployment that is undone comes here with the version that it had: it stood its check once.
  if (await patiently(() => isLive(lambda, newVersion), patience)) return;
  await invoke({});
  const { block, table } = newVersion;
  if (manifest !== undefined && table !== undefined) {
    await checkRows({ client: dynamodb, name: table, manifest }, patience).catch((error) => {
      throw causeOf(error);
    });
  }
  const ready = AbortSignal.any([signal, AbortSignal.timeout(READY_WITHIN_MS)]);
  const body = await patiently(
    async () => {
      const { statusCode, body } = await invoke(eventOf(block, JSON.stringify(example)));
      if (statusCode === 200) return body;
      throw new NotAnswered(block, statusCode, body);
    },
    {
      ...patience,
      signal: ready,
      isPassing: (error) => error instanceof NotAnswered && error.status === 503,
    },
  );
  const answered = firstAnswerIn(body);
  if (isAsExpected(answered, answer)) return;
  throw new Error(
    `The first example of ${block} answers ${JSON.stringify(answered)}; expected ${JSON.stringify(answer)}.`,
  );
}

class NotAnswered extends Error {
  readonly status: number;

  constructor(block: string, status: number, body: string) {
    super(`The first example of ${block} is answered ${status}: ${body}`);
    this.status = status;
  }
}

async function isLive(
  lambda: LambdaClient,
  { functionName, version, alias }: NewVersion,
): Promise<boolean> {
  try {
    const command = new GetAliasCommand({ FunctionName: functionName, Name: alias });
    const { FunctionVersion } = await lambda.send(command);
    return version.endsWith(`:${FunctionVersion}`);
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return false;
    throw error;
  }
}

async function call(
  lambda: LambdaClient,
  { version }: NewVersion,
  payload: object,
): Promise<APIGatewayProxyResult> {
  const { FunctionError: failed, Payload: answered } = await lambda.send(
    new InvokeCommand({ FunctionName: version, Payload: JSON.stringify(payload) }),
  );
  const text = answered?.transformToString() ?? '';
  if (failed === undefined) return JSON.parse(text);
  throw new Error(JSON.parse(text).errorMessage ?? text);
}

function isDenied({ name }: Error): boolean {
  return name === 'AccessDeniedException';
}

/** Throttled, cut off, too late, AWS's own fault; or a version that AWS is still setting up. */
function isOfTheMoment(error: Error): boolean {
  return (
    isThrottlingError(error as never) ||
    isTransientError(error as never) ||
    isServerError(error as never) ||
    /^(?:TimeoutError|ResourceConflictException|ResourceNotReadyException)$/.test(error.name)
  );
}
