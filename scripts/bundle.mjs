// Puts the compiled modules of dist/lib into a few files, because a command that finds and compiles 700 files has taken most of its time
// before it begins. Each module stays what it was, with a file of its name that gives it: whoever loads one, from here, from constructs or
// from a rule of his own, gets the same.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import ts from 'typescript';
import { generateTemplate } from '../bench/generate-template.mjs';

const SHEBANG = '#!/usr/bin/env node\n';
const EXAMPLES = join(dirname(dirname(fileURLToPath(import.meta.url))), 'examples');

/** @param {string} lib a folder with the compiled modules of lib, which are replaced */
export function bundle(lib) {
  const modules = new Map();
  for (const file of readdirSync(lib, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    const id = file.replaceAll('\\', '/').slice(0, -'.js'.length);
    modules.set(id, loadedWhenUsed(readFileSync(join(lib, file), 'utf8').replace(SHEBANG, ''), file));
    writeFileSync(join(lib, file), fileOf(id));
  }
  write(lib, modules, new Map());
  const index = join(lib, 'bundle', 'index.js');
  write(lib, modules, loadedTogether(index));
  // Named imports of ES modules are known by what stands in the text.
  const load = createRequire(index)('./index.js');
  for (const id of ['index', 'testing/index']) writeFileSync(join(lib, `${id}.js`), fileOf(id, Object.keys(load(id))));
}

/**
 * @param {string} lib
 * @param {Map<string, string>} modules code by id
 * @param {Map<string, string>} together the file of each module that commands load, which stands there with what is loaded with it; the others stand
 *   with those of their folder
 */
function write(lib, modules, together) {
  const files = new Map();
  const places = [...modules.keys()].sort().map((id) => {
    const name = together.get(id) ?? (id.split('/').slice(0, -1).join('-') || 'lib');
    const head = `${JSON.stringify(id)}: `;
    const code = `function (exports, require, module, __dirname, __filename) {\n${modules.get(id)}\n}`;
    // The engine compiles a function in parentheses at once. Of others it first finds the end only, and reads them again when they are called.
    files.set(name, `${files.get(name) ?? ''}${head}${together.has(id) ? `(${code})` : code},\n`);
    return [id, name];
  });
  const folder = join(lib, 'bundle');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, functions] of files)
    writeFileSync(join(folder, `${name}.js`), smaller(`'use strict';\nmodule.exports = {\n${functions}};\n`));
  const table = JSON.stringify(Object.fromEntries(places), undefined, 2);
  writeFileSync(
    join(folder, 'index.js'),
    `'use strict';\nconst { join } = require('node:path');\n\nconst FILES = ${table};\n${LOADER}`,
  );
}

/**
 * Which modules commands load, as their process tells: those that the same commands load stand in one file, so that none reads what it
 * doesn't run. The name of the file says which these are.
 */
function loadedTogether(index) {
  const scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-build-'));
  try {
    const template = join(scratch, 'template.json');
    writeFileSync(template, JSON.stringify(generateTemplate(50)));
    const commands = {
      version: ['--version'],
      rules: ['rules'],
      template: ['check', template],
      terraform: ['check', join(EXAMPLES, 'terraform', 'misconfigured')],
      plan: ['check', join(EXAMPLES, 'terraform', 'plans', 'misconfigured.json')],
    };
    const names = new Map();
    for (const [name, args] of Object.entries(commands))
      for (const id of loadedBy(index, args)) names.set(id, [...(names.get(id) ?? ['used-by']), name]);
    return new Map([...names].map(([id, parts]) => [id, parts.join('-')]));
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
  return transformSync(code, { target: 'node20.9', legalComments: 'none', minifySyntax: true }).code;
}

const LOADER = `
const loaded = new Map();
const lib = join(__dirname, '..');

function load(id) {
  let module = loaded.get(id);
  if (module !== undefined) return module.exports;
  loaded.set(id, (module = { exports: {} }));
  const folder = id.slice(0, id.lastIndexOf('/') + 1);
  const requireFrom = (name) => (name.startsWith('.') ? load(resolved(folder, name)) : require(name));
  try {
    require('./' + FILES[id])[id](module.exports, requireFrom, module, join(lib, folder), join(lib, id + '.js'));
  } catch (error) {
    loaded.delete(id);
    throw error;
  }
  return module.exports;
}

function resolved(folder, name) {
  const parts = folder.split('/').slice(0, -1);
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  const id = parts.join('/').replace(/\\.js$/, '');
  return id in FILES ? id : id === '' ? 'index' : id + '/index';
}

module.exports = load;
module.exports.loaded = loaded;
`;

/** The file that stands where the module was. */
function fileOf(id, names) {
  const up = '../'.repeat(id.split('/').length - 1);
  const code = `${id === 'cli/main' ? SHEBANG : ''}'use strict';\nconst load = require('./${up}bundle/index.js');\nmodule.exports = load('${id}');\n`;
  return names === undefined ? code : `${code}0 && (module.exports = { ${names.join(', ')} });\n`;
}

/**
 * The code of a module that loads what it imports when it is first used. TypeScript writes `const value_1 = require("../value")` and
 * `value_1.known`; that becomes a function that loads it, and `value_1().known`.
 */
function loadedWhenUsed(code, file) {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const imports = new Map();
  for (const statement of source.statements) {
    const [declaration] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
    const specifier =
      declaration === undefined || !ts.isIdentifier(declaration.name)
        ? undefined
        : requiredName(declaration.initializer);
    if (specifier !== undefined && !specifier.startsWith('node:'))
      imports.set(declaration.name.text, { statement, specifier, uses: [], isPlain: true });
  }
  const edits = [];
  visit(source);
  for (const [name, { statement, specifier, uses, isPlain }] of imports) {
    if (!isPlain) continue;
    edits.push([
      statement.getStart(),
      statement.end,
      `let ${name}_loaded; const ${name} = () => (${name}_loaded ??= require("${specifier}"));`,
    ]);
    for (const use of uses) {
      edits.push([use.getStart(), use.end, `${name}()`]);
      const access = use.parent;
      // The parentheses of `new value_1().Known()` would be those of `new`.
      if (ts.isNewExpression(access.parent) && access.parent.expression === access)
        edits.push([access.getStart(), access.getStart(), '('], [access.end, access.end, ')']);
    }
  }
  edits.sort(([a, aEnd], [b, bEnd]) => b - a || bEnd - aEnd);
  return edits.reduce((text, [start, end, replacement]) => text.slice(0, start) + replacement + text.slice(end), code);

  function visit(node) {
    if (ts.isIdentifier(node) && imports.has(node.text)) {
      const found = imports.get(node.text);
      if (ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node) found.uses.push(node);
      else if (!(ts.isVariableDeclaration(node.parent) && node.parent.name === node)) found.isPlain = false;
    }
    const [specifier] =
      ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments : [];
    if (specifier !== undefined && ts.isStringLiteral(specifier) && specifier.text.startsWith('.'))
      edits.push([node.getStart(), node.end, `Promise.resolve().then(() => require(${specifier.getText()}))`]);
    ts.forEachChild(node, visit);
  }
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
