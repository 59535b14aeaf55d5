// What tests need of jest, so that a single one can be run again within milliseconds: describe, it, hooks, tables and expect.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { bind } = require('jest-each');
const { ModuleMocker } = require('jest-mock');

/** Why a test can't be asked that replaces modules or loads them anew. */
export const NEEDS_JEST = 'needs jest';

let open = { hooks: emptyHooks(), names: [] };
let found = [];

/** The tests that `load` declares: `{ name, run }`. */
export function collect(load) {
  found = [];
  open = { hooks: emptyHooks(), names: [] };
  load();
  return found;
}

/** Makes jest's names global. */
export function install() {
  const mocker = new ModuleMocker(globalThis);
  const describeAll = withEach(declareGroup);
  const skip = withEach(() => {});
  Object.assign(globalThis, {
    describe: Object.assign(describeAll, { skip }),
    it: Object.assign(withEach(declareTest), { skip, failing: skip }),
    ...Object.fromEntries(Object.keys(emptyHooks()).map((kind) => [kind, (hook) => open.hooks[kind].push(hook)])),
    expect: require('expect').expect,
    jest: {
      setTimeout() {},
      fn: (...args) => mocker.fn(...args),
      spyOn: (...args) => mocker.spyOn(...args),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      isolateModules: needsJest,
      requireActual: needsJest,
    },
  });
  globalThis.test = globalThis.it;
}

function needsJest() {
  throw new Error(NEEDS_JEST);
}

function emptyHooks() {
  return { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] };
}

function withEach(declare) {
  return Object.assign((...args) => declare(...args), { each: bind(declare) });
}

function declareGroup(name, body) {
  const outer = open;
  open = { outer, hooks: emptyHooks(), names: [...outer.names, String(name)] };
  body();
  open = outer;
}

function declareTest(name, body) {
  const group = open;
  found.push({ name: [...group.names, String(name)].join(' › '), run: () => runTest(group, body) });
}

/** What is done once for a group is done for each of its tests: under a mutant, each begins anew. */
async function runTest(group, body) {
  const groups = [];
  for (let one = group; one !== undefined; one = one.outer) groups.unshift(one);
  const inward = (kind) => groups.flatMap(({ hooks }) => hooks[kind]);
  const outward = (kind) => groups.toReversed().flatMap(({ hooks }) => hooks[kind]);
  try {
    for (const hook of [...inward('beforeAll'), ...inward('beforeEach')]) await hook();
    await body();
  } finally {
    for (const hook of [...outward('afterEach'), ...outward('afterAll')]) await hook();
  }
}
