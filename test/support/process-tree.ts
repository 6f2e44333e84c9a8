import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a process is given to end in good order. */
const GRACE_MS = 3000;

/** Ends a process with all that it has started: by their ids, and nothing else. */
export async function endTree(pid: number): Promise<void> {
  const tree = new Set([pid, ...descendantsOf(pid)]);
  signal(pid, 'SIGTERM');
  const until = performance.now() + GRACE_MS;
  while (isAlive(pid) && performance.now() < until) {
    for (const child of descendantsOf(pid)) tree.add(child);
    await sleep(50);
  }
  for (const member of tree) signal(member, 'SIGKILL');
}

export function descendantsOf(pid: number): number[] {
  const all = processes();
  const below = (id: number): number[] =>
    all.filter(({ parent }) => parent === id).flatMap(({ id: child }) => [child, ...below(child)]);
  return below(pid);
}

function processes(): { id: number; parent: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ id: Number(name), parent: Number(statOf(Number(name))[1]) }));
}

function isAlive(pid: number): boolean {
  const [state] = statOf(pid);
  return state !== undefined && state !== 'Z';
}

/** What proc(5) has behind the command's name, in brackets: state, parent … */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
