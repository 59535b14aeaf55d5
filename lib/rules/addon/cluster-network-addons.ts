// A cluster without the add-ons that EKS installs by itself has no CNI unless somebody brings one, and without a CNI no node becomes Ready.
// Source: EKS API, CreateCluster, bootstrapSelfManagedAddons.
import { defineRule, resourceName, type Judgement } from '../../engine';
import {
  alternativesOf,
  casesOf,
  except,
  launchTemplateOf,
  networkOf,
  textOf,
  type Addon,
  type Cluster,
  type ClusterView,
  type EksModel,
  type NetworkPart,
  type NetworkSoftware,
  type NodeGroup,
  type Plain,
  type Source,
  type When,
} from '../../eks';
import { defaultAddonVersion } from '../../knowledge';
import { runsWindows } from '../../eks/analysis/cni';
import { listOf } from '../../text/in-words';
import { meantName } from '../../text/nearest';

type MessageId = 'no-cni' | 'late-cni' | 'incomplete';

const code = {
  cloudformation: '{{inTemplate}}',
  'aws-cdk': '{{inCdk}}',
  terraform: '{{inTerraform}}',
  'terraform-module': '{{inModule}}',
} as const;

export const clusterNetworkAddons = defineRule<MessageId>({
  id: 'cluster-network-addons',
  subject: 'addon',
  title: 'A cluster without bootstrap add-ons gets its CNI, kube-proxy and CoreDNS from somewhere',
  severity: 'error',
  since: '0.1.0',
  isAboutCode: true,
  messages: {
    'no-cni': {
      text: 'Cluster {{cluster}} is created without the add-ons that EKS installs by itself, and the input holds no vpc-cni add-on and no other CNI{{others}}{{slips}}. The nodes of {{groups}} never become Ready ("cni plugin not initialized"), and the node group fails.',
      fix: {
        summary: 'Declare vpc-cni, kube-proxy and coredns as add-ons.',
        summaryIn: {
          eksctl:
            'Add vpc-cni, kube-proxy and coredns to `addons`, or take `addonsConfig.disableDefaultAddons` out, with which eksctl leaves them out.',
        },
        code,
        safety: 'needs-decision',
      },
    },
    'late-cni': {
      text: 'Cluster {{cluster}} is created without the add-ons that EKS installs by itself, and add-on {{late}} is created only after {{groups}}. Without a CNI the nodes never become Ready ("cni plugin not initialized"), and the node group fails before the add-on has its turn.',
      fix: {
        summary:
          'Create the vpc-cni add-on before the nodes: `before_compute = true` in terraform-aws-modules/eks, elsewhere without the dependency on the node group.',
        code: {
          'terraform-module': ['addons = {', '  vpc-cni = {', '    before_compute = true', '  }', '}'].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    incomplete: {
      text: 'Cluster {{cluster}} is created without the add-ons that EKS installs by itself, and the input holds no {{missing}}{{slips}}: {{effect}}.',
      fix: {
        summary: 'Declare {{declare}} too.',
        summaryIn: {
          eksctl:
            'Add {{declareInConfig}} to `addons`, or take `addonsConfig.disableDefaultAddons` out, with which eksctl leaves them out.',
        },
        code,
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const view of model.clusterViews) {
      const { cluster } = view;
      if (cluster === undefined || cluster.planned?.action === 'update' || cluster.planned?.action === 'none') continue;
      yield* casesOf(cluster, {
        bootstrap: cluster.bootstrapSelfManagedAddons,
        autoMode: cluster.autoMode,
        onOutpost: cluster.onOutpost,
      }).flatMap(({ when, values }) => {
        const both = cluster.exists.and(when);
        return both === undefined ? [] : judge(cluster, view, model, values, both);
      });
    }
  },
});

interface Facts {
  readonly bootstrap: Plain<boolean>;
  readonly autoMode: Plain<boolean>;
  readonly onOutpost: Plain<boolean>;
}

function judge(
  cluster: Cluster,
  view: ClusterView,
  model: EksModel,
  { bootstrap, autoMode, onOutpost }: Facts,
  when: When,
): readonly Judgement<MessageId>[] {
  if (bootstrap.kind === 'absent' || (bootstrap.kind === 'known' && bootstrap.value)) return [];
  if ((autoMode.kind === 'known' && autoMode.value) || onOutpost.kind !== 'absent') return [];
  const groups = nodesOf(cluster, view, when);
  if (groups.length === 0) return [];
  const common = { resource: cluster, source: bootstrap.source };
  const { software, doubts, doubtsInPods } = networkOf(view, model);
  const lacking = (part: NetworkPart) => {
    const bringing = software.filter((one) => one.part === part || (part === 'kube-proxy' && one.isOther));
    const without = (group: Nodes, some: readonly NetworkSoftware[]) =>
      some
        .reduce<readonly When[]>((rest, one) => except(rest, one.when), [group.when])
        .map((rest) => ({ ...group, when: rest }));
    return {
      part,
      groups: groups.flatMap((group) => {
        const never = without(group, bringing);
        // What comes too late for some nodes is there in the end.
        if (never.length > 0 || part !== 'cni') return never;
        const waiting = (...answers: readonly unknown[]) =>
          bringing.filter(({ addon }) => answers.includes(addon?.waitsFor?.(group.group)));
        const behind = (some: readonly NetworkSoftware[]) => {
          const [late] = some.flatMap(({ addon }) => addon ?? []);
          return late === undefined
            ? []
            : without(
                group,
                bringing.filter((one) => !some.includes(one)),
              ).map((one) => ({ ...one, late }));
        };
        const surely = behind(waiting(true));
        return surely.length > 0
          ? surely
          : behind(waiting(true, 'unknown')).map((one) => ({ ...one, doubt: "whether it does isn't known" }));
      }),
    };
  };
  const cni = lacking('cni');
  const others = [lacking('kube-proxy'), lacking('coredns')].filter((one) => one.groups.length > 0);
  const missing = cni.groups.length > 0 ? cni : others[0];
  if (missing === undefined) return [{ ...common, when, verdict: 'pass' }];
  const lost = others.map(({ part }) => NAMES[part]);
  const [late] = cni.groups.flatMap((group) => group.late ?? []);
  const comeAfter = cni.groups.map(({ group }) => new Set(cluster.installersAfter?.(group)));
  // What waits for the nodes brings no CNI before; nor does what itself waits for one, unless its pods have nodes that need none.
  const isTooLate = (doubt: string): boolean =>
    missing === cni &&
    (comeAfter.every((names) => names.has(doubt)) ||
      (!startsPodsElsewhere(view) &&
        (doubtsInPods.get(doubt) === 'surely' || (late !== undefined && doubtsInPods.has(doubt)))));
  const certain = missing.groups.filter(({ doubt }) => doubt === undefined);
  const [open] = [
    ...(bootstrap.kind === 'unknown'
      ? [`whether it is created with the add-ons of EKS isn't known (${bootstrap.reason})`]
      : []),
    ...(autoMode.kind === 'unknown' ? [`whether it has Auto Mode isn't known (${autoMode.reason})`] : []),
    ...doubts.filter((doubt) => !isTooLate(doubt)),
    ...(certain.length === 0 ? missing.groups.flatMap(({ doubt }) => doubt ?? []) : []),
  ];
  const found =
    late === undefined
      ? `the input holds no ${missing === cni ? NAMES.cni : lost.join(' and no ')}`
      : `add-on ${resourceName(late)} ${missing.groups.some(({ group }) => late.waitsFor?.(group) === true) ? 'waits' : 'may wait'} for the nodes`;
  if (open !== undefined) return [{ ...common, when, verdict: 'unverifiable', reason: `${found}, and ${open}` }];
  return byCondition(certain).map(({ when: held, groups: names, related, late: addon }): Judgement<MessageId> => {
    const data = {
      cluster: resourceName(cluster),
      id: cluster.id,
      groups: listOf(names),
      others: lost.length === 0 ? '' : `, nor ${lost.join(' nor ')}`,
      slips: slipsIn(view, [...new Set([missing.part, ...others.map(({ part }) => part)])]),
    };
    const place = { ...common, when: held, related };
    if (addon !== undefined)
      return {
        ...place,
        source: addon.source,
        verdict: 'fail',
        message: 'late-cni',
        data: { ...data, late: resourceName(addon) },
      };
    if (missing === cni)
      return {
        ...place,
        verdict: 'fail',
        message: 'no-cni',
        data: { ...data, ...codeOf(cluster, ['cni', ...others.map(({ part }) => part)]) },
      };
    const effect = others.map(({ part }) => EFFECTS[part]).join(', and ');
    return {
      ...place,
      verdict: 'fail',
      severity: 'warning',
      message: 'incomplete',
      data: {
        ...data,
        missing: lost.join(' and no '),
        declareInConfig: listOf(others.map(({ part }) => part)),
        declare: lost.length === 1 ? `${lost[0] ?? ''} as an add-on` : `${listOf(lost)} as add-ons`,
        effect,
        ...codeOf(
          cluster,
          others.map(({ part }) => part),
        ),
      },
    };
  });
}

const ADDONS: Readonly<Record<NetworkPart, { readonly id: string; readonly name: string; readonly settings: object }>> =
  {
    cni: { id: 'VpcCni', name: 'vpc-cni', settings: { ResolveConflicts: 'PRESERVE', PreserveOnDelete: true } },
    'kube-proxy': { id: 'KubeProxy', name: 'kube-proxy', settings: {} },
    coredns: { id: 'CoreDns', name: 'coredns', settings: {} },
  };

/** The add-ons that are missing, with the versions that EKS would choose. */
function codeOf(
  { id, version }: Cluster,
  parts: readonly NetworkPart[],
): Readonly<Record<'inTemplate' | 'inCdk' | 'inTerraform' | 'inModule', string>> {
  const minor = version.kind === 'known' ? version.value : undefined;
  const addons = parts.map((part) => {
    const { name, settings, id: ownId } = ADDONS[part];
    const chosen = minor === undefined ? undefined : defaultAddonVersion(name, minor);
    return { ownId, name, settings: chosen === undefined ? settings : { AddonVersion: chosen, ...settings } };
  });
  const inTemplate = addons.flatMap(({ ownId, name, settings }) => [
    `${ownId}:`,
    '  Type: AWS::EKS::Addon',
    '  Properties:',
    `    ClusterName: !Ref ${id}`,
    `    AddonName: ${name}`,
    ...Object.entries(settings).map(([key, value]) => `    ${key}: ${String(value)}`),
  ]);
  const inCdk = addons.flatMap(({ ownId, name, settings }) => [
    `new eks.CfnAddon(this, '${ownId}', {`,
    '  clusterName: cluster.clusterName,',
    `  addonName: '${name}',`,
    ...Object.entries(settings).map(
      ([key, value]) =>
        `  ${key.charAt(0).toLowerCase()}${key.slice(1)}: ${typeof value === 'string' ? `'${value}'` : String(value)},`,
    ),
    '});',
  ]);
  const inTerraform = addons.map(({ name, settings }) => {
    const lines: readonly (readonly [string, string])[] = [
      ['cluster_name', 'aws_eks_cluster.main.name'],
      ['addon_name', `"${name}"`],
      ...('AddonVersion' in settings ? [['addon_version', `"${String(settings.AddonVersion)}"`] as const] : []),
      ...('ResolveConflicts' in settings ? [['resolve_conflicts_on_update', '"PRESERVE"'] as const] : []),
      ...('PreserveOnDelete' in settings ? [['preserve', 'true'] as const] : []),
    ];
    const width = Math.max(...lines.map(([key]) => key.length));
    return [
      `resource "aws_eks_addon" "${name.replaceAll('-', '_')}" {`,
      ...lines.map(([key, value]) => `  ${key.padEnd(width)} = ${value}`),
      '}',
    ].join('\n');
  });
  const inModule = addons.map(({ name, settings }) =>
    'ResolveConflicts' in settings
      ? [
          `  ${name} = {`,
          ...('AddonVersion' in settings ? [`    addon_version = "${String(settings.AddonVersion)}"`] : []),
          '    before_compute = true',
          '    resolve_conflicts_on_update = "PRESERVE"',
          '  }',
        ].join('\n')
      : `  ${name} = {}`,
  );
  return {
    inModule: ['addons = {', ...inModule, '}'].join('\n'),
    inTerraform: inTerraform.join('\n\n'),
    inTemplate: inTemplate.join('\n'),
    inCdk: ['// behind the cluster:', ...inCdk].join('\n'),
  };
}

/** Add-ons that are meant to be one of those, by their names but for a few letters. */
function slipsIn({ addons }: ClusterView, parts: readonly NetworkPart[]): string {
  const right = parts.map((part) => ADDONS[part].name);
  const slips = addons.flatMap((addon) =>
    alternativesOf(addon.name).flatMap(({ value }) => {
      const meant = value.kind === 'known' ? meantName(value.value, right) : undefined;
      return value.kind !== 'known' || meant === undefined
        ? []
        : [`EKS has no add-on \`${value.value}\`, as ${resourceName(addon)} names it, but \`${meant}\``];
    }),
  );
  return slips.length === 0 ? '' : ` (${[...new Set(slips)].join('; ')})`;
}

const NAMES: Readonly<Record<NetworkPart, string>> = { cni: 'CNI', 'kube-proxy': 'kube-proxy', coredns: 'CoreDNS' };
const EFFECTS: Readonly<Record<NetworkPart, string>> = {
  cni: '',
  'kube-proxy': 'nothing on the nodes reaches a Service by its address',
  coredns: "pods can't resolve names",
};

/** Linux nodes of a cluster, under one assumption. */
interface Nodes {
  readonly group: NodeGroup;
  /** Why it isn't sure that they need what the input shows; undefined if it is. */
  readonly doubt: string | undefined;
  readonly when: When;
  /** The add-on with the CNI, if it waits for the nodes. */
  readonly late?: Addon | undefined;
}

function nodesOf(cluster: Cluster, view: ClusterView, when: When): readonly Nodes[] {
  return view.nodeGroups.flatMap((group): readonly Nodes[] => {
    const both = group.exists.and(when);
    if (both === undefined || runsWindows(group, view) || startsNone(group)) return [];
    return [{ group, doubt: doubtOf(group, cluster), when: both }];
  });
}

/** Of a group without nodes, nothing shows until it grows. */
function startsNone({ desiredSize, minSize }: NodeGroup): boolean {
  const sizes = alternativesOf(desiredSize).map(({ value }) =>
    value.kind === 'absent' ? alternativesOf(minSize).map((least) => least.value) : [value],
  );
  return sizes.flat().some((value) => value.kind === 'known' && Number(value.value) === 0);
}

function doubtOf(group: NodeGroup, cluster: Cluster): string | undefined {
  const name = resourceName(group);
  if (group.stack !== cluster.stack)
    return `node group ${name} comes with another stack, before which something may install one`;
  if (alternativesOf(group.desiredSize).some(({ value }) => value.kind === 'unknown'))
    return `how many nodes ${name} starts isn't known`;
  if (mayHaveOwnImage(group)) return `the AMI or the launch template of ${name}, which isn't known, may bring one`;
  const keys = [group.labels, group.taints].flatMap((list) =>
    alternativesOf<readonly { readonly key: NodeGroup['name'] }[]>(list).flatMap(({ value }) =>
      value.kind === 'known' ? value.value : [],
    ),
  );
  const isForOther = keys.some(({ key }) =>
    alternativesOf(key).some(({ value }) => /cilium|calico|antrea|kube-ovn/i.test(textOf(value) ?? '')),
  );
  return isForOther ? `the labels or taints of ${name} are those of another CNI` : undefined;
}

function mayHaveOwnImage(group: NodeGroup): boolean {
  return alternativesOf(launchTemplateOf(group)).some(
    ({ value }) =>
      value.kind === 'unknown' ||
      (value.kind === 'known' && alternativesOf(value.value.imageId).some((image) => image.value.kind !== 'absent')),
  );
}

/** Whether pods may start although the cluster has no CNI: on Fargate, or on nodes whose AMI brings one. */
function startsPodsElsewhere({ fargateProfiles, nodeGroups, selfManagedNodeGroups }: ClusterView): boolean {
  return fargateProfiles.length > 0 || selfManagedNodeGroups.length > 0 || nodeGroups.some(mayHaveOwnImage);
}

interface Held {
  readonly when: When;
  readonly groups: string[];
  readonly related: { readonly message: string; readonly source: Source }[];
  readonly late: Addon | undefined;
}

function byCondition(nodes: readonly Nodes[]): readonly Held[] {
  const held = new Map<string, Held>();
  for (const { group, when, late } of nodes) {
    const key = `${late?.id ?? ''} ${when.text}`;
    const one = held.get(key) ?? { when, groups: [], related: [], late };
    one.groups.push(resourceName(group));
    one.related.push({ message: `node group ${resourceName(group)} starts nodes`, source: group.source });
    held.set(key, one);
  }
  return [...held.values()];
}
