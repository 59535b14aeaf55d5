import { LaunchTemplate, type LaunchTemplateBlockDeviceMappings } from '@cdktf/provider-aws/lib/launch-template';
import type { Construct } from 'constructs';
import { HOP_LIMIT_NOTE, type NodeGroupPlan } from '../engine-neutral/managed-node-group';
import { ImdsAccess } from '../engine-neutral/node-group-options';
import { refuseZones } from '../engine-neutral/node-instances';
import type { NodeVolume } from '../engine-neutral/node-volumes';
import { acknowledgeRule, explain } from './acknowledgements';
import { arnOf } from './arn';
import type { ClusterFacts } from './cluster';
import type { IKey } from './controller-roles';
import type { NodeGroupProps } from './managed-node-group-props';
import { knownZone } from './subnet';

/** What a launch template of nodes is made of. */
export interface LaunchTemplateParts {
  readonly plan: NodeGroupPlan<NodeGroupProps>;
  /** In base64. */
  readonly userData: string | undefined;
  readonly securityGroups: readonly string[];
  /** Name of the profile, for nodes that EKS doesn't manage. */
  readonly instanceProfile?: string;
  /** For nodes of one type that EKS doesn't manage. */
  readonly instanceType?: string | undefined;
}

/** The launch template of nodes. */
export function nodeLaunchTemplate(
  scope: Construct,
  { facts, prefix }: { readonly facts: ClusterFacts; readonly prefix: string },
  props: NodeGroupProps,
  { plan, userData, securityGroups, instanceType: only, instanceProfile }: LaunchTemplateParts,
): LaunchTemplate {
  const { customAmi, imds, imdsReason, tags, placementGroup } = props;
  const isCluster = typeof placementGroup === 'object' && placementGroup.strategyInput === 'cluster';
  refuseZones(scope, { isCluster, isBlock: plan.reservation.isBlock }, props.subnets.map(knownZone));
  const instanceType = plan.templateInstanceType ?? only;
  const template = new LaunchTemplate(scope, 'LaunchTemplate', {
    ...facts.place,
    namePrefix: prefix,
    metadataOptions: {
      httpEndpoint: 'enabled',
      httpTokens: 'required',
      httpPutResponseHopLimit: plan.hopLimit,
      instanceMetadataTags: 'disabled',
    },
    ...(plan.volumes.length === 0
      ? {}
      : { blockDeviceMappings: plan.volumes.map((volume) => blockDevice(scope, volume)) }),
    lifecycle: { createBeforeDestroy: true },
    ...networkOf(plan, securityGroups),
    ...capacityOf(plan),
    ...(instanceProfile === undefined ? {} : { iamInstanceProfile: { name: instanceProfile } }),
    ...(instanceType === undefined ? {} : { instanceType }),
    ...(userData === undefined ? {} : { userData }),
    ...(customAmi === undefined ? {} : { imageId: customAmi }),
    ...(props.remoteAccess === undefined ? {} : { keyName: props.remoteAccess.keyName }),
    ...(placementGroup === undefined
      ? {}
      : { placement: { groupName: typeof placementGroup === 'string' ? placementGroup : placementGroup.name } }),
    ...(props.detailedMonitoring === undefined ? {} : { monitoring: { enabled: props.detailedMonitoring } }),
    ...(tags === undefined
      ? {}
      : {
          tags: { ...tags },
          tagSpecifications: ['instance', 'volume'].map((resourceType) => ({ resourceType, tags: { ...tags } })),
        }),
  });
  facts.putInRegion(template);
  if (imds === ImdsAccess.NODE_ONLY) acknowledgeRule(template, 'imds-hop-limit', imdsReason ?? '');
  else explain(template, 'http_put_response_hop_limit', HOP_LIMIT_NOTE);
  return template;
}

function blockDevice(scope: Construct, volume: NodeVolume<IKey | string>): LaunchTemplateBlockDeviceMappings {
  const { deviceName, type, size, iops, throughput, snapshotId, kmsKey } = volume;
  return {
    deviceName,
    ebs: {
      encrypted: 'true',
      volumeType: type,
      deleteOnTermination: 'true',
      ...(size === undefined ? {} : { volumeSize: size }),
      ...(iops === undefined ? {} : { iops }),
      ...(throughput === undefined ? {} : { throughput }),
      ...(snapshotId === undefined ? {} : { snapshotId }),
      ...(kmsKey === undefined ? {} : { kmsKeyId: arnOf(scope, `kmsKey of ${deviceName}`, kmsKey) }),
    },
  };
}

function networkOf({ efaInterfaces }: NodeGroupPlan, securityGroups: readonly string[]) {
  if (efaInterfaces !== undefined)
    return {
      networkInterfaces: efaInterfaces.map((one) => ({
        ...one,
        deleteOnTermination: 'true',
        securityGroups: [...securityGroups],
      })),
    };
  return securityGroups.length === 0 ? {} : { vpcSecurityGroupIds: [...securityGroups] };
}

function capacityOf({ reservation: { specification, isBlock } }: NodeGroupPlan) {
  const { id, resourceGroupArn, preference } = specification ?? {};
  const target = {
    ...(id === undefined ? {} : { capacityReservationId: id }),
    ...(resourceGroupArn === undefined ? {} : { capacityReservationResourceGroupArn: resourceGroupArn }),
  };
  return {
    ...(isBlock ? { instanceMarketOptions: { marketType: 'capacity-block' } } : {}),
    ...(specification === undefined
      ? {}
      : {
          capacityReservationSpecification:
            preference === undefined
              ? { capacityReservationTarget: target }
              : { capacityReservationPreference: preference },
        }),
  };
}
