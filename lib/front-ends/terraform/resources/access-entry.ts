import type { AccessEntry, Cluster, Reference, Role } from '../../../eks';
import type { Value } from '../../../value';
import { clusterReference, roleReference } from './references';
import { TerraformResource } from './terraform-resource';

/** `aws_eks_access_entry`. */
export class EksAccessEntry extends TerraformResource implements AccessEntry {
  readonly kind = 'access-entry';

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.attributes.item('cluster_name'), this.scope);
  }

  get principal(): Value<Reference<Role>> {
    return roleReference(this.attributes.item('principal_arn'), this.scope);
  }

  get entryType(): Value<string> {
    return this.attributes.text('type');
  }

  get groups(): Value<readonly Value<string>[]> {
    return this.attributes.texts('kubernetes_groups');
  }
}
