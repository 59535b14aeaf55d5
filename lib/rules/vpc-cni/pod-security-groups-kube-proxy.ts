import { defineRule, resourceName, type Judgement, type RelatedPlace } from '../../engine';
import { ADDON_ROLLS } from '../parts/repair-effects';
import {
  alternativesOf,
  always,
  cniCasesOnNodes,
  cniTitleWithin,
  dataAt,
  isMountedConfigMap,
  objectName,
  Unknown,
  type ClusterView,
  type CniCase,
  type EksModel,
  type KubernetesManifest,
  type Source,
  type When,
} from '../../eks';
import { configurationAt, isAddon } from '../../eks/analysis/addon';
import { MOST_PLACES, podEniOf } from './parts/pod-security-groups';

/*
 * In strict mode all traffic of a pod with its own security groups leaves the node through its branch interface, past what handles
 * traffic on the node: IPVS, NodeLocal DNSCache, Calico.
 * Source: aws/amazon-vpc-cni-k8s, README, POD_SECURITY_GROUP_ENFORCING_MODE; Amazon EKS user guide, "Assign security groups to individual pods".
 */

const STANDARD_MODE = [
  { kind: 'setData', field: 'configuration', at: 'env.POD_SECURITY_GROUP_ENFORCING_MODE', to: '"standard"' },
] as const;

const STANDARD = {
  cloudformation:
    'ConfigurationValues: \'{"env":{"ENABLE_POD_ENI":"true","POD_SECURITY_GROUP_ENFORCING_MODE":"standard"}}\'',
  'aws-cdk': [
    'configurationValues: {',
    "  env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'standard' },",
    '},',
  ].join('\n'),
  terraform: [
    'configuration_values = jsonencode({',
    '  env = { ENABLE_POD_ENI = "true", POD_SECURITY_GROUP_ENFORCING_MODE = "standard" }',
    '})',
  ].join('\n'),
};

