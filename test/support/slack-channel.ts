import type { Block, DatasetBlock, ValueBlock } from '../../src/block/block.ts';
import { type BlockDescription, describeBlock } from '../../src/block/describe-block.ts';
import { writeCommand } from '../../src/channels/chat/write-command.ts';
import { DISTANCE } from '../../src/values/places.ts';
import { commandBody, signed } from '../slack/signed-request.ts';
import type { Call, Channel, ChannelAnswer } from './channel-answer.ts';
import type { Answer } from './service.ts';

/** The slash command; the service is started with `SLACK_SECRET`. */
export function slackChannels(): Record<string, Channel> {
  return { Slack: askSlack };
}

async function askSlack({ service, block, arguments: given }: Call): Promise<ChannelAnswer> {
  const line = writeCommand(descriptionOf(block), given);
  const answer = await inTime(() => service.send('/integrations/slack', signed(commandBody(line))));
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  const message: Message = answer.body;
  const lines = message.blocks.flatMap(({ type, text }) =>
    type === 'section' ? typed(text?.text ?? '').split('\n') : [],
  );
  return block.answers === 'value'
    ? { rows: [membersOf(block as ValueBlock, lines, message)] }
    : rowsOf(block, lines, message);
}

const MOST_TRIES = 5;

/** Behind a cold start there may be no time for an answer: asks again, as a person does. */
export async function inTime(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask();
    if (tries === MOST_TRIES || !answer.text.includes('Still looking')) return answer;
  }
}

type Message = {
  readonly text: string;
  readonly blocks: readonly {
    readonly type: string;
    readonly text?: { readonly text: string };
    readonly elements?: readonly { readonly text: string }[];
    readonly rows?: readonly (readonly Cell[])[];
  }[];
  readonly attachments?: readonly { readonly fallback: string }[];
};

type Cell = { readonly type: string; readonly text: string; readonly value?: number };

const descriptions = new WeakMap<Block, BlockDescription>();

/** What a service says of a block; read once, since channels ask for it with each call. */
export function descriptionOf(block: Block): BlockDescription {
  const known = descriptions.get(block);
  if (known !== undefined) return known;
  const description: BlockDescription = JSON.parse(describeBlock(block));
  descriptions.set(block, description);
  return description;
}

function rowsOf(block: DatasetBlock, lines: readonly string[], { blocks }: Message): ChannelAnswer {
  const { noun } = block;
  const fields = [...block.fields, DISTANCE];
  const [titles = [], ...rows] = blocks.find(({ type }) => type === 'data_table')?.rows ?? [];
  const columns = titles.map(
    ({ text }) => fields.find(({ title }) => title === typed(text))?.name ?? text,
  );
  const [count = ''] = lines;
  const [, all, some] = /^(?:All (\d+)|(\d+) (?:of \d+|groups? of)) (.*)$/.exec(count) ?? [];
  if (!count.includes(noun)) throw new Error(`no count: ${count}`);
  const remarks = blocks.flatMap(({ elements = [] }) => elements.map(({ text }) => text));
  const [, shown] = /^(\d+)(?: of \d+)? are shown here\.$/m.exec(remarks.join('\n')) ?? [];
  return {
    columns,
    rows: rows.map((cells) =>
      Object.fromEntries(
        cells.map((cell, i) => {
          const name = columns[i] ?? '?';
          const isFlag = fields.find((field) => field.name === name)?.type === 'boolean';
          return [name, cellOf(cell, isFlag)];
        }),
      ),
    ),
    total: all === undefined && some === undefined ? null : Number(all ?? some),
    ...(shown === undefined ? {} : { atMost: Number(shown) }),
  };
}

function cellOf({ value, text }: Cell, isFlag: boolean): string {
  if (value !== undefined) return JSON.stringify(value);
  if (text === '—') return 'null';
  return isFlag ? text : JSON.stringify(typed(text));
}

function membersOf(
  { color, outputSchema }: ValueBlock,
  lines: readonly string[],
  { attachments = [] }: Message,
): Record<string, string> {
  const properties = outputSchema.properties as Record<string, { type?: unknown }>;
  const members = lines.flatMap((line): [string, string][] => {
    const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    if (!Object.hasOwn(properties, name)) return [];
    return [[name, properties[name]?.type === 'string' ? JSON.stringify(value) : value]];
  });
  const others = attachments.flatMap(({ fallback }) => {
    const [, hex, name, distance] = /^(#\w{6}) (.*), ([\d.]+) away$/.exec(typed(fallback)) ?? [];
    if (hex === undefined) return [];
    const rgb = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    return [{ name, hex, rgb, distance: Number(distance) }];
  });
  return {
    ...Object.fromEntries(members),
    ...(color === undefined ? {} : { [color.others]: JSON.stringify(others) }),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

function typed(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_, name) => ENTITIES[name] as string);
}
