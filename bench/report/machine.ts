import { readFileSync } from 'node:fs';
import os from 'node:os';

/** What was measured with: the machine, Node, and the packages in their pinned versions. */
export function machine(): string {
  const [cpu] = os.cpus();
  const versions = ['../package.json', '../../test/trust/package.json'].flatMap((file) => {
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(new URL(file, import.meta.url), 'utf8'),
    );
    return Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  });
  return [
    `${os.availableParallelism()} cores (${cpu?.model.trim()}), ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.arch()}, Node ${process.version}`,
    versions.join(', '),
  ].join('; ');
}
