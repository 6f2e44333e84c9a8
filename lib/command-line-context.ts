import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

/**
 * The context that the CDK will have: of `cdk.json`, and of its arguments, which win: `-c
 * name=value`, as often as it is given.
 */
export function contextOf(root: string, args: readonly string[]): Record<string, unknown> {
  const file = path.join(root, 'cdk.json');
  const { context = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return Object.assign({}, context, ...pairsOf(args).map(({ pair }) => pair));
}

/**
 * Throws an Error of one line where an argument is none that we hand on. One of the CDK's own, such
 * as `--profile`, would hold for some of its commands and not for what we look at ourselves.
 */
export function checkArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  others: readonly string[] = [],
): void {
  const script = environment.npm_lifecycle_event ?? 'deploy';
  // npm takes a `-c` before `--` for an option of its own, and says nothing.
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

/** Where each argument stands, and what it is of the context. */
function pairsOf(args: readonly string[]) {
  const options = { context: { type: 'string', short: 'c' } } as const;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  return tokens.map((token) => {
    const given = token.kind === 'option' && token.name === 'context' ? token.value : undefined;
    // The CDK takes `-c=name=value` too.
    const [, name, value] = /^=?([^=]+)=(.*)$/s.exec(given ?? '') ?? [];
    return { index: token.index, pair: name === undefined ? undefined : { [name]: value } };
  });
}
