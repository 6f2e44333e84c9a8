import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_CACHE_BYTES } from '../src/columns/column-cache.ts';
import { readFrames, readOrigins } from '../src/http/allow-origin.ts';
import { STREAM_BYTES } from '../src/lambda/function-settings.ts';
import {
  EMAIL_FORM,
  PUBLIC_URL_FORM,
  readEmail,
  readPublicUrl,
  readWebAddress,
  WEB_ADDRESS_FORM,
} from '../src/portals/publication.ts';
import { nearName } from '../src/text/near-name.ts';

type Option<T, Default extends string | undefined = string | undefined> = {
  readonly meaning: string;
  readonly expected: string;
  /** The default as text; undefined if there is none. */
  readonly default: Default;
  /** Reads the text; undefined if it is invalid. */
  readonly read: (text: string) => T | undefined;
};

/** What an option of this declaration is; undefined too if it has no default. */
type ValueOf<O> =
  O extends Option<infer T, infer D> ? T | (D extends string ? never : undefined) : never;

/** The options of a deployment, each as it is declared below. */
export type DeploymentOptions = {
  readonly [K in keyof typeof OPTIONS]: ValueOf<(typeof OPTIONS)[K]>;
};

/** Every option, in the order of the table in the documents. */
export const OPTIONS = {
  stackName: {
    meaning: 'The stack, and `service` in logs and metrics. Two names are two services.',
    expected: 'a letter, then letters, digits and -; at most 50',
    default: 'blockyard',
    read: matching(/^[A-Za-z][A-Za-z0-9-]{0,49}$/),
  },
  partition: {
    meaning:
      "AWS's partition that is deployed into. Nothing was tried in the other two: [regions](#regions).",
    ...choice('aws', 'aws-us-gov', 'aws-cn'),
  },
  bootstrapStack: {
    meaning: "The stack of the CDK's bootstrap, if yours has another name.",
    expected: 'a letter, then letters, digits and -; at most 128',
    default: 'CDKToolkit',
    read: matching(/^[A-Za-z][A-Za-z0-9-]{0,127}$/),
  },
  bootstrapQualifier: {
    meaning:
      "The qualifier of the CDK's bootstrap, which is in the names of the roles, if yours has another.",
    expected: 'letters and digits; at most 10',
    default: 'hnb659fds',
    read: matching(/^[A-Za-z0-9]{1,10}$/),
  },
  stage: {
    meaning: "The first part of the address's path.",
    expected: 'letters, digits and _; at most 50',
    default: 'prod',
    read: matching(/^\w{1,50}$/),
  },
  access: {
    meaning: 'Who may call: anyone, or holders of a key.',
    ...choice('open', 'keys'),
  },
  allowOrigin: {
    meaning: 'Whose web pages may read answers (access=keys); an open service is read by any.',
    expected: '*, or origins such as https://data.example.org, with commas between',
    default: '*',
    read: (text) => (readOrigins(text) === undefined ? undefined : text),
  },
  allowFrames: {
    meaning:
      'Whose web pages may embed our pages; by default any (access=open), or none (access=keys).',
    expected: '*, none, or origins such as https://data.example.org, with commas between',
    default: undefined,
    read: (text) => (readFrames(text) === undefined ? undefined : text),
  },
  throttleRate: {
    meaning: 'Requests a second over the whole stage.',
    ...wholeNumber(50, 1, 10_000),
  },
  throttleBurst: {
    meaning: 'Requests at once over the whole stage.',
    ...wholeNumber(100, 1, 5000),
  },
  keyRate: {
    meaning: 'Requests a second of one key (access=keys).',
    ...wholeNumber(10, 1, 10_000),
  },
  keyBurst: {
    meaning: 'Requests at once of one key (access=keys).',
    ...wholeNumber(20, 1, 5000),
  },
  keyQuota: {
    meaning: 'Requests a day of one key (access=keys).',
    ...wholeNumber(10_000, 1, 100_000_000),
  },
  domainName: {
    meaning: "A domain of yours for the API; the stack's output says where its CNAME must point.",
    expected: 'a host name, as data.example.org',
    default: undefined,
    read: matching(/^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/),
  },
  certificateArn: {
    meaning: "The domain's certificate, in ACM in the stack's region; needed with domainName.",
    expected: 'an ARN of ACM',
    default: undefined,
    read: matching(/^arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/),
  },
  publicUrl: {
    meaning: 'The address that portals are given, where another server stands before the API.',
    expected: PUBLIC_URL_FORM,
    default: undefined,
    read: readPublicUrl,
  },
  publisher: {
    meaning: 'Who publishes the catalogue, for portals.',
    expected: 'a name, of at most 200 characters',
    default: undefined,
    read: matching(/^.{1,200}$/),
  },
  publisherUrl: {
    meaning: 'The address of the publisher on the web.',
    expected: WEB_ADDRESS_FORM,
    default: undefined,
    read: readWebAddress,
  },
  publisherEmail: {
    meaning: 'Where people may ask about the data, for portals: everybody can read it.',
    expected: EMAIL_FORM,
    default: undefined,
    read: readEmail,
  },
  slackSecret: {
    meaning: "Where a Slack app's signing secret is; with it there is a channel for Slack.",
    ...secretName('/blockyard/slack'),
  },
  secretKeyArn: {
    meaning: 'The KMS key of that secret, where it is one of yours.',
    expected: 'an ARN of a KMS key',
    default: undefined,
    read: matching(/^arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/),
  },
  columnCacheBytes: {
    meaning: 'What each function holds of its data in memory, in bytes.',
    ...wholeNumber(DEFAULT_CACHE_BYTES, 0, 2 ** 40),
  },
  streaming: {
    meaning:
      "Whether answers are streamed, which not every [region](#regions) can. Without it an answer has at most 6 MB, as Lambda's response has it.",
    ...flag(true),
  },
  answerMegabytes: {
    meaning: 'MB that a file of rows may have in one answer; a longer one is refused.',
    ...wholeNumber(STREAM_BYTES / 1e6, 1, STREAM_BYTES / 1e6),
  },
  memory: {
    meaning: 'MB of memory of each function, and with it its share of a processor.',
    ...wholeNumber(1024, 128, 10_240),
  },
  reservedConcurrency: {
    meaning: "Calls at once that are kept for each block's function, which then has no more.",
    ...wholeNumber(undefined, 1, 100_000),
  },
  logRetention: {
    meaning: 'Days that logs are kept.',
    expected: 'a number of days that CloudWatch knows: 1, 3, 5, 7, 14, 30, 60, 90, 180, 365 …',
    default: '30',
    read: (text) => LOG_RETENTIONS.find((days) => String(days) === text),
  },
  apiLogRole: {
    meaning:
      "API Gateway's role to write logs, one for the account's region: use the one that is set, or make it. `npm run deploy` looks, and chooses.",
    ...choice('existing', 'create'),
  },
  tracing: {
    meaning: 'X-Ray traces of the functions.',
    ...flag(true),
  },
  alarmEmail: {
    meaning: 'Where alarms are mailed; the address gets a mail to confirm.',
    ...emailAddress(),
  },
  concurrencyAlarm: {
    meaning:
      "Calls of Lambda at once, in the account's region, above which an alarm rings. `npm run deploy` takes 80 % of what the account may have.",
    ...wholeNumber(800, 1, 1_000_000),
  },
  budget: {
    meaning:
      'USD that the whole account may cost in a month; mails say when 80 and 100 % of it are used, or 100 % forecast. It stops nothing.',
    ...wholeNumber(undefined, 1, 1_000_000),
  },
  budgetEmail: {
    meaning: 'Where these are mailed; needed with budget.',
    ...emailAddress(),
  },
  dashboard: {
    meaning: 'A CloudWatch dashboard (3 USD a month beyond the first three).',
    ...flag(false),
  },
  removalPolicy: {
    meaning: 'What becomes of tables, files and logs when the stack goes.',
    ...choice('destroy', 'retain'),
  },
  tags: {
    meaning: 'Tags of every resource.',
    expected:
      'key=value, up to 50 with commas between, of letters, digits, spaces and _.:/=+-@, no key twice or with aws:',
    default: '',
    read: readTags,
  },
} as const satisfies Readonly<Record<string, Option<unknown>>>;

