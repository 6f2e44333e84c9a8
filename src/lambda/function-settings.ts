import type { PublicationSettings } from '../portals/publication.ts';

/**
 * The environment variables of our functions, in one table: what a deployment sets is what a function
 * reads.
 */
export type FunctionSetting =
  | ('BUILD' | 'SERVICE_NAME' | 'ACCESS' | 'ALLOW_ORIGIN' | 'ALLOW_FRAMES')
  | keyof PublicationSettings
  // Of a block.
  | ('BLOCK' | 'OPENAPI_FILE' | 'SEED_DATA')
  // Of its dataset.
  | ('TABLE_NAME' | 'COLUMN_CACHE_BYTES' | 'ANSWER_MEGABYTES' | 'STREAMING')
  | ('DATASET_MANIFEST' | 'DATASET_PROFILE' | 'BOUNDARIES' | 'FILES' | 'FILES_BUCKET')
  // Of Slack's function, and of the one that waits for old versions.
  | ('SLACK_SECRET_NAME' | 'VERSIONS');

/** What a deployment sets in a function's environment. */
export type FunctionSettings = Readonly<Partial<Record<FunctionSetting, string>>>;

/** Settings of AWS, and the endpoint of an emulator. */
type OtherSetting = 'AWS_LAMBDA_FUNCTION_VERSION' | 'DYNAMODB_ENDPOINT';

/** The environment of a function, as far as it is read. */
export type LambdaEnv = Readonly<
  Partial<Record<FunctionSetting | OtherSetting, string | undefined>>
>;

/**
 * A streamed answer. Then 400, by what the import knows of its rows; one that turns out longer breaks
 * off.
 *
 * Lambda streams 200 MB at most ("Response streaming for Lambda functions"), the answer's head among
 * them.
 */
export const STREAM_BYTES = 199_000_000;

/**
 * A body that a function hands over in one piece, as its response to Lambda has it: a text as JSON
 * has it, or base64 where that is shorter. Then 400.
 *
 * Lambda takes 6 MB of a response ("Lambda quotas"), the answer's head among them.
 */
export const RESPONSE_BYTES = 5_980_000;

/**
 * A setting without which a function does not start. A deployment calls each new version before it
 * gets a request, so one that is forgotten keeps the old version.
 */
export function required(env: LambdaEnv, name: FunctionSetting): string {
  const value = env[name];
  if (value === undefined) throw new Error(`${name} must be set.`);
  return value;
}
