import type { Cluster, LookedUp, Outsider } from '../../../eks';
import { installersAfter, otherInstallersOf, otherWorkloadsOf } from './other-installers';
import { lookedUpOf } from './looked-up';
import { outsidersIn } from './outsiders';
import type { Resource } from '../../../value';
import { CLUSTER } from '../../../eks/resources/cluster';
import { byTable } from './by-table';

/** `aws_eks_cluster`. */
export class EksCluster extends byTable(CLUSTER) implements Cluster {
  readonly kind = 'cluster';

  get otherInstallers(): readonly string[] {
    return otherInstallersOf(this.stack, this.registry);
  }

  get outsiders(): readonly Outsider[] {
    return outsidersIn(this.registry).of(this.instance, this.name.kind === 'known' ? this.name.value : undefined);
  }

  get lookedUp(): readonly LookedUp[] {
    return lookedUpOf(this, this.registry);
  }

  installersAfter({ id }: Resource): readonly string[] {
    return installersAfter(this.stack, this.registry, id);
  }

  get otherWorkloads(): readonly string[] {
    return otherWorkloadsOf(this.stack, this.registry);
  }
}
