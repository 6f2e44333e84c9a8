import type { ServiceSettings } from '../../src/http/answer.ts';
import type { LambdaEnv } from '../../src/lambda/function-settings.ts';
import { lambdaSettings } from '../../src/lambda/lambda-settings.ts';
import { Budget, RUN_STEPS } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';

/**
 * The time for a run, or for a request to DynamoDB, where a test is not about time: it must not fail
 * because the machine is busy. Tests about time move a clock of their own.
 */
export const AMPLE_MS = 20_000;

/** The settings of a service under test, which records nothing; with production's bounds of time. */
export const PRODUCTION: ServiceSettings = { build: 'test', record: () => {} };

/** The same, with ample time. */
export const SETTINGS: ServiceSettings = {
  ...PRODUCTION,
  runWithinMs: AMPLE_MS,
};

/** What every function is told by its deployment, here of one that is open to all. */
export const OPEN = {
  ...{ SERVICE_NAME: 'blockyard', ACCESS: 'open', ALLOW_ORIGIN: '*', ALLOW_FRAMES: '*' },
};

/** The settings of a function with this environment, but for the time of its runs. */
export const functionSettings = (env: LambdaEnv): ServiceSettings => ({
  ...lambdaSettings({ ...OPEN, ...env }),
  runWithinMs: AMPLE_MS,
});

/** A run's budget: with the steps of any run, and ample time. */
export function ampleBudget(scheduler = new Scheduler(), steps = RUN_STEPS): Budget {
  return new Budget(scheduler, steps, AMPLE_MS);
}
