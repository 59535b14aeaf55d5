import type {
  Cluster,
  EksResource,
  LaunchTemplate,
  LaunchTemplateUse,
  Reference,
  SelfManagedNodeGroup,
  Subnet,
} from '../../../eks';
import {
  Absent,
  alternativesOf,
  flatMapValue,
  Known,
  type Plain,
  sourceOf,
  type Unknown,
  type Value,
} from '../../../value';
import { Block } from '../../../cloudformation/block';
import type { Evaluator } from '../../../cloudformation/evaluator';
import type { Template } from '../../../cloudformation/template';
import { clusterInTag, isClusterOwner } from '../../parts/cluster-tag';
import { launchConfigurationNamed, launchTemplateCalledLike } from './by-name';
import { CloudFormationResource } from './cloudformation-resource';
import { conditionalItems } from '../../../value/conditional-items';
import { firstOf } from '../../../value/first-of';
import { readLaunchTemplateUse } from './launch-template-use';
import { clusterReference, referencesTo, referenceTo } from './references';

const SPECIFICATION_KEYS = { id: 'LaunchTemplateId', name: 'LaunchTemplateName' };

/** `AWS::AutoScaling::AutoScalingGroup` whose instances carry a cluster's tag. */
class AutoScalingNodeGroup extends CloudFormationResource implements SelfManagedNodeGroup {
  readonly kind = 'self-managed-node-group';

  constructor(
    template: Template,
    id: string,
    raw: Readonly<Record<string, unknown>>,
    type: string,
    readonly cluster: Value<Reference<Cluster>>,
  ) {
    super(template, id, raw, type);
  }

  get launchTemplate(): Value<LaunchTemplateUse> {
    const own = readLaunchTemplateUse(this.properties.block('LaunchTemplate'), SPECIFICATION_KEYS, this.template.set);
    return firstOf(
      own,
      () => this.mixedInstances(),
      () => this.launchConfiguration(),
    );
  }

  get instanceTypes(): Value<readonly Value<string>[]> {
    const overrides = this.properties.block('MixedInstancesPolicy').block('LaunchTemplate').list('Overrides');
    return flatMapValue(overrides, (plain): Value<readonly Value<string>[]> => {
      if (plain.kind !== 'known') return plain;
      const types = plain.value.map((item) => Block.of(item, this.evaluator).string('InstanceType'));
      // Overrides may choose by weights, attributes or launch templates alone.
      return types.every(({ kind }) => kind === 'absent') ? new Absent(plain.source) : new Known(types, plain.source);
    });
  }

  get subnets(): Value<readonly Value<Reference<Subnet>>[]> {
    return referencesTo(this.properties.list('VPCZoneIdentifier'), 'subnet');
  }

  get maxSize(): Value<number | string> {
    return this.properties.number('MaxSize');
  }

  /** The launch template of a mixed instances policy, if all its instances come from that one. */
  private mixedInstances(): Value<LaunchTemplateUse> {
    const { set } = this.template;
    const policy = this.properties.block('MixedInstancesPolicy').block('LaunchTemplate');
    const overrides = conditionalItems(policy.list('Overrides')).flatMap((item) => {
      const specification = Block.of(item, this.evaluator).block('LaunchTemplateSpecification');
      return alternativesOf(readLaunchTemplateUse(specification, SPECIFICATION_KEYS, set)).map(({ value }) => value);
    });
    return flatMapValue(
      readLaunchTemplateUse(policy.block('LaunchTemplateSpecification'), SPECIFICATION_KEYS, set),
      (own) => {
        if (own.kind !== 'known') return own;
        const others = overrides.filter((other) => other.kind !== 'absent' && !isSameTemplate(own.value, other));
        if (others.some((other) => other.kind === 'known')) return new Absent(own.source);
        return others[0] ?? own;
      },
    );
  }

