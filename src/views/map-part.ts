import { isHaving } from '../block/grouping.ts';
import { BBOX, FRAME, NEAR } from '../block/parameter.ts';
import { groundOf } from '../figure/drawing.ts';
import { boxText } from '../figure/frame.ts';
import type { Question } from '../figure/question.ts';
import type { Common, FigureAsked } from './figure-asked.ts';

/** The part of a map that was asked for, and what is beyond it. */

/** The box of degrees that has what a map shows, if a part of it was asked for and no other place. */
export function partAsked({ values }: FigureAsked, common: Common): string | undefined {
  const isOfPlace = [BBOX, NEAR].some((name) => values[name] !== undefined);
  return values[FRAME] === undefined || isOfPlace ? undefined : boxText(groundOf(common, []).box);
}

/** All places. */
const ANYWHERE = '-180,-90,180,90';

export async function beyondOf(
  { of, values, budget }: FigureAsked,
  inside: number,
  matching: number,
): Promise<NonNullable<Question['beyond']>> {
  const { _cursor, _fields, _sort, _group, _measure, _facets, ...others } = values;
  const filters = Object.entries(others).filter(([name]) => !isHaving(name));
  const question = { ...Object.fromEntries(filters), [BBOX]: ANYWHERE, _limit: 1 };
  const output = await of.plan(question, budget).run(budget);
  const anywhere = output.kind === 'value' ? inside : output.total;
  return { outside: anywhere - inside, nowhere: matching - anywhere };
}
