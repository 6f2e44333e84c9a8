export type CommandArguments = {
  /** Whether to run the same code at tiny sizes, in seconds, and to write nothing into the checkout. */
  readonly isSmoke: boolean;
  /** The other arguments. */
  readonly args: readonly string[];
};

/** What a command of package.json was called with. Each takes `--smoke`: `npm run smoke` runs them all. */
export function commandArguments(): CommandArguments {
  const given = process.argv.slice(2);
  const args = given.filter((one) => one !== '--smoke');
  return { isSmoke: args.length < given.length, args };
}
