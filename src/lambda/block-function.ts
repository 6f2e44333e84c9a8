import { createHash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { BLOCKS_PATH } from '../block/addresses.ts';
import { ROW_ADDRESSES } from '../http/request.ts';

/** The alias by which each function is called. */
export const ALIAS = 'live';

/**
 * The name of a block's function, known without asking: channels derive it, since a list of a
 * hundred ARNs fits neither in an environment (4 KB) nor in a role's policies (10,240 characters).
 * Names of stacks and blocks have no `_`, so no two services or blocks share a function.
 */
export function blockFunctionName(service: string, block: string): string {
  const name = `${service}_${block}`;
  if (name.length <= MOST_CHARACTERS) return name;
  const mark = `_${createHash('sha256').update(block).digest('hex').slice(0, 8)}`;
  return `${name.slice(0, MOST_CHARACTERS - mark.length)}${mark}`;
}

/** Lambda's bound for a function's name. */
export const MOST_CHARACTERS = 64;

/** The parts of an API Gateway event that a block's function reads. */
export function eventOf(block: string, body: string) {
  const path = `${BLOCKS_PATH}/${block}`;
  const headers = { 'Content-Type': 'application/json', Prefer: ROW_ADDRESSES };
  return { httpMethod: 'POST', path, resource: path, headers, body, isBase64Encoded: false };
}

/** The same of a HEAD of a file, by the reference of its address. */
export function headOf(reference: string) {
  const path = `${BLOCKS_PATH}/${reference}`;
  return { httpMethod: 'HEAD', path, resource: path, headers: {}, body: null };
}

/** The text of a function's response, which may be in base64 because it is shorter so. */
export function textIn({ body, isBase64Encoded }: APIGatewayProxyResult): string {
  return isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
}
