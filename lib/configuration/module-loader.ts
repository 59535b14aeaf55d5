import { spawnSync } from 'node:child_process';
import nodeModule, { createRequire, SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join } from 'node:path';
import { types } from 'node:util';
import { codeOf, describeError, fileText, refuseSpecialFile } from '../files/read';
import { positionAt } from '../languages/positions';
import { isMap } from '../text/shape';
import { isPromise, messageOf, runUserCode } from '../user-code/guard';
import { placeOf, rememberSourceMap, syntaxErrorPlace, type CodePlace } from '../user-code/place';

/** A module that can't be used; the message says why, as a sentence without a full stop. */
export class ModuleProblem extends Error {
  override readonly name = 'ModuleProblem';

  /** @param place where in the code of the user, if that can be told */
  constructor(
    message: string,
    readonly place?: CodePlace,
  ) {
    super(message);
  }
}

/**
 * Loads a JavaScript or TypeScript module of the user with Node's own means, and gives what it exports. TypeScript is taken by what the user's
 * process has registered for it (tsx, ts-node), by the `typescript` package of the user's project, or by Node itself, whichever there is first.
 * @param file absolute path
 * @throws ModuleProblem if it can't be found, understood or run
 */
export function loadModule(file: string): unknown {
  refuseUnreadable(file);
  // Not from the file itself: Jest never ends to say who required what, if a module seems to have required itself.
  const require = createRequire(join(dirname(file), 'package.json'));
  const load = () => require(file) as unknown;
  return inModule(file, () =>
    withoutExperimentalWarnings(() => (/\.[cm]?ts$/.test(file) ? withTypeScript(file, load) : load())),
  );
}

/** Node.js would wait for a pipe. @throws ModuleProblem for what is no file */
function refuseUnreadable(file: string): void {
  try {
    refuseSpecialFile(file);
  } catch (error) {
    // What isn't there may be a module of Node.js itself.
    if (codeOf(error) !== 'ENOENT') throw new ModuleProblem(`it can't be loaded: ${describeError(error)}`);
  }
}

/** Runs code of a module. @throws ModuleProblem for what it throws */
export function inModule<T>(file: string, work: () => T): T {
  try {
    return runUserCode(work);
  } catch (error) {
    if (error instanceof ModuleProblem) throw error;
    throw new ModuleProblem(reasonOf(error), placeOf(error) ?? uncheckedPlace(error, file));
  }
}

/** That Node.js is young where it loads a module is no news to those who check their infrastructure. */
function withoutExperimentalWarnings<T>(work: () => T): T {
  const target: { emitWarning: unknown } = process;
  const { emitWarning } = target;
  const isExperimental = (type: unknown): boolean =>
    type === 'ExperimentalWarning' || (isMap(type) && type['type'] === 'ExperimentalWarning');
  target.emitWarning = (...args: unknown[]) => {
    if (!isExperimental(args[1])) Reflect.apply(emitWarning as () => void, process, args);
  };
  try {
    return work();
  } finally {
    target.emitWarning = emitWarning;
  }
}

type Compiler = (source: string, file: string) => string;

/** Node's loaders by extension. They are deprecated for good tools of their own, and still the one synchronous way in. */
type Loaders = Record<string, ((module: NodeJS.Module, file: string) => void) | undefined>;

function withTypeScript<T>(file: string, load: () => T): T {
  const loaders = (nodeModule as unknown as { _extensions?: Loaders })._extensions;
  // Within a test runner, modules are its own business.
  if (loaders === undefined || loaders['.ts'] !== undefined) return load();
  const compile = compilerFor(file);
  if (compile === undefined) return load();
  const loader = (module: NodeJS.Module, path: string): void => {
    (module as NodeJS.Module & { _compile(code: string, path: string): void })._compile(
      compile(fileText(path), path),
      path,
    );
  };
  const added = ['.ts', '.cts', '.mts'].filter((extension) => loaders[extension] === undefined);
  for (const extension of added) loaders[extension] = loader;
  try {
    return load();
  } finally {
    for (const extension of added) Reflect.deleteProperty(loaders, extension);
  }
}

/**
 * How TypeScript becomes JavaScript; undefined if Node.js takes it as it is. @throws ModuleProblem if nothing can
 * @internal tests ask it directly, with more cases than configurations could show
 */
export function compilerFor(file: string): Compiler | undefined {
  const typescript = installedTypeScript(file);
  if (typescript !== undefined) return (source, fileName) => compiled(typescript, source, fileName);
  if ((process.features as { typescript?: unknown }).typescript) return undefined;
  const { stripTypeScriptTypes } = nodeModule as unknown as { stripTypeScriptTypes?: (source: string) => string };
  if (stripTypeScriptTypes !== undefined) return (source) => stripTypeScriptTypes(source);
  throw new ModuleProblem(
    `Node.js ${process.version} can't load TypeScript, and the project has no package "typescript" that could; install it, use Node.js 22.18 or later, or write the file in JavaScript, JSON or YAML`,
  );
}

