import type { IConstruct } from 'constructs';
import { karpenterPolicy, type KarpenterNames } from '../../lib/eks/iam';
import { compareVersions, karpenterPolicies, oldestKarpenter } from '../../lib/knowledge';
import type { AuthenticationMode } from './cluster';
import { refuse } from './construction-error';
import type { ChartContext, ChartValues, RoleContext } from './controller-roles';
import type { CniPermissions } from './node-group-options';
import { podRoleAccounts, type OwnPolicy, type PodRoleAccounts, type PodRoleParts } from './pod-role';
import type { PodRoleOptions } from './pod-role-options';
import type { TokenTools } from './tokens';

const KARPENTER: PodRoleAccounts = { namespace: 'kube-system', names: ['karpenter'] };

export const KARPENTER_NODES = 'Nodes that Karpenter launches';

/** The options of `KarpenterRoles` that every engine has. */
export interface KarpenterOptions extends PodRoleOptions {
  /**
   * Version of Karpenter, `1.14.1`, whose published permissions the controller gets. From 1.4.0 on.
   *
   * @default - the newest that this library knows; its permissions are all that older versions need
   */
  readonly version?: string;

  /**
   * Make a queue of the events on which Karpenter drains nodes before EC2 takes them: interruptions of Spot instances, scheduled maintenance, instances that
   * are stopped.
   *
   * @default true
   */
  readonly interruptionQueue?: boolean;

  /**
   * Make the access entry with which the nodes join, of type EC2_LINUX.
   *
   * @default - true where the cluster's authentication mode includes API; must be said for clusters that don't tell it
   * @see https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html
   */
  readonly accessEntry?: boolean;

  /**
   * Whether the node role also serves the VPC CNI.
   *
   * @default CniPermissions.AUTOMATIC
   * @see https://docs.aws.amazon.com/eks/latest/userguide/cni-iam-role.html
   */
  readonly cniPermissions?: CniPermissions;
}

/** The version of Karpenter whose permissions are taken. */
export function karpenterVersion(
  scope: IConstruct,
  tokens: TokenTools,
  version: string | undefined,
  kubernetes: string | undefined,
): string {
  const { oldest, newest } = karpenterPolicies();
  if (version === undefined) return newest;
  if (tokens.isToken(version))
    return refuse(scope, 'version is a token; the permissions depend on it, so it must be known at synthesis');
  if (!/^\d+\.\d+\.\d+$/.test(version))
    return refuse(scope, `version is "${version}"; a version of Karpenter looks like ${newest}`);
  const needed = kubernetes === undefined ? undefined : oldestKarpenter(kubernetes);
  if (needed !== undefined && compareVersions(version, needed) < 0)
    return refuse(scope, `version is "${version}", and Kubernetes ${kubernetes ?? ''} needs Karpenter ${needed}`);
  if (compareVersions(version, oldest) < 0)
    return refuse(
      scope,
      `version is "${version}", and the oldest whose permissions are known here is ${oldest}; take a newer Karpenter`,
    );
  if (compareVersions(version, newest) > 0)
    return refuse(
      scope,
      `version is "${version}", and the newest whose permissions are known here is ${newest}; take a newer release of this library, or "${newest}" and what its CloudFormation template has besides in managedPolicies`,
    );
  return version;
}

/** Whether to make an access entry for the nodes; refuses to where nothing would let them in. */
export function karpenterAccessEntry(
  scope: IConstruct,
  mode: AuthenticationMode | undefined,
  asked: boolean | undefined,
  /** Whether this library maps the role in `aws-auth`. */
  isMapped: boolean,
): boolean {
  if (mode === undefined && asked === undefined)
    return refuse(
      scope,
      "the cluster doesn't tell its authentication mode, and accessEntry isn't set; say true if it has access entries, false if aws-auth maps the role or there is an entry already",
    );
  if (mode === 'CONFIG_MAP' && asked === true)
    return refuse(
      scope,
      "accessEntry is true and the cluster's authentication mode is CONFIG_MAP, which has no access entries; leave accessEntry out, or set API_AND_CONFIG_MAP on the cluster",
    );
  if (mode === 'CONFIG_MAP' && asked === undefined && !isMapped)
    return refuse(
      scope,
      "the cluster's authentication mode is CONFIG_MAP, which has no access entries; map the node role in aws-auth and say accessEntry: false, or set API_AND_CONFIG_MAP on the cluster",
    );
  return asked ?? mode !== 'CONFIG_MAP';
}

export function karpenterParts(
  context: RoleContext,
  options: PodRoleOptions & { readonly version: string },
  names: Omit<KarpenterNames, 'partition' | 'clusterName'>,
): PodRoleParts {
  const all: KarpenterNames = { ...names, partition: context.partition, clusterName: context.clusterName };
  const part = (id: string, description: string, policy: Parameters<typeof karpenterPolicy>[1]): OwnPolicy => ({
    id,
    description: `Karpenter ${options.version}: ${description}`,
    document: karpenterPolicy(options.version, policy, all),
    wildcards:
      'The permissions that are published with Karpenter: it finds images, prices and subnets, and changes only instances, launch templates and instance profiles that have the tags of the cluster.',
  });
  return {
    description: 'Permissions of Karpenter',
    accounts: podRoleAccounts(context.scope, context.tokens, KARPENTER, options),
    ownPolicies: [
      part('NodePolicy', 'instances and launch templates', 'nodes'),
      part('InstanceProfilePolicy', 'instance profiles of its nodes', 'instanceProfiles'),
      part('DiscoveryPolicy', 'what it reads', 'discovery'),
    ],
    awsPolicies: [],
  };
}

export function karpenterValues(
  { clusterName, serviceAccount }: ChartContext,
  queueName: string | undefined,
): ChartValues {
  return {
    settings: { clusterName, ...(queueName === undefined ? {} : { interruptionQueue: queueName }) },
    serviceAccount,
  };
}
