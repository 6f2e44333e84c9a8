import { readArgumentsOf } from '../arguments/arguments.ts';
import type { Members } from '../arguments/given.ts';
import { Budget } from '../query/budget.ts';
import type { Block } from './block.ts';

/** Throws if an example would be refused: documents show them, and each deployment runs them. */
export function checkExamples(block: Block): void {
  const read = readArgumentsOf(block);
  for (const { title, arguments: given } of block.examples) {
    try {
      read({ query: {}, body: given as Members, isPost: true, isWebhook: false }, new Budget());
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`Block ${block.name}: its example “${title}” is refused: ${message}`);
    }
  }
}
