import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

/**
 * The context that the CDK will use: from `cdk.json`, overridden by its arguments `-c name=value`,
 * which may be repeated.
 */
export function contextOf(root: string, args: readonly string[]): Record<string, unknown> {
  const file = path.join(root, 'cdk.json');
  const { context = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return Object.assign({}, context, ...pairsOf(args).map(({ pair }) => pair));
}

/**
 * Throws a one-line Error for an argument that we do not pass on. The CDK's own, such as
 * `--profile`, would affect only some of its commands and none of our own checks.
 */
export function checkArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  others: readonly string[] = [],
): void {
  const script = environment.npm_lifecycle_event ?? 'deploy';
  // npm silently takes a `-c` before `--` as its own option.
  if (environment.npm_config_call) {
    throw new Error(`write it behind --: npm run ${script} -- -c ${environment.npm_config_call}`);
  }
  const known = ['-c name=value', ...others].join(' and ');
  for (const { index, pair } of pairsOf(args)) {
    const arg = args[index] as string;
    if (pair !== undefined || others.includes(arg)) continue;
    throw new Error(`${arg} is not taken here; ${known} ${others.length > 0 ? 'are' : 'is'}.`);
  }
}

/** Each argument's index, and its name and value if it sets context. */
function pairsOf(args: readonly string[]) {
  const options = { context: { type: 'string', short: 'c' } } as const;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  return tokens.map((token) => {
    const given = token.kind === 'option' && token.name === 'context' ? token.value : undefined;
    // The CDK accepts `-c=name=value` too.
    const [, name, value] = /^=?([^=]+)=(.*)$/s.exec(given ?? '') ?? [];
    return { index: token.index, pair: name === undefined ? undefined : { [name]: value } };
  });
}
