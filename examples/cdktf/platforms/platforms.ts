import type { App } from 'cdktf';
import { AutoMode } from './auto-mode';
import { CapacityBlock } from './capacity-block';
import { Gpu } from './gpu';
import { GravitonOwnAmi } from './graviton-own-ami';
import { Imported } from './imported';
import { Ipv6 } from './ipv6';
import { Karpenter } from './karpenter';
import { addPipeline } from './pipeline';
import { PodSecurityGroups } from './pod-security-groups';
import { PrivateCluster } from './private-cluster';
import { SecondaryCidr } from './secondary-cidr';
import { Windows } from './windows';

/** Adds every platform. */
export function addPlatforms(app: App): void {
  new PrivateCluster(app, 'PrivateCluster');
  new Ipv6(app, 'Ipv6');
  new SecondaryCidr(app, 'SecondaryCidr');
  new PodSecurityGroups(app, 'PodSecurityGroups');
  new Gpu(app, 'Gpu');
  new Windows(app, 'Windows');
  new GravitonOwnAmi(app, 'GravitonOwnAmi');
  addPipeline(app);
  new Imported(app, 'Imported');
  new Karpenter(app, 'Karpenter');
  new AutoMode(app, 'AutoMode');
  new CapacityBlock(app, 'CapacityBlock', {
    capacityReservationId: 'cr-0123456789abcdef0',
    subnet: 'subnet-0123456789abcdef0',
    instances: 4,
  });
}
