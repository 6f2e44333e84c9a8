/** A message that is safe to give to the protocol's package, and its fault as a call, if any. */
export type ShapedCall = { readonly message: unknown; readonly fault?: string };

/**
 * Makes a call's name a text and its arguments an object, since for others the protocol's package
 * prints its validator's messages. Null arguments mean none, as some clients write them.
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
