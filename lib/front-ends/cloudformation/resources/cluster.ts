import type { Cluster, Reference, Role } from '../../../eks';
import { mapValue, type Value } from '../../../value';
import type { Block } from '../../../cloudformation/block';
import { CloudFormationResource } from './cloudformation-resource';
import { otherInstallersOf } from '../other-installers';
import { roleReference } from './references';

/** `AWS::EKS::Cluster`, which plain templates and CDK's `aws-eks-v2` use, and the Quick Starts' `AWSQS::EKS::Cluster`, which has fewer of the same properties. */
export class NativeCluster extends CloudFormationResource implements Cluster {
  readonly kind = 'cluster';

  get name(): Value<string> {
    return this.properties.string('Name');
  }

  get version(): Value<string> {
    return this.properties.string('Version');
  }

  get ipFamily(): Value<string> {
    return this.properties.block('KubernetesNetworkConfig').string('IpFamily');
  }

  get serviceIpv4Cidr(): Value<string> {
    return this.properties.block('KubernetesNetworkConfig').string('ServiceIpv4Cidr');
  }

  get autoMode(): Value<boolean> {
    return this.properties.block('ComputeConfig').boolean('Enabled');
  }

  get role(): Value<Reference<Role>> {
    return roleReference(this.properties.item('RoleArn'), this.template);
  }

  get securityGroups(): Value<readonly Value<string>[]> {
    return this.properties.block('ResourcesVpcConfig').strings('SecurityGroupIds');
  }

  get authenticationMode(): Value<string> {
    return this.properties.block('AccessConfig').string('AuthenticationMode');
  }

  get bootstrapSelfManagedAddons(): Value<boolean> {
    return this.properties.boolean('BootstrapSelfManagedAddons');
  }

  get supportType(): Value<string> {
    return this.properties.block('UpgradePolicy').string('SupportType');
  }

  get onOutpost(): Value<boolean> {
    return mapValue(this.properties.block('OutpostConfig').map, () => true);
  }

  get otherInstallers(): readonly string[] {
    return otherInstallersOf(this.template);
  }
}

/** `Custom::AWSCDK-EKS-Cluster` of CDK's `aws-eks`: the arguments of the CreateCluster call, in its spelling. */
export class CustomResourceCluster extends CloudFormationResource implements Cluster {
  readonly kind = 'cluster';

  private get config(): Block {
    return this.properties.block('Config');
  }

  get name(): Value<string> {
    return this.config.string('name');
  }

  get version(): Value<string> {
    return this.config.string('version');
  }

  get ipFamily(): Value<string> {
    return this.config.block('kubernetesNetworkConfig').string('ipFamily');
  }

  get serviceIpv4Cidr(): Value<string> {
    return this.config.block('kubernetesNetworkConfig').string('serviceIpv4Cidr');
  }

  get autoMode(): Value<boolean> {
    return this.config.block('computeConfig').boolean('enabled');
  }

  get role(): Value<Reference<Role>> {
    return roleReference(this.config.item('roleArn'), this.template);
  }

  get securityGroups(): Value<readonly Value<string>[]> {
    return this.config.block('resourcesVpcConfig').strings('securityGroupIds');
  }

  get authenticationMode(): Value<string> {
    return this.config.block('accessConfig').string('authenticationMode');
  }

  get bootstrapSelfManagedAddons(): Value<boolean> {
    return this.config.boolean('bootstrapSelfManagedAddons');
  }

  get supportType(): Value<string> {
    return this.config.block('upgradePolicy').string('supportType');
  }

  get onOutpost(): Value<boolean> {
    return mapValue(this.config.block('outpostConfig').map, () => true);
  }

  get otherInstallers(): readonly string[] {
    return otherInstallersOf(this.template);
  }
}
