import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Runs the CDK's command line; it writes to this process's output. */
export async function cdk(root: string, args: readonly string[]): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('aws-cdk/package.json');
  const command = path.join(path.dirname(manifest), 'bin', 'cdk');
  const child = spawn(process.execPath, [command, ...args], { cwd: root, stdio: 'inherit' });
  // Ctrl-C reaches it too; other signals reach this process alone.
  const end = () => child.kill();
  process.once('exit', end);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => process.off('exit', end));
  if (code !== 0) throw new Error(`cdk ${args[0]} failed; its own lines above say why.`);
}
