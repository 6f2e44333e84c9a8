/**
 * AWS's prices in USD, us-east-1, on demand, without what is free each month: as known in November
 * 2026. docs/scaling.md has what each is for, and the page that it is from.
 */
export const AWS_PRICES = {
  millionApiCalls: 3.5,
  millionInvocations: 0.2,
  gbSecond: 0.0000133334,
  millionReadUnits: 0.125,
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
