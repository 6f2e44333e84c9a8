/** Bounds the chain of causes, since a library may link errors in a circle. */
const MOST_CAUSES = 5;

/**
 * An error and its causes as text for a log. It has only messages, and stacks if they are wanted, since an SDK's error
 * also carries its request with all headers. Undefined if there is no cause.
 */
export function describeCause(
  cause: unknown,
  { isWithStack = true, most = MOST_CAUSES } = {},
): string | undefined {
  if (cause === undefined) return undefined;
  if (!(cause instanceof Error)) return String(cause);
  const inner = most > 1 ? describeCause(cause.cause, { isWithStack, most: most - 1 }) : undefined;
  const own = (isWithStack ? cause.stack : undefined) ?? String(cause);
  return inner === undefined ? own : `${own} <- ${inner}`;
}
