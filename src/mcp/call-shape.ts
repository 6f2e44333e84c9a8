/** A message as the protocol's reader is given it, and what was wrong with it as a call. */
export type ShapedCall = { readonly message: unknown; readonly fault?: string };

/**
 * A call whose name is a text and whose arguments are an object: of others the protocol's reader
 * would print what its own checks say. Null arguments are none, as some clients write them.
 */
export function shapedCall(message: unknown): ShapedCall {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: unknown };
  if (method !== 'tools/call') return { message };
  const members = isObject(params) ? params : {};
  const { name, arguments: given } = members;
  const fault =
    typeof name !== 'string'
      ? 'The call names no tool: params.name is to be a text.'
      : given === undefined || given === null || isObject(given)
        ? undefined
        : 'params.arguments is to be an object, such as {"name": "value"}.';
  if (fault === undefined && given !== null) return { message };
  const shaped = { ...members, name: typeof name === 'string' ? name : '', arguments: {} };
  return {
    message: { ...(message as object), params: shaped },
    ...(fault === undefined ? {} : { fault }),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
