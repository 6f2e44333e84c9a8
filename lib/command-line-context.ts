import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The context that the CDK will have: of `cdk.json`, and of its arguments, which win: `-c
 * name=value`, as often as it is given.
 */
export function contextOf(root: string, args: readonly string[]): Record<string, unknown> {
  const file = path.join(root, 'cdk.json');
  const { context = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return { ...context, ...Object.fromEntries(pairsOf(args)) };
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
  for (const [i, arg] of args.entries()) {
    const isValue = /^(?:-c|--context)$/.test(args[i - 1] ?? '') && arg.includes('=');
    const isName = /^(?:-c|--context)(?:$|=.+=|\w+=)/.test(arg);
    if (isValue || (isName && (arg.includes('=') || args[i + 1]?.includes('=')))) continue;
    if (others.includes(arg)) continue;
    const known = ['-c name=value', ...others].join(' and ');
    throw new Error(`${arg} is not taken here; ${known} ${others.length > 0 ? 'are' : 'is'}.`);
  }
}

function pairsOf(args: readonly string[]): [string, string][] {
  return args
    .flatMap((arg, i) => {
      const inline = /^(?:-c|--context)=(.*)$/s.exec(arg)?.[1] ?? /^-c(.+)$/s.exec(arg)?.[1];
      if (inline !== undefined) return [inline];
      return arg === '-c' || arg === '--context' ? [args[i + 1] ?? ''] : [];
    })
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, value.join('=')];
    });
}
