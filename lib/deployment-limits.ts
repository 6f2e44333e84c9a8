import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The template of a stack or of one of its parts. */
export type StackTemplate = {
  readonly name: string;
  /** As it is uploaded. */
  readonly text: string;
  /** The files of each function's code, by the function's logical id. */
  readonly code?: ReadonlyMap<string, readonly CodeFile[]>;
};

type CodeFile = { readonly file: string; readonly bytes: number };

// AWS: CloudFormation quotas; Amazon API Gateway quotas; Lambda quotas; IAM and STS quotas. IAM
// raises the number of policies of a role on request, the others but the routes are fixed.
const MOST = {
  resources: 500,
  outputs: 200,
  templateBytes: 1_000_000,
  apiResources: 300,
  environmentBytes: 4096,
  inlineCharacters: 10_240,
  policyCharacters: 6144,
  rolePolicies: 10,
  // 250 MB, as Lambda's CodeSizeUnzipped has it (`GetAccountSettings`).
  codeBytes: 250 * 2 ** 20,
};

/**
 * New versions that a deployment checks at once. Each check calls the block's function while it
 * runs, so these are eight calls of functions together. A new account runs ten at once.
 */
export const CHECKS_AT_ONCE = 4;

const FEWER = 'Deploy some of the blocks under another stackName.';

/** The templates that a synthesis has written into its folder. */
export function templatesIn(folder: string): StackTemplate[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const { Resources: resources }: Template = JSON.parse(text);
      const code = Object.entries(resources)
        .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
        .map(([id, { Properties }]) => [id, codeFiles(folder, Properties.Code?.S3Key)] as const);
      const name = /(Part\d+)[0-9A-F]{8}\.nested\.template/.exec(file)?.[1] ?? 'the stack';
      return { name, text, code: new Map(code) };
    });
}

/** What a function's code unpacks to: the synthesis copies it into a folder with the key's name. */
function codeFiles(folder: string, key: unknown): CodeFile[] {
  const asset = path.join(folder, `asset.${String(key).replace(/\.zip$/, '')}`);
  if (!existsSync(asset)) return [];
  return readdirSync(asset, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .map((file) => ({ file: path.relative(asset, file), bytes: statSync(file).size }));
}

/**
 * Refuses what AWS would refuse in the middle of a deployment. Throws a one-line Error with the
 * number, the limit and what to do.
 */
export function checkLimits(templates: readonly StackTemplate[]): void {
  let apiResources = 1;
  for (const { name, text, code = new Map() } of templates) {
    for (const [id, files] of code) checkCode(id, files);
    const { Resources: resources, Outputs: outputs = {} }: Template = JSON.parse(text);
    const all = Object.entries(resources);
    refuseOver(MOST.resources, all.length, `resources in ${name}`, FEWER);
    refuseOver(MOST.outputs, Object.keys(outputs).length, `outputs in ${name}`, FEWER);
    const bytes = Buffer.byteLength(text);
    refuseOver(
      MOST.templateBytes,
      bytes,
      `bytes in the template of ${name}`,
      `Give fewer tags. ${FEWER}`,
    );
    apiResources += all.filter(([, { Type }]) => Type === 'AWS::ApiGateway::Resource').length;
    for (const [id, { Type, Properties }] of all) {
      if (Type !== 'AWS::Lambda::Function') continue;
      const variables = settled(Properties.Environment?.Variables ?? {}, resources);
      const size = Buffer.byteLength(
        Object.entries(variables as object)
          .flat()
          .join(''),
      );
      refuseOver(
        MOST.environmentBytes,
        size,
        `bytes in the environment of ${id}`,
        'Give fewer origins (allowOrigin, allowFrames).',
      );
    }
    checkPolicies(resources);
  }
  refuseOver(
    MOST.apiResources,
    apiResources,
    'resources in the API, two for each address',
    `A block without an id of its own has one address. ${FEWER}`,
  );
}

/** How many of the files that make code too large are named. */
const NAMED_FILES = 3;

function checkCode(id: string, files: readonly CodeFile[]): void {
  const largest = [...files].sort((a, b) => b.bytes - a.bytes).slice(0, NAMED_FILES);
  const named = largest.map(({ file, bytes }) => `${file} (${bytes.toLocaleString('en-US')})`);
  refuseOver(
    MOST.codeBytes,
    files.reduce((sum, { bytes }) => sum + bytes, 0),
    `bytes in the code of ${id}, unpacked`,
    `The largest files: ${named.join(', ')}.`,
  );
}

function checkPolicies(resources: Template['Resources']): void {
  const inline = new Map<string, number>();
  const managed = new Map<string, number>();
  for (const [id, { Type, Properties }] of Object.entries(resources)) {
    if (Type !== 'AWS::IAM::Policy' && Type !== 'AWS::IAM::ManagedPolicy') continue;
    const characters = JSON.stringify(settled(Properties.PolicyDocument, resources)).length;
    if (Type === 'AWS::IAM::ManagedPolicy') {
      refuseOver(MOST.policyCharacters, characters, `characters in the policy ${id}`, FEWER);
    }
    for (const { Ref: role } of Properties.Roles) {
      const [counted, more] = Type === 'AWS::IAM::Policy' ? [inline, characters] : [managed, 1];
      counted.set(role, (counted.get(role) ?? 0) + more);
    }
  }
  for (const [role, count] of inline) {
    refuseOver(MOST.inlineCharacters, count, `characters in the policies of ${role}`, FEWER);
  }
  for (const [role, count] of managed) {
    refuseOver(MOST.rolePolicies, count, `managed policies of ${role}`, FEWER);
  }
}

function refuseOver(most: number, number: number, what: string, fix: string): void {
  if (number <= most) return;
  const [has, takes] = [number, most].map((one) => one.toLocaleString('en-US'));
  throw new Error(`there are ${has} ${what}; AWS takes ${takes}. ${fix}`);
}

/** A value of a template with texts in place of what AWS settles, as long as these can be. */
function settled(value: unknown, resources: Template['Resources']): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => settled(one, resources));
  const entries = Object.entries(value);
  const [[key = '', given] = []] = entries;
  if (key === 'Fn::Join') {
    const [separator, parts] = given as [string, unknown[]];
    return parts.map((part) => settled(part, resources)).join(separator);
  }
  if (key !== 'Ref' && !key.startsWith('Fn::')) {
    return Object.fromEntries(entries.map(([name, one]) => [name, settled(one, resources)]));
  }
  const [id = ''] = [given].flat() as string[];
  return 'x'.repeat(longest(id, resources[id]?.Type ?? ''));
}

/** The most characters of what AWS makes of a reference. */
function longest(id: string, type: string): number {
  if (id.startsWith('AWS::')) return 20;
  // `arn:aws-us-gov:lambda:us-gov-west-1:123456789012:function:`, a name of 64, and a version.
  return type.startsWith('AWS::Lambda::') ? 140 : 256;
}

type Template = {
  readonly Resources: Readonly<
    // biome-ignore lint/suspicious/noExplicitAny: a template's properties are of any shape
    Record<string, { readonly Type: string; readonly Properties: any }>
  >;
  readonly Outputs?: object;
};
