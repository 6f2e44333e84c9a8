/**
 * A member that an object has itself. What a caller or a dataset names may be called `constructor`
 * or `toString`, which every object inherits.
 */
export function ownMember<T>(of: Readonly<Record<string, T>> | undefined, name: string) {
  return of !== undefined && Object.hasOwn(of, name) ? of[name] : undefined;
}
