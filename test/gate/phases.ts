/** A part of the gate: a command, and what must have succeeded before it may begin. */
export type Phase = {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly needs?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** How many processes of it compute at a time, mostly; one, if not said. */
  readonly atOnce?: number;
  /** Whether Jest runs in it, which then writes its results where it is told to. */
  readonly isJest?: boolean;
  /** Whether its steps wait for each other, or others for it, so that it gets a processor before them. */
  readonly isChain?: boolean;
  /** Whether its failure ends the gate at once: the rest would tell nothing more. */
  readonly endsAll?: boolean;
};

const npm = (...args: readonly string[]): Phase['command'] => ['npm', 'run', '--silent', ...args];

/**
 * What must hold, in the order in which it begins. The chains begin first. What uses both cores by
 * itself runs beside them, but not beside another of its kind; what is small fills the gaps at last.
 */
const GATE: readonly Phase[] = [
  // The compiler, which is in Go, ends before it would have to collect garbage. `deploy apart` packs
  // the package, and compiles it by its own settings.
  { name: 'lint', command: npm('lint:checkout'), env: { GOGC: 'off' }, endsAll: true },
  { name: 'deploy', command: npm('test:deploy', '--', 'service'), isJest: true, isChain: true },
  { name: 'programs', command: ['bash', '.ci/programs'], isChain: true },
  { name: 'deploy apart', command: npm('test:deploy', '--', 'apart'), isJest: true, isChain: true },
  {
    name: 'tests',
    command: npm('test', '--'),
    atOnce: 3,
    isJest: true,
    // What `npm test` has a share of is done whole here.
    env: { CHANNEL_CALLS: '150', ODD_VALUES_ONE_IN: '1' },
  },
  {
    name: 'channels',
    command: npm('test:channels', '--'),
    atOnce: 3,
    isJest: true,
    needs: ['programs'],
  },
  { name: 'smoke', command: npm('smoke'), atOnce: 2, needs: ['programs'] },
  { name: 'fuzz', command: npm('fuzz') },
];

/** What takes hours; the workflow runs it each week. */
const LONG: readonly Phase[] = [
  { name: 'trust', command: npm('trust') },
  { name: 'tape', command: npm('tape') },
  { name: 'fuzz', command: npm('fuzz', '--', '1000000', '7') },
  {
    name: 'forged lines',
    command: npm('test', '--', 'test/mcp/forged-lines'),
    isJest: true,
    env: { FORGED_TEXTS: '100000' },
  },
  {
    name: 'kills',
    command: npm('test', '--', 'test/local/killed'),
    isJest: true,
    // Of each of three programs.
    env: { KILLS: '200' },
  },
  {
    name: 'openapi',
    command: npm('test:channels', '--', 'test/channels/openapi'),
    isJest: true,
    env: { SCHEMATHESIS_CASES: '500' },
  },
];

export const RUNS = { gate: GATE, long: LONG } as const;
