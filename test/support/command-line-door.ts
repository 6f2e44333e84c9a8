import { writeCommand } from '../../src/chat/write-command.ts';
import { runCommandLine } from '../../src/command-line/run-command-line.ts';
import { shellWords } from '../../src/command-line/shell-line.ts';
import { describeBlock } from '../../src/core/describe-block.ts';
import type { Call, Door, DoorAnswer } from './door-answer.ts';

/** The command line, with a call's arguments as a person would write them. */
export function commandLineDoors(): Record<string, Door> {
  return { 'the command line': commandLine };
}

async function commandLine({ service, block, arguments: given }: Call): Promise<DoorAnswer> {
  const { blocks } = (await service.get('/api_v2/blocks')).body;
  const line = writeCommand(JSON.parse(describeBlock(block)), given, blocks);
  const said = { out: '', err: '' };
  const exit = await runCommandLine(['run', ...shellWords(line), '--format', 'json'], {
    url: service.url,
    fetch,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
  });
  if (exit !== 0) throw new Error(`${line}: exit ${exit}: ${said.err}`);
  const { params } = JSON.parse(said.out);
  if (!Array.isArray(params.results)) return { rows: [cellsOf(params)] };
  return {
    rows: params.results.map(cellsOf),
    total: params.total,
    // What a person is told, not what the JSON says.
    isCut: said.err.includes('_cursor:'),
  };
}

function cellsOf(row: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}
