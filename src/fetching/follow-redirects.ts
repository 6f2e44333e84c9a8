import type { IncomingMessage } from 'node:http';
import { parseUrl } from '../values/link.ts';
import { answerFault } from './answer-fault.ts';
import { checkedAddresses, type Resolve } from './checked-addresses.ts';
import type { FetchClock } from './fetch-clock.ts';
import { FetchError, SAVE_IT, shownAddress } from './fetch-error.ts';
import { headerText } from './header-text.ts';
import { networkFailure } from './network-failure.ts';
import { openAnswer } from './open-answer.ts';
import { checkUrl, type Reach } from './reach.ts';
import type { Validators } from './validators.ts';

export const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** What each request of a fetch has in common. */
export type Route = {
  readonly reach: Reach;
  readonly resolve: Resolve;
  readonly ca: string | undefined;
  readonly earlier: Validators;
  readonly headersMs: number;
  readonly clock: FetchClock;
};

/** An answer with the file (status 200), or that it is unchanged (304). */
export type Arrival = {
  readonly url: URL;
  /** The address, as errors show it. */
  readonly place: string;
  readonly answer: IncomingMessage;
};

/** Asks for a file where it is, checking each address on the way. Throws a FetchError. */
export async function followRedirects(first: URL, route: Route): Promise<Arrival> {
  let url = first;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const from = redirects === 0 ? '' : `, to which ${first.host} redirects`;
    const place = shownAddress(url) + from;
    const answer = await ask(url, place, route);
    const { statusCode: status = 0 } = answer;
    const isUnchanged = status === 304 && Object.values(route.earlier).some(Boolean);
    if (status === 200 || isUnchanged) return { url, place, answer };
    answer.destroy();
    if (!REDIRECTS.includes(status)) throw answerFault(status, place);
    url = targetOf(answer, url, place);
  }
  const reason = `more than ${MOST_REDIRECTS} redirects; it may want cookies or a login: ${SAVE_IT}`;
  throw new FetchError('too-many-redirects', shownAddress(first), reason);
}

async function ask(url: URL, place: string, route: Route): Promise<IncomingMessage> {
  const { reach, resolve, ca, earlier, headersMs, clock } = route;
  const { signal } = clock;
  checkUrl(url, reach, place);
  clock.wait(headersMs, () => {
    const reason = `no answer within ${headersMs / 1000} s; try again later, or ${SAVE_IT}`;
    return new FetchError('too-slow', place, reason);
  });
  try {
    const addresses = await checkedAddresses(url, reach, resolve, place, signal);
    return await openAnswer({ url, addresses, earlier, ca, signal, place });
  } catch (error) {
    throw signal.aborted ? signal.reason : networkFailure(error, place);
  }
}

function targetOf({ headers, statusCode }: IncomingMessage, from: URL, place: string): URL {
  const location = headerText(headers.location ?? '');
  const target = location === '' ? undefined : parseUrl(location, from);
  if (target === undefined) {
    const reason = `status ${statusCode}, a redirect that says no address; ${SAVE_IT}`;
    throw new FetchError('bad-answer', place, reason);
  }
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    const reason = `redirects to ${shownAddress(target)}, which is not encrypted; ${SAVE_IT}`;
    throw new FetchError('bad-address', place, reason);
  }
  return target;
}
