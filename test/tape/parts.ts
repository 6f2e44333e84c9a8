import { createHash } from 'node:crypto';

/**
 * An answer in three parts: its status and headers, its data, its words. All of an answer but its
 * Content-Length and ETag is in one of them. A number or an address is data also within a sentence.
 */
export type Parts = { readonly [part in Part]: string };
export const PARTS = ['status', 'data', 'words'] as const;
export type Part = (typeof PARTS)[number];

/** What `text` is: the status, a line for each header, a blank line, the bytes as Latin-1. */
export function partsOf(text: string): Parts {
  const end = text.indexOf('\n\n');
  const head = text.slice(0, end).split('\n');
  const body = text.slice(end + 2);
  const status = head.filter((line) => !/^(?:content-length|etag):/.test(line)).join('\n');
  const type = head.find((line) => line.startsWith('content-type:')) ?? '';
  if (/text\/html/.test(type)) return { status, ...partsOfPage(body) };
  if (/application\/(?:problem\+)?json|event-stream/.test(type))
    return { status, ...partsOfJson(body) };
  if (/css|javascript/.test(type)) return { status, data: '', words: body };
  return { status, data: body, words: '' };
}

/** The line of the tape: the status, and of each part a hash, or - if there is nothing of it. */
export function entryOf(parts: Parts): string {
  return [parts.status.slice(0, 3), ...PARTS.map((part) => hashOf(parts[part]))].join(' ');
}

/** The parts in which two lines of the tape differ. */
export function differingParts(one: string, other: string): Part[] {
  const hashes = other.split(' ').slice(1);
  return one
    .split(' ')
    .slice(1)
    .flatMap((hash, i) => (hash === hashes[i] ? [] : (PARTS[i] ?? [])));
}

/** 24 bits: one changed answer of 16 million goes unseen. */
function hashOf(text: string): string {
  if (text === '') return '-';
  return createHash('sha256').update(text, 'latin1').digest('base64url').slice(0, 4);
}

/** Members whose texts are sentences, labels or lists of names. No field of a dataset is named so. */
export const WORD_MEMBERS = [
  ...['title', 'description', 'summary', 'detail', 'message', 'label', 'caption', 'text'],
  ...['allowed', 'suggestion', 'unit', 'x-unit', 'x-displayName'],
];

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const WORDS_OF_JSON = new RegExp(
  [
    // A table in Slack: the first row has the labels, and the cells of the others are data.
    String.raw`(?<labels>"rows":\[\[(?:${STRING}|[^\]"])*\])`,
    `(?<cell>"raw_text","text":${STRING})`,
    String.raw`(?<name>"(?:${WORD_MEMBERS.join('|')})":)(?<value>${STRING}|\[(?:${STRING}|,)+\])`,
  ].join('|'),
  'g',
);

function partsOfJson(json: string): { data: string; words: string } {
  const said: string[] = [];
  const data = json.replace(WORDS_OF_JSON, (match, labels, cell, name, value) => {
    if (cell !== undefined) return match;
    if (labels !== undefined) {
      said.push(labels);
      return '"rows":[[]';
    }
    const { numbers, words } = partsOfText(value);
    said.push(name + words);
    return name + numbers.join(' ');
  });
  return { data, words: said.join('\n') };
}

/** Numbers, addresses, versions and cursors, but no number in a name. */
const DATA_OF_TEXT =
  /[a-z]+:\/\/[^\s"'<>()|\\]+|(?<![\w#])[-+]?\d+(?:[.,:/-]\d+)*(?!\w)|\b(?:[0-9a-f]{20}|[\w-]{48,})\b/g;

/** In the text of a channel, a line with bars is a row. Within JSON, a line ends with `\n`. */
function partsOfText(text: string): { numbers: string[]; words: string } {
  const numbers: string[] = [];
  const keep = (found: string) => {
    numbers.push(found);
    return '#';
  };
  const lines = text.split(/(\n|\\n)/);
  const words = lines.map((line) =>
    line.includes(' | ') ? keep(line) : line.replace(DATA_OF_TEXT, keep),
  );
  return { numbers, words: words.join('') };
}

const TAG = /<!?(?<end>\/?)(?<name>[a-z][a-z0-9]*)(?:"[^"]*"|[^">])*>/gi;
const ATTRIBUTE = / (?<name>[a-z-]+)="(?<value>[^"]*)"/g;
const ADDRESSES = /^(?:href|src|action|name|value|datetime|data-.*)$/;
const LABELS = /^(?:title|alt|label|placeholder|content|aria-label)$/;
/** Where a bar in a cell begins, and how long it is. */
const BARS = /^(?:x|width)$/;

/**
 * Data of a page: the cells of a table and of a row, numbers, and attributes that have an address or
 * a value. Everything else is words: texts, labels, and how the page looks, which is its elements,
 * classes and drawings. What a column's cells look like counts once, so more rows change no words.
 */
function partsOfPage(page: string): { data: string; words: string } {
  const data: string[] = [];
  const words: string[] = [];
  const looks = new Set<string>();
  let cell: string[] | undefined;
  let column = 0;
  let inRow = false;
  let isUnit = false;
  const take = (text: string) => {
    if (text === '' || text === '\n') return;
    if (cell !== undefined && !isUnit) {
      data.push(text);
      return;
    }
    const split = partsOfText(text);
    data.push(...split.numbers);
    (cell ?? words).push(split.words);
  };
  let at = 0;
  for (const { 0: tag, index, groups } of page.matchAll(TAG)) {
    take(page.slice(at, index));
    at = index + tag.length;
    const name = groups?.name ?? '';
    const isEnd = groups?.end === '/';
    if (name === 'tr' || name === 'dl') column = 0;
    if (name === 'div' && !isEnd) inRow = /class="one-row"/.test(tag);
    const isCell = name === 'td' || (name === 'dd' && inRow) || /^<th scope="row"/.test(tag);
    if (isCell && !isEnd) cell = [];
    if (cell !== undefined && name === 'span') isUnit = /class="quiet"/.test(tag);
    const look = tag.replace(ATTRIBUTE, (attribute, attributeName, value) => {
      if (ADDRESSES.test(attributeName) || (cell !== undefined && BARS.test(attributeName))) {
        data.push(value);
        return ` ${attributeName}`;
      }
      if (!LABELS.test(attributeName)) return attribute;
      const split = partsOfText(value);
      data.push(...split.numbers);
      return ` ${attributeName}="${split.words}"`;
    });
    if (name === 'tr') {
      data.push(isEnd ? '' : 'row');
      looks.add(look);
    } else (cell ?? words).push(look);
    if (cell !== undefined && isEnd && /^(?:td|th|dd)$/.test(name)) {
      looks.add(`${column++}: ${cell.join('')}`);
      data.push('');
      cell = undefined;
      isUnit = false;
    }
  }
  take(page.slice(at));
  return { data: data.join('\n'), words: [...words, ...[...looks].sort()].join('\n') };
}
