import { Absent, cases, flatMapValue, type Plain, type Value } from '../../../../value';
import type { TerraformInstance } from '../../../../terraform/instance';
import type { TerraformValue } from '../../../../terraform/terraform-value';
import { attach, attachAwsPolicy, attachGiven, declareRole, serviceTrust } from '../roles';
import { isAtLeast, type Release } from '../../../../terraform/module/version-constraint';
import type { EksArguments } from './eks-arguments';

/** Policies of the cluster's role by version: version 21 no longer attaches the one for security groups for pods. */
function clusterPolicies(release: Release, isAutoMode: boolean, isLocal: boolean): readonly string[] {
  const hasAutoMode = isAutoMode && isAtLeast(release, 20, 31);
  if (isLocal)
    return hasAutoMode
      ? []
      : isAtLeast(release, 20, 31)
        ? ['AmazonEKSLocalOutpostClusterPolicy']
        : ['AmazonEKSLocalOutpostClusterPolicy', 'AmazonEKSVPCResourceController'];
  if (hasAutoMode) {
    return [
      'AmazonEKSClusterPolicy',
      'AmazonEKSComputePolicy',
      'AmazonEKSBlockStoragePolicy',
      'AmazonEKSLoadBalancingPolicy',
      'AmazonEKSNetworkingPolicy',
    ];
  }
  return isAtLeast(release, 21)
    ? ['AmazonEKSClusterPolicy']
    : ['AmazonEKSClusterPolicy', 'AmazonEKSVPCResourceController'];
}

export function clusterRole(
  given: EksArguments,
  creates: Value<boolean>,
  autoMode: Value<boolean>,
): TerraformInstance | undefined {
  const { context } = given;
  const { place } = context.call;
  const exists = context.where(creates);
  if (exists === undefined) return undefined;
  const tags = context.versions.agreed((release) => isAtLeast(release, 20, 31))?.value !== false;
  const trust = [
    serviceTrust(context, 'eks.amazonaws.com', tags ? ['sts:AssumeRole', 'sts:TagSession'] : ['sts:AssumeRole'], place),
  ];
  const role = declareRole(context, {
    prefix: '',
    label: 'this',
    document: 'assume_role_policy',
    trust,
    name: () => roleName(given),
    place,
    exists,
    // A map since version 19, a list before.
    inputs: context.versions.candidates.every(([major]) => major >= 19) ? CLUSTER_ROLE_INPUTS : NO_INPUTS,
  });
  for (const { when, values } of cases({ autoMode, onOutposts: given.onOutposts })) {
    const both = exists.and(when);
    if (both === undefined) continue;
    const [isAutoMode, isLocal] = [isTrue(values.autoMode), isTrue(values.onOutposts)];
    const policies = context.versions.agreed((release) => clusterPolicies(release, isAutoMode, isLocal).join(' '));
    if (policies === undefined || values.autoMode.kind === 'unknown') {
      const reason =
        policies === undefined
          ? 'which policies the role has differs between the versions of the module that are allowed'
          : 'whether Auto Mode is on is not known';
      attach(context, role, '', 'this', '?', context.unknown(reason), place, both);
      continue;
    }
    for (const policy of clusterPolicies(context.release, isAutoMode, isLocal)) {
      const condition =
        policy === 'AmazonEKSVPCResourceController'
          ? context.where(given.flag('enable_security_groups_for_pods', true), both)
          : both;
      if (condition !== undefined)
        attachAwsPolicy(context, role, '', policy, place, { exists: condition, namedSince: [19, 0] });
    }
  }
  attachGiven(context, role, '', 'additional', () => given.item('iam_role_additional_policies'));
  return role;
}

const NO_INPUTS: ReadonlyMap<string, string> = new Map();
const CLUSTER_ROLE_INPUTS: ReadonlyMap<string, string> = new Map([
  ['iam_role_additional_policies', 'iam_role_additional_policies'],
]);

/** Only a name that isn't made a prefix is one. */
function roleName(given: EksArguments): TerraformValue {
  const prefixed = given.flag('iam_role_use_name_prefix', true);
  return flatMapValue(
    prefixed,
    (plain): TerraformValue =>
      plain.kind === 'known' && !plain.value ? given.item('iam_role_name') : new Absent(plain.source),
  );
}

function isTrue(value: Plain<boolean>): boolean {
  return value.kind === 'known' && value.value;
}
