import { defineRule, resourceName, type Judgement } from '../../engine';
import { ADDON_VERSION } from '../parts/repair-effects';
import { defaultAddonVersion, newestAddonVersion, parseMinor } from '../../knowledge';
import { Absent, textOf, type Addon, type ClusterView, type EksModel, type Plain } from '../../eks';
import { isAddon } from '../../eks/analysis/addon';
import { judgeCases, unverifiable, type Outcome } from '../parts/case-judgements';

/*
 * kube-proxy may be older than the API server by some minor versions, but never newer. EKS doesn't update the add-on with the cluster.
 * Source: Kubernetes, version skew policy.
 */

/** How many minor versions kube-proxy may lag, from this version of it on and before. */
const SKEW = { from: 25, lag: 3, lagBefore: 2 } as const;

const CODE = {
  cloudformation: 'AddonVersion: {{suggestion}}',
  'aws-cdk': "addonVersion: '{{suggestion}}',",
  terraform: 'addon_version = "{{suggestion}}"',
};

export const kubeProxyVersionSkew = defineRule<Message>({
  id: 'kube-proxy-version-skew',
  subject: 'node-group',
  title: 'The version of kube-proxy fits the Kubernetes version of the cluster',
  severity: 'error',
  since: '0.1.0',
  messages: {
    ahead: {
      text: "Add-on {{name}} (kube-proxy) has the version {{version}}, but its cluster has Kubernetes {{cluster}}. A kube-proxy that is newer than the control plane isn't supported.",
      fix: {
        summary: 'Upgrade the cluster first, or use a kube-proxy of Kubernetes {{cluster}}{{example}}.',
        code: CODE,
        safety: 'needs-decision',
        repairs: [{ kind: 'set', field: 'version', to: '{{suggestion}}' }],
        effect: ADDON_VERSION,
      },
    },
    tooOld: {
      text: "Add-on {{name}} (kube-proxy) has the version {{version}}, {{lag}} minor versions behind its cluster ({{cluster}}), and kube-proxy may lag by {{allowed}} at most. What it makes of Services isn't defined any more.",
      fix: {
        summary: 'Use a kube-proxy of Kubernetes {{cluster}}{{example}}.',
        code: CODE,
        safety: 'needs-decision',
        repairs: [{ kind: 'set', field: 'version', to: '{{suggestion}}' }],
        effect: ADDON_VERSION,
      },
    },
    behind: {
      text: "Add-on {{name}} (kube-proxy) has the version {{version}}, {{lag}} behind its cluster ({{cluster}}). EKS doesn't update it with the cluster, and {{allowed}} minor versions are the most that it may lag.",
      fix: {
        summary: 'Use a kube-proxy of Kubernetes {{cluster}}{{example}}.',
        code: CODE,
        safety: 'needs-decision',
        repairs: [{ kind: 'set', field: 'version', to: '{{suggestion}}' }],
        effect: ADDON_VERSION,
      },
    },
  },
  *check(model) {
    for (const addon of model.addons)
      if (isAddon(addon, 'kube-proxy') === 'yes' && addon.isImplied !== true) yield* judge(addon, model);
  },
});

type Message = 'ahead' | 'tooOld' | 'behind';

/** EKS began with Kubernetes 1.10. Source: Amazon EKS user guide, "Document history". */
const FIRST_MINOR = 10;

function judge(addon: Addon, model: EksModel): Iterable<Judgement<Message>> {
  const view = model.viewOf(addon);
  const { version } = addon;
  return judgeCases(addon, { version, ofCluster: view.cluster?.version ?? new Absent(addon.source) }, (values) =>
    judgeVersion(addon, view, values.version, values.ofCluster),
  );
}

/** How kube-proxy stands to the control plane. */
interface KubeProxySkew {
  /** Minor versions that it is older; negative if it is newer. */
  readonly lag: number;
  /** The most that it may be older. */
  readonly allowed: number;
}

/**
 * The skew of a kube-proxy of one minor version in a cluster of another. @param minor `33` for 1.33
 * @internal tests ask it directly, with more cases than configurations could show
 */
export function kubeProxySkew(minor: number, clusterMinor: number): KubeProxySkew {
  return { lag: clusterMinor - minor, allowed: minor < SKEW.from ? SKEW.lagBefore : SKEW.lag };
}

function judgeVersion(
  addon: Addon,
  { cluster, name }: ClusterView,
  version: Plain<string>,
  ofCluster: Plain<string>,
): readonly Outcome<Message>[] {
  if (version.kind === 'absent') return [];
  const text = textOf(version) ?? '';
  // The patch and the build may come from elsewhere: `v1.33.${Patch}-eksbuild.1`.
  const [, written] = /^v(1\.\d+)\./.exec(text) ?? [];
  const minor = written === undefined ? undefined : parseMinor(written);
  const open = (reason: string): readonly Outcome<Message>[] => [unverifiable(reason, version.source)];
  // No version at all is for the rule about add-on versions to tell.
  if (minor === undefined && version.kind === 'known') return [];
  if (cluster === undefined)
    return open(`cluster ${name} is not part of the input, so that its Kubernetes version isn't known`);
  if (ofCluster.kind === 'absent') return open(`cluster ${resourceName(cluster)} declares no Kubernetes version`);
  if (addon.stack === cluster.stack && followsCluster(text, ofCluster)) return [{ verdict: 'pass' }];
  if (minor === undefined)
    return open(`its version isn't known${version.kind === 'unknown' ? `: ${version.reason}` : ''}`);
  if (ofCluster.kind === 'unknown') return open(`the version of its cluster isn't known: ${ofCluster.reason}`);
  const clusterMinor = parseMinor(ofCluster.value);
  if (clusterMinor === undefined)
    return open(`the version of its cluster can't be told: "${ofCluster.value.slice(0, 40)}" is no version like 1.33`);
  // That EKS never had such a version, mostly 1.30 as a number, is for cluster-version-support to tell.
  if (clusterMinor < FIRST_MINOR) return [];
  const { lag, allowed } = kubeProxySkew(minor, clusterMinor);
  if (lag === 0) return [{ verdict: 'pass' }];
  const suggestion =
    defaultAddonVersion('kube-proxy', ofCluster.value) ?? newestAddonVersion('kube-proxy', ofCluster.value);
  const data = {
    name: resourceName(addon),
    version: text,
    cluster: ofCluster.value,
    lag: lag === 1 && allowed >= lag ? 'one minor version' : lag > allowed ? String(lag) : `${lag} minor versions`,
    allowed: String(allowed),
    suggestion: suggestion ?? `v${ofCluster.value}.0-eksbuild.1`,
    example: suggestion === undefined ? '' : `, for instance \`${suggestion}\``,
  };
  const related = [{ message: `Kubernetes version of the cluster: ${ofCluster.value}`, source: ofCluster.source }];
  const fail = { verdict: 'fail', source: version.source, data, related } as const;
  if (lag < 0) return [{ ...fail, message: 'ahead' }];
  return [lag > allowed ? { ...fail, message: 'tooOld' } : { ...fail, message: 'behind', severity: 'warning' }];
}

/** Whether one parameter gives both versions: `1.${Minor}` and `v1.${Minor}.0-eksbuild.1`. */
function followsCluster(text: string, ofCluster: Plain<string>): boolean {
  return (
    ofCluster.kind === 'unknown' &&
    ofCluster.text !== undefined &&
    /^(?:1\.)?\$\{[^{}]+\}$/.test(ofCluster.text) &&
    text.startsWith(`v${ofCluster.text}.`)
  );
}
