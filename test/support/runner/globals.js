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

export const afterAll = ofThisSuite('afterAll');
export const afterEach = ofThisSuite('afterEach');
export const beforeAll = ofThisSuite('beforeAll');
export const beforeEach = ofThisSuite('beforeEach');
export const describe = ofThisSuite('describe');
export const expect = ofThisSuite('expect');
export const jest = ofThisSuite('jest');
export const test = ofThisSuite('test');
