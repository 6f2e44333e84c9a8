/** A call to write as a program. */
export type SnippetCall = {
  /** The block's absolute address, without a query. */
  readonly url: string;
  /** The arguments as a caller sends them: strings, numbers, booleans, lists of these. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Sent as `x-api-key`, or in the address by a spreadsheet, which cannot send headers. */
  readonly key?: string;
};

/** A program that makes a call and prints what it answers. */
export type Snippet = {
  /** The language's name for programs: `javascript`. */
  readonly language: string;
  /** The language's name for people: `JavaScript`. */
  readonly title: string;
  readonly text: string;
};
