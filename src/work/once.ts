/** Calls `make` on first use and keeps the result. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Makes a value of what is given, and keeps the last one for as long as its mark is the same. */
export function lastOf<Given, T>(
  markOf: (given: Given) => string,
  make: (given: Given) => T,
): (given: Given) => T {
  let last: { readonly mark: string; readonly made: T } | undefined;
  return (given) => {
    const mark = markOf(given);
    if (last?.mark !== mark) last = { mark, made: make(given) };
    return last.made;
  };
}
