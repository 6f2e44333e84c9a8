import type { synthesizeUnchecked } from './deployment.ts';

/** A resource of a deployment, and the resources that must exist before it. */
export type Step = { readonly type: string; readonly after: ReadonlySet<string> };

/** All resources of a deployment by name, those of nested stacks as `<part>/<logical id>`. */
export type Steps = ReadonlyMap<string, Step>;

// biome-ignore lint/suspicious/noExplicitAny: a template is of any shape
type AnyTemplate = any;

/**
 * The order in which CloudFormation may make the resources of a stack and of its nested stacks. A
 * nested stack begins when all that its parameters name exists, and exists when its resources do.
 */
export function stepsOf({
  root,
  parts,
}: Pick<ReturnType<typeof synthesizeUnchecked>, 'root' | 'parts'>): Steps {
  const steps = new Map<string, Step>();
  const nested = new Set(parts.map(({ name }) => name));
  for (const [id, resource] of entriesOf(root)) {
    const after = dependenciesIn(root, resource);
    if (nested.has(id)) steps.set(beginOf(id), { type: 'begin', after });
    else steps.set(id, { type: resource.Type, after });
  }
  for (const { name, template } of parts) {
    const of = (id: string) => `${name}/${id}`;
    for (const [id, resource] of entriesOf(template)) {
      const after = [...dependenciesIn(template, resource)].map(of);
      steps.set(of(id), { type: resource.Type, after: new Set([beginOf(name), ...after]) });
    }
    const all = entriesOf(template).map(([id]) => of(id));
    steps.set(name, { type: root.Resources[name].Type, after: new Set([beginOf(name), ...all]) });
  }
  return steps;
}

const beginOf = (part: string) => `${part} begins`;

const entriesOf = ({ Resources }: AnyTemplate): [string, AnyTemplate][] =>
  Object.entries(Resources);

/** The resources of a template that one of them names. */
function dependenciesIn(template: AnyTemplate, { DependsOn = [], Properties }: AnyTemplate) {
  const names = [DependsOn].flat().concat([...referencesIn(Properties)]);
  return new Set<string>(
    names.filter((name: string) => {
      if (name in template.Resources) return true;
      if (name.startsWith('AWS::') || name in (template.Parameters ?? {})) return false;
      throw new TypeError(`${name} is not in the template.`);
    }),
  );
}

function* referencesIn(value: AnyTemplate): Generator<string> {
  if (value === null || typeof value !== 'object') return;
  const { Ref: ref, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = value;
  if (typeof ref === 'string') yield ref;
  if (attribute !== undefined) yield [attribute].flat()[0].split('.')[0];
  if (text !== undefined) {
    const [pattern, given = {}] = [text].flat();
    for (const [, name = ''] of pattern.matchAll(/\$\{([^!}.]+)[^}]*\}/g)) {
      if (!(name in given)) yield name;
    }
  }
  for (const one of Object.values(value)) yield* referencesIn(one);
}

/** All steps that a step waits for, through others too. */
export function stepsBefore(steps: Steps, name: string, found = new Set<string>()): Set<string> {
  for (const one of stepOf(steps, name).after) {
    if (found.has(one)) continue;
    found.add(one);
    stepsBefore(steps, one, found);
  }
  return found;
}

/**
 * The most steps of a kind that do not wait for one another: CloudFormation may have all of them
 * under way at once, however long each takes (Dilworth's theorem, by a matching).
 */
export function mostAtOnce(steps: Steps, isCounted: (step: Step, name: string) => boolean): number {
  const before = new Map<string, ReadonlySet<string>>();
  const countedBefore = (name: string): ReadonlySet<string> => {
    const known = before.get(name);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const one of stepOf(steps, name).after) {
      for (const earlier of countedBefore(one)) found.add(earlier);
      if (isCounted(stepOf(steps, one), one)) found.add(one);
    }
    before.set(name, found);
    return found;
  };
  const counted = [...steps].filter(([name, step]) => isCounted(step, name)).map(([name]) => name);
  const followerOf = new Map<string, string>();
  const follows = (name: string, tried: Set<string>): boolean => {
    for (const earlier of countedBefore(name)) {
      if (tried.has(earlier)) continue;
      tried.add(earlier);
      const follower = followerOf.get(earlier);
      if (follower !== undefined && !follows(follower, tried)) continue;
      followerOf.set(earlier, name);
      return true;
    }
    return false;
  };
  return counted.filter((name) => !follows(name, new Set())).length;
}

/** The most steps of a kind that CloudFormation must make one after the other. */
export function mostInARow(steps: Steps, isCounted: (step: Step, name: string) => boolean): number {
  const known = new Map<string, number>();
  const until = (name: string): number => {
    const step = stepOf(steps, name);
    const most = known.get(name) ?? Math.max(0, ...[...step.after].map(until));
    known.set(name, most);
    return most + Number(isCounted(step, name));
  };
  return Math.max(...[...steps.keys()].map(until));
}

