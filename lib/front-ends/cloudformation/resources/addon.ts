import type { Addon, AddonConfiguration, AddonPodIdentity, Cluster, Reference, Role } from '../../../eks';
import { flatMapValue, Known, type Plain, type Resource, sourceOf, type Value } from '../../../value';
import { Block } from '../../../cloudformation/block';
import { parseEmbedded } from '../../../value/embedded-text';
import { CloudFormationResource } from './cloudformation-resource';
import { clusterReference, roleReference } from './references';

/** `AWS::EKS::Addon`. */
export class EksAddon extends CloudFormationResource implements Addon {
  readonly kind = 'addon';
  private parsed: Value<AddonConfiguration> | undefined;

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.properties.item('ClusterName'));
  }

  get name(): Value<string> {
    return this.properties.string('AddonName');
  }

  get version(): Value<string> {
    return this.properties.string('AddonVersion');
  }

  /** CloudFormation has one property for both occasions. */
  get resolveConflictsOnCreate(): Value<string> {
    return this.properties.string('ResolveConflicts');
  }

  get resolveConflictsOnUpdate(): Value<string> {
    return this.properties.string('ResolveConflicts');
  }

  get configuration(): Value<AddonConfiguration> {
    return (this.parsed ??= flatMapValue(this.properties.string('ConfigurationValues'), readConfiguration));
  }

  get namespace(): Value<string> {
    return this.properties.block('NamespaceConfig').string('Namespace');
  }

  get serviceAccountRole(): Value<Reference<Role>> {
    return roleReference(this.properties.item('ServiceAccountRoleArn'), this.template);
  }

  get podIdentityAssociations(): Value<readonly AddonPodIdentity[]> {
    return flatMapValue(
      this.properties.list('PodIdentityAssociations'),
      (plain): Value<readonly AddonPodIdentity[]> => {
        if (plain.kind !== 'known') return plain;
        const associations = plain.value.map((item): AddonPodIdentity => {
          const block = Block.of(item, this.evaluator);
          return {
            serviceAccount: block.string('ServiceAccount'),
            role: roleReference(block.item('RoleArn'), this.template),
            source: sourceOf(item),
          };
        });
        return new Known(associations, plain.source, plain.note);
      },
    );
  }

  /** What CloudFormation itself leaves alone when the resource goes is not deleted by EKS either. */
  get preserveOnDelete(): Value<boolean> {
    return flatMapValue(Block.at(this.cursor, this.evaluator).string('DeletionPolicy'), (policy): Value<boolean> => {
      const isRetained = policy.kind === 'known' && policy.value.startsWith('Retain');
      return isRetained
        ? new Known(true, policy.source, 'DeletionPolicy')
        : this.properties.boolean('PreserveOnDelete');
    });
  }

  waitsFor({ id, stack }: Resource): boolean {
    return stack === this.stack && [this.raw.DependsOn].flat().includes(id);
  }
}

function readConfiguration(plain: Plain<string>): Plain<AddonConfiguration> {
  if (plain.kind === 'absent') return plain;
  const parsed = parseEmbedded(plain);
  if (parsed.kind === 'unknown') return parsed.unknown;
  return new Known<AddonConfiguration>(parsed, plain.source, plain.kind === 'known' ? plain.note : undefined);
}
