// Puts the compiled modules of dist/lib into a few files, because a command that finds and compiles 700 files has taken most of its time
// before it begins. Each module stays what it was, with a file of its name that gives it: whoever loads one, from here, from constructs or
// from a rule of his own, gets the same.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, transformSync } from 'esbuild';
import ts from 'typescript';
import { generateTemplate } from '../bench/generate-template.mjs';
import { licenses } from './one-folder.mjs';

const SHEBANG = '#!/usr/bin/env node\n';
/** Modules of Node.js that it has loaded before any code runs. Others, such as its cryptography, take their time too. */
const LOADED_ANYWAY = ['node:fs', 'node:path'];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const EXAMPLES = join(root, 'examples');
/** What we depend on: each of these packages becomes one file, too. That of YAML alone has 72, which take a sixth of a check. */
const PACKAGES = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies);

/** @param {string} lib a folder with the compiled modules of lib, which are replaced */
export function bundle(lib) {
  const modules = new Map();
  for (const file of readdirSync(lib, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    const id = file.replaceAll('\\', '/').slice(0, -'.js'.length);
    modules.set(id, readModule(id, withoutLateLoading(readFileSync(join(lib, file), 'utf8').replace(SHEBANG, ''))));
    writeFileSync(join(lib, file), fileOf(id));
  }
  for (const module of modules.values())
    for (const imported of module.imports) imported.id = resolved(modules, module.id, imported.specifier);
  write(lib, modules, new Map());
  const index = join(lib, 'bundle', 'index.js');
  const load = createRequire(index)('./index.js');
  // All that a list of the rules needs of them.
  writeFileSync(join(lib, 'rules', 'listed.json'), JSON.stringify(load('rules/listed').listedRules));
  // Named imports of ES modules are known by what stands in the text.
  for (const id of ['index', 'testing/index', 'run-task/index'])
    writeFileSync(join(lib, `${id}.js`), fileOf(id, Object.keys(load(id))));
  write(lib, modules, loadedTogether(index));
}

/**
 * @param {string} lib
 * @param {Map<string, object>} modules
 * @param {Map<string, readonly string[]>} together which commands load each module that any of them loads: modules of the same commands stand in one
 *   file, whose name says which these are; the others stand with those of their folder
 */
function write(lib, modules, together) {
  const files = new Map();
  const places = [...modules.keys()].sort().map((id) => {
    const commands = together.get(id);
    const name =
      commands === undefined ? id.split('/').slice(0, -1).join('-') || 'lib' : `used-by-${commands.join('-')}`;
    const head = `${JSON.stringify(id)}: `;
    const code = `function (exports, require, module, __dirname, __filename) {\n${codeOf(modules.get(id), modules, together)}\n}`;
    // The engine compiles a function in parentheses at once. Of others it first finds the end only, and reads them again when they are called.
    files.set(name, `${files.get(name) ?? ''}${head}${commands === undefined ? code : `(${code})`},\n`);
    return [id, name];
  });
  const folder = join(lib, 'bundle');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writePackages(join(folder, 'packages'));
  for (const [name, functions] of files)
    writeFileSync(join(folder, `${name}.js`), smaller(`'use strict';\nmodule.exports = {\n${functions}};\n`));
  writeFileSync(
    join(folder, 'table.json'),
    JSON.stringify({ files: tableOf(places), packages: PACKAGES, build: contentOf(folder) }),
  );
  copyFileSync(join(root, 'scripts/bundle/loader.js'), join(folder, 'index.js'));
}

/** Which modules stand in each file. */
function tableOf(places) {
  const table = {};
  for (const [id, name] of places) (table[`${name}.js`] ??= []).push(id);
  return table;
}

/** Tells a build from every other one by all that it has. */
function contentOf(folder) {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .sort())
    hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}

/** What is loaded late in the sources is so anyway here. */
function withoutLateLoading(code) {
  const isLate = /^const load = \(0, node_module_1\.createRequire\)\(__filename\);$/m.test(code);
  return isLate ? code.replaceAll(/\bload\((?=['"][^'"]+['"]\))/g, 'require(') : code;
}

/** The packages that we depend on, with their licences. */
function writePackages(folder) {
  const { metafile } = buildSync({
    entryPoints: PACKAGES.map((name) => ({ in: name, out: name })),
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.9',
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'LICENSES.txt'), licenses(Object.keys(metafile.inputs)));
  for (const file of PACKAGES.map((name) => join(folder, `${name}.js`)))
    writeFileSync(file, inAscii(readFileSync(file, 'utf8')));
  loadWhenCalled(join(folder, 'commander.js'), 'childProcess', 'node:child_process', 'spawn');
}

