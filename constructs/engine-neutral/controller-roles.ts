import type { IConstruct } from 'constructs';
import {
  clusterAutoscalerPolicy,
  ebsKeysPolicy,
  externalDnsPolicy,
  loadBalancerControllerPolicy,
  type PolicyPlace,
} from '../../lib/eks/iam';
import { compareVersions, loadBalancerControllerPolicies, parseVersion } from '../../lib/knowledge';
import { refuse } from './construction-error';
import { podRoleAccounts, type PodRoleAccounts, type PodRoleParts } from './pod-role';
import { EbsVolumeScope, type EbsCsiDriverOptions, type PodRoleOptions } from './pod-role-options';
import type { TokenTools } from './tokens';
import { PodIdentityKind } from './vpc-cni-options';

/** The construct that makes a role, and where. Texts may be tokens. */
export interface RoleContext extends PolicyPlace {
  readonly scope: IConstruct;
  readonly tokens: TokenTools;
  readonly clusterName: string;
}

/** What a chart is told of the cluster. Texts may be tokens. */
export interface ChartContext {
  readonly clusterName: string;
  readonly region: string;
  /** Settings of the chart's service account. */
  readonly serviceAccount: Readonly<Record<string, unknown>>;
}

export type ChartValues = Readonly<Record<string, unknown>>;

/** Hosted zones of which a managed policy has room for the ARNs: IAM takes 6,144 characters. */
const MOST_ZONES = 80;

const LOAD_BALANCER_CONTROLLER: PodRoleAccounts = { namespace: 'kube-system', names: ['aws-load-balancer-controller'] };
const EXTERNAL_DNS: PodRoleAccounts = { namespace: 'external-dns', names: ['external-dns'] };
const EBS_CSI_DRIVER: PodRoleAccounts = { namespace: 'kube-system', names: ['ebs-csi-controller-sa'] };
/** As an add-on the driver gives its one role to both; the association is that of the controller. */
const EFS_CSI_DRIVER: PodRoleAccounts = {
  namespace: 'kube-system',
  names: ['efs-csi-controller-sa', 'efs-csi-node-sa'],
};
const CLUSTER_AUTOSCALER: PodRoleAccounts = { namespace: 'kube-system', names: ['cluster-autoscaler'] };

/** The version of the controller whose policy is taken. */
export function loadBalancerControllerVersion(
  { scope, tokens }: Pick<RoleContext, 'scope' | 'tokens'>,
  version: string | undefined,
): string {
  const { oldest, newest } = loadBalancerControllerPolicies();
  if (version === undefined) return newest;
  if (tokens.isToken(version))
    return refuse(scope, 'version is a token; the policy depends on it, so it must be known at synthesis');
  if (parseVersion(version) === undefined || !/^\d+\.\d+\.\d+$/.test(version))
    return refuse(scope, `version is "${version}"; a version of the controller looks like ${newest}`);
  if (compareVersions(version, oldest) < 0)
    return refuse(
      scope,
      `version is "${version}", and Kubernetes has needed ${oldest} since 1.25; take a newer controller`,
    );
  if (compareVersions(version, newest) > 0)
    return refuse(
      scope,
      `version is "${version}", and the newest whose policy is known here is ${newest}; take a newer release of this library, or "${newest}" and what its docs/install/iam_policy.json has besides in managedPolicies`,
    );
  return version;
}

export function loadBalancerControllerParts(
  context: RoleContext,
  options: PodRoleOptions & { readonly version: string },
): PodRoleParts {
  return {
    description: 'Permissions of the AWS Load Balancer Controller',
    accounts: podRoleAccounts(context.scope, context.tokens, LOAD_BALANCER_CONTROLLER, options),
    ownPolicies: [
      {
        id: 'Policy',
        description: `AWS Load Balancer Controller ${options.version}: the policy that is published with it`,
        document: loadBalancerControllerPolicy(options.version, context),
        wildcards:
          'The policy that is published with the controller: it finds and makes load balancers, target groups and security groups that have no ARN before, and changes only those that have its tag.',
      },
    ],
    awsPolicies: [],
  };
}

/** With region and VPC the controller doesn't ask the instance metadata service. */
export function loadBalancerControllerValues(chart: ChartContext, vpcId: string): ChartValues {
  const { clusterName, region, serviceAccount } = chart;
  return { clusterName, region, vpcId, serviceAccount };
}

export function refuseUnknownVpc(scope: IConstruct): never {
  return refuse(
    scope,
    "the cluster doesn't tell its VPC; give vpcId, without which the controller asks the instance metadata service",
  );
}

