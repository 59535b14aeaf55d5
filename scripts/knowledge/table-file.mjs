// Reads upstream checkouts and writes the tables of lib/knowledge/data. No network: a checkout is a git directory on this machine.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dataFolder = join(dirname(fileURLToPath(import.meta.url)), '../../lib/knowledge/data');

/** Reads the command line: one path for each name in `inputs`, in that order, and `--check`. Ends the process on wrong use. */
export function parseArguments(inputs) {
  const args = process.argv.slice(2);
  const paths = args.filter((arg) => arg !== '--check');
  if (paths.length !== inputs.length || paths.some((path) => path.startsWith('-'))) {
    console.error(`usage: node ${process.argv[1]} ${inputs.map((name) => `<${name}>`).join(' ')} [--check]`);
    process.exit(2);
  }
  return { paths, check: args.includes('--check') };
}

/** A repository on this machine, read at a revision rather than from its files, so that the table's provenance is exact. */
export class Checkout {
  constructor(path, repository) {
    this.path = path;
    this.repository = repository;
  }

  git(...args) {
    return execFileSync('git', ['-C', this.path, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  read(path, revision = 'HEAD') {
    return this.git('show', `${revision}:${path}`);
  }

  /** The texts of many files, by one process of git. */
  readAll(paths, revision = 'HEAD') {
    const answer = execFileSync('git', ['-C', this.path, 'cat-file', '--batch'], {
      input: paths.map((path) => `${revision}:${path}\n`).join(''),
      maxBuffer: 1 << 28,
    });
    let at = 0;
    return paths.map((path) => {
      const end = answer.indexOf('\n', at);
      const [, kind, size] = answer.toString('utf8', at, end).split(' ');
      if (kind !== 'blob') throw new Error(`${this.repository} has no file ${path}`);
      at = end + 1 + Number(size) + 1;
      return answer.toString('utf8', end + 1, at - 1);
    });
  }

  list(folder, revision = 'HEAD') {
    return this.git('ls-tree', '-r', '--name-only', revision, folder).split('\n').filter(Boolean);
  }

  tags(pattern) {
    return this.git('tag', '--list', pattern).split('\n').filter(Boolean);
  }

  /** The newest revision that still has the path, which may have been deleted since. */
  lastRevisionOf(path) {
    const [newest] = this.git('rev-list', 'HEAD', '--', path).split('\n');
    if (!newest) throw new Error(`${this.repository} never had ${path}`);
    try {
      this.git('cat-file', '-e', `${newest}:${path}`);
      return newest;
    } catch {
      return this.git('rev-parse', `${newest}^`).trim();
    }
  }

  /** Entry of a table's `sources`: the last commit that changed the path, or `revision` itself. */
  source(path, gives, { revision = 'HEAD', displayPath = path } = {}) {
    const log = (...args) => this.git('log', '-1', '--abbrev=7', '--format=%h %cs', ...args).trim();
    const [commit, date] = (log(revision, '--', path) || log(revision)).split(' ');
    return { repository: this.repository, path: displayPath, commit, date, gives };
  }

  head() {
    const [commit, date] = this.git('log', '-1', '--abbrev=7', '--format=%h %cs').trim().split(' ');
    return { commit, date };
  }
}

export function readTable(name) {
  return JSON.parse(readFileSync(join(dataFolder, `${name}.json`), 'utf8'));
}

/**
 * Writes a table, or with `check` compares it with the one that is there and sets the exit code to 1 when its content
 * differs. Provenance (`asOf`, `sources`) isn't compared: the same content can come from a newer commit.
 */
export function finish(name, table, { check, carriedOver = [] }) {
  for (const remark of carriedOver) console.log(`carried over, not recomputed: ${remark}`);
  const before = readTable(name);
  const differences = compare(withoutProvenance(before), withoutProvenance(table));
  for (const line of differences.slice(0, 40)) console.log(line);
  if (differences.length > 40) console.log(`… and ${differences.length - 40} more`);
  if (check) {
    console.log(
      differences.length === 0 ? `${name}: the table is up to date` : `${name}: ${differences.length} differences`,
    );
    if (differences.length > 0) process.exitCode = 1;
    return;
  }
  writeFileSync(join(dataFolder, `${name}.json`), render(table));
  console.log(`${name}: written, ${differences.length} changes`);
}

function withoutProvenance(table) {
  return Object.fromEntries(Object.entries(table).filter(([key]) => key !== 'asOf' && key !== 'sources'));
}

/** One line per difference: path, old value, new value. List items with a name are compared by it. */
function compare(before, after, path = '') {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const keyOf = (item) => item?.path ?? item?.name ?? item?.version;
  const keyed = (list) =>
    Array.isArray(list) && list.length > 0 && list.every((item) => typeof keyOf(item) === 'string')
      ? Object.fromEntries(list.map((item) => [keyOf(item), item]))
      : list;
  const [left, right] = [keyed(before), keyed(after)];
  const isTextList = (value) => Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (isTextList(before) && isTextList(after)) {
    const added = after.filter((item) => !before.includes(item)).map((item) => `+${item}`);
    const removed = before.filter((item) => !after.includes(item)).map((item) => `-${item}`);
    return [`${path}: ${[...removed, ...added].join(' ') || 'order of entries changed'}`];
  }
  const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap(left) || !isMap(right)) return [`${path}: ${short(before)} -> ${short(after)}`];
  const found = [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((key) =>
    compare(left[key], right[key], path === '' ? key : `${path} › ${key}`),
  );
  return found.length > 0 ? found : [`${path}: order of entries changed`];
}

function short(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

/** JSON with one entry of a list or map a line, so that a change of the table is a readable diff. */
export function render(table) {
  const entries = Object.entries(table).map(([key, value]) => ` ${JSON.stringify(key)}: ${renderValue(key, value)}`);
  return `{\n${entries.join(',\n')}\n}\n`;
}

const oneLineEach = new Set([
  'sources',
  'notes',
  'keys',
  'neverAccepted',
  'variables',
  'fatalAtStart',
  'amiTypes',
  'defaultWhenOmitted',
  'versions',
  'types',
  'addons',
  'policies',
  'none',
  'paths',
  'byVersion',
  'calledButUndocumented',
  'gates',
  'optionalAndComputed',
  'blocks',
  'apis',
]);

function renderValue(key, value) {
  if (!oneLineEach.has(key)) return JSON.stringify(value);
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') && key === 'versions'
      ? JSON.stringify(value)
      : `[\n${value.map((item) => `  ${JSON.stringify(item)}`).join(',\n')}\n ]`;
  return `{\n${Object.entries(value)
    .map(([name, item]) => `  ${JSON.stringify(name)}: ${renderEntry(item)}`)
    .join(',\n')}\n }`;
}

function renderEntry(item) {
  if (!Array.isArray(item.versions)) return JSON.stringify(item);
  const { versions, ...rest } = item;
  const head = Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{${[...head, '"versions": [\n'].join(', ')}${versions.map((version) => `   ${JSON.stringify(version)}`).join(',\n')}\n  ]}`;
}

/** Compares add-on versions by their numbers; a preview comes before build 1. */
export function compareAddonVersions(a, b) {
  const numbers = (version) => (version.replace(/preview$/, '0').match(/\d+/g) ?? []).map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
