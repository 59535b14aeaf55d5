import { flatMapValue, Known, sourceOf, type Addon, type AddonConfiguration, type AddonPodIdentity, type Cluster, type Plain, type Reference, type Role, type Value } from '../../../model';
import { parseEmbedded } from '../../embedded-text';
import { firstOf } from '../../first-of';
import { clusterReference, roleReference } from './references';
import { TerraformResource } from './terraform-resource';

/** `aws_eks_addon`. */
export class EksAddon extends TerraformResource implements Addon {
  readonly kind = 'addon';
  private declare parsed: Value<AddonConfiguration> | undefined;

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.attributes.item('cluster_name'), this.scope);
  }

  get name(): Value<string> {
    return this.attributes.text('addon_name');
  }

  get version(): Value<string> {
    return this.attributes.text('addon_version');
  }

  /** `resolve_conflicts` is for both occasions; version 6 of the provider has no more of it. */
  get resolveConflictsOnCreate(): Value<string> {
    return firstOf(this.attributes.text('resolve_conflicts'), () => this.attributes.text('resolve_conflicts_on_create'));
  }

  get resolveConflictsOnUpdate(): Value<string> {
    return firstOf(this.attributes.text('resolve_conflicts'), () => this.attributes.text('resolve_conflicts_on_update'));
  }

  get configuration(): Value<AddonConfiguration> {
    return (this.parsed ??= flatMapValue(this.attributes.text('configuration_values'), readConfiguration));
  }

  get namespace(): Value<string> {
    return this.attributes.block('namespace_config').string('namespace');
  }

  get serviceAccountRole(): Value<Reference<Role>> {
    return roleReference(this.attributes.text('service_account_role_arn'), this.scope);
  }

  get podIdentityAssociations(): Value<readonly AddonPodIdentity[]> {
    return flatMapValue(this.attributes.blocks('pod_identity_association'), (plain): Plain<readonly AddonPodIdentity[]> => {
      if (plain.kind !== 'known') return plain;
      const associations = plain.value.map((block): AddonPodIdentity => ({
        serviceAccount: block.string('service_account'),
        role: roleReference(block.item('role_arn'), this.scope),
        source: sourceOf(block.value),
      }));
      return new Known(associations, plain.source, plain.note);
    });
  }

  get preserveOnDelete(): Value<boolean> {
    return this.attributes.boolean('preserve');
  }
}

function readConfiguration(plain: Plain<string>): Plain<AddonConfiguration> {
  if (plain.kind === 'absent') return plain;
  const parsed = parseEmbedded(plain);
  if (parsed.kind === 'unknown') return parsed.unknown;
  return new Known<AddonConfiguration>(parsed, plain.source, plain.kind === 'known' ? plain.note : undefined);
}
