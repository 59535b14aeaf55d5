import { readFileSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';

/** A module that can't be loaded; the message says why, as a sentence without a full stop. */
export class ModuleProblem extends Error {
  override readonly name = 'ModuleProblem';
}

/**
 * Loads a JavaScript or TypeScript module of the user with Node's own means, and gives what it exports. TypeScript is taken by Node itself, by
 * what the user's process has registered for it (tsx, ts-node), by the `typescript` package of the user's project, or by Node's stripping of types,
 * whichever there is first.
 * @param file absolute path
 * @throws ModuleProblem if it can't be found, understood or run
 */
export function loadModule(file: string): unknown {
  const require = createRequire(file);
  try {
    return /\.[cm]?ts$/.test(file) ? withTypeScript(file, () => require(file) as unknown) : (require(file) as unknown);
  } catch (error) {
    if (error instanceof ModuleProblem) throw error;
    throw new ModuleProblem(reasonOf(error));
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
  const loader = (module: NodeJS.Module, path: string): void => {
    (module as NodeJS.Module & { _compile(code: string, path: string): void })._compile(compile(readFileSync(path, 'utf8'), path), path);
  };
  const added = ['.ts', '.cts', '.mts'].filter((extension) => loaders[extension] === undefined);
  for (const extension of added) loaders[extension] = loader;
  try {
    return load();
  } finally {
    for (const extension of added) Reflect.deleteProperty(loaders, extension);
  }
}

interface TypeScript {
  transpileModule(source: string, options: object): { readonly outputText: string };
  readonly ModuleKind: { readonly CommonJS: number };
  readonly ScriptTarget: { readonly ES2022: number };
}

function compilerFor(file: string): Compiler {
  const typescript = installedTypeScript(file);
  if (typescript !== undefined) {
    const compilerOptions = { module: typescript.ModuleKind.CommonJS, target: typescript.ScriptTarget.ES2022, esModuleInterop: true };
    return (source, fileName) => typescript.transpileModule(source, { fileName, compilerOptions }).outputText;
  }
  const { stripTypeScriptTypes } = nodeModule as unknown as { stripTypeScriptTypes?: (source: string) => string };
  if (stripTypeScriptTypes !== undefined) return (source) => stripTypeScriptTypes(source);
  throw new ModuleProblem(
    `Node.js ${process.version} can't load TypeScript, and the project has no package "typescript" that could; install it, use Node.js 22.18 or later, or write the file in JavaScript, JSON or YAML`,
  );
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
  return typeof value === 'object' && value !== null && 'transpileModule' in value && 'ModuleKind' in value && 'ScriptTarget' in value;
}

function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_REQUIRE_ESM') return `Node.js ${process.version} can't load ES modules this way; use Node.js 20.19 or later, or write the file as CommonJS (.cjs)`;
  if (code === 'ERR_REQUIRE_ASYNC_MODULE') return 'it waits for something at its top level (await), which a configuration can\'t';
  const message = error instanceof Error ? error.message : String(error);
  // Node adds the modules that asked for a missing one.
  return `it can't be loaded: ${(message.split('\n', 1)[0] ?? '').trim()}`;
}

/** What a module hands out as its own value: `export default`, or `module.exports`. */
export function defaultExportOf(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null || !('default' in exported)) return exported;
  const inner: unknown = exported.default;
  // A CommonJS module with a default export, imported as an ES module.
  return typeof inner === 'object' && inner !== null && '__esModule' in inner && 'default' in inner ? inner.default : inner;
}
