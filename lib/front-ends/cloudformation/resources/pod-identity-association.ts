import type { Cluster, PodIdentityAssociation, Reference, Role } from '../../../eks';
import type { Value } from '../../../value';
import { CloudFormationResource } from './cloudformation-resource';
import { clusterReference, roleReference } from './references';

/** `AWS::EKS::PodIdentityAssociation`. */
export class EksPodIdentityAssociation extends CloudFormationResource implements PodIdentityAssociation {
  readonly kind = 'pod-identity-association';

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.properties.item('ClusterName'));
  }

  get namespace(): Value<string> {
    return this.properties.string('Namespace');
  }

  get serviceAccount(): Value<string> {
    return this.properties.string('ServiceAccount');
  }

  get role(): Value<Reference<Role>> {
    return roleReference(this.properties.item('RoleArn'), this.template);
  }

  get disableSessionTags(): Value<boolean> {
    return this.properties.boolean('DisableSessionTags');
  }
}
