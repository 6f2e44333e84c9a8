/** A call to be written as a program. */
export type SnippetCall = {
  /** The block's address, absolute, without a query. */
  readonly url: string;
  /** As a caller sends them: strings, numbers, booleans, lists of these. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Sent as `x-api-key`; in the address for a spreadsheet, which sends no headers. */
  readonly key?: string;
};

/** A program that makes a call and prints what it answers. */
export type Snippet = {
  /** For a program: `javascript`. */
  readonly language: string;
  /** For a person: `JavaScript`. */
  readonly title: string;
  readonly text: string;
};
