import { BlockyardError } from '../../client/src/client.ts';

/** The error that a call ends with; throws where it ends with none, or with another. */
export async function refusal(call: Promise<unknown>): Promise<BlockyardError> {
  const error = await call.then(
    () => new Error('It was not refused.'),
    (thrown) => thrown,
  );
  if (error instanceof BlockyardError) return error;
  throw error;
}
