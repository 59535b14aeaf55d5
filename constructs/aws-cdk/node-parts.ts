import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type { Construct } from 'constructs';
import type { OperatingSystem } from '../engine-neutral/ami-family';
import { refuseAmiId } from '../engine-neutral/managed-node-group';
import type { ClusterFacts } from './cluster';
import { refuse } from './construction-error';
import { cdkTokens } from './tokens';

/** The subnets of nodes. */
export function nodeSubnets(
  scope: Construct,
  facts: ClusterFacts,
  subnets: ec2.SubnetSelection | undefined,
): readonly ec2.ISubnet[] {
  if (subnets?.subnets !== undefined) return subnets.subnets;
  const { vpc } = facts;
  if (vpc === undefined) {
    return refuse(
      scope,
      "the imported cluster has no vpc, so subnets can't be selected; give vpc to fromClusterAttributes, or list subnets in subnets.subnets",
    );
  }
  const selected = vpc.selectSubnets(subnets).subnets;
  return selected.length > 0 ? selected : refuse(scope, 'subnets selects none; a node group needs at least one');
}

/** An AMI of the user's own as a machine image. */
export function nodeImage(
  scope: Construct,
  os: OperatingSystem,
  customAmi: ec2.IMachineImage | string | undefined,
): ec2.IMachineImage | undefined {
  if (customAmi === undefined) return undefined;
  const osType = os === 'WINDOWS' ? ec2.OperatingSystemType.WINDOWS : ec2.OperatingSystemType.LINUX;
  const image: ec2.IMachineImage =
    typeof customAmi === 'string'
      ? { getImage: () => ({ imageId: customAmi, osType, userData: ec2.UserData.forOperatingSystem(osType) }) }
      : customAmi;
  const { imageId } = image.getImage(scope);
  refuseAmiId(scope, cdkTokens, imageId, 'use MachineImage.fromSsmParameter, which CloudFormation resolves');
  return image;
}

/** CPU architecture by the name that the table of instance types has. */
export function architectureName(architecture: ec2.InstanceArchitecture | undefined): 'arm64' | 'x86_64' | undefined {
  if (architecture === undefined) return undefined;
  return architecture === ec2.InstanceArchitecture.ARM_64 ? 'arm64' : 'x86_64';
}
