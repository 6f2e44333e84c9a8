import { readFileSync } from 'node:fs';
import os from 'node:os';

/** What was measured with: the machine, Node, and the packages in their pinned versions. */
export function machine(): string {
  const [cpu] = os.cpus();
  const { dependencies } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { dependencies: Record<string, string> };
  const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  return [
    `${os.availableParallelism()} cores (${cpu?.model.trim()}), ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.arch()}, Node ${process.version}`,
    versions.join(', '),
  ].join('; ');
}
