import { GetAliasCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { APIGatewayProxyResult, CloudFormationCustomResourceEvent, Context } from 'aws-lambda';
import type { Members } from '../arguments/given.ts';
import { CURRENT, fileReference } from '../block/addresses.ts';
import type { Manifest } from '../block/manifest.ts';
import { checkTable } from '../dynamodb/check-table.ts';
import {
  isPassing,
  ReadClient,
  type TableReads,
  type TableScans,
} from '../dynamodb/read-client.ts';
import { type Patience, retry, withinSignal } from '../work/waiting.ts';
import { awsSettings } from './aws-settings.ts';
import { eventOf, headOf, textIn } from './block-function.ts';
import type { PlacedFiles } from './bucket-files.ts';

/** What the build knows of a block, to judge a new version by. */
export type BlockExpectation = {
  readonly example: Members;
  readonly answer: FirstAnswer;
  /** Its dataset's manifest. */
  readonly manifest?: Manifest;
  /** The files of its version, by the ends of their addresses. */
  readonly files?: PlacedFiles['files'] | undefined;
};

/** A version of a function that is about to go live. */
export type NewVersion = {
  readonly block: string;
  readonly functionName: string;
  /** The ARN of the version. */
  readonly version: string;
  /** The alias that points to the live version. */
  readonly alias: string;
  /** Its dataset's table. */
  readonly table?: string;
};

/** The clients of a check; they try each request once, since the check itself tries again. */
type Clients = {
  readonly lambda: LambdaClient;
  readonly dynamodb: TableReads & TableScans;
  readonly wait?: Patience['wait'];
};

/** The permissions are seconds old, and IAM may not know them everywhere yet. */
const GRANTED_WITHIN_MS = 60_000;

/**
 * Longer than reading what an example needs may take. Meanwhile a version answers 503, and it reads
 * on only while it is being called.
 */
const READY_WITHIN_MS = 5 * 60_000;

/** Longer than a function's start and a call of it, of up to 10 s each. */
const REQUEST = { connectionTimeout: 5000, requestTimeout: 30_000, throwOnRequestTimeout: true };

export function newClients(): Clients {
  const aws = awsSettings();
  return {
    lambda: new LambdaClient({ ...aws, maxAttempts: 1, requestHandler: REQUEST }),
    dynamodb: new ReadClient({ ...aws, mostAttempts: 1, requestTimeout: REQUEST.requestTimeout }),
  };
}

/**
 * Checks a block's new version before it gets any request: that the files beside its code exist,
 * that its table is whole, and that it answers its first example, called as by API Gateway, as it did
 * in the build. Throws an Error that the person who deploys reads.
 */
export async function checkVersion(
  newVersion: NewVersion,
  { example, answer, manifest, files = {} }: BlockExpectation,
  { lambda, dynamodb, wait }: Clients,
  signal: AbortSignal,
): Promise<void> {
  const patience = { ...patienceOf(signal), wait };
  const invoke = (payload: object) => retry(() => call(lambda, newVersion, payload), patience);
  // A rollback asks for the version that is still live, which has passed its check before.
  if (await retry(() => isLive(lambda, newVersion), patience)) return;
  await invoke({});
  const { block, table } = newVersion;
  if (manifest !== undefined && table !== undefined) {
    await checkTable({ client: dynamodb, name: table, manifest }, patience);
  }
  const ready = AbortSignal.any([signal, AbortSignal.timeout(READY_WITHIN_MS)]);
  const answered200 = (what: string, event: object) =>
    retry(
      async () => {
        const result = await invoke(event);
        if (result.statusCode === 200) return result;
        throw new NotAnswered(what, result);
      },
      {
        ...patience,
        signal: ready,
        isPassing: (error) => error instanceof NotAnswered && error.status === 503,
      },
    );
  // A file that is not there, or has another length, is answered 503.
  for (const extension of Object.keys(files)) {
    const reference = fileReference(block, extension, CURRENT);
    await answered200(`The file ${reference}`, headOf(reference));
  }
  const what = `The first example of ${block}`;
  const first = await answered200(what, eventOf(block, JSON.stringify(example)));
  const answered = firstAnswerIn(textIn(first));
  if (isAsExpected(answered, answer)) return;
  throw new Error(
    `The first example of ${block} answers ${JSON.stringify(answered)}; expected ${JSON.stringify(answer)}.`,
  );
}

/** Waits for permissions, and for what passes, until a signal. */
export function patienceOf(signal: AbortSignal): Patience {
  const granted = AbortSignal.timeout(GRANTED_WITHIN_MS);
  const isPassing = (error: Error) =>
    isDenied(error) ? !granted.aborted : isOfTheMoment(error) && !signal.aborted;
  return { isPassing, signal };
}

class NotAnswered extends Error {
  readonly status: number;

  constructor(what: string, result: APIGatewayProxyResult) {
    super(`${what} is answered ${result.statusCode}: ${textIn(result)}`);
    this.status = result.statusCode;
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
  return name === 'AccessDeniedException' || name === 'AccessDenied';
}

/** Whether a retry may help: throttled, cut off, late, AWS's own error, or still being set up. */
function isOfTheMoment(error: Error): boolean {
  return (
    isPassing(error) || /^(?:ResourceConflictException|ResourceNotReadyException)$/.test(error.name)
  );
}

/** A block's answer to its first example, as JSON text: the first rows, or the value. */
export type FirstAnswer = {
  readonly rows?: readonly string[];
  /** Whether more rows follow. */
  readonly isCut?: boolean;
  readonly value?: string;
};

/** Reads a first answer from the body of the answer to a POST. */
export function firstAnswerIn(body: string): FirstAnswer {
  const { params } = JSON.parse(body);
  return Array.isArray(params?.results)
    ? {
        rows: params.results.map((row: unknown) => JSON.stringify(row)),
        isCut: params.next !== null,
      }
    : { value: JSON.stringify(params) };
}

/** Whether two first answers agree. A page that is cut may be short, so only its rows count. */
export function isAsExpected(answered: FirstAnswer, expected: FirstAnswer): boolean {
  if (answered.rows === undefined || expected.rows === undefined) {
    return answered.rows === expected.rows && answered.value === expected.value;
  }
  const wanted = answered.isCut ? expected.rows.slice(0, answered.rows.length) : expected.rows;
  return (
    (answered.isCut === true || expected.isCut === false) &&
    JSON.stringify(answered.rows) === JSON.stringify(wanted)
  );
}

type ResourceProperties = CloudFormationCustomResourceEvent['ResourceProperties'];

type Work = (properties: ResourceProperties, signal: AbortSignal) => Promise<void>;

/** Time reserved to tell CloudFormation the outcome; otherwise it waits until its own timeout. */
const TOLD_WITHIN_MS = 20_000;

/** CloudFormation takes answers of up to 4,096 bytes, and a character may have three. */
const MOST_REASON_LENGTH = 1000;

/** How often CloudFormation is told. */
const MOST_TRIES = 3;

/**
 * A custom resource of CloudFormation. It does the work when it is created and when its properties
 * change, and undoes it when it is deleted, if there is something to undo. An error fails the
 * deployment.
 */
export function customResource(work: Work, undo: Work = async () => {}) {
  return async (
    event: CloudFormationCustomResourceEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<void> => {
    const isDeleted = event.RequestType === 'Delete';
    const ms = context.getRemainingTimeInMillis() - TOLD_WITHIN_MS;
    const signal = AbortSignal.timeout(Math.max(0, ms));
    const late = () => new Error(`This did not end within ${Math.round(ms / 1000)} s.`);
    try {
      const doing = (isDeleted ? undo : work)(event.ResourceProperties, signal);
      await withinSignal(doing, signal, late);
    } catch (error) {
      console.error(error);
      return tell(event, (error as Error).message);
    }
    return tell(event);
  };
}

/** Sends the outcome to the address that CloudFormation gave. */
async function tell(event: CloudFormationCustomResourceEvent, fault?: string): Promise<void> {
  const { StackId, RequestId, LogicalResourceId, ResponseURL } = event;
  const body = JSON.stringify({
    Status: fault === undefined ? 'SUCCESS' : 'FAILED',
    Reason: fault?.slice(0, MOST_REASON_LENGTH),
    // Must never change: CloudFormation would take a new id for a new resource and delete this one.
    PhysicalResourceId: LogicalResourceId,
    StackId,
    RequestId,
    LogicalResourceId,
  });
  const put = async () => {
    // The address is signed for a request without a content type.
    const headers = { 'content-type': '' };
    const { ok, status } = await fetch(ResponseURL, { method: 'PUT', headers, body });
    if (!ok) throw new Error(`CloudFormation was told, and answered ${status}.`);
  };
  await retry(put, { mostTries: MOST_TRIES, delayMs: () => 0 });
}
