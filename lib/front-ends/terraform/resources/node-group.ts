import type {
  Cluster,
  Image,
  LaunchTemplateUse,
  NodeGroup,
  NodeLabel,
  NodeTaint,
  Reference,
  RemoteAccess,
  Role,
  Subnet,
  UpdateConfig,
} from '../../../eks';
import { flatMapValue, Known, type Plain, sourceOf, type Value } from '../../../value';
import { asText, type TerraformMap } from '../../../terraform/terraform-value';
import { readImage } from './image';
import { readLaunchTemplateUse } from './launch-template-use';
import { clusterReference, roleReference, subnetReferences } from './references';
import { groupReferences } from './security-group-peers';
import { TerraformResource } from './terraform-resource';
import type { Registry } from './registry';

/** `aws_eks_node_group`. */
export class EksNodeGroup extends TerraformResource implements NodeGroup {
  readonly kind = 'node-group';

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.attributes.item('cluster_name'), this.scope);
  }

  get name(): Value<string> {
    return this.attributes.text('node_group_name');
  }

  get amiType(): Value<string> {
    return this.attributes.text('ami_type');
  }

  get instanceTypes(): Value<readonly Value<string>[]> {
    return this.attributes.texts('instance_types');
  }

  get subnets(): Value<readonly Value<Reference<Subnet>>[]> {
    return subnetReferences(this.attributes.list('subnet_ids'), this.scope);
  }

  get capacityType(): Value<string> {
    return this.attributes.text('capacity_type');
  }

  get version(): Value<string> {
    return this.attributes.text('version');
  }

  get releaseVersion(): Value<string> {
    return this.attributes.text('release_version');
  }

  get releaseImage(): Value<Image> {
    return readImage(this.attributes.raw('release_version'), this.scope);
  }

  get nodeRole(): Value<Reference<Role>> {
    return roleReference(this.attributes.item('node_role_arn'), this.scope);
  }

  get forceUpdate(): Value<boolean> {
    return this.attributes.boolean('force_update_version');
  }

  get launchTemplate(): Value<LaunchTemplateUse> {
    return readLaunchTemplateUse(this.attributes.block('launch_template'), { id: 'id', name: 'name' }, this.scope);
  }

  get diskSize(): Value<number | string> {
    return this.attributes.amount('disk_size');
  }

  get remoteAccess(): Value<RemoteAccess> {
    return this.attributes.whole('remote_access', (block, source) => ({
      sshKey: block.text('ec2_ssh_key'),
      sourceSecurityGroups: groupReferences(block.texts('source_security_group_ids'), this.scope),
      source,
    }));
  }

  get labels(): Value<readonly NodeLabel[]> {
    return flatMapValue(
      this.attributes.entries('labels'),
      (plain): Plain<readonly NodeLabel[]> =>
        plain.kind === 'known' ? new Known(readLabels(plain.value, this.registry), plain.source) : plain,
    );
  }

  get taints(): Value<readonly NodeTaint[]> {
    return flatMapValue(this.attributes.blocks('taint'), (plain): Plain<readonly NodeTaint[]> => {
      if (plain.kind !== 'known') return plain;
      const taints = plain.value.map(
        (block): NodeTaint => ({
          key: block.string('key'),
          value: block.string('value'),
          effect: block.string('effect'),
          source: sourceOf(block.value),
        }),
      );
      return new Known(taints, plain.source);
    });
  }

  get updateConfig(): Value<UpdateConfig> {
    return this.attributes.whole('update_config', (block, source) => ({
      maxUnavailable: block.amount('max_unavailable'),
      maxUnavailablePercentage: block.amount('max_unavailable_percentage'),
      strategy: block.text('update_strategy'),
      source,
    }));
  }

  get minSize(): Value<number | string> {
    return this.attributes.block('scaling_config').number('min_size');
  }

  get maxSize(): Value<number | string> {
    return this.attributes.block('scaling_config').number('max_size');
  }

  get isDesiredSizeIgnored(): true | undefined {
    return this.ignores('scaling_config');
  }

  get isLaunchTemplateIgnored(): true | undefined {
    return this.ignores('launch_template');
  }

  private ignores(argument: string): true | undefined {
    return this.instance.ignoredChanges?.some((name) => name === 'all' || name === argument) === true
      ? true
      : undefined;
  }

  get desiredSize(): Value<number | string> {
    return this.attributes.block('scaling_config').number('desired_size');
  }
}

/** Labels that are `null` are none. */
function readLabels({ entries, more }: TerraformMap, registry: Registry): NodeLabel[] {
  const labels = [...entries].flatMap(([key, item]): NodeLabel[] => {
    const value = asText(registry.link(item));
    const source = sourceOf(value);
    if (value.kind === 'absent') return [];
    return [
      {
        key: flatMapValue(value, (plain): Plain<string> => (plain.kind === 'absent' ? plain : new Known(key, source))),
        value,
        source,
      },
    ];
  });
  return more === undefined ? labels : [...labels, { key: more, value: more, source: more.source }];
}
