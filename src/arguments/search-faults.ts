import { BBOX, NEAR, Q, WITHIN } from '../block/search-parameters.ts';
import { quotedValue } from '../fields/quoted-value.ts';
import { MOST_WORDS, wordsAsked } from '../query/words.ts';
import type { ArgumentFault } from './fault.ts';
import type { Members } from './given.ts';

/** What is wrong with valid arguments of a search, which no schema can express. */
export function searchFaults(values: Members, wrong: ReadonlySet<string>): ArgumentFault[] {
  return [
    ...faultsOfWords(Q, values[Q]),
    ...faultsOfBox(values[BBOX]),
    ...(wrong.has(NEAR) ? [] : faultsOfWithin(values)),
  ];
}

/** What is wrong with a text of words to look for. */
export function faultsOfWords(name: string, text: unknown): ArgumentFault[] {
  if (typeof text !== 'string') return [];
  const { length } = wordsAsked(text);
  if (length === 0) {
    const detail = `${name} is ${quotedValue(text)}, which has no letter or digit; expected words to look for.`;
    return [{ code: 'no-words', detail, parameter: name }];
  }
  if (length <= MOST_WORDS) return [];
  const detail = `${name} has ${length} words; expected at most ${MOST_WORDS}.`;
  return [{ code: 'list-too-long', detail, parameter: name }];
}

function faultsOfBox(text: unknown): ArgumentFault[] {
  if (typeof text !== 'string') return [];
  const [west, south = '', east, north = ''] = text.split(',');
  if (Number(south) <= Number(north)) return [];
  const suggestion = [west, north, east, south].join(',');
  const detail = `${BBOX} has its south, ${south}, above its north, ${north}. Did you mean ${suggestion}?`;
  return [{ code: 'min-above-max', detail, parameter: BBOX, suggestion }];
}

function faultsOfWithin(values: Members): ArgumentFault[] {
  if (values[WITHIN] === undefined || values[NEAR] !== undefined) return [];
  const detail = `${WITHIN} needs ${NEAR}, the place that it is a distance from. Give ${NEAR}=longitude,latitude, or leave ${WITHIN} out.`;
  return [{ code: 'missing-parameter', detail, parameter: NEAR }];
}
