/**
 * US East (N. Virginia), on demand, without free tier and savings plans, read in November 2026.
 * API Gateway's own price is not in here.
 */
export const PRICES = {
  /** aws.amazon.com/dynamodb/pricing/on-demand, since November 2024. */
  usdPerMillionReadUnits: 0.125,
  /** The same page: a GB-month of storage, and a GB (uncompressed) of import from S3. */
  usdPerGbMonth: 0.25,
  usdPerImportedGb: 0.15,
  /** aws.amazon.com/lambda/pricing, arm64, first tier. */
  usdPerGbSecond: 0.0000133334,
  usdPerMillionInvocations: 0.2,
} as const;
