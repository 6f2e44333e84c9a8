import type { Members } from '../arguments/given.ts';
import { Problem } from '../problem/errors.ts';

/** An event's data, or the encoded bytes to read them from, with their place in the event. */
export type EventData =
  | { readonly kind: 'value'; readonly value: unknown; readonly path: readonly string[] }
  | {
      readonly kind: 'encoded';
      readonly bytes: Uint8Array;
      readonly contentType: string;
      readonly path: readonly string[];
    };

const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/**
 * The data of a CloudEvent in structured mode (CloudEvents' JSON format, version 1.0.2, section
 * 3.1); undefined if the body is not an event. Other members describe the event and are ignored.
 */
export function dataOfEvent(event: Members): EventData | undefined {
  if (!Object.hasOwn(event, 'specversion')) return undefined;
  const contentType =
    typeof event.datacontenttype === 'string' ? event.datacontenttype : 'application/json';
  const { data, data_base64: encoded } = event;
  if (encoded === undefined || encoded === null) {
    return typeof data === 'string' && FORM.test(contentType)
      ? { kind: 'encoded', bytes: Buffer.from(data), contentType, path: ['data'] }
      : { kind: 'value', value: data, path: ['data'] };
  }
  if (data !== undefined && data !== null)
    throw unreadable('The event has both data and data_base64; send one.');
  if (typeof encoded !== 'string' || !isBase64(encoded)) {
    throw unreadable("The event's data_base64 is not base64.");
  }
  const bytes = Buffer.from(encoded, 'base64');
  return { kind: 'encoded', bytes, contentType, path: ['data_base64'] };
}

/** Refuses a batch of events: one request has one answer. */
export function refuseBatch(): never {
  throw unreadable(
    'A batch of events is not read here: send one at a time, as application/cloudevents+json.',
  );
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function unreadable(detail: string): Problem {
  return new Problem('invalid-json', detail);
}
