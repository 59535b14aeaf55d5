// Regenerates controller-permissions.json from checkouts with history: of kubernetes-sigs/aws-load-balancer-controller and its tags
// docs/install/iam_policy.json at every release; of aws/eks-charts, kubernetes-sigs/external-dns and kubernetes/autoscaler which version
// each chart installs.
// ExternalDNS's actions, what is needed at all, service account and flags were read in documentation and code, and are carried over.
import { Checkout, compareAddonVersions, finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments([
  'checkout of kubernetes-sigs/aws-load-balancer-controller',
  'checkout of aws/eks-charts',
  'checkout of kubernetes-sigs/external-dns',
  'checkout of kubernetes/autoscaler',
]);
const upstream = new Checkout(paths[0], 'kubernetes-sigs/aws-load-balancer-controller');
const eksCharts = new Checkout(paths[1], 'aws/eks-charts');
const externalDns = new Checkout(paths[2], 'kubernetes-sigs/external-dns');
const eksChart = 'stable/aws-load-balancer-controller/Chart.yaml';
const externalDnsChart = 'charts/external-dns/Chart.yaml';
const autoscaler = new Checkout(paths[3], 'kubernetes/autoscaler');
/** Where it is, and where it was until October 2025. */
const autoscalerCharts = [
  'cluster-autoscaler/charts/cluster-autoscaler/Chart.yaml',
  'charts/cluster-autoscaler/Chart.yaml',
];
const before = readTable('controller-permissions');
const page = 'docs/install/iam_policy.json';

const releases = upstream
  .tags('v*')
  .filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag) && Number(tag.slice(1).split('.')[0]) >= 2)
  .sort(compareAddonVersions);
if (releases.length === 0) throw new Error('the checkout has no release tags');
const [first, last] = [releases[0], releases.at(-1)];
const base = actionsAt(first);
const additions = [];
let known = new Set(base);
for (const tag of releases.slice(1)) {
  const actions = actionsAt(tag);
  const add = actions.filter((action) => !known.has(action));
  const removed = [...known].filter((action) => !actions.includes(action));
  if (removed.length > 0) console.log(`${tag} has no longer ${removed.join(', ')}; the table only holds additions`);
  if (add.length > 0) additions.push({ since: tag.slice(1), add });
  known = new Set([...known, ...actions]);
}
const iso = actionsAt(last, 'docs/install/iam_policy_iso.json');
const { date } = upstream.head();
finish(
  'controller-permissions',
  {
    ...before,
    asOf: date > before.asOf ? date : before.asOf,
    sources: [
      {
        repository: upstream.repository,
        path: page,
        commit: `${first} to ${last}`,
        date: upstream.git('log', '-1', '--format=%cs', last).trim(),
        gives: before.sources[0].gives,
      },
      before.sources[1],
      eksCharts.source(eksChart, 'charts of the Load Balancer Controller'),
      externalDns.source(externalDnsChart, 'charts of ExternalDNS'),
      autoscaler.source(autoscalerCharts[0], 'charts of the Cluster Autoscaler'),
    ],
    loadBalancerController: {
      ...before.loadBalancerController,
      latestTagChecked: last.slice(1),
      baseVersion: first.slice(1),
      base,
      additions,
      notInIsoPartitions: actionsAt(last).filter((action) => !iso.includes(action)),
      charts: versionsByChart(eksCharts, [eksChart]),
    },
    externalDns: { ...before.externalDns, charts: versionsByChart(externalDns, [externalDnsChart]) },
    clusterAutoscaler: { charts: versionsByChart(autoscaler, autoscalerCharts) },
  },
  {
    check,
    carriedOver: ["ExternalDNS's actions, what is needed at all, service account, statement changes and flags"],
  },
);

function actionsAt(tag, path = page) {
  const { Statement } = JSON.parse(upstream.read(path, tag));
  return [...new Set(Statement.flatMap(({ Action }) => Action))].sort();
}

/** Which version each version of a chart installs, oldest first: as the last commit of that chart version says. */
function versionsByChart(checkout, paths) {
  const versions = new Map();
  for (const commit of checkout
    .git('log', '--reverse', '--format=%H', 'HEAD', '--', ...paths)
    .split('\n')
    .filter(Boolean)) {
    for (const path of paths) {
      let text;
      try {
        text = checkout.read(path, commit);
      } catch {
        continue;
      }
      const [, chart] = /^version: *"?v?([\d.]+)"?\s*$/m.exec(text) ?? [];
      const [, app] = /^appVersion: *"?v?(\d+\.\d+\.\d+)/m.exec(text) ?? [];
      if (chart !== undefined && app !== undefined) versions.set(chart, app);
    }
  }
  return Object.fromEntries([...versions].sort(([a], [b]) => compareAddonVersions(a, b)));
}