export const podSecurityGroupsKubeProxy = defineRule<Message>({
  id: 'pod-security-groups-kube-proxy',
  subject: 'vpc-cni',
  title:
    'Pods with security groups of their own in strict mode have a kube-proxy in iptables mode, and no node-local DNS or Calico policies',
  severity: 'error',
  since: '0.1.0',
  messages: {
    mode: {
      text: "kube-proxy runs in mode {{mode}}, while {{cni}} gives pods security groups in mode strict{{default}}, which works with iptables only. Pods with security groups of their own can't reach Services.",
      fix: {
        summary:
          'Set `env.POD_SECURITY_GROUP_ENFORCING_MODE` to `standard`, or run kube-proxy in mode iptables. Pods that exist must be started again.',
        code: STANDARD,
        safety: 'needs-decision',
        repairs: STANDARD_MODE,
        effect: ADDON_ROLLS,
      },
    },
    nodeLocalDns: {
      text: "{{what}} installs NodeLocal DNSCache, while {{cni}} gives pods security groups in mode strict{{default}}. Pods with security groups of their own can't reach a DNS server on their node, so names don't resolve there.",
      fix: {
        summary: 'Set `env.POD_SECURITY_GROUP_ENFORCING_MODE` to `standard`. Pods that exist must be started again.',
        code: STANDARD,
        safety: 'needs-decision',
        repairs: STANDARD_MODE,
        effect: ADDON_ROLLS,
      },
    },
    calico: {
      text: "{{what}} brings Calico, while {{cni}} gives pods security groups in mode strict{{default}}. Network policies of Calico don't apply to pods with security groups of their own.",
      fix: {
        summary: 'Set `env.POD_SECURITY_GROUP_ENFORCING_MODE` to `standard`. Pods that exist must be started again.',
        code: STANDARD,
        safety: 'needs-decision',
        repairs: STANDARD_MODE,
        effect: ADDON_ROLLS,
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) yield* judgeView(view, model);
  },
});

type Message = 'mode' | 'nodeLocalDns' | 'calico';

/** Something that strict mode doesn't go with, or may not. */
interface Obstacle {
  readonly message: Message;
  /** For `mode`: the mode; else what brings it. */
  readonly what: string;
  readonly severity: 'error' | 'warning';
  /** Why it isn't certain; undefined if it is. */
  readonly doubt: string | undefined;
  readonly place: RelatedPlace;
  readonly when: When;
}

function* judgeView(view: ClusterView, model: EksModel): Generator<Judgement<Message>> {
  const concerned = cniCasesOnNodes(view, model).filter(({ settings }) => podEniOf(settings).kind !== 'off');
  if (concerned.length === 0) return;
  const obstacles = [...kubeProxyModes(view), ...neighbours(view)];
  for (const resource of new Set(concerned.map((one) => one.resource))) {
    yield* concerned.flatMap((one) => (one.resource === resource ? judge(one, obstacles) : []));
  }
}

function judge(one: CniCase, obstacles: readonly Obstacle[]): readonly Judgement<Message>[] {
  const { resource, settings, source, when } = one;
  const podEni = podEniOf(settings);
  const mode = settings.setting('env.POD_SECURITY_GROUP_ENFORCING_MODE');
  // Any other text stops aws-node, which another rule tells.
  if (mode.kind !== 'unknown' && mode.text !== undefined && mode.text !== 'strict')
    return mode.text === 'standard' ? [{ verdict: 'pass', resource, when }] : [];
  const doubt =
    podEni.kind === 'unknown'
      ? `whether ENABLE_POD_ENI is on isn't known: ${podEni.unknown.reason}`
      : mode.kind === 'unknown'
        ? `its POD_SECURITY_GROUP_ENFORCING_MODE isn't known: ${mode.unknown.reason}`
        : undefined;
  const met = new Set<string>();
  const judgements = obstacles.flatMap((obstacle): readonly Judgement<Message>[] => {
    const both = when.and(obstacle.when);
    if (both === undefined) return [];
    const reason = doubt ?? obstacle.doubt;
    if (reason !== undefined) return [{ verdict: 'unverifiable', resource, reason, source, when: both }];
    // Several manifests of one thing are one finding.
    const key = `${obstacle.message}|${both.text}`;
    if (met.has(key)) return [];
    met.add(key);
    const name = resourceName(resource);
    const data = {
      cni: cniTitleWithin(resource, '"'),
      default: mode.kind === 'default' ? ' (the default)' : '',
      mode: obstacle.what,
      what: obstacle.what,
    };
    const { severity } = obstacle;
    const related = [
      { message: `${name} sets env.ENABLE_POD_ENI`, source },
      ...obstacles
        .filter(
          (other) =>
            other.message === obstacle.message && other.doubt === undefined && both.and(other.when) !== undefined,
        )
        .map(({ place }) => place),
    ].slice(0, MOST_PLACES);
    return [{ verdict: 'fail', message: obstacle.message, severity, resource, source, data, related, when: both }];
  });
  const certain = judgements.filter(({ verdict }) => verdict === 'fail');
  if (certain.length > 0) return certain;
  return judgements.length > 0 ? judgements.slice(0, 1) : [{ verdict: 'pass', resource, when }];
}

/** The modes of kube-proxy other than iptables. */
function kubeProxyModes({ addons, manifests, patches }: ClusterView): readonly Obstacle[] {
  const ofAddons = addons
    .filter((addon) => isAddon(addon, 'kube-proxy') === 'yes')
    .flatMap((addon) =>
      alternativesOf(configurationAt(addon, 'mode')).flatMap(({ when, value }): readonly Obstacle[] => {
        const both = addon.exists.and(when);
        const name = `add-on "${resourceName(addon)}"`;
        if (both === undefined || value.kind === 'absent') return [];
        if (value.kind === 'unknown')
          return [
            modeObstacle(
              '',
              both,
              { message: `${name} configures kube-proxy`, source: value.source },
              `the mode of kube-proxy isn't known: ${value.reason}`,
            ),
          ];
        return ofMode(value.value, both, { message: `${name} sets the mode of kube-proxy`, source: value.source });
      }),
    );
  const ofObjects = [
    ...manifests.filter(isProxyConfig).map((one) => ({ one, object: one.object, when: always })),
    ...patches.flatMap((one) =>
      alternativesOf(one.target).flatMap(({ when, value }) =>
        value.kind === 'known' && /^(?:configmaps?|cm)\/kube-proxy-config$/.test(value.value)
          ? [{ one, object: one.patch, when }]
          : [],
      ),
    ),
  ].flatMap(({ one, object, when }): readonly Obstacle[] => {
    const config = dataAt(object, 'data', 'config');
    const both = one.exists.and(when);
    // The configuration is YAML within the object; the mode stands at its top.
    const [, mode] =
      (typeof config === 'string' ? /^mode:[ \t]*["']?([a-z]+)["']?[ \t]*(?:#.*)?$/m.exec(config) : null) ?? [];
    return both === undefined || mode === undefined
      ? []
      : ofMode(mode, both, { message: `${resourceName(one)} sets the mode of kube-proxy`, source: one.source });
  });
  return [...ofAddons, ...ofObjects];
}

function isProxyConfig({ object }: KubernetesManifest): boolean {
  return isMountedConfigMap(object, 'kube-proxy-config') && dataAt(object, 'metadata', 'namespace') === 'kube-system';
}

function ofMode(mode: unknown, when: When, place: RelatedPlace): readonly Obstacle[] {
  return mode === 'ipvs' || mode === 'nftables' ? [modeObstacle(mode, when, place, undefined)] : [];
}

function modeObstacle(mode: string, when: When, place: RelatedPlace, doubt: string | undefined): Obstacle {
  return { message: 'mode', what: mode, severity: mode === 'nftables' ? 'warning' : 'error', doubt, place, when };
}

/** NodeLocal DNSCache and Calico, by their charts and objects. */
function neighbours({ helmReleases, manifests }: ClusterView): readonly Obstacle[] {
  const obstacle = (message: 'nodeLocalDns' | 'calico', what: string, source: Source, when: When): Obstacle => ({
    message,
    what,
    severity: 'warning',
    doubt: undefined,
    place: { message: what, source },
    when,
  });
  return [
    ...helmReleases.flatMap((release) =>
      alternativesOf(release.chart).flatMap(({ when, value }): readonly Obstacle[] => {
        const both = release.exists.and(when);
        const message = value.kind === 'known' ? neighbourOfChart(value.value) : undefined;
        return both === undefined || message === undefined
          ? []
          : [obstacle(message, `Helm release "${resourceName(release)}"`, release.source, both)];
      }),
    ),
    ...manifests.flatMap((manifest): readonly Obstacle[] => {
      const message = neighbourOfObject(manifest);
      if (message === undefined) return [];
      const kind = dataAt(manifest.object, 'kind');
      const what = `${typeof kind === 'string' ? kind : 'manifest'} "${objectName(manifest)}"`;
      return [obstacle(message, what, manifest.source, manifest.exists)];
    }),
  ];
}

function neighbourOfChart(chart: string): 'nodeLocalDns' | 'calico' | undefined {
  const name = chart.slice(chart.lastIndexOf('/') + 1);
  if (/^node-?local-?dns/.test(name)) return 'nodeLocalDns';
  return name === 'tigera-operator' || name === 'calico' || name === 'aws-calico' ? 'calico' : undefined;
}

function neighbourOfObject({ object }: KubernetesManifest): 'nodeLocalDns' | 'calico' | undefined {
  if (object instanceof Unknown) return undefined;
  const kind = dataAt(object, 'kind');
  const name = dataAt(object, 'metadata', 'name');
  const api = dataAt(object, 'apiVersion');
  if (kind === 'DaemonSet' && (name === 'node-local-dns' || name === 'nodelocaldns')) return 'nodeLocalDns';
  if (kind === 'DaemonSet' && name === 'calico-node') return 'calico';
  if (typeof api !== 'string') return undefined;
  if (api.startsWith('operator.tigera.io/') && kind === 'Installation') return 'calico';
  return /^(?:crd\.)?projectcalico\.org\//.test(api) && (kind === 'NetworkPolicy' || kind === 'GlobalNetworkPolicy')
    ? 'calico'
    : undefined;
}