export function externalDnsParts(
  context: RoleContext,
  options: PodRoleOptions & { readonly zoneIds: readonly string[]; readonly zoneTags: boolean },
): PodRoleParts {
  const { scope, tokens } = context;
  const { zoneIds } = options;
  if (zoneIds.length === 0) refuse(scope, 'hostedZones is empty; name the zones whose records ExternalDNS keeps');
  if (zoneIds.length > MOST_ZONES)
    refuse(
      scope,
      `hostedZones has ${zoneIds.length} zones; a managed policy has room for ${MOST_ZONES}: give the zones to several installations`,
    );
  const wrong = zoneIds.find((id) => !tokens.isToken(id) && !/^[A-Z0-9]{1,32}$/.test(id));
  if (wrong !== undefined)
    refuse(scope, `hostedZones has "${wrong}"; the id of a hosted zone looks like Z0123456789ABCDEFGHIJ`);
  return {
    description: 'Permissions of ExternalDNS',
    accounts: podRoleAccounts(scope, tokens, EXTERNAL_DNS, options),
    ownPolicies: [
      {
        id: 'Policy',
        description: 'ExternalDNS: records of its hosted zones',
        document: externalDnsPolicy({ zoneIds, readsTags: options.zoneTags }, context),
        wildcards:
          'ExternalDNS lists all hosted zones, and their tags where it is to choose by them, before it looks at any; it changes records of its own zones only.',
      },
    ],
    awsPolicies: [],
  };
}

/** ExternalDNS then looks at no other zones than those that it may change. */
export function externalDnsValues(
  { clusterName, serviceAccount }: ChartContext,
  zoneIds: readonly string[],
): ChartValues {
  return {
    provider: { name: 'aws' },
    txtOwnerId: clusterName,
    extraArgs: zoneIds.map((id) => `--zone-id-filter=${id}`),
    serviceAccount,
  };
}

/** The two newer ones have no path. Source: AWS managed policy reference, "AmazonEBSCSIDriverPolicyV2". */
const EBS_POLICIES: Readonly<Record<EbsVolumeScope, string>> = {
  [EbsVolumeScope.DRIVER]: 'AmazonEBSCSIDriverPolicyV2',
  [EbsVolumeScope.CLUSTER]: 'AmazonEBSCSIDriverEKSClusterScopedPolicy',
  [EbsVolumeScope.ACCOUNT]: 'service-role/AmazonEBSCSIDriverPolicy',
};

export function ebsCsiDriverParts(
  context: RoleContext,
  options: EbsCsiDriverOptions & { readonly keyArns: readonly string[] },
): PodRoleParts {
  const { volumes = EbsVolumeScope.DRIVER, identity, keyArns } = options;
  if (volumes === EbsVolumeScope.CLUSTER && identity === PodIdentityKind.IRSA)
    refuse(
      context.scope,
      'volumes is CLUSTER and identity is IRSA; the policy tells the cluster by the session tags of Pod Identity: use PodIdentityKind.POD_IDENTITY, or EbsVolumeScope.DRIVER',
    );
  return {
    description: 'Permissions of the Amazon EBS CSI driver',
    accounts: podRoleAccounts(context.scope, context.tokens, EBS_CSI_DRIVER, options),
    ownPolicies:
      keyArns.length === 0
        ? []
        : [
            {
              id: 'KeyPolicy',
              description: 'Amazon EBS CSI driver: keys of encrypted volumes',
              document: ebsKeysPolicy(keyArns),
              wildcards: 'The keys that the user has named.',
            },
          ],
    awsPolicies: [
      { name: EBS_POLICIES[volumes], reason: 'The policy that AWS keeps for the EBS CSI driver, with its own scope.' },
    ],
  };
}

/** With the region the controller doesn't ask the instance metadata service. */
export function ebsCsiDriverValues(chart: ChartContext, volumes: EbsVolumeScope | undefined): ChartValues {
  const { clusterName, region, serviceAccount } = chart;
  return {
    controller: {
      region,
      ...(volumes === EbsVolumeScope.CLUSTER ? { k8sTagClusterId: clusterName } : {}),
      serviceAccount,
    },
  };
}

export function efsCsiDriverParts(context: RoleContext, options: PodRoleOptions): PodRoleParts {
  return {
    description: 'Permissions of the Amazon EFS CSI driver',
    accounts: podRoleAccounts(context.scope, context.tokens, EFS_CSI_DRIVER, options),
    ownPolicies: [],
    awsPolicies: [
      {
        name: 'service-role/AmazonEFSCSIDriverPolicy',
        reason: 'The policy that AWS keeps for the EFS CSI driver; it changes only access points that have its tag.',
      },
    ],
  };
}

export function efsCsiDriverValues({ serviceAccount }: ChartContext): ChartValues {
  return { controller: { serviceAccount } };
}

export function clusterAutoscalerParts(context: RoleContext, options: PodRoleOptions): PodRoleParts {
  return {
    description: 'Permissions of the Cluster Autoscaler',
    accounts: podRoleAccounts(context.scope, context.tokens, CLUSTER_AUTOSCALER, options),
    ownPolicies: [
      {
        id: 'Policy',
        description: 'Cluster Autoscaler: Auto Scaling groups of the cluster',
        document: clusterAutoscalerPolicy(context.clusterName),
        wildcards:
          'The Cluster Autoscaler finds the Auto Scaling groups of the cluster by their tags, and changes only those that have them.',
      },
    ],
    awsPolicies: [],
  };
}

export function clusterAutoscalerValues({ clusterName, region, serviceAccount }: ChartContext): ChartValues {
  return { autoDiscovery: { clusterName }, awsRegion: region, rbac: { serviceAccount } };
}
