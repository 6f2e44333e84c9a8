import { readFileSync } from 'node:fs';
import { blockApp } from '../http/block-app.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { apiGatewayHandler, type LambdaHandler } from './api-gateway-handler.ts';
import { type LambdaEnv, lambdaSettings } from './lambda-settings.ts';
import { type Checked, selfCheck, withSelfCheck } from './self-check.ts';

/**
 * A block's app as a Lambda function. The environment names the file of what its first example
 * answers (`FIRST_ANSWER`), from this module.
 */
export function lambdaHandler(
  served: ServedBlock,
  env: LambdaEnv,
  checkData?: Checked['checkData'],
): LambdaHandler {
  const settings = lambdaSettings(env);
  const handler = apiGatewayHandler(blockApp(served, settings), settings, served.block.name);
  const { FIRST_ANSWER: file } = env;
  if (file === undefined) return handler;
  return withSelfCheck(handler, () => {
    const expected = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
    return selfCheck({
      served,
      expected,
      ...(checkData === undefined ? {} : { checkData }),
    })();
  });
}
