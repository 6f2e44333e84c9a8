import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What a phase says of itself once it has ended. */
export type Told = {
  readonly passed: number;
  /** Each test that failed, with its suite and its message; or the end of what was printed. */
  readonly failures: readonly string[];
};

/** What Jest writes with `--json`, as far as it is read here. */
type Results = {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
};

/** The lines of a message that the last screen has room for; a stack has none. */
const MESSAGE_LINES = 14;
const LOG_LINES = 25;

/** What a run of Jest tells: its failures once each, each suite by its path from `root`. */
function toldByJest(results: Results, root: string): Told {
  const failures = results.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const suite = path.relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A suite that cannot be loaded has no test.
    if (failed.length === 0) return status === 'failed' ? [textOf(suite, message)] : [];
    return failed.map(({ fullName, failureMessages }) =>
      textOf(`${suite} › ${fullName}`, failureMessages.join('\n')),
    );
  });
  return { passed: results.numPassedTests, failures };
}

/** What is told of a phase by its exit code, what it printed, and Jest's results if it has some. */
export function told(code: number | null, log: string, resultsFile: string, root: string): Told {
  const results = resultsOf(resultsFile);
  const found = results === undefined ? { passed: 0, failures: [] } : toldByJest(results, root);
  if (code === 0 || found.failures.length > 0) return found;
  const lines = stripVTControlCharacters(log).trimEnd().split('\n').slice(-LOG_LINES);
  return { ...found, failures: [`It ended with ${code}:\n${indented(lines)}`] };
}

function resultsOf(file: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // The phase is none of Jest's, or ended before its tests did.
    return undefined;
  }
}

function textOf(title: string, message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  const more = lines.length - MESSAGE_LINES;
  const shown = lines.slice(0, MESSAGE_LINES);
  return `${title}\n${indented(more > 0 ? [...shown, `… ${more} more lines`] : shown)}`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}`).join('\n');
}
