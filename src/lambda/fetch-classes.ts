/**
 * `Headers`, `Request` and `Response` (WHATWG Fetch) as far as an app in a function uses them. A
 * bundle has them in the place of Node's own (`src/build/bundle-handler.ts`), which load all of
 * undici at their first use: 20 ms of every cold start. Tests hold them equal to Node's.
 */
type HeadersInit = Headers | Iterable<readonly [string, string]> | Readonly<Record<string, string>>;

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export class Headers {
  readonly #values = new Map<string, string>();

  constructor(init: HeadersInit = {}) {
    const pairs = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of pairs as Iterable<[string, string]>) this.append(name, value);
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    const added = normalizedValue(value);
    this.#values.set(lowerName(name), before === null ? added : `${before}, ${added}`);
  }

  set(name: string, value: string): void {
    this.#values.set(lowerName(name), normalizedValue(value));
  }

  get(name: string): string | null {
    return this.#values.get(lowerName(name)) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(lowerName(name));
  }

  delete(name: string): void {
    this.#values.delete(lowerName(name));
  }

  forEach(call: (value: string, name: string) => void): void {
    for (const [name, value] of this) call(value, name);
  }

  /** In the order of the names, as Fetch has it. */
  entries(): IterableIterator<[string, string]> {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)).values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

function lowerName(name: string): string {
  if (!TOKEN.test(name)) throw new TypeError(`${JSON.stringify(name)} cannot be a header's name.`);
  return name.toLowerCase();
}

function normalizedValue(value: string): string {
  const trimmed = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
  if (/[\0\n\r]|[^\0-\xff]/.test(trimmed)) throw new TypeError('That cannot be a header’s value.');
  return trimmed;
}

export class Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly #body: Uint8Array<ArrayBuffer> | null;

  constructor(
    address: string,
    init: { method?: string; headers?: HeadersInit; body?: Uint8Array<ArrayBuffer> | null } = {},
  ) {
    const url = new URL(address);
    if (url.username !== '' || url.password !== '') throw new TypeError('No credentials in a URL.');
    this.url = url.href;
    this.method = methodOf(init.method ?? 'GET');
    this.headers = new Headers(init.headers);
    this.#body = init.body ?? null;
    if (this.#body !== null && /^(?:GET|HEAD)$/.test(this.method)) {
      throw new TypeError(`${this.method} cannot have a body.`);
    }
  }

  get body(): ReadableStream<Uint8Array> | null {
    return this.#body === null ? null : new Blob([this.#body]).stream();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(this.#body ?? []).buffer;
  }
}

function methodOf(method: string): string {
  const upper = method.toUpperCase();
  if (!TOKEN.test(method) || /^(?:CONNECT|TRACE|TRACK)$/.test(upper)) {
    throw new TypeError(`${method} is not a method of requests.`);
  }
  return /^(?:DELETE|GET|HEAD|OPTIONS|POST|PUT)$/.test(upper) ? upper : method;
}

export class Response {
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  readonly status: number;
  readonly headers: Headers;

  constructor(
    body: string | Uint8Array<ArrayBuffer> | null = null,
    init: { status?: number; headers?: HeadersInit } = {},
  ) {
    const { status = 200, headers } = init;
    if (!(status >= 200 && status <= 599)) throw new RangeError(`${status} is no status.`);
    if (body !== null && [204, 205, 304].includes(status)) {
      throw new TypeError(`A ${status} has no body.`);
    }
    this.body = body;
    this.status = status;
    this.headers = new Headers(headers);
    if (typeof body === 'string' && !this.headers.has('content-type')) {
      this.headers.set('content-type', 'text/plain;charset=UTF-8');
    }
  }

  async text(): Promise<string> {
    return typeof this.body === 'string' ? this.body : Buffer.from(this.body ?? []).toString();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(Buffer.from(this.body ?? [])).buffer;
  }
}
