import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Jest's `testEnvironment`: the worker's own context, left by each suite as it was found. */
export default class WorkerEnvironment {
  global = globalThis;
  #before = {
    env: { ...process.env },
    console: globalThis.console,
    exit: process.exit,
  };

  constructor({ projectConfig }) {
    const mocker = new ModuleMocker(globalThis);
    const timers = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.moduleMocker = mocker;
    this.fakeTimersModern = timers;
    this.jest = {
      spyOn: mocker.spyOn.bind(mocker),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      useFakeTimers: (settings) => timers.useFakeTimers(settings),
      useRealTimers: () => timers.useRealTimers(),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
      getTimerCount: () => timers.getTimerCount(),
    };
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    const { env, console, exit } = this.#before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    globalThis.console = console;
    process.exit = exit;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Of no use: `run-suite.js` runs nothing by `vm`. */
  getVmContext() {
    return null;
  }
}
