import type { IConstruct } from 'constructs';
import { amiType as amiTypeNamed } from '../../lib/knowledge';
import { AmiFamily, resolveAmi, type AmiChoice } from './ami-family';
import { refuse } from './construction-error';
import type { NodeUpdateOptions } from './node-update-options';
import { nodeVolumes } from './node-volumes';
import type { NodeVolumeOptions } from './node-volume-options';
import type { TokenTools } from './tokens';

/** The options that only EKS's managed node groups have. */
export type ManagedOnly = keyof NodeUpdateOptions | 'al2Reason' | 'nodegroupName' | 'releaseVersion';

/** The options of nodes that EKS doesn't manage. */
export interface SelfManagedOptions {
  /**
   * Whether an access entry of type `EC2_LINUX` is made for the node role, without which the nodes don't join; `false` if there is one, or `aws-auth` maps the role.
   *
   * @default - true where the cluster's authentication mode includes API; must be said for clusters that don't tell it
   * @see https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html
   */
  readonly accessEntry?: boolean;
}

/** EKS's own image for nodes. */
export interface EksImage {
  /** The public SSM parameter with its id. */
  readonly parameter: string;
  readonly amiFamily: AmiFamily;
}

/**
 * EKS's own image for nodes that EKS doesn't manage, of the same choice that a managed node group would make.
 * Sources: Amazon EKS user guide, "Retrieve recommended Amazon Linux AMI IDs", "Retrieve recommended Bottlerocket AMI IDs".
 */
export function eksImage(
  scope: IConstruct,
  tokens: TokenTools,
  choice: AmiChoice,
  volumes: NodeVolumeOptions,
): EksImage {
  const { os, amiType = '' } = resolveAmi(scope, tokens, { ...choice, hasCustomAmi: false });
  const { kubernetesVersion: version } = choice;
  if (version === undefined)
    return refuse(
      scope,
      "the cluster doesn't tell its Kubernetes version, which EKS's AMI depends on; set kubernetesVersion or customAmi",
    );
  nodeVolumes(scope, tokens, os, false, volumes);
  const type = amiTypeNamed(amiType);
  const architecture = type?.architecture ?? 'x86_64';
  if (os === 'AL2023') {
    const variant = /_(?:STANDARD|NVIDIA|NEURON)$/.exec(amiType)?.[0].slice(1).toLowerCase() ?? 'standard';
    return {
      amiFamily: AmiFamily.AL2023,
      parameter: `/aws/service/eks/optimized-ami/${version}/amazon-linux-2023/${architecture}/${variant}/recommended/image_id`,
    };
  }
  if (os === 'BOTTLEROCKET') {
    const variant = /(?:_NVIDIA)?(?:_FIPS)?$/.exec(amiType)?.[0].replaceAll('_', '-').toLowerCase() ?? '';
    return {
      amiFamily: AmiFamily.BOTTLEROCKET,
      parameter: `/aws/service/bottlerocket/aws-k8s-${version}${variant}/${architecture}/latest/image_id`,
    };
  }
  return refuse(
    scope,
    os === 'WINDOWS'
      ? 'amiFamily is Windows; use WindowsNodeGroup, which brings what Windows nodes need'
      : 'amiFamily is AL2 without customAmi; no new AL2 AMIs are published: use AL2023, or an AMI of your own',
  );
}

/** Why the user data of nodes that EKS doesn't manage is the whole bootstrap, unless the user has an image. */
export function wholeBecause(options: { readonly customAmi?: unknown }): string | undefined {
  return options.customAmi === undefined ? "EKS doesn't bootstrap nodes that it doesn't manage" : undefined;
}

/** How many nodes stay in service while CloudFormation replaces others; it asks for less than the maximum. */
export function nodesInService(tokens: TokenTools, minSize: number, maxSize: number): number {
  if (tokens.isToken(minSize) || tokens.isToken(maxSize)) return 0;
  return Math.max(0, Math.min(minSize, maxSize - 1));
}

/**
 * The part of the desired capacity that stays in service during an instance refresh, in percent: all but one node of a full group, and at least EC2 Auto Scaling's
 * default of 90. It rounds up and always replaces at least one node, so groups of up to 100 nodes lose one at a time.
 * Source: Amazon EC2 Auto Scaling API reference, RefreshPreferences.
 */
export function minHealthyPercentage(tokens: TokenTools, maxSize: number): number {
  if (tokens.isToken(maxSize) || maxSize < 1) return 90;
  return Math.min(99, Math.max(90, Math.ceil(((maxSize - 1) / maxSize) * 100)));
}
