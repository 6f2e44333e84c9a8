/**
 * An object's own member. Names from callers or datasets may be `constructor` or `toString`, which
 * every object inherits.
 */
export function ownMember<T>(of: Readonly<Record<string, T>> | undefined, name: string) {
  return of !== undefined && Object.hasOwn(of, name) ? of[name] : undefined;
}
