import type { App } from 'aws-cdk-lib';
import { AutoMode } from './auto-mode';
import { CapacityBlock } from './capacity-block';
import { Gpu } from './gpu';
import { GravitonOwnAmi } from './graviton-own-ami';
import { Imported } from './imported';
import { Ipv6 } from './ipv6';
import { Karpenter } from './karpenter';
import { Pipeline } from './pipeline';
import { PodSecurityGroups } from './pod-security-groups';
import { PrivateCluster } from './private-cluster';
import { SecondaryCidr } from './secondary-cidr';
import { Windows } from './windows';

/** Adds every platform. */
export function addPlatforms(app: App): void {
  const env = { region: 'eu-central-1', account: '111122223333' };
  new PrivateCluster(app, 'PrivateCluster', { env });
  new Ipv6(app, 'Ipv6', { env });
  new SecondaryCidr(app, 'SecondaryCidr', { env });
  new PodSecurityGroups(app, 'PodSecurityGroups', { env });
  new Gpu(app, 'Gpu', { env });
  new Windows(app, 'Windows', { env });
  new GravitonOwnAmi(app, 'GravitonOwnAmi', { env });
  new Pipeline(app, 'Pipeline', { env });
  new Imported(app, 'Imported', { env });
  new Karpenter(app, 'Karpenter', { env });
  new AutoMode(app, 'AutoMode', { env });
  new CapacityBlock(app, 'CapacityBlock', {
    env,
    capacityReservationId: 'cr-0123456789abcdef0',
    availabilityZone: 'eu-central-1a',
    instances: 4,
  });
}
