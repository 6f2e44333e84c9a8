/** A part of the gate: a command, and what must have succeeded before it may begin. */
export type Phase = {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly needs?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Whether Jest runs in it, which then writes its results where it is told to. */
  readonly isJest?: boolean;
  /** Whether its failure ends the gate at once: the rest would tell nothing more. */
  readonly endsAll?: boolean;
};

const npm = (...args: readonly string[]): Phase['command'] => ['npm', 'run', '--silent', ...args];

/**
 * What must hold, in the order in which it begins. Two or three of them run at a time: a deployment
 * mostly waits, and what takes longest begins first.
 */
export const PHASES: readonly Phase[] = [
  { name: 'lint', command: npm('lint'), endsAll: true },
  { name: 'generated files', command: npm('generate', '--', '--check'), endsAll: true },
  { name: 'deploy', command: npm('test:deploy', '--', 'service'), isJest: true },
  { name: 'programs', command: ['bash', '.ci/programs'] },
  {
    name: 'tests',
    command: npm('test', '--'),
    isJest: true,
    // What `npm test` has a share of is done whole here.
    env: { CHANNEL_CALLS: '150', ODD_VALUES_ONE_IN: '1' },
  },
  { name: 'deploy apart', command: npm('test:deploy', '--', 'apart'), isJest: true },
  { name: 'channels', command: npm('test:channels', '--'), isJest: true, needs: ['programs'] },
  { name: 'smoke', command: npm('smoke'), needs: ['programs'] },
  { name: 'fuzz', command: npm('fuzz') },
];
