// Regenerates managed-policies.json from a checkout of zoph-io/IAMTrail (stored answers of the IAM API).
import { Checkout, finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments(['checkout of zoph-io/IAMTrail']);
const upstream = new Checkout(paths[0], 'zoph-io/IAMTrail');
const before = readTable('managed-policies');

const policies = Object.fromEntries(Object.keys(before.policies).map((name) => [name, read(name)]));
finish(
  'managed-policies',
  {
    asOf: upstream.head().date,
    sources: [
      { repository: upstream.repository, path: 'policies/<name>', ...upstream.head(), gives: before.sources[0].gives },
    ],
    notes: before.notes,
    policies,
  },
  { check },
);

function read(name) {
  const { PolicyVersion } = JSON.parse(upstream.read(`policies/${name}`));
  return {
    version: PolicyVersion.VersionId,
    created: PolicyVersion.CreateDate.slice(0, 10),
    statements: reduce(name, PolicyVersion.Document.Statement),
  };
}

/** Statements with the same resources and no condition become one; each condition keeps its statement. */
function reduce(name, statements) {
  const plain = new Map();
  const conditional = [];
  for (const statement of list(statements)) {
    if (statement.Effect !== 'Allow' || statement.NotAction !== undefined || statement.NotResource !== undefined) {
      throw new Error(
        `${name} has a statement of a kind that the table can't hold; extend the table and lib/eks/iam/role-permissions.ts`,
      );
    }
    const resources = list(statement.Resource);
    const actions = list(statement.Action);
    if (statement.Condition !== undefined)
      conditional.push({ actions: [...actions].sort(), resources, conditional: true });
    else
      plain.set(JSON.stringify(resources), {
        actions: [...(plain.get(JSON.stringify(resources))?.actions ?? []), ...actions],
        resources,
      });
  }
  return [
    ...[...plain.values()].map(({ actions, resources }) => ({ actions: [...new Set(actions)].sort(), resources })),
    ...conditional,
  ];
}

function list(value) {
  return Array.isArray(value) ? value : [value];
}
