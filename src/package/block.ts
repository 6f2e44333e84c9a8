/** `blockyard/block`: what a value block's `block.ts` and `run.ts` need. */
export { valueBlock } from '../block/block.ts';
export type { Parameter } from '../block/parameter.ts';
export type { CreateRun, RunValue } from '../query/compute-value.ts';
