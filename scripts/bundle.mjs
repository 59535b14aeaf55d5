// Puts the compiled modules of dist/lib into a few files, because a command that finds and compiles 700 files has taken most of its time
// before it begins. Each module stays what it was, with a file of its name that gives it: whoever loads one, from here, from constructs or
// from a rule of his own, gets the same.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';

const SHEBANG = '#!/usr/bin/env node\n';

/** @param {string} lib a folder with the compiled modules of lib, which are replaced */
export function bundle(lib) {
  const modules = new Map();
  const folders = new Map();
  for (const file of readdirSync(lib, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    const id = file.replaceAll('\\', '/').slice(0, -'.js'.length);
    const code = loadedWhenUsed(readFileSync(join(lib, file), 'utf8').replace(SHEBANG, ''), file);
    const name = id.split('/').slice(0, -1).join('-') || 'lib';
    modules.set(id, name);
    const functions = folders.get(name) ?? [];
    functions.push(`${JSON.stringify(id)}(exports, require, module, __dirname, __filename) {\n${code}\n},\n`);
    folders.set(name, functions);
  }
  mkdirSync(join(lib, 'bundle'));
  for (const [name, functions] of folders)
    writeFileSync(join(lib, 'bundle', `${name}.js`), `'use strict';\nmodule.exports = {\n${functions.join('')}};\n`);
  const index = join(lib, 'bundle', 'index.js');
  const table = JSON.stringify(Object.fromEntries([...modules].sort()), undefined, 2);
  writeFileSync(index, `'use strict';\nconst { join } = require('node:path');\n\nconst FILES = ${table};\n${LOADER}`);
  for (const id of modules.keys()) writeFileSync(join(lib, `${id}.js`), fileOf(id));
  // Named imports of ES modules are known by what stands in the text.
  const load = createRequire(index)('./index.js');
  for (const id of ['index', 'testing/index']) writeFileSync(join(lib, `${id}.js`), fileOf(id, Object.keys(load(id))));
}

const LOADER = `
const loaded = new Map();

function load(id) {
  let module = loaded.get(id);
  if (module !== undefined) return module.exports;
  loaded.set(id, (module = { exports: {} }));
  const folder = id.slice(0, id.lastIndexOf('/') + 1);
  const lib = join(__dirname, '..');
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
