import { CfnResource, Token } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { HOP_LIMIT_NOTE, type NodeGroupPlan } from '../engine-neutral/managed-node-group';
import { ImdsAccess } from '../engine-neutral/node-group-options';
import { refuseZones } from '../engine-neutral/node-instances';
import { acknowledgeRule, explain } from './acknowledgements';
import type { NodeGroupProps } from './managed-node-group-props';
import { blockDevices, letAutoScalingUse } from './node-volumes';
import { keyOf } from './references';
import { waiveHopLimit } from './scanner-waivers';

/** What a launch template of nodes is made of. */
export interface LaunchTemplateParts {
  readonly plan: NodeGroupPlan<NodeGroupProps>;
  readonly userData: string | undefined;
  readonly image: ec2.IMachineImage | undefined;
  readonly securityGroups: readonly ec2.ISecurityGroup[];
  readonly subnets: readonly ec2.ISubnet[];
  /** For nodes that EKS doesn't manage. */
  readonly role?: iam.IRole;
  /** For nodes of one type that EKS doesn't manage. */
  readonly instanceType?: string | undefined;
}

/** The launch template of nodes. What CDK's own has no option for is written over its resource. */
export function nodeLaunchTemplate(
  scope: Construct,
  props: NodeGroupProps,
  { plan, userData, image, securityGroups, subnets, instanceType, role }: LaunchTemplateParts,
): ec2.LaunchTemplate {
  const isCluster = props.placementGroup?.strategy === ec2.PlacementGroupStrategy.CLUSTER;
  refuseZones(scope, { isCluster, isBlock: plan.reservation.isBlock }, subnets.map(zoneOf));
  for (const { deviceName, kmsKey } of plan.volumes)
    if (kmsKey !== undefined) keyOf(scope, `kmsKey of ${deviceName}`, kmsKey);
  const [first, ...others] = plan.efaInterfaces === undefined ? securityGroups : [];
  const type = plan.templateInstanceType ?? instanceType;
  const template = new ec2.LaunchTemplate(scope, 'LaunchTemplate', {
    httpEndpoint: true,
    requireImdsv2: true,
    httpPutResponseHopLimit: plan.hopLimit,
    instanceMetadataTags: false,
    ...(plan.volumes.length === 0 ? {} : { blockDevices: blockDevices(plan.volumes) }),
    ...(userData === undefined ? {} : { userData: ec2.UserData.custom(userData) }),
    ...(image === undefined ? {} : { machineImage: image }),
    ...(first === undefined ? {} : { securityGroup: first }),
    ...(role === undefined ? {} : { role }),
    ...(type === undefined ? {} : { instanceType: new ec2.InstanceType(type) }),
    ...(props.remoteAccess === undefined ? {} : { keyPair: props.remoteAccess.keyPair }),
    ...(props.placementGroup === undefined ? {} : { placementGroup: props.placementGroup }),
    ...(props.detailedMonitoring === undefined ? {} : { detailedMonitoring: props.detailedMonitoring }),
  });
  for (const group of others) template.addSecurityGroup(group);
  letAutoScalingUse(scope, plan.volumes);
  const resource = template.node.defaultChild;
  if (CfnResource.isCfnResource(resource)) writeOver(resource, plan, securityGroups);
  if (props.imds === ImdsAccess.NODE_ONLY) acknowledgeRule(template, 'imds-hop-limit', props.imdsReason ?? '');
  else if (CfnResource.isCfnResource(resource)) {
    explain(resource, 'HttpPutResponseHopLimit', HOP_LIMIT_NOTE);
    waiveHopLimit(template);
  }
  return template;
}

function writeOver(resource: CfnResource, plan: NodeGroupPlan, securityGroups: readonly ec2.ISecurityGroup[]): void {
  const set = (property: string, value: unknown): void => {
    resource.addPropertyOverride(`LaunchTemplateData.${property}`, value);
  };
  for (const [index, { throughput }] of plan.volumes.entries())
    if (throughput !== undefined) set(`BlockDeviceMappings.${index}.Ebs.Throughput`, throughput);
  if (plan.efaInterfaces !== undefined)
    set(
      'NetworkInterfaces',
      plan.efaInterfaces.map(({ deviceIndex, networkCardIndex, interfaceType }) => ({
        DeviceIndex: deviceIndex,
        NetworkCardIndex: networkCardIndex,
        InterfaceType: interfaceType,
        DeleteOnTermination: true,
        Groups: securityGroups.map((group) => group.securityGroupId),
      })),
    );
  const { specification, isBlock } = plan.reservation;
  if (isBlock) set('InstanceMarketOptions', { MarketType: 'capacity-block' });
  if (specification === undefined) return;
  const { id, resourceGroupArn, preference } = specification;
  set(
    'CapacityReservationSpecification',
    preference === undefined
      ? {
          CapacityReservationTarget:
            id === undefined
              ? { CapacityReservationResourceGroupArn: resourceGroupArn }
              : { CapacityReservationId: id },
        }
      : { CapacityReservationPreference: preference },
  );
}

/** The zone of a subnet; undefined if it isn't known at synthesis, or not before CDK has looked it up: until then zones are called dummy1a and the like. */
function zoneOf(subnet: ec2.ISubnet): string | undefined {
  try {
    const { availabilityZone } = subnet;
    return Token.isUnresolved(availabilityZone) || availabilityZone.startsWith('dummy') ? undefined : availabilityZone;
  } catch {
    return undefined;
  }
}
