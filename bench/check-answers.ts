import { isDeepStrictEqual } from 'node:util';
import type { Contender } from './contenders.ts';
import { type Answer, bruteForce } from './data/brute-force.ts';
import type { GeneratedSet, SetName } from './data/generated-set.ts';
import type { Arguments } from './data/queries.ts';
import { openConnection, type Response } from './load/connection.ts';

export type Checked = { readonly queries: number; readonly milliseconds: number };

/**
 * Asks every query once and throws where rows, their order or the total are not those of brute
 * force. Stops early where it takes long. Says how many were asked, and how long one took.
 */
export async function checkAnswers(
  { name, request, read }: Contender,
  port: number,
  set: SetName,
  { rows }: GeneratedSet,
  queries: readonly Arguments[],
  patience: { milliseconds: number; queries: number },
): Promise<Checked> {
  const connection = openConnection(port);
  let asked = 0;
  let spent = 0;
  for (const query of queries) {
    const wire = request(query, set);
    if (wire === undefined) continue;
    if (asked >= patience.queries && spent / asked > patience.milliseconds) break;
    const began = performance.now();
    const response = await new Promise<Response>((resolve) => {
      connection.send(Buffer.from(wire), (whole) => resolve(whole()));
    });
    spent += performance.now() - began;
    asked++;
    if (read === undefined) continue;
    const answer: Answer = read(response);
    if (isDeepStrictEqual(answer, bruteForce(rows, query))) continue;
    throw new Error(
      `${name} answers ${JSON.stringify(query)} with ${answer.rows.length} rows of ${answer.total}; brute force finds others`,
    );
  }
  connection.close();
  return { queries: asked, milliseconds: spent / asked };
}
