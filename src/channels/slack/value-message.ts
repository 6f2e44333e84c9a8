import type { MessageAttachment } from '@slack/types';
import type { ColorRoles } from '../../block/block.ts';
import type { Warning } from '../../problem/errors.ts';
import { writeColor } from '../chat/read-command.ts';
import type { AskedCommand } from './asked-command.ts';
import { ephemeral, plain, remarks, SLACK_LIMITS, type SlackMessage, sections } from './message.ts';

type Value = Readonly<Record<string, unknown>>;

/** One value as a message: its members, and its colours as swatches. */
export function valueMessage(
  asked: AskedCommand,
  value: Value,
  warnings: readonly Warning[],
): SlackMessage {
  const { block, line, link } = asked;
  const { color } = block;
  const members = Object.entries(value)
    .filter(([member]) => member !== color?.others)
    .map(([member, one]) => `${member}: ${textOf(one)}`);
  const swatches = color === undefined ? [] : swatchesOf(asked, color, value);
  const summary = color === undefined ? block.title : textOf(value[color.name] ?? block.title);
  const blocks = [
    ...sections([line, ...members]),
    ...remarks(warnings.map(({ message }) => message)),
    ...link,
  ];
  return ephemeral(summary, blocks, swatches.slice(0, SLACK_LIMITS.attachments));
}

/** Swatches of the colour asked for, the one found, and similar ones. */
function swatchesOf(
  { block, given }: AskedCommand,
  { hex, name, others }: ColorRoles,
  value: Value,
) {
  const asked = writeColor(block, given);
  const more = Array.isArray(value[others]) ? (value[others] as readonly Value[]) : [];
  return [
    ...(asked === value[hex] ? [] : swatch(asked, 'asked for')),
    ...swatch(value[hex], textOf(value[name] ?? '')),
    ...more.flatMap((other) =>
      swatch(other[hex], `${textOf(other[name])}, ${textOf(other.distance)} away`),
    ),
  ];
}

/** An attachment whose coloured bar, which needs no image, is beside the code and the name. */
function swatch(hex: unknown, name: string): MessageAttachment[] {
  if (typeof hex !== 'string' || !/^#[0-9a-f]{6}$/i.test(hex)) return [];
  const text = plain(`${hex} ${name}`);
  return [{ color: hex, fallback: text.text, blocks: [{ type: 'section', text }] }];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
