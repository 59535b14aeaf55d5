import type { FargateProfile, FargateSelector } from '../../../eks';
import { flatMapValue, Known, type Value } from '../../../value';
import { FARGATE_PROFILE } from '../../../eks/resources/fargate-profile';
import { byTable } from './by-table';

/** `aws_eks_fargate_profile`. */
export class EksFargateProfile extends byTable(FARGATE_PROFILE) implements FargateProfile {
  readonly kind = 'fargate-profile';

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
