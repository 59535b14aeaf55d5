// Stands in the bundle, for the command: loads its files as V8 compiled them when the package was built, if this is the same V8. That is an eighth
// of a check. V8 takes nothing that it didn't write in this very version for a text of this length, and compiles the file then. Programs load
// the bundle as any other module: Jest gives modules globals of their own, which they wouldn't have here.
'use strict';

const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const folder = join(__dirname, 'compiled', [process.versions.v8, process.platform, process.arch].join('-'));
/** What was loaded here, by its name in the bundle. */
const files = new Map();

exports.isThere = () => existsSync(folder);

/** @param {string} name */
exports.load = function load(name) {
  let file = files.get(name);
  if (file === undefined) files.set(name, (file = read(name)));
  return file.module.exports;
};

/** Has what will have been used by the end of this process written, for files of which nothing is there yet. */
exports.write = function write() {
  process.on('exit', () => {
    for (const [name, { script }] of files) {
      const compiled = compiledOf(name);
      if (existsSync(compiled)) continue;
      mkdirSync(dirname(compiled), { recursive: true });
      writeFileSync(compiled, script.createCachedData());
    }
  });
};

function read(name) {
  const filename = join(__dirname, `${name}.js`);
  const compiled = compiledOf(name);
  const script = new Script(`(function (exports, require, module) { ${readFileSync(filename, 'utf8')}\n})`, {
    filename,
    cachedData: existsSync(compiled) ? readFileSync(compiled) : undefined,
  });
  const module = { exports: {} };
  // They import nothing but modules of Node.js.
  script.runInThisContext()(module.exports, require, module);
  return { module, script };
}

function compiledOf(name) {
  return join(folder, `${name}.v8`);
}