  private launchConfiguration(): Value<LaunchTemplateUse> {
    const item = this.properties.item('LaunchConfigurationName');
    const written = this.properties.string('LaunchConfigurationName');
    const alike = launchTemplateCalledLike(written, this.template, 'launchConfigurations');
    const reference =
      alike === undefined
        ? referenceTo<LaunchTemplate>(item, 'launch-template', (name) => launchConfigurationNamed(name, this.template))
        : new Known({ text: alike.id, target: alike }, sourceOf(written));
    return flatMapValue(reference, (plain): Plain<LaunchTemplateUse> => {
      if (plain.kind === 'absent') return plain;
      const { source } = plain;
      const template =
        plain.kind === 'known'
          ? plain.value
          : { text: plain.text ?? 'an unknown launch configuration', target: undefined };
      const none = new Absent(source);
      return new Known({ template, version: none, id: none, name: written, source }, source);
    });
  }
}

function isSameTemplate({ template }: LaunchTemplateUse, other: Plain<LaunchTemplateUse>): boolean {
  if (other.kind !== 'known') return false;
  const { target, text } = other.value.template;
  return target === undefined && template.target === undefined ? text === template.text : target === template.target;
}

/** The node groups among the Auto Scaling groups of a template. They may refer to any resource, so all those must be known by now. */
export function readAutoScalingGroups(template: Template, ids: readonly string[]): SelfManagedNodeGroup[] {
  const { evaluator } = template.set;
  const clusters = new ClustersOf(template);
  return ids.flatMap((id): SelfManagedNodeGroup[] => {
    const cursor = template.named('Resources', id);
    if (cursor === undefined || template.existence(id) === undefined) return [];
    const cluster = clusterOf(Block.at(cursor, evaluator).block('Properties'), evaluator, clusters);
    if (cluster === undefined) return [];
    const group = new AutoScalingNodeGroup(
      template,
      id,
      cursor.raw as Readonly<Record<string, unknown>>,
      String(template.typeOf(id)),
      cluster,
    );
    template.models.set(id, group);
    return [group];
  });
}

/** The cluster that an Auto Scaling group's tags name; undefined if there is no such tag under any condition. */
function clusterOf(
  properties: Block,
  evaluator: Evaluator,
  clusters: ClustersOf,
): Value<Reference<Cluster>> | undefined {
  let cluster: Value<Reference<Cluster>> | undefined;
  for (const item of conditionalItems(properties.list('Tags'))) {
    const tag = Block.of(item, evaluator);
    const named = flatMapValue(tag.string('Key'), (key): Value<Reference<Cluster>> => {
      const name = clusterInTag(key);
      if (name === undefined) return new Absent(key.source);
      return flatMapValue(tag.string('Value'), (value) =>
        isClusterOwner(value) ? clusters.find(name) : new Absent(value.source),
      );
    });
    if (alternativesOf(named).every(({ value }) => value.kind === 'absent')) continue;
    cluster = cluster === undefined ? named : firstOf(cluster, () => named);
  }
  return cluster;
}

/** Finds clusters of a template by name: a tag that refers to a cluster holds its name, where that is written down, instead of the reference. */
class ClustersOf {
  private byName: ReadonlyMap<string, Cluster> | undefined;

  constructor(private readonly template: Template) {}

  find(name: Known<string> | Unknown): Value<Reference<Cluster>> {
    if (name.kind === 'unknown') return clusterReference(name);
    const target = (this.byName ??= this.collect()).get(name.value);
    return new Known({ text: target?.id ?? name.value, target }, name.source, name.note);
  }

  private collect(): ReadonlyMap<string, Cluster> {
    const byName = new Map<string, Cluster>();
    const ambiguous = new Set<string>();
    for (const model of this.template.models.values() as Iterable<EksResource>) {
      if (model.kind !== 'cluster' || model.name.kind !== 'known') continue;
      const { value: name } = model.name;
      if (byName.has(name)) ambiguous.add(name);
      byName.set(name, model);
    }
    for (const name of ambiguous) byName.delete(name);
    return byName;
  }
}
