'use strict';
// Loads the modules of lib from the files of this folder. scripts/bundle.mjs puts it here, as index.js, and writes the table.
const {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { basename, dirname, join, sep } = require('node:path');

const { files, packages, build } = JSON.parse(readFileSync(join(__dirname, 'table.json'), 'utf8'));
const lib = join(__dirname, '..');
const fileOf = new Map(Object.entries(files).flatMap(([file, ids]) => ids.map((id) => [id, file])));
const loaded = new Map();
/** Gives what a file of this folder exports. */
let open = (file) => require(join(__dirname, file));

function load(id) {
  let module = loaded.get(id);
  if (module !== undefined) return module.exports;
  loaded.set(id, (module = { exports: {} }));
  const file = lib + sep + id.replaceAll('/', sep) + '.js';
  try {
    open(fileOf.get(id))[id](module.exports, requireFrom, module, file.slice(0, file.lastIndexOf(sep)), file);
  } catch (error) {
    loaded.delete(id);
    throw error;
  }
  return module.exports;
}

/** Gives a module of lib by its id, which begins with #, and any other as require does. */
function requireFrom(name) {
  if (name.startsWith('#')) return load(name.slice(1));
  return packages.includes(name) ? open(`packages/${name}.js`) : require(name);
}

/**
 * Keeps what the engine made of the code when the process ends, and begins with it the next time: to compile it takes a third of a check's time.
 * It is kept where tools keep such things, in `.cache` of the folder `node_modules` that has this package, by a name that no other build and no
 * engine or flags that can't use it have. Where nobody may write there, nothing is kept. Node.js' own cache (module.enableCompileCache) has a third of
 * the effect, and 20 has none; the variable that turns it off does so here.
 */
function keepCompiled() {
  const place = [dirname(dirname(dirname(lib))), join(dirname(dirname(lib)), 'node_modules')].find(
    (folder) => basename(folder) === 'node_modules' && statSync(folder, { throwIfNoEntry: false }) !== undefined,
  );
  const { Script, constants } = require('node:vm');
  // Without it, code from a string can't import the modules of a user.
  const importModuleDynamically = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  if (place === undefined || importModuleDynamically === undefined || process.env.NODE_DISABLE_COMPILE_CACHE) return;
  const kept = join(place, '.cache', 'eks-guardrails', 'compiled');
  const folder = join(kept, `${build}-${require('node:v8').cachedDataVersionTag()}`);
  const opened = new Map();
  const scripts = new Map();
  let isFresh = false;

  open = (name) => {
    const before = opened.get(name);
    if (before !== undefined) return before.exports;
    const filename = join(__dirname, name);
    const cachedData = compiledBefore(join(folder, basename(name)), filename);
    const script = new Script(`(function (exports, require, module) {${readFileSync(filename, 'latin1')}\n})`, {
      filename,
      cachedData,
      importModuleDynamically,
    });
    scripts.set(basename(name), script);
    isFresh ||= cachedData === undefined || script.cachedDataRejected;
    const module = { exports: {} };
    opened.set(name, module);
    script.runInThisContext().call(module.exports, module.exports, require, module);
    return module.exports;
  };
  // What was called by then is compiled as a whole, besides all that was kept before.
  process.on('exit', () => {
    try {
      mkdirSync(folder, { recursive: true });
      if (isTime(folder) || isFresh) keep(kept, folder, scripts);
    } catch {
      // It is only slower without.
    }
  });
}

/** Undefined if there is nothing, or if somebody has changed the source by hand since: he wants to see what the change does. */
function compiledBefore(file, source) {
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (written === undefined || written <= statSync(source).mtimeMs) return undefined;
  // It stands there twice: the engine runs whatever it is given, and crashes where a disk has lost some of it. A checksum takes longer to load than this.
  const twice = readFileSync(file);
  const code = twice.subarray(0, twice.length / 2);
  return code.equals(twice.subarray(code.length)) ? code : undefined;
}

/** Which code a process calls depends on what it checks, so the second, the fourth, the eighth … keep theirs, too. */
function isTime(folder) {
  const runs = join(folder, 'runs');
  appendFileSync(runs, '.');
  const { size } = statSync(runs);
  return (size & (size - 1)) === 0;
}

function keep(kept, folder, scripts) {
  for (const [name, script] of scripts) {
    // Another process may be reading it.
    const unfinished = join(folder, `${name}.${process.pid}`);
    const code = script.createCachedData();
    writeFileSync(unfinished, Buffer.concat([code, code]));
    renameSync(unfinished, join(folder, name));
  }
  for (const name of readdirSync(kept))
    if (!name.startsWith(`${build}-`)) rmSync(join(kept, name), { recursive: true, force: true });
}

module.exports = load;
module.exports.loaded = loaded;
module.exports.keepCompiled = keepCompiled;
