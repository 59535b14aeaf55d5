// Regenerates the statements of the AWS Load Balancer Controller in controller-policies.json from a checkout of
// kubernetes-sigs/aws-load-balancer-controller with its tags: those of the newest release. It then compares what the table makes of each release and
// partition with what is published there, and prints the differences. Regenerate controller-permissions first.
import { Checkout, compareAddonVersions, finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments(['checkout of kubernetes-sigs/aws-load-balancer-controller']);
const upstream = new Checkout(paths[0], 'kubernetes-sigs/aws-load-balancer-controller');
const before = readTable('controller-policies');
const { additions, base, notInIsoPartitions } = readTable('controller-permissions').loadBalancerController;
const { since } = before.loadBalancerController;
const page = 'docs/install/iam_policy.json';

/** What a partition's policy is called there. */
const PARTITIONS = {
  aws: '',
  'aws-cn': '_cn',
  'aws-us-gov': '_us-gov',
  'aws-iso': '_iso',
  'aws-iso-b': '_isob',
  'aws-iso-e': '_isoe',
  'aws-iso-f': '_isof',
  'aws-eusc': '_eusc',
};

const releases = upstream
  .tags('v*')
  .filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag) && compareAddonVersions(tag.slice(1), since) >= 0)
  .sort(compareAddonVersions);
const last = releases.at(-1);
if (last === undefined) throw new Error('the checkout has no release tags');
const statements = statementsAt(last, 'aws');

for (const tag of releases)
  for (const partition of Object.keys(PARTITIONS)) {
    const published = statementsAt(tag, partition);
    if (published !== undefined && textOf(published) !== textOf(derived(tag.slice(1), partition)))
      console.log(`${tag}: the policy for ${partition} is not the newest without later actions`);
  }

finish(
  'controller-policies',
  {
    ...before,
    sources: [
      {
        ...before.sources[0],
        commit: last,
        date: upstream.git('log', '-1', '--format=%cs', last).trim(),
      },
      ...before.sources.slice(1),
    ],
    loadBalancerController: { since, newest: last.slice(1), statements },
  },
  { check, carriedOver: ['what the Cluster Autoscaler and Karpenter may do'] },
);

function statementsAt(tag, partition) {
  let text;
  try {
    text = upstream.read(page.replace('.json', `${PARTITIONS[partition]}.json`), tag);
  } catch {
    return undefined;
  }
  return JSON.parse(text).Statement.map(({ Action, Resource, Condition }) => ({
    actions: [Action].flat().sort(),
    resources: [Resource].flat().map((resource) => resource.replace(`arn:${partition}:`, 'arn:${partition}:')),
    ...(Condition === undefined ? {} : { condition: Condition }),
  }));
}

/** The statements that the table gives a release. */
function derived(version, partition) {
  const later = additions.filter((one) => compareAddonVersions(one.since, version) > 0).flatMap(({ add }) => add);
  const lacking = new Set([...later, ...(partition.startsWith('aws-iso') ? notInIsoPartitions : [])]);
  const unknown = statements.flatMap(({ actions }) => actions).filter((action) => !isKnown(action));
  if (unknown.length > 0) throw new Error(`controller-permissions has no ${unknown.join(', ')}; regenerate it first`);
  return statements.map((statement) => ({
    ...statement,
    actions: statement.actions.filter((action) => !lacking.has(action)),
  }));
}

function isKnown(action) {
  return base.includes(action) || additions.some(({ add }) => add.includes(action));
}

/** Statements as text in which order counts nowhere. */
function textOf(value) {
  const sorted = (one) => {
    if (Array.isArray(one)) return one.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(
      Object.keys(one)
        .sort()
        .map((key) => [key, sorted(one[key])]),
    );
  };
  return JSON.stringify(sorted(value));
}
