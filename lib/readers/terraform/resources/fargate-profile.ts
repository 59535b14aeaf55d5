import type { Cluster, FargateProfile, Reference, Value } from '../../../model';
import { clusterReference } from './references';
import { TerraformResource } from './terraform-resource';

/** `aws_eks_fargate_profile`. */
export class EksFargateProfile extends TerraformResource implements FargateProfile {
  readonly kind = 'fargate-profile';

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.attributes.item('cluster_name'), this.scope);
  }
}
