/** What a suite imports from `@jest/globals`: of the suite that runs, whoever asks. */
let current;

export function setJestGlobals(globals) {
  current = globals;
}

const ofThisSuite = (name) =>
  new Proxy(() => {}, {
    apply: (_, self, given) => Reflect.apply(current[name], self, given),
    get: (_, key) => current[name][key],
  });

/** Where Jest has its matchers, by name. */
const MATCHERS = Symbol.for('$$jest-matchers-object');
const WAYS = ['not', 'resolves', 'rejects'];

/**
 * For each `expect`, Jest makes all of its matchers, each in six ways, which takes a fourth of the
 * time of suites that expect much. Here it makes the one that is asked for.
 */
const oneMatcher = {
  get: ({ actual, way }, key) => {
    if (WAYS.includes(key)) return new Proxy({ actual, way: [...way, key] }, oneMatcher);
    const known = globalThis[MATCHERS];
    const { matchers } = known;
    const { stackTraceLimit } = Error;
    // Where it begins is told only of a promise, whose matcher fails later.
    if (!way.some((one) => one !== 'not')) Error.stackTraceLimit = 0;
    known.matchers = Object.hasOwn(matchers, key) ? { [key]: matchers[key] } : {};
    try {
      return way.reduce((made, step) => made[step], current.expect(actual))[key];
    } finally {
      known.matchers = matchers;
      Error.stackTraceLimit = stackTraceLimit;
    }
  },
};

export const afterAll = ofThisSuite('afterAll');
export const afterEach = ofThisSuite('afterEach');
export const beforeAll = ofThisSuite('beforeAll');
export const beforeEach = ofThisSuite('beforeEach');
export const describe = ofThisSuite('describe');
export const expect = new Proxy(() => {}, {
  apply: (_, __, given) =>
    given.length === 1
      ? new Proxy({ actual: given[0], way: [] }, oneMatcher)
      : current.expect(...given),
  get: (_, key) => current.expect[key],
});
export const jest = ofThisSuite('jest');
export const test = ofThisSuite('test');
