import type { Cluster, Reference, Role } from '../../../eks';
import { mapValue, type Value } from '../../../value';
import { otherInstallersOf } from './other-installers';
import { roleReference } from './references';
import { groupReferences } from './security-group-peers';
import { TerraformResource } from './terraform-resource';

/** `aws_eks_cluster`. */
export class EksCluster extends TerraformResource implements Cluster {
  readonly kind = 'cluster';

  get name(): Value<string> {
    return this.attributes.text('name');
  }

  get version(): Value<string> {
    return this.attributes.text('version');
  }

  get ipFamily(): Value<string> {
    return this.attributes.block('kubernetes_network_config').text('ip_family');
  }

  get serviceIpv4Cidr(): Value<string> {
    return this.attributes.block('kubernetes_network_config').text('service_ipv4_cidr');
  }

  get autoMode(): Value<boolean> {
    return this.attributes.block('compute_config').boolean('enabled');
  }

  get role(): Value<Reference<Role>> {
    return roleReference(this.attributes.item('role_arn'), this.scope);
  }

  get securityGroups(): Value<readonly Value<string>[]> {
    return groupReferences(this.attributes.block('vpc_config').texts('security_group_ids'), this.scope);
  }

  get authenticationMode(): Value<string> {
    return this.attributes.block('access_config').text('authentication_mode');
  }

  get bootstrapSelfManagedAddons(): Value<boolean> {
    return this.attributes.boolean('bootstrap_self_managed_addons');
  }

  get supportType(): Value<string> {
    return this.attributes.block('upgrade_policy').text('support_type');
  }

  get onOutpost(): Value<boolean> {
    return mapValue(this.attributes.block('outpost_config').value, () => true);
  }

  get otherInstallers(): readonly string[] {
    return otherInstallersOf(this.stack, this.registry);
  }
}
