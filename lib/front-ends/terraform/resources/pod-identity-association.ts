import type { Cluster, PodIdentityAssociation, Reference, Role } from '../../../eks';
import type { Value } from '../../../value';
import { clusterReference, roleReference } from './references';
import { TerraformResource } from './terraform-resource';

/** `aws_eks_pod_identity_association`. */
export class EksPodIdentityAssociation extends TerraformResource implements PodIdentityAssociation {
  readonly kind = 'pod-identity-association';

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.attributes.item('cluster_name'), this.scope);
  }

  get namespace(): Value<string> {
    return this.attributes.string('namespace');
  }

  get serviceAccount(): Value<string> {
    return this.attributes.string('service_account');
  }

  get role(): Value<Reference<Role>> {
    return roleReference(this.attributes.item('role_arn'), this.scope);
  }

  get disableSessionTags(): Value<boolean> {
    return this.attributes.boolean('disable_session_tags');
  }
}
