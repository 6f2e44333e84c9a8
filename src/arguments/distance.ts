import { type ArgumentType, MOST_TEXT_LENGTH } from '../fields/field-type.ts';
import { quotedValue } from '../fields/quoted-value.ts';
import { SPACE } from '../fields/sent-blank.ts';
import { UNITS } from '../query/distance.ts';
import { decimalText, parseDecimal } from '../text/decimal.ts';

const NUMBER = '[0-9]{1,9}(?:\\.[0-9]{1,20})?';
const ANY_CASE = UNITS.map((unit) => unit.replace(/./g, (one) => `[${one}${one.toUpperCase()}]`));
const READ = new RegExp(`^(${NUMBER})\\s*(${ANY_CASE.join('|')})$`);

/** A distance: a number and a unit. */
export const distance: ArgumentType = {
  read: (value) => {
    const [, number, unit = ''] = (typeof value === 'string' && READ.exec(value.trim())) || [];
    return number === undefined ? value : decimalText(Number(number)) + unit.toLowerCase();
  },
  schema: () => textOf(`${NUMBER}(?:${UNITS.join('|')})`),
  sent: () => [textOf(`${SPACE}${NUMBER}${SPACE}(?:${ANY_CASE.join('|')})${SPACE}`)],
  expected: () => `a number and one of ${UNITS.join(', ')}, such as 500m or 1.5km`,
  fault: (value, { name }, expected) => {
    const number = typeof value === 'string' ? parseDecimal(value) : value;
    const isBare = typeof number === 'number' && number >= 0 && number < 1e9;
    const is = `${name} is ${quotedValue(value)}; expected ${expected}.`;
    if (!isBare) return { code: 'not-a-distance', detail: is };
    const suggestion = `${decimalText(number)}m`;
    const detail = `${is} In metres, that is ${suggestion}.`;
    return { code: 'not-a-distance', detail, suggestion };
  },
};

function textOf(pattern: string) {
  return { type: 'string', maxLength: MOST_TEXT_LENGTH, pattern: `^${pattern}$` };
}