/** Commander can start programs, which the command never asks for. What that needs of Node.js takes about 10 ms to load. */
function loadWhenCalled(file, variable, module, name) {
  const code = readFileSync(file, 'utf8');
  const loading = `${variable} = require("${module}")`;
  const uses = [...code.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, 'g'))];
  if (!code.includes(loading) || uses.some(([, used]) => used !== name))
    throw new Error(`${file} doesn't use ${module} as it did`);
  writeFileSync(
    file,
    code.replace(loading, `${variable} = { ${name}: (...args) => require("${module}").${name}(...args) }`),
  );
}

/** Which commands load each module, as their processes tell. */
function loadedTogether(index) {
  const scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-build-'));
  try {
    const template = join(scratch, 'template.json');
    writeFileSync(template, JSON.stringify(generateTemplate(200)));
    const commands = {
      version: ['--version'],
      rules: ['rules'],
      template: ['check', template],
      json: ['check', template, '--format', 'json'],
      terraform: ['check', join(EXAMPLES, 'terraform', 'misconfigured')],
      plan: ['check', join(EXAMPLES, 'terraform', 'plans', 'misconfigured.json')],
    };
    const together = new Map();
    for (const [name, args] of Object.entries(commands))
      for (const id of loadedBy(index, args)) together.set(id, [...(together.get(id) ?? []), name]);
    return together;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function loadedBy(index, args) {
  const telling = `const load = require(${JSON.stringify(index)});
    process.on('exit', () => process.stderr.write('\\n' + JSON.stringify([...load.loaded.keys()])));
    load('cli/main');`;
  // The name of the command comes first, as in any process.
  const { status, stderr } = spawnSync(process.execPath, ['-e', telling, '--', 'eks-guardrails', ...args], {
    encoding: 'utf8',
  });
  // All examples have findings.
  if (status !== (args[0] === 'check' ? 1 : 0))
    throw new Error(`eks-guardrails ${args.join(' ')} ended with ${status}\n${stderr}`);
  return JSON.parse(stderr.slice(stderr.lastIndexOf('\n')));
}

/** Without comments, and with lines as they were: a stack trace of an internal error must be worth reading. */
function smaller(code) {
  return inAscii(transformSync(code, { target: 'node20.9', legalComments: 'none', minifySyntax: true }).code);
}

/**
 * In ASCII alone, which takes half the memory and is read without being decoded. esbuild has escaped what stands in strings; what is left stands in
 * regular expressions.
 */
function inAscii(code) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that isn't ASCII
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The file that stands where the module was. */
function fileOf(id, names) {
  const up = '../'.repeat(id.split('/').length - 1);
  if (id === 'cli/main') return readFileSync(join(root, 'scripts/bundle/command.js'), 'utf8');
  const code = `'use strict';\nconst load = require('./${up}bundle/index.js');\nmodule.exports = load('${id}');\n`;
  return names === undefined ? code : `${code}0 && (module.exports = { ${names.join(', ')} });\n`;
}

function resolved(modules, from, specifier) {
  if (!specifier.startsWith('.')) return undefined;
  const id = posix.join(posix.dirname(from), specifier).replace(/\.js$/, '');
  return modules.has(id) ? id : id === '.' ? 'index' : `${id}/index`;
}

/** A compiled module: what it imports, and where, and what it exports. */
function readModule(id, code) {
  const source = ts.createSourceFile(`${id}.js`, code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const imports = [];
  const exports = { own: new Set(), from: new Map(), all: [] };
  for (const statement of source.statements) {
    const [declaration] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
    const specifier = requiredName(declaration?.initializer);
    if (specifier !== undefined && ts.isIdentifier(declaration.name))
      imports.push({
        name: declaration.name.text,
        specifier,
        statement,
        uses: [],
        isPlain: !LOADED_ANYWAY.includes(specifier),
      });
    if (ts.isExpressionStatement(statement)) readExport(statement.expression, exports);
  }
  const byName = new Map(imports.map((imported) => [imported.name, imported]));
  const module = { id, code, imports, exports, calls: [] };
  visit(source);
  return module;

  function visit(node) {
    const imported = ts.isIdentifier(node) ? byName.get(node.text) : undefined;
    if (imported !== undefined) {
      if (ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node)
        imported.uses.push(node.parent);
      else if (!(ts.isVariableDeclaration(node.parent) && node.parent.name === node)) imported.isPlain = false;
    }
    const specifier = requiredName(node);
    if (specifier?.startsWith('.')) module.calls.push({ node, specifier, isPromise: false });
    const [promised] =
      ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments : [];
    if (promised !== undefined && ts.isStringLiteral(promised) && promised.text.startsWith('.'))
      module.calls.push({ node, specifier: promised.text, isPromise: true });
    ts.forEachChild(node, visit);
  }
}

/** TypeScript writes `exports.a = exports.b = void 0`, `Object.defineProperty(exports, "c", { …, get: function () { return x_1.d; } })` and `__exportStar(require("./y"), exports)`. */
function readExport(expression, exports) {
  for (let left = expression; ts.isBinaryExpression(left); left = left.right)
    if (ts.isPropertyAccessExpression(left.left) && left.left.expression.getText() === 'exports')
      exports.own.add(left.left.name.text);
  if (!ts.isCallExpression(expression)) return;
  const [, all] = /^__exportStar\(require\("([^"]+)"\), exports\)$/.exec(expression.getText()) ?? [];
  if (all !== undefined) exports.all.push(all);
  const [, name, imported, original] =
    /^Object\.defineProperty\(exports, "(\w+)", \{ enumerable: true, get: function \(\) \{ return (\w+)\.(\w+); \} \}\)$/.exec(
      expression.getText(),
    ) ?? [];
  if (name !== undefined) exports.from.set(name, { imported, original });
}

/** The module that an export comes from, and its name there. An index that passes it on costs every use a call. */
function originOf(modules, id, name) {
  const { exports, imports } = modules.get(id);
  const passedOn = exports.from.get(name);
  if (passedOn !== undefined) {
    const from = imports.find((imported) => imported.name === passedOn.imported)?.id;
    return from === undefined ? { id, name } : originOf(modules, from, passedOn.original);
  }
  if (exports.own.has(name)) return { id, name };
  for (const specifier of exports.all) {
    const origin = originOf(modules, resolved(modules, id, specifier), name);
    if (origin !== undefined) return origin;
  }
  return undefined;
}

/**
 * The code of a module that loads what it imports when it is first used, and takes it from where it is defined. TypeScript writes
 * `const value_1 = require("../value")` and `value_1.known`; that becomes a function that loads it, and `value_value().known`. What all commands
 * that load the module load as well is loaded with it: then each use is spared the call.
 */
function codeOf({ id, code, imports, calls }, modules, together) {
  const edits = [];
  const declarations = new Map();
  for (const { id: from, specifier, statement, uses, isPlain } of imports) {
    if (!isPlain) continue;
    edits.push([statement.getStart(), statement.end, '']);
    for (const access of uses) {
      const { name, id: origin } = (from && originOf(modules, from, access.name.text)) ?? {
        name: access.name.text,
        id: from,
      };
      const variable = `from_${origin ?? specifier}`.replaceAll(/\W/g, '_');
      const isWithIt = origin !== undefined && isLoadedWith(together.get(id), together.get(origin));
      const call = `require("${origin === undefined ? specifier : `#${origin}`}")`;
      declarations.set(
        variable,
        isWithIt
          ? `const ${variable} = ${call};`
          : `let ${variable}_loaded; const ${variable} = () => (${variable}_loaded ??= ${call});`,
      );
      const use = `${variable}${isWithIt ? '' : '()'}.${name}`;
      // The parentheses of `new value_value().Known()` would be those of `new`.
      const isNew = !isWithIt && ts.isNewExpression(access.parent) && access.parent.expression === access;
      edits.push([access.getStart(), access.end, isNew ? `(${use})` : use]);
    }
  }
  for (const { node, specifier, isPromise } of calls) {
    if (edits.some(([start, end]) => start <= node.getStart() && node.end <= end)) continue;
    const call = `require("#${resolved(modules, id, specifier)}")`;
    edits.push([node.getStart(), node.end, isPromise ? `Promise.resolve().then(() => ${call})` : call]);
  }
  edits.sort(([a], [b]) => b - a);
  const text = edits.reduce((text, [start, end, now]) => text.slice(0, start) + now + text.slice(end), code);
  return [...declarations.values(), text].join('\n');
}

function isLoadedWith(commands = [], others = []) {
  return commands.length > 0 && commands.every((command) => others.includes(command));
}

function requiredName(node) {
  if (
    node === undefined ||
    !ts.isCallExpression(node) ||
    !ts.isIdentifier(node.expression) ||
    node.expression.text !== 'require'
  )
    return undefined;
  const [specifier] = node.arguments;
  return specifier !== undefined && ts.isStringLiteral(specifier) ? specifier.text : undefined;
}
