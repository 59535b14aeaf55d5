import type { Cluster } from '../../../eks';
import { installersAfter, otherInstallersOf, otherWorkloadsOf } from './other-installers';
import type { Resource } from '../../../value';
import { CLUSTER } from '../../../eks/resources/cluster';
import { byTable } from './by-table';

/** `aws_eks_cluster`. */
export class EksCluster extends byTable(CLUSTER) implements Cluster {
  readonly kind = 'cluster';

  get otherInstallers(): readonly string[] {
    return otherInstallersOf(this.stack, this.registry);
  }

  installersAfter({ id }: Resource): readonly string[] {
    return installersAfter(this.stack, this.registry, id);
  }

  get otherWorkloads(): readonly string[] {
    return otherWorkloadsOf(this.stack, this.registry);
  }
}
