import { writeCommand } from '../../src/channels/chat/write-command.ts';
import { shellWords } from '../../src/channels/terminal/run-options.ts';
import { typeLine } from '../terminal/type-line.ts';
import { answerOf, type Call, type Channel, type ChannelAnswer } from './channel-answer.ts';
import { descriptionOf } from './slack-channel.ts';

/** The command line, with a call's arguments as a person would write them. */
export function commandLineChannels(): Record<string, Channel> {
  return { 'the command line': commandLine };
}

async function commandLine({ service, block, arguments: given }: Call): Promise<ChannelAnswer> {
  const { blocks } = (await service.get('/api_v2/blocks')).body;
  const line = writeCommand(descriptionOf(block), given, blocks);
  const words = ['run', ...shellWords(line), '--format', 'json'];
  const said = await typeLine(words, { url: service.url });
  if (said.exit !== 0) throw new Error(`${line}: exit ${said.exit}: ${said.err}`);
  const { params } = JSON.parse(said.out);
  const answer = answerOf(params);
  // What a person is told, not what the JSON says.
  return answer.isCut === undefined ? answer : { ...answer, isCut: said.err.includes('_cursor:') };
}