interface TypeScript {
  transpileModule(
    source: string,
    options: object,
  ): {
    readonly outputText: string;
    readonly sourceMapText?: string;
    readonly diagnostics?: readonly TypeScriptProblem[];
  };
  readonly ModuleKind: { readonly CommonJS: number };
  readonly ScriptTarget: { readonly ES2022: number };
}

interface TypeScriptProblem {
  readonly start?: number | undefined;
  readonly messageText: string | { readonly messageText: string };
}

function compiled(typescript: TypeScript, source: string, fileName: string): string {
  const compilerOptions = {
    module: typescript.ModuleKind.CommonJS,
    target: typescript.ScriptTarget.ES2022,
    esModuleInterop: true,
    sourceMap: true,
  };
  const {
    outputText,
    sourceMapText,
    diagnostics = [],
  } = typescript.transpileModule(source, { fileName, compilerOptions, reportDiagnostics: true });
  const [problem] = diagnostics;
  if (problem !== undefined) {
    const { start, messageText } = problem;
    const text = typeof messageText === 'string' ? messageText : messageText.messageText;
    throw new ModuleProblem(
      `it can't be loaded: ${text.replace(/\.$/, '')}`,
      start === undefined ? undefined : { file: fileName, ...positionAt(source, start) },
    );
  }
  if (sourceMapText !== undefined)
    rememberSourceMap(fileName, new SourceMap(JSON.parse(sourceMapText) as SourceMapPayload));
  return outputText;
}

function installedTypeScript(file: string): TypeScript | undefined {
  try {
    const typescript: unknown = createRequire(file)('typescript');
    return isTypeScript(typescript) ? typescript : undefined;
  } catch {
    return undefined;
  }
}

function isTypeScript(value: unknown): value is TypeScript {
  return (
    typeof value === 'object' &&
    value !== null &&
    'transpileModule' in value &&
    'ModuleKind' in value &&
    'ScriptTarget' in value
  );
}

function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_REQUIRE_ESM')
    return `Node.js ${process.version} can't load ES modules this way; use Node.js 20.19 or later, or write the file as CommonJS (.cjs)`;
  if (code === 'ERR_REQUIRE_ASYNC_MODULE')
    return "it waits for something at its top level (await), which a configuration can't";
  // Node adds the modules that asked for a missing one.
  return `it can't be loaded: ${messageOf(error).replace(/ Require stack:.*$/, '')}`;
}

/** Of a mistake in an ES module, Node.js tells the place only to those who run it: it is asked once more. */
function uncheckedPlace(error: unknown, file: string): CodePlace | undefined {
  if (!types.isNativeError(error) || error.name !== 'SyntaxError' || !/\.[cm]?js$/.test(file)) return undefined;
  const { stderr } = spawnSync(process.execPath, ['--check', file], {
    encoding: 'utf8',
    timeout: 10_000,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return syntaxErrorPlace(stderr);
}

/**
 * What a module hands out as its own value: `export default`, or `module.exports`.
 * @throws ModuleProblem if it hands out nothing, or only promises it
 */
export function defaultExportOf(exported: unknown): unknown {
  const value = valueOf(exported);
  if (isPromise(value))
    throw new ModuleProblem('it exports a promise, and nothing waits for it; export the settings themselves');
  return value;
}

function valueOf(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null) return exported;
  if (!('default' in exported)) {
    const isEmpty = isMap(exported) && Object.keys(exported).length === 0;
    if (isEmpty || types.isModuleNamespaceObject(exported) || '__esModule' in exported) {
      throw new ModuleProblem(
        'it exports no settings; write "export default defineConfig({ … })", or "module.exports = { … }" in CommonJS',
      );
    }
    return exported;
  }
  const inner: unknown = exported.default;
  // A CommonJS module with a default export, imported as an ES module.
  return typeof inner === 'object' && inner !== null && '__esModule' in inner && 'default' in inner
    ? inner.default
    : inner;
}

/**
 * A value as it is now, without what is `undefined`: objects of programs may compute what they hold.
 * @throws whatever getters throw
 */
export function settled(value: unknown, copies = new Map<object, unknown>()): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const item of value as unknown[]) list.push(settled(item, copies));
    return list;
  }
  if (!isMap(value)) return value;
  const map: Record<string, unknown> = {};
  copies.set(value, map);
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined)
      Object.defineProperty(map, key, {
        value: settled(member, copies),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return map;
}
