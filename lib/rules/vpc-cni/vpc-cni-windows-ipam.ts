import { defineRule, resourceName, type Judgement, type RelatedPlace } from '../../engine';
import { ADDON_ROLLS } from '../parts/repair-effects';
import { compareVersions, defaultAddonVersion, vpcCni } from '../../knowledge';
import {
  alternativesOf,
  cniCasesOf,
  cniTitleWithin,
  dataAt,
  entriesOf,
  isDataMap,
  otherCnisOf,
  Unknown,
  windowsIpamObjectsOf,
  type ClusterView,
  type CniCase,
  type When,
  type WindowsIpamObject,
  distinct,
  eachWith,
  without,
} from '../../eks';
import { isAddon } from '../../eks/analysis/addon';
import { listOf } from '../../text/in-words';
import { namesOf, windowsGroupsOf, type WindowsGroup } from '../node-bootstrap/parts/windows-groups';
import { MOST_PLACES } from './parts/pod-security-groups';
import { isToldElsewhere } from './parts/told-elsewhere';

/*
 * On Windows not the VPC CNI hands out the addresses of pods, but a controller in the control plane, which a ConfigMap switches on.
 * Source: Amazon EKS user guide, "Deploy Windows nodes on EKS clusters"; aws/amazon-vpc-resource-controller-k8s.
 */

const SETTING = 'enableWindowsIpam';

const CODE = {
  cloudformation: 'ConfigurationValues: \'{"enableWindowsIpam":"true"}\'',
  'aws-cdk': "configurationValues: { enableWindowsIpam: 'true' }, // a string",
  terraform: 'configuration_values = jsonencode({ enableWindowsIpam = "true" })',
};

const ADDON = {
  cloudformation: [
    'VpcCni:',
    '  Type: AWS::EKS::Addon',
    '  Properties:',
    '    ClusterName: !Ref Cluster',
    '    AddonName: vpc-cni',
    '    AddonVersion: {{version}}',
    '    ResolveConflicts: PRESERVE',
    '    PreserveOnDelete: true',
    '    ConfigurationValues: \'{"enableWindowsIpam":"true"}\'',
  ].join('\n'),
  'aws-cdk': [
    '// behind the cluster:',
    "new eks.CfnAddon(this, 'VpcCni', {",
    '  clusterName: cluster.clusterName,',
    "  addonName: 'vpc-cni',",
    "  addonVersion: '{{version}}',",
    "  resolveConflicts: 'PRESERVE',",
    '  preserveOnDelete: true,',
    "  configurationValues: JSON.stringify({ enableWindowsIpam: 'true' }),",
    '});',
  ].join('\n'),
  terraform: [
    'resource "aws_eks_addon" "vpc_cni" {',
    '  cluster_name                = aws_eks_cluster.main.name',
    '  addon_name                  = "vpc-cni"',
    '  addon_version               = "{{version}}"',
    '  resolve_conflicts_on_update = "PRESERVE"',
    '  configuration_values        = jsonencode({ enableWindowsIpam = "true" })',
    '}',
  ].join('\n'),
};

