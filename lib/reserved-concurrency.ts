import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { numberText } from '../src/values/wording.ts';

/** AWS keeps at least this much concurrency for functions that reserve none. */
const LEAST_UNRESERVED = 100;

/** The concurrency that a stack wants for its functions, and what it already has. */
export type Reservation = {
  readonly each: number;
  readonly functions: number;
  /** Reserved by the stack that is already deployed. */
  readonly held: number;
};

/**
 * Checks before a deployment that the account can reserve this much, and returns a line that says
 * so. Throws a one-line Error, with the numbers, if it cannot.
 */
export async function checkReservation(region: string, wanted: Reservation): Promise<string> {
  const { each, functions, held } = wanted;
  const account = await accountConcurrency(region);
  if (typeof account === 'string') {
    return `What can be reserved was not looked at (${account}); AWS refuses to leave less than ${LEAST_UNRESERVED} unreserved.`;
  }
  const { limit, unreserved } = account;
  const calls = `${numberText(each * functions)} calls at once (reservedConcurrency=${each} for each of ${functions} functions)`;
  const left = unreserved + held - each * functions;
  if (left >= LEAST_UNRESERVED) {
    return `Reserving ${calls}: ${numberText(left)} of the account's ${numberText(limit)} stay unreserved.`;
  }
  if (limit <= LEAST_UNRESERVED) {
    throw new Error(
      `the account's limit is ${numberText(limit)} calls at once in ${region}, and AWS keeps ${LEAST_UNRESERVED} of them unreserved: none can be reserved. Leave reservedConcurrency out, or ask AWS for a higher limit (Service Quotas, Lambda).`,
    );
  }
  throw new Error(
    `${calls} would leave ${numberText(left)} of the account's ${numberText(limit)} unreserved, and AWS keeps ${LEAST_UNRESERVED}. At most reservedConcurrency=${mostEach(unreserved + held, functions)} can be had.`,
  );
}

function mostEach(available: number, functions: number): number {
  return Math.max(0, Math.floor((available - LEAST_UNRESERVED) / functions));
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
