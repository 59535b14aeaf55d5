import type { Cluster, FargateProfile, FargateSelector, Reference } from '../../../eks';
import { flatMapValue, Known, type Value } from '../../../value';
import { clusterReference } from './references';
import { TerraformResource } from './terraform-resource';

/** `aws_eks_fargate_profile`. */
export class EksFargateProfile extends TerraformResource implements FargateProfile {
  readonly kind = 'fargate-profile';

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.attributes.item('cluster_name'), this.scope);
  }

  get selectors(): Value<readonly FargateSelector[]> {
    return flatMapValue(this.attributes.blocks('selector'), (plain): Value<readonly FargateSelector[]> => {
      if (plain.kind !== 'known') return plain;
      const selectors = plain.value.map(
        (block): FargateSelector => ({
          namespace: block.text('namespace'),
          hasLabels: block.item('labels').kind !== 'absent',
        }),
      );
      return new Known(selectors, plain.source);
    });
  }
}
