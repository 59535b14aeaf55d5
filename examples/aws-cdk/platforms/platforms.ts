import type { App } from 'aws-cdk-lib';
import { AutoMode } from './auto-mode';
import { Gpu } from './gpu';
import { GravitonOwnAmi } from './graviton-own-ami';
import { Imported } from './imported';
import { Ipv6 } from './ipv6';
import { Karpenter } from './karpenter';
import { Pipeline } from './pipeline';
import { PrivateCluster } from './private-cluster';
import { SecondaryCidr } from './secondary-cidr';

/** Adds every platform. Windows and pods with security groups of their own are in the safe example. */
export function addPlatforms(app: App): void {
  const env = { region: 'eu-central-1', account: '111122223333' };
  new PrivateCluster(app, 'PrivateCluster', { env });
  new Ipv6(app, 'Ipv6', { env });
  new SecondaryCidr(app, 'SecondaryCidr', { env });
  new Gpu(app, 'Gpu', { env });
  new GravitonOwnAmi(app, 'GravitonOwnAmi', { env });
  new Pipeline(app, 'Pipeline', { env });
  new Imported(app, 'Imported', { env });
  new Karpenter(app, 'Karpenter', { env });
  new AutoMode(app, 'AutoMode', { env });
}
