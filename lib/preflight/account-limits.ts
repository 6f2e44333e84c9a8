import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { numberText } from '../../src/text/wording.ts';
import { CHECKS_AT_ONCE } from '../deployment-limits.ts';
import type { DeploymentOptions } from '../deployment-options.ts';

/** AWS keeps at least this much concurrency for functions that reserve none. */
const LEAST_UNRESERVED = 100;

/** What an account runs at once unless it is new. */
const USUAL_CONCURRENCY = 1000;

/** MB of memory of a function in a new account. AWS says "reduced"; people report this number. */
const NEW_ACCOUNT_MEMORY = 3008;

/** A check of a new version, and the block's function that it calls. */
const CALLS_OF_CHECKS = 2 * CHECKS_AT_ONCE;

/** What a deployment asks of the account. */
type AccountAsked = {
  readonly region: string;
  readonly options: Pick<DeploymentOptions, 'memory' | 'reservedConcurrency' | 'throttleBurst'>;
  /** How many functions reserve concurrency, if any do. */
  readonly functions: number;
  /** Reserved by the stack that is already deployed. */
  readonly held: number;
};

/**
 * Compares a deployment with what Lambda allows the account, and returns a line for each thing that
 * does not fit. Throws a one-line Error, with the numbers, for what AWS would refuse for certain.
 */
export async function checkAccount(asked: AccountAsked): Promise<string[]> {
  const { region, options, functions, held } = asked;
  const { memory, reservedConcurrency: each, throttleBurst } = options;
  const account = await accountConcurrency(region);
  const tooLarge =
    memory > NEW_ACCOUNT_MEMORY
      ? [
          `memory=${memory}: AWS may refuse a new account's functions more than ${numberText(NEW_ACCOUNT_MEMORY)} MB, and the deployment then rolls back.`,
        ]
      : [];
  if (typeof account === 'string') {
    return [
      `What Lambda allows the account was not looked at (${account}). A new account may run 10 calls at once, and AWS refuses to leave less than ${LEAST_UNRESERVED} unreserved.`,
      ...tooLarge,
    ];
  }
  const { limit, unreserved } = account;
  const lines = limit < USUAL_CONCURRENCY ? tooLarge : [];
  const left = unreserved + held - (each ?? 0) * functions;
  if (each !== undefined) lines.push(reservationLine({ limit, left, each, functions }));
  if (left < throttleBurst) {
    lines.push(
      `The account has ${numberText(left)} calls at once in ${region}, and throttleBurst=${throttleBurst} lets more requests in: callers may get a 503. Ask AWS for more (Service Quotas, Lambda; free).`,
    );
  }
  if (left < CALLS_OF_CHECKS) {
    lines.push(
      `The deployment itself calls up to ${CALLS_OF_CHECKS} functions at once: with ${numberText(left)} it may fail.`,
    );
  }
  return lines;
}

type Reservation = {
  readonly limit: number;
  /** What stays unreserved. */
  readonly left: number;
  readonly each: number;
  readonly functions: number;
};

/** Says what a reservation leaves. Throws if AWS would refuse it. */
function reservationLine({ limit, left, each, functions }: Reservation): string {
  const calls = `${numberText(each * functions)} calls at once (reservedConcurrency=${each} for each of ${functions} functions)`;
  if (left >= LEAST_UNRESERVED) {
    return `Reserving ${calls}: ${numberText(left)} of the account's ${numberText(limit)} stay unreserved.`;
  }
  if (limit <= LEAST_UNRESERVED) {
    throw new Error(
      `the account's limit is ${numberText(limit)} calls at once, and AWS keeps ${LEAST_UNRESERVED} of them unreserved: none can be reserved. Leave reservedConcurrency out, or ask AWS for a higher limit (Service Quotas, Lambda).`,
    );
  }
  const most = Math.max(0, Math.floor((left - LEAST_UNRESERVED) / functions) + each);
  throw new Error(
    `${calls} would leave ${numberText(left)} of the account's ${numberText(limit)} unreserved, and AWS keeps ${LEAST_UNRESERVED}. At most reservedConcurrency=${most} can be had.`,
  );
}

/** The account's limit and what is left of it; a text with the reason if AWS does not say. */
async function accountConcurrency(
  region: string,
): Promise<{ readonly limit: number; readonly unreserved: number } | string> {
  try {
    const { AccountLimit } = await new LambdaClient({ region }).send(
      new GetAccountSettingsCommand({}),
    );
    const { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: unreserved } =
      AccountLimit ?? {};
    return limit === undefined || unreserved === undefined
      ? 'AWS does not say it'
      : { limit, unreserved };
  } catch (error) {
    return (error as Error).name;
  }
}

/** 80 % of the calls at once that the account may have; undefined if AWS does not say. */
export async function concurrencyAlarmFor(region: string): Promise<number | undefined> {
  const account = await accountConcurrency(region);
  return typeof account === 'string' ? undefined : Math.max(1, Math.floor(account.limit * 0.8));
}
