import type { AccessEntry, Cluster, Reference, Role } from '../../../eks';
import type { Value } from '../../../value';
import { CloudFormationResource } from './cloudformation-resource';
import { clusterReference, roleReference } from './references';

/** `AWS::EKS::AccessEntry`. */
export class EksAccessEntry extends CloudFormationResource implements AccessEntry {
  readonly kind = 'access-entry';

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.properties.item('ClusterName'));
  }

  get principal(): Value<Reference<Role>> {
    return roleReference(this.properties.item('PrincipalArn'), this.template);
  }

  get entryType(): Value<string> {
    return this.properties.string('Type');
  }

  get groups(): Value<readonly Value<string>[]> {
    return this.properties.strings('KubernetesGroups');
  }
}
