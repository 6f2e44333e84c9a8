import { USD_OF_MILLION_READ_UNITS } from '../../src/dynamodb/limits.ts';

/**
 * AWS's on-demand prices in USD, us-east-1, without the monthly free tier, as of November 2026.
 * docs/scaling.md says what each is for, and names its source page.
 */
export const AWS_PRICES = {
  millionApiCalls: 3.5,
  millionInvocations: 0.2,
  gbSecond: 0.0000133334,
  millionReadUnits: USD_OF_MILLION_READ_UNITS,
  tableGbMonth: 0.25,
  importedGb: 0.15,
  fileGbMonth: 0.023,
  loggedGb: 0.5,
  logGbMonth: 0.03,
  metricMonth: 0.3,
  alarmMonth: 0.1,
  dashboardMonth: 3,
  millionTraces: 5,
  sentGb: 0.09,
} as const;
