import type { Cluster, FargateProfile, FargateSelector, Reference } from '../../../eks';
import { flatMapValue, Known, type Value } from '../../../value';
import { Block } from '../../../cloudformation/block';
import { CloudFormationResource } from './cloudformation-resource';
import { clusterReference } from './references';

/** `AWS::EKS::FargateProfile`, and the custom resource of CDK's `aws-eks`, which has the arguments under `Config`. */
export class EksFargateProfile extends CloudFormationResource implements FargateProfile {
  readonly kind = 'fargate-profile';

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(
      this.isCustom ? this.properties.block('Config').item('clusterName') : this.properties.item('ClusterName'),
    );
  }

  get selectors(): Value<readonly FargateSelector[]> {
    const list = this.isCustom ? this.properties.block('Config').list('selectors') : this.properties.list('Selectors');
    return flatMapValue(list, (plain): Value<readonly FargateSelector[]> => {
      if (plain.kind !== 'known') return plain;
      const selectors = plain.value.map((item): FargateSelector => {
        const block = Block.of(item, this.evaluator);
        return {
          namespace: block.string(this.isCustom ? 'namespace' : 'Namespace'),
          hasLabels: block.item(this.isCustom ? 'labels' : 'Labels').kind !== 'absent',
        };
      });
      return new Known(selectors, plain.source);
    });
  }

  private get isCustom(): boolean {
    return this.type !== 'AWS::EKS::FargateProfile';
  }
}
