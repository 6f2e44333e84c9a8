/** All that a command line has of its surroundings. */
export type World = {
  /** The service's address, and a key for it, from the environment. */
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly fetch: typeof fetch;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** The terminal's width, which a table is made to fit; absent where there is no terminal. */
  readonly columns?: number | undefined;
};
