// Where tests run: among the globals of Node itself. Jest's own environment gives each suite a context, in which every look at a global goes through
// a sandbox; what computes takes a quarter longer there. Suites share the globals of their worker here, as the files of a suite do
// anyway (see suites.mjs): what they define there, and what they change of process.env, is put back after each. Modules of the project are loaded anew for
// each, as ever; the packages that the bundle of a whole run asks for are loaded once by a worker, since a suite that loads the AWS CDK anew takes seconds.
const { createRequire } = require('node:module');
const vm = require('node:vm');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Where the bundle finds {@link packagesOf}; suites.mjs has the same name. */
const PACKAGES = Symbol.for('eks-guardrails: packages');

/** Stands for a context where Jest asks for one. */
const NO_CONTEXT = Symbol.for('eks-guardrails: no context');

// A worker may load this file more than once.
if (vm.compileFunction[NO_CONTEXT] === undefined) {
  const { compileFunction } = vm;
  let kept;
  vm.compileFunction = (code, parameters, options) => {
    const { bundle } = options?.parsingContext?.[NO_CONTEXT] ?? {};
    if (bundle === undefined) return compileFunction(code, parameters, options);
    const compile = () => compileFunction(code, parameters, { ...options, parsingContext: undefined });
    if (options.filename !== bundle) return compile();
    // Each suite calls it anew, which makes modules of its own of the same code: what is compiled, and optimized, stays.
    if (kept?.code !== code || kept.parameters !== parameters.join())
      kept = { code, parameters: parameters.join(), compiled: compile() };
    return kept.compiled;
  };
  vm.compileFunction[NO_CONTEXT] = true;
}

/** What Jest looks for under names of its own, since tests may replace it. */
const NATIVE = {
  'jest-native-promise': Promise,
  'jest-native-now': Date.now.bind(Date),
};

const packages = createRequire(__filename);

/**
 * What the bundle asks for packages; under the names that the project gives them, as CDK Terrain for CDKTF.
 * @param ofJest what only it has
 */
function packagesOf({ moduleNameMapper }, ofJest) {
  const load = (name) => {
    if (name === '@jest/globals') return ofJest(name);
    const [pattern, now] = moduleNameMapper.find(([from]) => new RegExp(from).test(name)) ?? [];
    return packages(pattern === undefined ? name : name.replace(new RegExp(pattern), now));
  };
  return Object.assign(load, { resolve: packages.resolve });
}

module.exports = class PlainEnvironment {
  constructor({ projectConfig: config }) {
    const global = globalThis;
    this.global = global;
    this.globalsBefore = Object.getOwnPropertyDescriptors(global);
    this.processBefore = Object.getOwnPropertyDescriptors(process);
    this.listenersBefore = listenersOf(process);
    this.variablesBefore = { ...process.env };
    this.folderBefore = process.cwd();
    for (const [name, value] of Object.entries(NATIVE))
      Object.defineProperty(global, Symbol.for(name), { value, configurable: true });
    Object.assign(global, config.globals);
    if (config.testEnvironmentOptions.bundle !== undefined) global[PACKAGES] = (ofJest) => packagesOf(config, ofJest);
    this.moduleMocker = new ModuleMocker(global);
    this.fakeTimers = new LegacyFakeTimers({
      config,
      global,
      moduleMocker: this.moduleMocker,
      timerConfig: { idToRef: (timer) => timer, refToId: (timer) => timer },
    });
    this.fakeTimersModern = new ModernFakeTimers({ config, global });
    this.context = { [NO_CONTEXT]: { bundle: config.testEnvironmentOptions.bundle ?? '' } };
  }

  async setup() {
    // Jest has put its own there meanwhile, once for all suites of a worker: it leads stacks back to the sources.
    this.formatterBefore = Error.prepareStackTrace;
  }

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    // Of packages, too.
    this.moduleMocker.restoreAllMocks();
    putBack(this.global, this.globalsBefore);
    putBack(process, this.processBefore);
    // They would keep all modules of the suite in memory.
    for (const [name, listener] of listenersOf(process))
      if (!this.listenersBefore.some((one) => one[0] === name && one[1] === listener)) process.off(name, listener);
    Error.prepareStackTrace = this.formatterBefore;
    for (const name of Object.keys(process.env)) if (!(name in this.variablesBefore)) delete process.env[name];
    Object.assign(process.env, this.variablesBefore);
    process.chdir(this.folderBefore);
    this.context = null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return this.context;
  }
};

function listenersOf(emitter) {
  return emitter.eventNames().flatMap((name) => emitter.rawListeners(name).map((listener) => [name, listener]));
}

/** The tokens of the CDKs, which are loaded once, and have them in what they keep. */
function isOfPackage(key) {
  return typeof key === 'string' && key.startsWith('__cdk');
}

/** Makes the properties of an object those that it had. */
function putBack(object, before) {
  for (const key of Reflect.ownKeys(object)) {
    const now = Object.getOwnPropertyDescriptor(object, key);
    if (now.configurable && !Object.hasOwn(before, key) && !isOfPackage(key)) delete object[key];
  }
  for (const key of Reflect.ownKeys(before)) {
    const now = Object.getOwnPropertyDescriptor(object, key);
    const same = now !== undefined && ['value', 'get', 'set'].every((part) => now[part] === before[key][part]);
    if (!same && (now === undefined || now.configurable)) Object.defineProperty(object, key, before[key]);
    else if (!same && now.writable) object[key] = before[key].value;
  }
}
