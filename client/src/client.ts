import type { Blocks, FaultCode, ProblemCode } from './blocks.ts';

export type { Blocks, FaultCode, ProblemCode };

/** The names and ids of the blocks whose types this client knows. */
export type BlockName = keyof Blocks;

export type Options = {
  /** The service's address. A script loaded from `<base>/client.js` defaults to `<base>`. */
  readonly base_url?: string | URL | undefined;
  readonly api_key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How often to retry if the service is busy and says how long to wait; 2 by default. */
  readonly retries?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
};

/** The arguments of a block; `_fields` determines which fields the answer has. */
export type Arguments<Name extends string = string, Field = FieldOf<Name>> = Name extends BlockName
  ? ReadOnly<Omit<Blocks[Name]['arguments'], '_fields'>> & { readonly _fields?: readonly Field[] }
  : AnyMembers;

export type Answer<Name extends string = string, Field = FieldOf<Name>> = {
  readonly params: Params<BlockOf<Name>['params'], Field>;
  readonly _errors: readonly [];
  readonly _warnings: readonly Warning[];
  /** Present only if it was asked for. */
  readonly _explain?: Explain;
};

export type Row<Name extends string = string, Field = FieldOf<Name>> =
  BlockOf<Name>['params'] extends RowsOf<infer Each> ? Pick<Each, Field & keyof Each> : AnyMembers;

export type Warning = {
  readonly title: string;
  readonly message: string;
  readonly parameter?: string;
};

export type Explain = {
  readonly path: string;
  readonly chunksRead: number;
  readonly itemsRead: number;
  readonly capacityUnits: number;
  readonly usd: number;
};

/** One thing that was wrong with the arguments. */
export type Fault = {
  readonly code: FaultCode | ProblemCode;
  readonly detail: string;
  readonly parameter?: string;
  readonly pointer?: string;
  readonly allowed?: readonly string[];
  readonly suggestion?: string;
};

/** Why a request was refused (RFC 9457). */
export type ProblemDetails = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: ProblemCode;
  readonly errors: readonly Fault[];
  /** The same faults, for old clients. */
  readonly _errors: readonly Pick<Warning, 'title' | 'message'>[];
};

// biome-ignore lint/suspicious/noExplicitAny: the types of another service's blocks are unknown
type AnyMembers = Record<string, any>;
type ReadOnly<T> = { readonly [Member in keyof T]: Readonly<T[Member]> };
type AnyName = BlockName | (string & Record<never, never>);
type BlockOf<Name> = Name extends BlockName
  ? Blocks[Name]
  : { arguments: AnyMembers; params: AnyMembers };
type RowsOf<Each> = { results: Each[]; next: string | null };
type FieldOf<Name> =
  BlockOf<Name>['params'] extends RowsOf<infer Each> ? keyof Each : keyof BlockOf<Name>['params'];
type Params<Whole, Field> =
  Whole extends RowsOf<infer Each>
    ? Omit<Whole, 'results'> & RowsOf<Pick<Each, Field & keyof Each>>
    : Pick<Whole, Field & keyof Whole>;
/** `never` for a block that is known to answer with one value. */
type WithRows<Name> = Name extends BlockName
  ? Blocks[Name]['params'] extends RowsOf<unknown>
    ? Name
    : never
  : Name;

/** A refusal; or an answer that is not a block's, which has neither `code` nor `problem`. */
export class BlockyardError extends Error {
  // Only declared, since field definitions would make the script larger.
  declare readonly status: number;
  declare readonly code: ProblemCode | undefined;
  declare readonly errors: readonly Fault[];
  declare readonly runId: string | undefined;
  declare readonly problem: ProblemDetails | undefined;

  constructor({ status, url, headers }: Response, body: unknown) {
    const problem = (body as ProblemDetails | undefined)?._errors
      ? (body as ProblemDetails)
      : undefined;
    super(problem ? problem.detail : `No block's answer: HTTP ${status} from ${url}`);
    this.name = 'BlockyardError';
    this.status = status;
    this.code = problem?.code;
    this.errors = problem?.errors ?? [];
    this.runId = headers.get('x-run-id') ?? undefined;
    this.problem = problem;
  }
}

/** The longest wait before a retry: a used-up quota can ask for an hour. */
const MOST_SECONDS = 30;

/** Runs a block. Throws a BlockyardError for a refusal; errors of fetch pass through. */
export async function run<Name extends AnyName, Field extends FieldOf<Name> = FieldOf<Name>>(
  block: Name,
  args: Arguments<Name, Field>,
  options: Options = {},
): Promise<Answer<Name, Field>> {
  const { api_key, base_url = servedFrom(), signal = null, retries = 2 } = options;
  // Blockspring's names had an owner and a slash before the name.
  const name = encodeURIComponent(block.split('/').pop() as string);
  const url = `${`${base_url}`.replace(/\/$/, '')}/api_v2/blocks/${name}`;
  const init: RequestInit = {
    method: 'POST',
    body: JSON.stringify(args, onlyNumbers),
    // Without own headers, and thus with a text/plain body, a browser sends no CORS preflight.
    headers: api_key ? { 'x-api-key': api_key, 'content-type': 'application/json' } : {},
    // A redirect would send the key to another address and may turn the POST into a GET.
    redirect: 'error',
    signal,
  };
  for (let left = retries; ; left--) {
    const response = await (options.fetch ?? fetch)(url, init);
    const body = parse(await response.text());
    if (response.ok && body?.params) return body;
    const seconds = Number.parseFloat(response.headers.get('retry-after') as string);
    const isLater = [429, 503].includes(response.status) && seconds <= MOST_SECONDS;
    if (!(isLater && left > 0)) throw new BlockyardError(response, body);
    await wait(seconds, signal);
  }
}

/** The rows of all pages; each page is requested only when it is reached. */
export async function* rows<Name extends AnyName, Field extends FieldOf<Name> = FieldOf<Name>>(
  block: Name & WithRows<Name>,
  args: Arguments<Name, Field>,
  options?: Options,
): AsyncGenerator<Row<Name, Field>, void, undefined> {
  let given = args;
  for (;;) {
    const { params } = await run<Name, Field>(block, given, options);
    const { results, next } = params as AnyMembers;
    // Only null marks the last page.
    if (!results || next === undefined) throw new TypeError(`${block} does not answer with rows.`);
    yield* results;
    if (next === null) return;
    given = { ...args, _cursor: next };
  }
}

function servedFrom(): string {
  const base = /^http.*(?=\/client\.js)/.exec(import.meta.url)?.[0];
  if (base === undefined) throw new TypeError('Say where the blocks are: base_url.');
  return base;
}

/** Refuses NaN and infinities: JSON writes them as null, and the filter would be dropped. */
function onlyNumbers(name: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw new TypeError(`${name} is ${value}, which JSON cannot carry.`);
}

// biome-ignore lint/suspicious/noExplicitAny: it may be any JSON value; undefined if not JSON
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {}
}

/** Waits, but ends early if the signal aborts; the next fetch then throws its reason. */
function wait(seconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal?.addEventListener('abort', end);
  });
}
