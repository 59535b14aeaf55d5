import { Lazy, type Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import {
  CapacityReservationPreference,
  ClusterAutoscalerRole,
  EbsCsiDriverRole,
  KarpenterRoles,
  LabelOperator,
  LoadBalancerControllerRole,
  ManagedNodeGroup,
  PodSecurityGroupPolicy,
  VpcCniAddon,
  type ManagedNodeGroupProps,
} from '../../../constructs/aws-cdk';
import { nativeCluster, newStack } from './clusters';

/* Options of which nothing else refuses a value. */

const token = Lazy.string({ produce: () => 'later' });

function group(options: Partial<ManagedNodeGroupProps>): (stack: Stack) => void {
  return (stack) => new ManagedNodeGroup(stack, 'Workers', { cluster: nativeCluster(stack), ...options });
}

it.each<[string, string, (stack: Stack) => void]>([
  [
    'a name that EKS refuses',
    'nodegroupName is "-web"; EKS takes letters, digits, "-" and "_", at most 63',
    group({ nodegroupName: '-web' }),
  ],
  [
    'no subnets',
    'subnets selects none; a node group needs at least one',
    group({ subnets: { availabilityZones: [] } }),
  ],
  [
    'what is no resource group',
    `capacityReservation.resourceGroupArn is "arn:aws:s3:::group", which isn't the ARN of a resource group`,
    group({ capacityReservation: { resourceGroupArn: 'arn:aws:s3:::group' } }),
  ],
  [
    'a reservation and a preference',
    'capacityReservation has id and preference; EC2 takes one of id, resourceGroupArn and preference',
    group({ capacityReservation: { id: 'cr-0123456789abcdef0', preference: CapacityReservationPreference.NONE } }),
  ],
  [
    'two warm targets of which one is ignored',
    'warmTargets.warmEniTarget is 1 and warmIpTarget is 2; with the latter the CNI ignores the former',
    (stack) =>
      new VpcCniAddon(stack, 'Cni', {
        cluster: nativeCluster(stack),
        warmTargets: { warmEniTarget: 1, warmIpTarget: 2, minimumIpTarget: 4 },
      }),
  ],
  [
    "a version of a controller that isn't known",
    'version is a token; the policy depends on it, so it must be known at synthesis',
    (stack) => new LoadBalancerControllerRole(stack, 'Role', { cluster: nativeCluster(stack), version: token }),
  ],
  [
    "a version of Karpenter that isn't known",
    'version is a token; the permissions depend on it, so it must be known at synthesis',
    (stack) => new KarpenterRoles(stack, 'Roles', { cluster: nativeCluster(stack), version: token }),
  ],
  [
    "an AMI of Karpenter's nodes that isn't known",
    'amiAlias is a token; the volumes depend on its family, so it must be known at synthesis',
    (stack) => new KarpenterRoles(stack, 'Roles', { cluster: nativeCluster(stack) }).nodeClass({ amiAlias: token }),
  ],
  [
    'more groups than a node class takes',
    'securityGroupIds has 31 ids; an EC2NodeClass takes 1 to 30',
    (stack) =>
      new KarpenterRoles(stack, 'Roles', { cluster: nativeCluster(stack) }).nodeClass({
        amiAlias: 'al2023@v20260813',
        securityGroupIds: Array.from({ length: 31 }, (_, index) => `sg-${index}`),
      }),
  ],
  [
    'what is no key',
    'kmsKeys is the text "key"; it takes a kms.IKey',
    (stack) =>
      new EbsCsiDriverRole(stack, 'Role', { cluster: nativeCluster(stack), kmsKeys: ['key' as unknown as never] }),
  ],
  [
    'what is no policy',
    'nodePolicies has the text "policy"; it takes an iam.IManagedPolicy',
    (stack) =>
      new KarpenterRoles(stack, 'Roles', {
        cluster: nativeCluster(stack),
        nodePolicies: ['policy' as unknown as never],
      }),
  ],
  [
    'no policy either',
    'managedPolicies has the text "policy"; it takes an iam.IManagedPolicy',
    (stack) =>
      new ClusterAutoscalerRole(stack, 'Role', {
        cluster: nativeCluster(stack),
        managedPolicies: ['policy' as unknown as never],
      }),
  ],
  [
    'values of an operator that takes none',
    'podSelector.matchExpressions has "app" with Exists and values',
    (stack) =>
      new PodSecurityGroupPolicy(stack, 'Policy', {
        cluster: nativeCluster(stack, { kubectl: true }),
        podSelector: { matchExpressions: [{ key: 'app', operator: LabelOperator.EXISTS, values: ['api'] }] },
        securityGroups: [ec2.SecurityGroup.fromSecurityGroupId(stack, 'Api', 'sg-0123456789abcdef0')],
      }),
  ],
])('%s is refused: %s', (_, message, make) => {
  expect(() => {
    make(newStack('eu-west-1'));
  }).toThrow(message);
});
