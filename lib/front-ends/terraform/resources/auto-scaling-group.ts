import type { Cluster, LaunchTemplate, LaunchTemplateUse, Reference, SelfManagedNodeGroup, Subnet } from '../../../eks';
import { Absent, alternativesOf, flatMapValue, Known, type Plain, sourceOf, type Value } from '../../../value';
import { clusterInTag, isClusterOwner } from '../../parts/cluster-tag';
import { firstOf } from '../../../value/first-of';
import { referenceFrom } from '../../parts/references';
import { whileExists } from '../../../value/while-exists';
import type { TerraformInstance } from '../../../terraform/instance';
import { readLaunchTemplateUse } from './launch-template-use';
import { LinkedBlock } from './linked-block';
import { clusterReference, referencesById } from './references';
import type { Registry } from './registry';
import { TerraformResource } from './terraform-resource';

const SPECIFICATION_KEYS = { id: 'launch_template_id', name: 'launch_template_name' };

/** `aws_autoscaling_group` whose instances carry a cluster's tag. */
class AutoScalingNodeGroup extends TerraformResource implements SelfManagedNodeGroup {
  readonly kind = 'self-managed-node-group';

  constructor(
    instance: TerraformInstance,
    registry: Registry,
    readonly cluster: Value<Reference<Cluster>>,
  ) {
    super(instance, registry);
  }

  get launchTemplate(): Value<LaunchTemplateUse> {
    const own = readLaunchTemplateUse(this.attributes.block('launch_template'), { id: 'id', name: 'name' }, this.scope);
    return firstOf(
      own,
      () => this.mixedInstances(),
      () => this.launchConfiguration(),
    );
  }

  get instanceTypes(): Value<readonly Value<string>[]> {
    const overrides = this.attributes.block('mixed_instances_policy').block('launch_template').blocks('override');
    return flatMapValue(overrides, (plain): Value<readonly Value<string>[]> => {
      if (plain.kind !== 'known') return plain;
      const types = plain.value.map((override) => override.text('instance_type'));
      // Overrides may choose by weights, attributes or launch templates alone.
      return types.every(({ kind }) => kind === 'absent') ? new Absent(plain.source) : new Known(types, plain.source);
    });
  }

  get subnets(): Value<readonly Value<Reference<Subnet>>[]> {
    return referencesById(this.attributes.list('vpc_zone_identifier'), 'subnet', this.scope);
  }

  /** The launch template of a mixed instances policy, if all its instances come from that one. */
  private mixedInstances(): Value<LaunchTemplateUse> {
    const policy = this.attributes.block('mixed_instances_policy').block('launch_template');
    const overrides = policy
      .allBlocks('override')
      .flatMap((override) =>
        alternativesOf(
          readLaunchTemplateUse(override.block('launch_template_specification'), SPECIFICATION_KEYS, this.scope),
        ).map(({ value }) => value),
      );
    return flatMapValue(
      readLaunchTemplateUse(policy.block('launch_template_specification'), SPECIFICATION_KEYS, this.scope),
      (own) => {
        if (own.kind !== 'known') return own;
        const others = overrides.filter((other) => other.kind !== 'absent' && !isSameTemplate(own.value, other));
        if (others.some((other) => other.kind === 'known')) return new Absent(own.source);
        return others[0] ?? own;
      },
    );
  }

  get maxSize(): Value<number | string> {
    return this.attributes.number('max_size');
  }

  private launchConfiguration(): Value<LaunchTemplateUse> {
    const name = this.attributes.text('launch_configuration');
    const alike = this.registry.launchConfigurationCalledLike(name, this.stack);
    const reference =
      alike === undefined
        ? referenceFrom<LaunchTemplate>(name, 'launch-template', (text) =>
            this.registry.launchConfiguration(text, this.stack),
          )
        : new Known({ text: alike.id, target: alike }, sourceOf(name));
    return flatMapValue(reference, (plain): Plain<LaunchTemplateUse> => {
      if (plain.kind === 'absent') return plain;
      const { source } = plain;
      const template =
        plain.kind === 'known'
          ? plain.value
          : { text: plain.text ?? 'an unknown launch configuration', target: undefined };
      const none = new Absent(source);
      return new Known({ template, version: none, id: none, name, source }, source);
    });
  }
}

function isSameTemplate({ template }: LaunchTemplateUse, other: Plain<LaunchTemplateUse>): boolean {
  if (other.kind !== 'known') return false;
  const { target, text } = other.value.template;
  return target === undefined && template.target === undefined ? text === template.text : target === template.target;
}

/** The node groups among the Auto Scaling groups. Their tags refer to clusters, so all those must be known by now. */
export function readAutoScalingGroups(registry: Registry): SelfManagedNodeGroup[] {
  const separate = separateTags(registry);
  return registry.instancesOf('aws_autoscaling_group').flatMap((instance): SelfManagedNodeGroup[] => {
    const block = new LinkedBlock(instance.attributes, registry);
    // `tags` is what versions of the provider before 4 took, too.
    const own = [...block.allBlocks('tag'), ...block.allBlocks('tags')].map((tag) =>
      clusterOfTag(tag, instance, registry),
    );
    const cluster = [...own, ...(separate.get(instance) ?? [])].reduce<Value<Reference<Cluster>> | undefined>(
      firstNamed,
      undefined,
    );
    return cluster === undefined ? [] : [new AutoScalingNodeGroup(instance, registry, cluster)];
  });
}

/** Tags that are resources of their own, `aws_autoscaling_group_tag`, by the group that they name. */
function separateTags(registry: Registry): ReadonlyMap<object, readonly Value<Reference<Cluster>>[]> {
  const byGroup = new Map<object, Value<Reference<Cluster>>[]>();
  for (const tag of registry.instancesOf('aws_autoscaling_group_tag')) {
    const block = new LinkedBlock(tag.attributes, registry);
    for (const { value } of alternativesOf(block.raw('autoscaling_group_name'))) {
      const group = registry.referenced(value)?.instance;
      if (group === undefined) continue;
      const cluster = whileExists(tag.exists, clusterOfTag(block.block('tag'), tag, registry));
      const list = byGroup.get(group);
      if (list === undefined) byGroup.set(group, [cluster]);
      else list.push(cluster);
    }
  }
  return byGroup;
}

/** The cluster that a tag names; absent if it is another tag. */
function clusterOfTag(
  tag: LinkedBlock,
  { stack, module }: TerraformInstance,
  registry: Registry,
): Value<Reference<Cluster>> {
  return flatMapValue(tag.string('key'), (key): Value<Reference<Cluster>> => {
    const name = clusterInTag(key);
    if (name === undefined) return new Absent(key.source);
    return flatMapValue(tag.string('value'), (value) =>
      isClusterOwner(value) ? clusterReference(name, { registry, stack, module }) : new Absent(value.source),
    );
  });
}

function firstNamed(
  before: Value<Reference<Cluster>> | undefined,
  next: Value<Reference<Cluster>>,
): Value<Reference<Cluster>> | undefined {
  if (alternativesOf(next).every(({ value }) => value.kind === 'absent')) return before;
  return before === undefined ? next : firstOf(before, () => next);
}
