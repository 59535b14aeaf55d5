import type { Construct } from 'constructs';
import { chartOfVersion } from '../../lib/knowledge';
import {
  clusterAutoscalerParts,
  clusterAutoscalerValues,
  ebsCsiDriverParts,
  ebsCsiDriverValues,
  efsCsiDriverParts,
  efsCsiDriverValues,
  externalDnsParts,
  externalDnsValues,
  loadBalancerControllerParts,
  loadBalancerControllerValues,
  loadBalancerControllerVersion,
  refuseUnknownVpc,
  type ChartValues,
} from '../engine-neutral/controller-roles';
import type {
  EbsCsiDriverOptions,
  ExternalDnsOptions,
  LoadBalancerControllerOptions,
} from '../engine-neutral/pod-role-options';
import { arnOf } from './arn';
import { PodRole, type AddonRoleSettings, type PodRoleProps } from './pod-role';

export { EbsVolumeScope } from '../engine-neutral/pod-role-options';

export interface LoadBalancerControllerRoleProps extends PodRoleProps, LoadBalancerControllerOptions {}

/**
 * The role of the AWS Load Balancer Controller: the policy that is published with its version, and a trust policy for
 * `kube-system/aws-load-balancer-controller` and nothing else.
 *
 * @see https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/deploy/installation/
 */
export class LoadBalancerControllerRole extends PodRole {
  /** Version of the controller for which the policy is. */
  readonly version: string;
  /** The newest version of the chart `aws-load-balancer-controller` that installs this version; undefined if it isn't known. */
  readonly chartVersion: string | undefined;
  /** Values for the chart `aws-load-balancer-controller`. */
  readonly helmValues: ChartValues;

  /** @throws ConstructionError for a version whose policy isn't known, a cluster that doesn't tell its VPC, and IRSA on a cluster whose OpenID Connect provider isn't known */
  constructor(scope: Construct, id: string, props: LoadBalancerControllerRoleProps) {
    let version = '';
    super(scope, id, props, (context) => {
      version = loadBalancerControllerVersion(context, props.version);
      return loadBalancerControllerParts(context, { ...props, version });
    });
    this.version = version;
    this.chartVersion = chartOfVersion('aws-load-balancer-controller', version);
    this.helmValues = loadBalancerControllerValues(
      this.chart,
      props.vpcId ?? this.facts.vpcId ?? refuseUnknownVpc(this),
    );
  }
}

/** A hosted zone: the resource or the data source `aws_route53_zone`, or something else with its id. */
export interface IHostedZone {
  /** The id of the zone. */
  readonly zoneId: string;
}

export interface ExternalDnsRoleProps extends PodRoleProps, ExternalDnsOptions {
  /** The zones whose records ExternalDNS keeps. At most 80. */
  readonly hostedZones: readonly IHostedZone[];
}

/**
 * The role of ExternalDNS: it changes records of given hosted zones, and its trust policy names `external-dns/external-dns` and nothing else.
 *
 * @see https://kubernetes-sigs.github.io/external-dns/latest/docs/tutorials/aws/
 */
export class ExternalDnsRole extends PodRole {
  /** Values for the chart `external-dns`. Its `policy` (`sync` or `upsert-only`) and sources are yours. */
  readonly helmValues: ChartValues;
  /** The role among the arguments of the add-on `external-dns`. */
  readonly addonSettings: AddonRoleSettings;

  /** @throws ConstructionError for an empty list of zones, and IRSA on a cluster whose OpenID Connect provider isn't known */
  constructor(scope: Construct, id: string, props: ExternalDnsRoleProps) {
    const zoneIds = [...new Set(props.hostedZones.map((zone) => zone.zoneId))];
    super(scope, id, props, (context) =>
      externalDnsParts(context, { ...props, zoneIds, zoneTags: props.zoneTags ?? false }),
    );
    this.helmValues = externalDnsValues(this.chart, zoneIds);
    this.addonSettings = this.addonRole;
  }
}

/** A key: the resource or the data source `aws_kms_key`, or something else with its ARN. */
export interface IKey {
  /** The ARN of the key. */
  readonly arn: string;
}

export interface EbsCsiDriverRoleProps extends PodRoleProps, EbsCsiDriverOptions {
  /**
   * Keys of your own with which volumes are encrypted, or their ARNs. Their key policies must let the account's IAM policies decide, as they do by default.
   *
   * @default - none: the AWS managed key of EBS needs no permission
   * @see https://docs.aws.amazon.com/ebs/latest/userguide/ebs-encryption-requirements.html
   */
  readonly kmsKeys?: readonly (IKey | string)[];
}

/**
 * The role of the Amazon EBS CSI driver: an AWS managed policy, the use of given keys, and a trust policy for `kube-system/ebs-csi-controller-sa` and nothing else.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/ebs-csi.html
 */
export class EbsCsiDriverRole extends PodRole {
  /** Values for the chart `aws-ebs-csi-driver`. */
  readonly helmValues: ChartValues;
  /** The role among the arguments of the add-on `aws-ebs-csi-driver`. */
  readonly addonSettings: AddonRoleSettings;

  /** @throws ConstructionError for `EbsVolumeScope.CLUSTER` with IRSA, and IRSA on a cluster whose OpenID Connect provider isn't known */
  constructor(scope: Construct, id: string, props: EbsCsiDriverRoleProps) {
    const keyArns = [
      ...new Set((props.kmsKeys ?? []).map((key, index) => arnOf(scope, `${id}: kmsKeys[${index}]`, key))),
    ];
    super(scope, id, props, (context) => ebsCsiDriverParts(context, { ...props, keyArns }));
    this.helmValues = ebsCsiDriverValues(this.chart, props.volumes);
    this.addonSettings = this.addonRole;
  }
}

/**
 * The role of the Amazon EFS CSI driver: `AmazonEFSCSIDriverPolicy`, and a trust policy for `kube-system/efs-csi-controller-sa`, with IRSA also for `efs-csi-node-sa`,
 * to which the add-on gives the same role.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/efs-csi.html
 */
export class EfsCsiDriverRole extends PodRole {
  /** Values for the chart `aws-efs-csi-driver`. */
  readonly helmValues: ChartValues;
  /** The role among the arguments of the add-on `aws-efs-csi-driver`. */
  readonly addonSettings: AddonRoleSettings;

  /** @throws ConstructionError for IRSA on a cluster whose OpenID Connect provider isn't known */
  constructor(scope: Construct, id: string, props: PodRoleProps) {
    super(scope, id, props, (context) => efsCsiDriverParts(context, props));
    this.helmValues = efsCsiDriverValues(this.chart);
    this.addonSettings = this.addonRole;
  }
}

/**
 * The role of the Cluster Autoscaler: it scales the Auto Scaling groups with the tags `k8s.io/cluster-autoscaler/enabled: true` and `k8s.io/cluster-autoscaler/CLUSTER: owned`,
 * which managed node groups have, and its trust policy names `kube-system/cluster-autoscaler` and nothing else.
 *
 * @see https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/cloudprovider/aws/README.md
 */
export class ClusterAutoscalerRole extends PodRole {
  /** Values for the chart `cluster-autoscaler`. */
  readonly helmValues: ChartValues;

  /** @throws ConstructionError for IRSA on a cluster whose OpenID Connect provider isn't known */
  constructor(scope: Construct, id: string, props: PodRoleProps) {
    super(scope, id, props, (context) => clusterAutoscalerParts(context, props));
    this.helmValues = clusterAutoscalerValues(this.chart);
  }
}
