// Regenerates managed-policies-index.json from a checkout of zoph-io/IAMTrail (stored answers of the IAM API).
import { Checkout, finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments(['checkout of zoph-io/IAMTrail']);
const upstream = new Checkout(paths[0], 'zoph-io/IAMTrail');
const before = readTable('managed-policies-index');
const { actions } = before;
const listed = new Map(
  JSON.parse(upstream.read('policies-list.json')).Policies.map(({ PolicyName, Path }) => [PolicyName, Path.slice(1)]),
);

const policies = {};
const none = [];
for (const path of upstream.list('policies/').sort()) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const answer = upstream.read(path);
  // A policy that AWS has deleted.
  if (answer === '') continue;
  const summary = summarize(JSON.parse(answer).PolicyVersion.Document.Statement);
  if (Object.keys(summary).length === 0) none.push(name);
  else policies[name] = summary;
}
finish(
  'managed-policies-index',
  {
    asOf: upstream.head().date,
    sources: [
      { repository: upstream.repository, path: 'policies/<name>', ...upstream.head(), gives: before.sources[0].gives },
      {
        repository: upstream.repository,
        path: 'policies-list.json',
        ...upstream.head(),
        gives: before.sources[1].gives,
      },
    ],
    notes: before.notes,
    actions,
    paths: Object.fromEntries(Object.keys(before.paths).map((name) => [name, pathOf(name)])),
    policies,
    none,
  },
  { check },
);

function pathOf(name) {
  const path = listed.get(name);
  if (path === undefined) throw new Error(`${name} is no longer listed: take it out of the paths`);
  return path;
}

/** Which of the actions the statements allow on everything, allow in part, and deny somewhere. */
function summarize(statements) {
  const found = { allow: new Set(), limited: new Set(), deny: new Set() };
  for (const statement of list(statements)) {
    const isWhole = statement.Condition === undefined && list(statement.Resource ?? []).includes('*');
    const kind = statement.Effect === 'Deny' ? 'deny' : isWhole ? 'allow' : 'limited';
    for (const [index, action] of actions.entries()) if (names(statement, action)) found[kind].add(index);
  }
  for (const index of found.allow) found.limited.delete(index);
  return Object.fromEntries(
    Object.entries(found).flatMap(([kind, indices]) => (indices.size === 0 ? [] : [[kind, ranges([...indices])]])),
  );
}

function names({ Action, NotAction }, action) {
  if (NotAction !== undefined) return !list(NotAction).some((pattern) => matches(pattern, action));
  return list(Action).some((pattern) => matches(pattern, action));
}

function matches(pattern, action) {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 'i').test(action);
}

/** `0-3 7`: places in the list of actions. */
function ranges(indices) {
  const runs = [];
  for (const index of indices.sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else runs.push([index, index]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(' ');
}

function list(value) {
  return Array.isArray(value) ? value : [value];
}
