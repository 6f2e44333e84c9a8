import { describeBlock } from '../../src/block/describe-block.ts';
import { writeCommand } from '../../src/chat/write-command.ts';
import { runCommandLine } from '../../src/command-line/run-command-line.ts';
import { shellWords } from '../../src/command-line/shell-line.ts';
import { answerOf, type Call, type Channel, type ChannelAnswer } from './channel-answer.ts';

/** The command line, with a call's arguments as a person would write them. */
export function commandLineChannels(): Record<string, Channel> {
  return { 'the command line': commandLine };
}

async function commandLine({ service, block, arguments: given }: Call): Promise<ChannelAnswer> {
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
  const answer = answerOf(params);
  // What a person is told, not what the JSON says.
  return answer.isCut === undefined ? answer : { ...answer, isCut: said.err.includes('_cursor:') };
}
