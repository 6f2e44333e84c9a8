import { CloudEvent, HTTP, type Message } from 'cloudevents';
import { answerOf, type Call, type Channel, type ChannelAnswer } from './channel-answer.ts';
import type { RandomArguments } from './random-arguments.ts';
import type { Answer } from './service.ts';

/** Every way in for a program that sends events. */
export function webhookChannels(): Readonly<Record<string, Channel>> {
  return {
    'Standard Webhooks': (call) =>
      delivered(call, '', marked('application/json', JSON.stringify(standardEvent(call)))),
    'Standard Webhooks, a form': (call) =>
      delivered(call, '', marked(FORM_TYPE, formOf(call.arguments))),
    'CloudEvents, structured': (call) => delivered(call, '', HTTP.structured(cloudEvent(call))),
    'CloudEvents, binary': (call) => delivered(call, '', HTTP.binary(cloudEvent(call))),
    'a foreign body, picked from': (call) =>
      delivered(call, pickingQuery(call.arguments), {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          id: 7,
          category: 'not asked for',
          'a/b': [{ 'c~': call.arguments }],
        }),
      }),
  };
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** A body with the headers of Standard Webhooks. Nobody checks what they say. */
export function marked(type: string, body: string): Sent {
  return {
    headers: {
      'content-type': type,
      'webhook-id': 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
      'webhook-timestamp': '1795272300',
      'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
    body,
  };
}

function standardEvent({ arguments: data }: Call) {
  return { type: 'rows.asked', timestamp: '2026-11-21T14:45:00.000Z', data };
}

function cloudEvent({ arguments: data }: Call): CloudEvent<RandomArguments> {
  return new CloudEvent({ id: '1', source: '/tests', type: 'rows.asked', data });
}

function formOf(given: RandomArguments): string {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}

/** A pointer for each argument; for each member of a list, where that has more than one. */
function pickingQuery(given: RandomArguments): string {
  const pairs = Object.entries(given).flatMap(([name, value]) => {
    const pointer = `/a~1b/0/c~0/${name}`;
    const isSpread = Array.isArray(value) && value.length > 1;
    const pointers = isSpread ? value.map((_, i) => `${pointer}/${i}`) : [pointer];
    return pointers.map((one): [string, string] => [`_map.${name}`, one]);
  });
  return `?${new URLSearchParams(pairs)}`;
}

/**
 * An event without a parameter is refused, since nobody sends one to be told everything; everything
 * is then asked for as it has to be.
 */
async function delivered(call: Call, query: string, sent: Sent | Message): Promise<ChannelAnswer> {
  const { block, arguments: given } = call;
  const isParameter = (name: string) =>
    name.startsWith('_or.') || block.parameters.some((parameter) => parameter.name === name);
  if (Object.keys(given).some(isParameter)) return worked(post(call, query, sent));
  const refused = await post(call, query, sent);
  if (refused.status !== 400) throw new Error(`An event that asks for nothing: ${refused.status}`);
  const body = JSON.stringify(given);
  return worked(post(call, '', { headers: { 'content-type': 'application/json' }, body }));
}

function post({ service, block }: Call, query: string, { headers, body }: Sent | Message) {
  return service.send(`/api_v2/blocks/${block.name}${query}`, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body: body as string,
  });
}

async function worked(response: Promise<Answer>): Promise<ChannelAnswer> {
  const { status, text, body } = await response;
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return answerOf(body.params);
}