/** The calls of API Gateway's control plane that make resources of a type; all without one. */
export function apiCallsIn(steps: Steps, type?: string): number {
  const some = [...steps.values()].filter((step) => type === undefined || step.type === type);
  return some.reduce((sum, step) => sum + apiCallsOf(step), 0);
}

function stepOf(steps: Steps, name: string): Step {
  const step = steps.get(name);
  if (step === undefined) throw new TypeError(`${name} is no step.`);
  return step;
}

/** What is assumed of AWS in a walk. */
export type Account = {
  /** Calls of functions that the account runs at once. */
  readonly concurrency: number;
  /** How long a resource takes to make, by type; a second otherwise. */
  readonly seconds?: Readonly<Record<string, number>>;
};

export type Walk = {
  /** How long the whole deployment takes. */
  readonly seconds: number;
  /** The most calls of API Gateway that begin in one second: of CreateResource, and of all. */
  readonly createResource: number;
  readonly apiCalls: number;
  /** The most calls of functions at once. */
  readonly functionCalls: number;
  /**
   * The steps that wait for ever: for a function, since each of them occupies another, or in a
   * circle.
   */
  readonly stuck: readonly string[];
};

/** The functions that a step runs, each called by the one before, and by it alone. */
function functionsOf(name: string, { type }: Step): readonly number[] {
  // The check, and the block's function.
  if (type === 'Custom::BlockCheck') return [1, 1];
  if (type === 'Custom::BlockFiles') return [1];
  if (type !== 'Custom::Trigger') return [];
  // The CDK's own, the function that is checked, and the blocks that a channel calls.
  return /^(?:Mcp|Slack)/.test(name) ? [1, 1, 4] : [1, 1];
}

/** The calls of API Gateway's control plane that make a resource. */
function apiCallsOf({ type }: Step): number {
  // PutMethod and PutIntegration.
  if (type === 'AWS::ApiGateway::Method') return 2;
  return type.startsWith('AWS::ApiGateway::') ? 1 : 0;
}

/**
 * Deploys in thought, second by second: begins each step as soon as nothing that it waits for is
 * missing. A step that runs functions keeps the first while it waits for the next, as a check that
 * is throttled does.
 */
export function walk(steps: Steps, { concurrency, seconds = {} }: Account): Walk {
  const missing = new Map([...steps].map(([name, { after }]) => [name, after.size]));
  const followers = new Map<string, string[]>([...steps.keys()].map((name) => [name, []]));
  for (const [name, { after }] of steps) {
    for (const one of after) followers.get(one)?.push(name);
  }
  let ready = [...steps.keys()].filter((name) => missing.get(name) === 0);
  const running = new Map<string, { left: number; calls: number[]; held: number }>();
  const most = { createResource: 0, apiCalls: 0, functionCalls: 0 };
  let free = concurrency;
  for (let second = 0; ; second++) {
    // What takes no time may let others begin in the same second.
    for (const name of ready) {
      const step = stepOf(steps, name);
      const takes = /^begin$|CloudFormation::Stack$/.test(step.type) ? 0 : 1;
      const left = seconds[step.type] ?? takes;
      if (left === 0) ready.push(...freed(name, followers, missing));
      else running.set(name, { left, calls: [...functionsOf(name, step)], held: 0 });
    }
    const begun = ready.map((name) => stepOf(steps, name));
    ready = [];
    const created = begun.filter(({ type }) => type === 'AWS::ApiGateway::Resource').length;
    const calls = begun.reduce((sum, step) => sum + apiCallsOf(step), 0);
    most.createResource = Math.max(most.createResource, created);
    most.apiCalls = Math.max(most.apiCalls, calls);
    if (running.size === 0) {
      const stuck = [...missing].filter(([, count]) => count > 0).map(([name]) => name);
      return { seconds: second, ...most, stuck };
    }
    let hasMoved = false;
    for (const step of running.values()) {
      const [next] = step.calls;
      if (next !== undefined && next > free) continue;
      hasMoved = true;
      if (next === undefined) step.left--;
      else {
        step.calls.shift();
        step.held += next;
        free -= next;
      }
    }
    most.functionCalls = Math.max(most.functionCalls, concurrency - free);
    if (!hasMoved) return { seconds: second, ...most, stuck: [...running.keys()] };
    for (const [name, { left, held }] of running) {
      if (left > 0) continue;
      running.delete(name);
      free += held;
      ready.push(...freed(name, followers, missing));
    }
  }
}

/** The steps that waited for this one alone. */
function freed(
  name: string,
  followers: ReadonlyMap<string, readonly string[]>,
  missing: Map<string, number>,
): string[] {
  return (followers.get(name) ?? []).filter((one) => {
    const left = (missing.get(one) ?? 0) - 1;
    missing.set(one, left);
    return left === 0;
  });
}
