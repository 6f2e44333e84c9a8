/**
 * Requests of Blockspring's published client libraries, as each writes them: the query (values not
 * always escaped), the type and the body. `flat`: the client parses the flat form.
 */
export type RecordedRequest = {
  readonly client: string;
  readonly query: string;
  readonly type: string;
  readonly body: (values: Readonly<Record<string, string | number>>) => string;
  readonly flat: boolean;
};

const json = (values: object) => JSON.stringify(values);
const texts = (values: Readonly<Record<string, string | number>>) =>
  json(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])));
const form = (values: Readonly<Record<string, string | number>>) =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]) => [name, String(value)]),
  ).toString();
const multipart = (values: Readonly<Record<string, string | number>>) =>
  `${Object.entries(values)
    .map(
      ([name, value]) =>
        `------RubyMultipartPost\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    .join('')}------RubyMultipartPost--\r\n`;
/** PHP and R write an empty list where there are no parameters. */
const listIfEmpty = (values: object) => (Object.keys(values).length === 0 ? '[]' : json(values));

export const RECORDED: readonly RecordedRequest[] = [
  {
    client: 'JavaScript',
    query: '?api_key=K&cache=false&expiry=',
    type: 'application/json',
    body: json,
    flat: true,
  },
  {
    client: 'JavaScript, no key',
    query: '?api_key=&cache=false&expiry=null',
    type: 'application/json',
    body: json,
    flat: true,
  },
  {
    client: 'Python',
    query: '?api_key=K&cache=False&expiry=0',
    type: 'application/json',
    body: json,
    flat: true,
  },
  {
    client: 'Python, cached',
    query: '?cache=True&expiry=3600',
    type: 'application/json',
    body: json,
    flat: true,
  },
  {
    client: 'Ruby',
    query: '?api_key=a b&cache=false&expiry=',
    type: 'application/json',
    body: json,
    flat: true,
  },
  {
    client: 'the command line',
    query: '?api_key=K&cache=false',
    type: 'application/json',
    body: texts,
    flat: true,
  },
  {
    client: 'PHP',
    query: '?&cache=false',
    type: 'application/json',
    body: listIfEmpty,
    flat: true,
  },
  {
    client: 'R',
    query: '?api_key=K&cache=FALSE&expiry=',
    type: 'application/json',
    body: listIfEmpty,
    flat: true,
  },
  {
    client: 'the browser',
    query: '?api_key=K&cache=true&expiry=0',
    type: 'application/json; charset=UTF-8',
    body: json,
    flat: true,
  },
  {
    client: 'an early one, by form',
    query: '?api_key=K',
    type: 'application/x-www-form-urlencoded',
    body: form,
    flat: false,
  },
  {
    client: 'an early one, by multipart',
    query: '',
    type: 'multipart/form-data; boundary=----RubyMultipartPost',
    body: multipart,
    flat: false,
  },
];
