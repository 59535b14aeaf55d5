import type { Cluster, FargateProfile, Reference, Value } from '../../../model';
import { CloudFormationResource } from './cloudformation-resource';
import { clusterReference } from './references';

/** `AWS::EKS::FargateProfile`, and the custom resource of CDK's `aws-eks`, which has the arguments under `Config`. */
export class EksFargateProfile extends CloudFormationResource implements FargateProfile {
  readonly kind = 'fargate-profile';

  get cluster(): Value<Reference<Cluster>> {
    const { properties } = this;
    return clusterReference(this.type === 'AWS::EKS::FargateProfile' ? properties.item('ClusterName') : properties.block('Config').item('clusterName'));
  }
}
