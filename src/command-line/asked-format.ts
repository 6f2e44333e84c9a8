import type { Command, Understood } from '../chat/command.ts';
import { fold } from '../values/fold.ts';

const NOTHING: Understood = { arguments: Object.create(null), typed: new Map() };

/**
 * Adds the format of `--format` to a command. A block's name alone, which would ask for help, then
 * runs the block without filters.
 */
export function withFormat(command: Command, format: string | undefined): Command {
  const { block } = command;
  if (format === undefined || block === undefined) return command;
  const { arguments: given, typed } = understoodOf(command);
  const choices = block.options.find(({ name }) => name === '_format')?.choices ?? [];
  const faults = command.kind === 'invalid' ? [...command.faults] : [];
  if (!choices.some((choice) => fold(choice) === fold(format))) {
    faults.push(`--format ${format}: the formats are ${choices.join(', ')}.`);
  } else if (Object.hasOwn(given, '_format')) {
    faults.push(`--format ${format} and _format:${given._format} are for the same. Write one.`);
  }
  if (faults.length > 0) {
    return { kind: 'invalid', block, faults, understood: { arguments: given, typed } };
  }
  const formatted = Object.assign(Object.create(null), given, { _format: format });
  const names = new Map([...typed, ['_format', '--format'] as const]);
  return { kind: 'run', block, arguments: formatted, typed: names };
}

function understoodOf(command: Command): Understood {
  if (command.kind === 'run') return command;
  return (command.kind === 'invalid' ? command.understood : undefined) ?? NOTHING;
}
