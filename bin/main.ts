import { once } from 'node:events';
import { runCommandLine } from '../src/command-line/run-command-line.ts';
import { missingForDeploy } from './missing-for-deploy.ts';

// We pin an SDK that runs on Node 20; users need not see its six-line warning about later ones.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

/** `blockyard`: each command's code is loaded only if it is called. */
export async function main(words: readonly string[]): Promise<void> {
  const [command = '', ...args] = words;
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // The reader of the pipe, such as `head`, has read enough.
    if (code === 'EPIPE') process.exit(0);
    console.error(`blockyard cannot write what it was answered: ${code}`);
    process.exit(2);
  });
  switch (command) {
    case 'start':
      return (await import('./start.ts')).runStart(args);
    case 'deploy':
    case 'destroy': {
      if (args.some((word) => word === '--help' || word === '-h')) {
        return console.log(`npx blockyard ${command} ${USAGES[command]}`);
      }
      const missing = missingForDeploy();
      if (missing !== undefined) return fail(missing);
      if (command === 'deploy') return (await import('./deploy.ts')).runDeploy(args);
      return (await import('./destroy.ts')).runDestroy(args);
    }
    case 'add':
    case 'try':
    case 'check':
    case 'refresh':
    case 'census':
      process.exit(await (await import('./own-data.ts')).runOwnData(command, args));
  }
  const { BLOCKYARD_URL: url, BLOCKYARD_KEY: key } = process.env;
  process.exitCode = await runCommandLine(words, {
    url,
    key,
    fetch,
    out: (text) => process.stdout.write(text) || once(process.stdout, 'drain'),
    err: (text) => process.stderr.write(text),
    columns: process.stdout.columns,
  });
}

const USAGES = {
  deploy: '[--blocks FOLDER] [--yes] [-c option=value …]; docs/deploying.md has the options',
  destroy: '[--force] [-c option=value …]; removes the stack with its tables and logs',
} as const;

function fail(line: string): void {
  console.error(line);
  process.exitCode = 1;
}