export const vpcCniWindowsIpam = defineRule<Message>({
  id: 'vpc-cni-windows-ipam',
  subject: 'vpc-cni',
  title: 'A cluster with Windows nodes has the addresses of Windows pods switched on, in one place',
  severity: 'error',
  since: '0.1.0',
  messages: {
    off: {
      text: '{{cni}} leaves `enableWindowsIpam` off, and the cluster has Windows node groups: {{groups}}. Pods on their nodes get no address and stay ContainerCreating.',
      // It updates an add-on that runs, which its conflict mode may make more of; and in a new cluster the ConfigMap of the self-managed copy says otherwise.
      fix: {
        summary: 'Set `enableWindowsIpam` to `"true"` in the configuration values{{hint}}.',
        code: CODE,
        safety: 'needs-decision',
        repairs: [{ kind: 'setData', field: 'configuration', at: 'enableWindowsIpam', to: '"true"' }],
        effect: ADDON_ROLLS,
      },
    },
    missing: {
      text: 'Cluster "{{cluster}}" has Windows node groups ({{groups}}), and as far as the input shows nothing switches the addresses of Windows pods on. Without `enable-windows-ipam` pods on their nodes stay ContainerCreating.',
      fix: {
        summary:
          'Manage the VPC CNI as an add-on and set `enableWindowsIpam`, or apply the ConfigMap `kube-system/amazon-vpc-cni` with `enable-windows-ipam: "true"`.',
        summaryIn: {
          eksctl: 'Add vpc-cni to `addons`, with `{"enableWindowsIpam":"true"}` as its `configurationValues`.',
        },
        code: ADDON,
        safety: 'needs-decision',
      },
    },
    twice: {
      text: '{{object}} writes `enable-windows-ipam` ("{{value}}") into the ConfigMap `amazon-vpc-cni`, which {{cni}} owns ("{{own}}"). {{effect}}',
      fix: {
        summary: 'Set `enableWindowsIpam` in the configuration values, and take the ConfigMap out of the code.',
        summaryIn: {
          eksctl:
            'Set `enableWindowsIpam` to `"true"` in the `configurationValues` of vpc-cni: both then write the same.',
        },
        code: CODE,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) {
      const objects = windowsIpamObjectsOf(view);
      yield* judgeOwners(view, objects);
      const windows = windowsGroupsOf(view);
      if (windows.length > 0) yield* judgeView(view, windows, objects);
    }
  },
});

type Message = 'off' | 'missing' | 'twice';

const TOO_MANY = 'where it is switched on depends on too many conditions at once';

/** Two that write the same ConfigMap. */
function* judgeOwners(view: ClusterView, objects: readonly WindowsIpamObject[]): Generator<Judgement<Message>> {
  for (const { resource, isOn, source, when } of objects) {
    if (isOn === undefined) continue;
    const judgements = ownersOf(view).flatMap((one): readonly Judgement<Message>[] => {
      const both = when.and(one.when);
      const own = one.settings.switch(SETTING);
      if (both === undefined || own.kind === 'unknown' || !ownsConfigMap(one)) return [];
      const agree = (own.kind === 'on') === isOn;
      // eksctl writes it wherever the file has Windows groups, which nobody can take out. Source: eksctl-io/eksctl, pkg/windows/ipam.go.
      const isOfEksctl = resource.dialect.name === 'eksctl';
      const data = {
        object: isOfEksctl
          ? 'For the Windows groups of the file eksctl itself'
          : `${resource.kind === 'manifest' ? 'Manifest' : 'Patch'} "${resourceName(resource)}"`,
        value: String(isOn),
        cni: nameOf(one, 'the'),
        own: String(own.kind === 'on'),
        effect: agree
          ? 'Both agree now; a change in one place only is undone by the other.'
          : 'The next update of either puts its own value back, or stops with a conflict.',
      };
      return [
        {
          verdict: 'fail',
          message: 'twice',
          severity: agree ? 'info' : 'warning',
          resource,
          source,
          data,
          related: [{ message: `${nameOf(one, '')} writes the ConfigMap too`, source: one.source }],
          when: both,
        },
      ];
    });
    for (const judgement of judgements) yield { ...judgement, when: judgement.when ?? when };
  }
}

/** What makes the ConfigMap by its configuration. The DaemonSet as a manifest has nothing to do with it. */
function ownersOf(view: ClusterView): readonly CniCase[] {
  return cniCasesOf(view).filter(({ resource }) => resource.kind !== 'manifest');
}

/** Whether the version has the ConfigMap; one that isn't pinned is a current one. */
function ownsConfigMap({ addon, version, unknownVersion }: CniCase): boolean {
  if (addon === undefined) return true;
  const since = vpcCni.key(SETTING)?.since;
  return version === undefined
    ? unknownVersion === undefined
    : since === undefined || compareVersions(version, since) >= 0;
}

function* judgeView(
  view: ClusterView,
  windows: readonly WindowsGroup[],
  objects: readonly WindowsIpamObject[],
): Generator<Judgement<Message>> {
  const all = distinct(windows.map(({ when }) => when));
  const byObjects = objects.filter(({ isOn }) => isOn === true).map(({ when }) => when);
  const doubt = doubtOf(view, objects);
  const cni = ownersOf(view);
  const judgements = cni.flatMap((one) => judgeCase(one, windows, without(eachWith(all, one.when), byObjects), doubt));
  for (const resource of new Set(cni.map((one) => one.resource))) {
    yield* judgements.filter((judgement) => judgement.resource === resource);
  }
  const uncovered = without(
    all,
    cni.map(({ when }) => when),
  );
  const rest = uncovered === undefined ? undefined : without(uncovered, byObjects);
  if (rest?.length === 0) {
    if (cni.length === 0 && view.cluster !== undefined) yield { verdict: 'pass', resource: view.cluster };
    return;
  }
  yield* judgeUnmanaged(view, windows, rest, doubt);
}

function judgeCase(
  one: CniCase,
  windows: readonly WindowsGroup[],
  rest: readonly When[] | undefined,
  doubt: string | undefined,
): readonly Judgement<Message>[] {
  const { resource, settings, source, when } = one;
  const own = settings.switch(SETTING);
  // Nothing to judge where there are no Windows nodes together with this configuration.
  if (!windows.some((group) => group.when.and(when) !== undefined)) return [];
  if (own.kind === 'on' || rest?.length === 0) return [{ verdict: 'pass', resource, when }];
  if ((one.addon !== undefined && isMisplaced(one)) || isToldElsewhere(one, SETTING)) return [];
  const hidden =
    own.kind === 'unknown'
      ? `it has Windows nodes, and whether ${SETTING} is on isn't known: ${own.unknown.reason}`
      : doubt;
  if (rest === undefined || hidden !== undefined)
    return [{ verdict: 'unverifiable', resource, reason: hidden ?? TOO_MANY, source, when }];
  const concerned = windows.filter((group) => rest.some((part) => part.and(group.when) !== undefined));
  const since = vpcCni.key(SETTING)?.since;
  const isOld = one.version !== undefined && since !== undefined && compareVersions(one.version, since) < 0;
  const hint = isOld
    ? `, which version ${since} and later take; for ${one.version} apply the ConfigMap \`amazon-vpc-cni\` with \`enable-windows-ipam: "true"\``
    : '';
  const data = { cni: nameOf(one, 'The'), groups: groupsOf(concerned), hint };
  return rest.map((condition) => ({
    verdict: 'fail',
    message: 'off',
    resource,
    source,
    data,
    related: placesOf(concerned),
    when: condition,
  }));
}

function* judgeUnmanaged(
  view: ClusterView,
  windows: readonly WindowsGroup[],
  rest: readonly When[] | undefined,
  doubt: string | undefined,
): Generator<Judgement<Message>> {
  const { cluster } = view;
  const [first] = windows;
  if (first === undefined) return;
  if (cluster === undefined) {
    yield {
      verdict: 'unverifiable',
      resource: first.group,
      reason: `it runs Windows, and cluster ${view.name} is not part of the input, nor is what configures its VPC CNI`,
    };
    return;
  }
  const hidden = doubt ?? unnamedOf(view) ?? cluster.otherInstallers?.[0];
  if (rest === undefined || hidden !== undefined) {
    yield { verdict: 'unverifiable', resource: cluster, reason: `it has Windows nodes, and ${hidden ?? TOO_MANY}` };
    return;
  }
  const concerned = windows.filter(({ when }) => rest.some((part) => part.and(when) !== undefined));
  const minor = cluster.version.kind === 'known' ? cluster.version.value : undefined;
  const data = {
    cluster: resourceName(cluster),
    groups: groupsOf(concerned),
    version: (minor === undefined ? undefined : defaultAddonVersion('vpc-cni', minor)) ?? '<version>',
  };
  for (const when of rest)
    yield {
      verdict: 'fail',
      message: 'missing',
      severity: 'warning',
      resource: cluster,
      data,
      related: placesOf(concerned),
      when,
    };
}

/** Why the ConfigMap may be there although it isn't seen, or not be needed. */
function doubtOf(view: ClusterView, objects: readonly WindowsIpamObject[]): string | undefined {
  const { manifests, patches } = view;
  // Cilium doesn't run on Windows.
  const other = otherCnisOf(view).find(({ plugin }) => plugin !== undefined && plugin !== 'Cilium');
  if (other !== undefined) return other.reason;
  const open = objects.find(({ isOn }) => isOn === undefined);
  if (open !== undefined) return `what ${open.resource.id} writes into the ConfigMap amazon-vpc-cni isn't known`;
  for (const { object, id } of manifests) {
    const parts = [dataAt(object, 'kind'), dataAt(object, 'metadata', 'name'), dataAt(object, 'metadata', 'namespace')];
    const fits = parts.every(
      (part, index) => part instanceof Unknown || part === ['ConfigMap', 'amazon-vpc-cni', 'kube-system'][index],
    );
    if (fits && parts.some((part) => part instanceof Unknown)) return `what ${id} applies isn't known`;
  }
  const patch = patches.find(({ target }) => alternativesOf(target).some(({ value }) => value.kind === 'unknown'));
  return patch === undefined ? undefined : `what ${patch.id} patches isn't known`;
}

/** Something that may be the VPC CNI's add-on or chart, but whose name isn't known. */
function unnamedOf({ addons, helmReleases }: ClusterView): string | undefined {
  const addon = addons.find((one) => isAddon(one, 'vpc-cni') === 'maybe');
  if (addon !== undefined) return `add-on ${addon.id}, whose name isn't known, may be vpc-cni`;
  const release = helmReleases.find(({ chart }) => alternativesOf(chart).some(({ value }) => value.kind !== 'known'));
  return release === undefined ? undefined : `which chart ${release.id} installs isn't known`;
}

/** Whether the setting stands somewhere in the configuration values where it has no effect: EKS refuses it there, which another rule tells. */
function isMisplaced({ settings: { data } }: CniCase): boolean {
  return [[], ['env'], ['init'], ['init', 'env'], ['nodeAgent']].some((path) => {
    const map = dataAt(data, ...path);
    return (
      isDataMap(map) &&
      entriesOf(map).some(
        ([key]) =>
          (path.length > 0 || key !== SETTING) && key.replaceAll(/[-_]/g, '').toLowerCase() === SETTING.toLowerCase(),
      )
    );
  });
}

function nameOf({ resource }: CniCase, article: string): string {
  return `${article === '' ? '' : `${article} `}${cniTitleWithin(resource, '"')}`;
}

function groupsOf(windows: readonly WindowsGroup[]): string {
  return listOf(namesOf(windows.map(({ group }) => group)));
}

function placesOf(windows: readonly WindowsGroup[]): readonly RelatedPlace[] {
  return [...new Set(windows.map(({ group }) => group))]
    .slice(0, MOST_PLACES)
    .map((group) => ({ message: `Windows node group "${resourceName(group)}"`, source: group.source }));
}
