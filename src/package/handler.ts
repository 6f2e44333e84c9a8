/** `blockyard/handler`: what a value block's `handler.ts` needs. */
export { serveValue } from '../http/served-block.ts';
export { lambdaHandler } from '../lambda/lambda-handler.ts';
