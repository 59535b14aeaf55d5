import type { FargateProfile, FargateSelector } from '../../../eks';
import { CDK_FARGATE_PROFILE, FARGATE_PROFILE } from '../../../eks/resources/fargate-profile';
import { mapValue, type Value } from '../../../value';
import { Block } from '../../../cloudformation/block';
import type { Evaluator } from '../../../cloudformation/evaluator';
import type { Item } from '../../../cloudformation/item';
import { byTable } from './by-table';

/** `AWS::EKS::FargateProfile`. */
export class EksFargateProfile extends byTable(FARGATE_PROFILE) implements FargateProfile {
  readonly kind = 'fargate-profile';

  get selectors(): Value<readonly FargateSelector[]> {
    return readSelectors(this.settings.list('Selectors'), { namespace: 'Namespace', labels: 'Labels' }, this.evaluator);
  }
}

/** The custom resource of CDK's `aws-eks`. */
export class CustomResourceFargateProfile extends byTable(CDK_FARGATE_PROFILE) implements FargateProfile {
  readonly kind = 'fargate-profile';

  get selectors(): Value<readonly FargateSelector[]> {
    return readSelectors(this.settings.list('selectors'), { namespace: 'namespace', labels: 'labels' }, this.evaluator);
  }
}

function readSelectors(
  list: Value<readonly Value<Item>[]>,
  keys: { readonly namespace: string; readonly labels: string },
  evaluator: Evaluator,
): Value<readonly FargateSelector[]> {
  return mapValue(list, (items) =>
    items.map((item): FargateSelector => {
      const block = Block.of(item, evaluator);
      return { namespace: block.string(keys.namespace), hasLabels: block.item(keys.labels).kind !== 'absent' };
    }),
  );
}
