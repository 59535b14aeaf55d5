import { type Cluster, type ClusterView, type EksModel, type Role } from '../eks';
import { permissionsOf } from '../eks/iam';
import { lackOfCore } from '../eks/analysis/cni-permissions';
import { cniIdentities } from '../eks/analysis/cni';
import { ipFamilyOf } from '../eks/analysis/ip-family';
import type { DriftItem } from './drift';
import { roleNameOf } from './addons';
import { compareSettings, type ComparedSetting, type Comparison, type Pair } from './settings';
import { looksAtCluster, plainOf, textOf } from './values';

/** What can't be changed of a cluster replaces it. Source: CloudFormation, `AWS::EKS::Cluster`, and provider aws, `aws_eks_cluster`. */
const SETTINGS: readonly ComparedSetting<Cluster>[] = [
  { name: 'IP family', of: ({ ipFamily }) => ipFamily, effect: 'replaced' },
  { name: 'service CIDR', of: ({ serviceIpv4Cidr }) => serviceIpv4Cidr, effect: 'replaced' },
  { name: 'authentication mode', of: ({ authenticationMode }) => authenticationMode },
  { name: 'support type', of: ({ supportType }) => supportType },
  { name: 'Auto Mode', of: ({ autoMode }) => autoMode },
];

export function clusterDrift(name: string, { code, live }: Pair<Cluster>): Comparison {
  const { items, same } = compareSettings('cluster', name, { code, live }, SETTINGS);
  return { items: [...versionItems(name, { code, live }), ...items], same };
}

function versionItems(name: string, { code, live }: Pair<Cluster>): readonly DriftItem[] {
  const [wanted, found] = [textOf(code, code.version), textOf(live, live.version)];
  const written = plainOf(code, code.version);
  if (found === undefined || wanted === found) return [];
  const at = {
    subject: 'cluster',
    name,
    setting: 'Kubernetes version',
    live: found,
    inCode: written.source,
    inLive: plainOf(live, live.version).source,
  } as const;
  if (written.kind === 'unknown')
    return [{ ...at, status: 'unknown', text: `The code doesn't tell what it will be: ${written.reason}.` }];
  const minors = minorOf(wanted) - minorOf(found);
  if (wanted === undefined || Number.isNaN(minors)) return [];
  const asks = looksAtCluster(code) ? 'the next apply' : 'a deployment that changes it';
  if (minors < 0)
    return [
      {
        ...at,
        status: 'stops',
        code: wanted,
        text: `The code says an older version than the cluster has, maybe because somebody has updated it by hand: ${asks} asks EKS to go back, which it does by one minor version and for seven days after an update at most.`,
      },
    ];
  return [
    {
      ...at,
      status: minors > 1 ? 'stops' : 'changed',
      code: wanted,
      text:
        minors > 1
          ? `EKS updates a control plane by one minor version at a time: ${asks} stops with "Unsupported Kubernetes minor version update from ${found} to ${wanted}".`
          : `${looksAtCluster(code) ? 'The next apply' : 'The next deployment, if it changes the version that was deployed last,'} updates the control plane; nodes and add-ons stay as they are.`,
    },
  ];
}

function minorOf(version: string | undefined): number {
  return version === undefined ? Number.NaN : Number(/^1\.(\d+)$/.exec(version)?.[1]);
}

interface Side {
  readonly model: EksModel;
  readonly view: ClusterView;
}

/** As whom the VPC CNI calls EC2 before and after, and what it may do no more. */
export function cniRoleDrift(code: Side, live: Side): readonly DriftItem[] {
  const [wanted, found] = [code, live].map(({ model, view }) => {
    const [only, ...others] = cniIdentities(model, view);
    return only === undefined || others.some(({ role, kind }) => role !== only.role || kind !== only.kind)
      ? undefined
      : only;
  });
  if (
    wanted?.role === undefined ||
    found?.role === undefined ||
    wanted.doubt !== undefined ||
    found.doubt !== undefined
  )
    return [];
  // What eksctl makes without being asked, it makes with the cluster.
  if (wanted.addon?.isImplied === true) return [];
  const items: DriftItem[] = [];
  const [before, after] = [nameOf(found.role), nameOf(wanted.role)];
  const at = {
    subject: 'role',
    name: before ?? found.role.id,
    inCode: wanted.role.source,
    inLive: found.role.source,
  } as const;
  if (wanted.kind !== found.kind || (after !== undefined && after !== before))
    items.push({
      ...at,
      setting: 'role of the VPC CNI',
      status: 'changed',
      live: `${before ?? found.role.id} (${KINDS[found.kind]})`,
      code: `${after ?? wanted.role.id} (${KINDS[wanted.kind]})`,
      text: 'The VPC CNI gets its permissions from elsewhere once this is deployed.',
    });
  const [family, then] = [ipFamilyOf(live.view), ipFamilyOf(code.view)];
  // What another family needs is for those to say who look at the code.
  if (family.kind !== 'known' || (then.kind === 'known' && then.value !== family.value)) return items;
  const lackNow = lackOfCore(permissionsOf(found.role), family.value);
  const lackThen = lackOfCore(permissionsOf(wanted.role), family.value);
  const lost = lackThen.missing.filter(
    (action) => !lackNow.missing.includes(action) && !lackNow.unknown.includes(action),
  );
  if (lost.length > 0)
    items.push({
      ...at,
      name: after ?? wanted.role.id,
      setting: 'permissions of the VPC CNI',
      status: 'breaks',
      text: `What the code attaches to it lacks ${lost.slice(0, 5).join(', ')}${lost.length > 5 ? ` and ${lost.length - 5} more` : ''}, which the VPC CNI has in the cluster and needs: what somebody has attached by hand stays only until the code detaches it.`,
    });
  return items;
}

const KINDS = {
  'pod-identity': 'Pod Identity',
  irsa: 'service account',
  'node-role': 'node role',
} as const;

function nameOf(role: Role): string | undefined {
  return roleNameOf({ text: '', target: role });
}
