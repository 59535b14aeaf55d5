import type { Cluster, Outsider } from '../../../eks';
import { CDK_CLUSTER, CLUSTER } from '../../../eks/resources/cluster';
import { member } from '../../../cloudformation/cursor';
import { byTable } from './by-table';
import { otherInstallersOf } from '../other-installers';
import { outsidersOf } from './outsiders';

/** `AWS::EKS::Cluster`, which plain templates and CDK's `aws-eks-v2` use, and the Quick Starts' `AWSQS::EKS::Cluster`, which has fewer of the same properties. */
export class NativeCluster extends byTable(CLUSTER) implements Cluster {
  readonly kind = 'cluster';

  get otherInstallers(): readonly string[] {
    return otherInstallersOf(this.template);
  }

  get outsiders(): readonly Outsider[] {
    return outsidersOf(this.template, this.id, member(member(this.raw, 'Properties'), 'Name'));
  }
}

/** `Custom::AWSCDK-EKS-Cluster` of CDK's `aws-eks`: the arguments of the CreateCluster call, in its spelling. */
export class CustomResourceCluster extends byTable(CDK_CLUSTER) implements Cluster {
  readonly kind = 'cluster';

  get otherInstallers(): readonly string[] {
    return otherInstallersOf(this.template);
  }

  get outsiders(): readonly Outsider[] {
    return outsidersOf(this.template, this.id, member(member(member(this.raw, 'Properties'), 'Config'), 'name'));
  }
}