/** The environment variable of an option: `BLOCKYARD_THROTTLE_RATE` for `throttleRate`. */
export function environmentName(option: string): string {
  return `BLOCKYARD_${option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/**
 * Reads the options: from the CDK's context (`-c name=value`), else the environment, else the
 * default. Throws a one-line Error for an invalid value or an unknown name.
 */
export function readOptions(
  context: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): DeploymentOptions {
  const options = readEach(context, environment);
  if ((options.domainName === undefined) !== (options.certificateArn === undefined)) {
    throw new Error('domainName and certificateArn go together; one of them is missing.');
  }
  if ((options.budget === undefined) !== (options.budgetEmail === undefined)) {
    throw new Error('budget and budgetEmail go together; one of them is missing.');
  }
  if (options.access === 'open' && options.allowOrigin !== '*') {
    throw new Error('allowOrigin goes with access=keys: without keys anybody may read.');
  }
  return options;
}

/** As `readOptions`, without what goes together: some of it may be kept with the stack. */
export function readEach(
  context: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): DeploymentOptions {
  checkNames(context, environment);
  return Object.fromEntries(
    Object.entries(OPTIONS).map(([name, option]) => {
      const given = [context[name], environment[environmentName(name)]]
        .map((value) => (value === undefined ? '' : String(value).trim()))
        .find((text) => text !== '');
      return [name, readOption(name, option, given)];
    }),
  ) as DeploymentOptions;
}

/** Options that say where a stack is. A stack cannot keep them: they find it. */
export const OF_THE_PLACE = ['stackName', 'partition', 'bootstrapStack', 'bootstrapQualifier'];

/** Options that a deployment finds the stack by, or decides by looking: the stack does not keep them. */
const NOT_KEPT = [...OF_THE_PLACE, 'apiLogRole', 'concurrencyAlarm'];

/** The stack's output that keeps an option. */
export function keptAs(option: string): string {
  return `Option${option.charAt(0).toUpperCase()}${option.slice(1)}`;
}

/** The options that are not the defaults, as they were given: what the stack keeps. */
export function optionTexts(options: DeploymentOptions): Record<string, string> {
  const texts = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || NOT_KEPT.includes(name)) return [];
    const pairs = Object.entries(typeof value === 'object' ? value : {});
    const text =
      typeof value === 'object' ? pairs.map((pair) => pair.join('=')).join(',') : String(value);
    return text === (OPTIONS[name as keyof typeof OPTIONS].default ?? '') ? [] : [[name, text]];
  });
  return Object.fromEntries(texts);
}

/** The options that a stack keeps, by its outputs; of an option that is no longer there, nothing. */
export function keptOptions(
  outputs: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const names = Object.keys(OPTIONS).filter((name) => !NOT_KEPT.includes(name));
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = outputs[keptAs(name)];
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function readOption(name: string, option: Option<unknown>, given: string | undefined): unknown {
  const text = given ?? option.default;
  if (text === undefined) return undefined;
  const value = option.read(text);
  const isSecret = name === 'slackSecret';
  if (isSecret && value === 'none') return undefined;
  if (value !== undefined) return value;
  // The value may be the secret itself, and this message goes into logs.
  const said = isSecret ? 'no name of a secret' : JSON.stringify(text);
  throw new Error(`${name} is ${said}; expected ${option.expected}.`);
}

function checkNames(
  context: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const names = Object.keys(OPTIONS);
  const known = new Map(names.map((name) => [environmentName(name), name]));
  const ours = Object.keys(environment).filter(
    (key) => key.startsWith('BLOCKYARD_') && !COMMAND_LINE.includes(key),
  );
  for (const name of ours) {
    if (!known.has(name)) throw unknown(name, [...known.keys()]);
  }
  // The CDK and its libraries keep their own settings in the context: `@aws-cdk/…`, `aws:cdk:…`.
  for (const name of Object.keys(context).filter((key) => /^\w+$/.test(key))) {
    if (!names.includes(name)) throw unknown(name, names);
  }
}

/** Settings of the command line: which service it calls, and where the blocks are. */
const COMMAND_LINE = ['BLOCKYARD_URL', 'BLOCKYARD_KEY', 'BLOCKYARD_BLOCKS'];

function unknown(name: string, names: readonly string[]): Error {
  const near = nearName(name, names);
  const fix = near === undefined ? `The options are ${names.join(', ')}.` : `Did you mean ${near}?`;
  return new Error(`There is no option ${name}. ${fix}`);
}

/** The retention periods that CloudWatch Logs accepts, in days. */
const LOG_RETENTIONS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288,
  3653,
];

function matching(pattern: RegExp) {
  return (text: string) => (pattern.test(text) ? text : undefined);
}

function choice<const T extends string>(first: T, ...others: readonly T[]) {
  const all = [first, ...others];
  return {
    expected: `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`,
    default: first,
    read: (text: string) => all.find((name) => name === text),
  };
}

/**
 * The name of a secret, within SSM's limits for parameter names, but starting with `/`: a secret
 * given instead of its name is refused and stays out of the template.
 */
function secretName(example: string) {
  return {
    expected: `a SecureString parameter's name, as ${example}, a secret's ARN, or none`,
    default: undefined,
    read: matching(
      /^(?:none|(?!\/(?:aws|ssm)(?:\/|$))(?:\/[\w.-]+){1,15}|arn:aws[\w-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+)$/i,
    ),
  };
}

function emailAddress() {
  return {
    expected: 'an e-mail address',
    default: undefined,
    read: matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/),
  };
}

function flag(value: boolean) {
  return {
    expected: 'true or false',
    default: String(value),
    read: (text: string) => ({ true: true, false: false })[text],
  };
}

function wholeNumber<D extends number | undefined>(value: D, least: number, most: number) {
  return {
    expected: `a whole number from ${least} to ${most}`,
    default: value?.toString() as D extends number ? string : undefined,
    read: (text: string) => {
      const number = Number(text);
      return /^\d+$/.test(text) && number >= least && number <= most ? number : undefined;
    },
  };
}

/** Tags that a resource may have, without those of AWS itself. */
const MOST_TAGS = 50;

/**
 * IAM has the narrowest form of a tag, and roles have the stack's tags too ("Tags for AWS Identity and
 * Access Management resources"). The CDK would refuse another with a stack trace.
 */
const TAG =
  /^(?!aws:)([\p{L}\p{Z}\p{N}_.:/+\-@]{1,128}?)\s*=\s*([\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256})$/iu;

function readTags(text: string): Readonly<Record<string, string>> | undefined {
  if (text === '') return {};
  const pairs = text.split(',').map((pair) => TAG.exec(pair.trim()));
  const tags = Object.fromEntries(pairs.map((pair) => [pair?.[1], pair?.[2]]));
  // A key that is given twice would lose a value.
  const isValid = !pairs.includes(null) && Object.keys(tags).length === pairs.length;
  return isValid && pairs.length <= MOST_TAGS ? tags : undefined;
}

/**
 * The context that the CDK will use: from `cdk.json`, overridden by its arguments `-c name=value`,
 * which may be repeated.
 */
export function contextOf(root: string, args: readonly string[]): Record<string, unknown> {
  const file = path.join(root, 'cdk.json');
  const { context = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return Object.assign({}, context, ...pairsOf(args).map(({ pair }) => pair));
}

/**
 * Throws a one-line Error for an argument that we do not pass on. The CDK's own, such as
 * `--profile`, would affect only some of its commands and none of our own checks.
 */
export function checkArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  others: readonly string[] = [],
): void {
  const script = environment.npm_lifecycle_event ?? 'deploy';
  // npm silently takes a `-c` before `--` as its own option.
  if (environment.npm_config_call) {
    throw new Error(`write it behind --: npm run ${script} -- -c ${environment.npm_config_call}`);
  }
  const known = ['-c name=value', ...others].join(' and ');
  for (const { index, pair } of pairsOf(args)) {
    const arg = args[index] as string;
    if (pair !== undefined || others.includes(arg)) continue;
    throw new Error(`${arg} is not taken here; ${known} ${others.length > 0 ? 'are' : 'is'}.`);
  }
}

/** Each argument's index, and its name and value if it sets context. */
function pairsOf(args: readonly string[]) {
  const options = { context: { type: 'string', short: 'c' } } as const;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  return tokens.map((token) => {
    const given = token.kind === 'option' && token.name === 'context' ? token.value : undefined;
    // The CDK accepts `-c=name=value` too.
    const [, name, value] = /^=?([^=]+)=(.*)$/s.exec(given ?? '') ?? [];
    return { index: token.index, pair: name === undefined ? undefined : { [name]: value } };
  });
}
