import type { Fault } from '../problem/errors.ts';
import type { ProblemDetails } from '../problem/problem.ts';
import { numberText, shorten } from '../values/wording.ts';

const MOST_FAULTS = 10;
const MOST_OF_A_FAULT = 300;
const MOST_OF_NAMES = 400;

/**
 * A problem as text for a model: all faults, and how to mend the call. `leftOut` is the number of
 * faults that are told neither here nor in the data.
 */
export function problemText(
  { title, status, instance, errors }: ProblemDetails,
  leftOut: number,
): string[] {
  if (status >= 500) {
    const runId = instance.replace('urn:uuid:', '');
    return [`${title}. Try again in a second; where it stays, report the run id ${runId}.`];
  }
  const lines = [...new Set(errors.map(faultLine))];
  const more = lines.length - MOST_FAULTS;
  return [
    `${title}.`,
    ...lines.slice(0, MOST_FAULTS),
    ...(more > 0 ? [`${numberText(more)} more are in structuredContent.`] : []),
    ...(leftOut > 0 ? [`${numberText(leftOut)} more are left out.`] : []),
    'Mend the arguments and call again.',
  ];
}

function faultLine({ detail, allowed = [], suggestion }: Fault): string {
  const names = allowed.join(', ');
  const isSaid = suggestion !== undefined || names === '' || detail.includes(names);
  const more = isSaid ? '' : ` There are: ${shorten(names, MOST_OF_NAMES)}`;
  return `- ${shorten(detail, MOST_OF_A_FAULT)}${more}`;
}

/** The most characters of a problem's data that a model is sent: about 4,000 tokens. */
const MOST_CHARACTERS = 16_000;
/** A longer pointer is left out: it has the whole name, which may be as long as a message. */
const MOST_OF_A_POINTER = 300;

/** The first of these faults: as many as fit, but at least one. */
export function fittingFaults(faults: readonly Fault[]): Fault[] {
  const fitting: Fault[] = [];
  let left = MOST_CHARACTERS;
  for (const { pointer = '', ...others } of faults) {
    const isPointed = pointer !== '' && pointer.length <= MOST_OF_A_POINTER;
    const fault = { ...others, ...(isPointed ? { pointer } : {}) };
    left -= JSON.stringify(fault).length;
    if (left < 0 && fitting.length > 0) break;
    fitting.push(fault);
  }
  return fitting;
}
