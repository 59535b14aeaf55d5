import { defineRule, resourceName, type Judgement } from '../../engine';
import { instanceType, instanceTypeNames } from '../../knowledge';
import {
  always,
  bootsByResource,
  casesOf,
  flatMapCases,
  instanceTypesOf,
  under,
  whereExists,
  type AnyNodeGroup,
  type NodeBoot,
  type NodeGroup,
  type Source,
} from '../../eks';
import { alternativesOf } from '../../value';
import { editDistance } from '../../text/nearest';
import { undecided, type Outcome } from '../parts/case-judgements';
import { judgeLaunches, type LaunchOutcome } from '../parts/launch-judgements';
import { inOrder, type Sizes } from './parts/sizes-in-order';

/*
 * EKS checks the numbers of a group against each other, and its words against lists, when it makes the group: minutes into a deployment.
 * Source: EKS API, NodegroupScalingConfig and CreateNodegroup.
 */

export const nodeGroupScaling = defineRule<Message>({
  id: 'node-group-scaling',
  subject: 'node-group',
  title: 'The sizes, the capacity type, the instance types and the AMI of a node group are ones that AWS has',
  severity: 'error',
  since: '0.1.0',
  isAboutCode: true,
  messages: {
    order: {
      text: 'Node group "{{group}}" has a {{low}} of {{lowSize}}, above its {{high}} of {{highSize}}: {{refusal}}.',
      fix: {
        summary:
          'Write sizes in this order: minimum, desired, maximum. Lower the one of {{lowSize}} to at most {{highSize}}, or raise the other.',
        code: { cloudformation: '{{inTemplate}}', 'aws-cdk': '{{inCdk}}', terraform: '{{inTerraform}}' },
        safety: 'needs-decision',
      },
    },
    size: {
      text: 'Node group "{{group}}" has a {{size}} of {{value}}: EKS takes whole numbers from {{least}} on and refuses the group.',
      fix: { summary: 'Write a whole number of at least {{least}}.', safety: 'needs-decision' },
    },
    capacityType: {
      text: 'Node group "{{group}}" has the capacity type "{{value}}", which EKS refuses: the types are ON_DEMAND, SPOT and CAPACITY_BLOCK, in capitals.',
      fix: {
        summary: 'Write one of the three.',
        code: {
          cloudformation: 'CapacityType: ON_DEMAND',
          'aws-cdk': 'capacityType: eks.CapacityType.ON_DEMAND,',
          terraform: 'capacity_type = "ON_DEMAND"',
        },
        safety: 'needs-decision',
      },
    },
    image: {
      text: '{{where}} takes `{{value}}` as its AMI, which is no AMI id (`ami-…`) and no lookup of one: EC2 refuses it, and no node starts.',
      fix: {
        summary:
          'Write the id of an AMI or the lookup of an SSM parameter, or leave the AMI out where EKS is to take one of its own for the AMI type of a managed group.',
        safety: 'needs-decision',
      },
    },
    instanceType: {
      text: 'Node group "{{group}}" asks for the instance type "{{value}}", which EC2 doesn\'t have: the group is not created.',
      fix: { summary: 'Write the name of an instance type{{nearest}}.', safety: 'needs-decision' },
    },
  },
  *check(model) {
    for (const nodeGroup of model.nodeGroups) {
      yield* judgeSizes(nodeGroup);
      yield* judgeCapacityType(nodeGroup);
    }
    for (const group of [...model.nodeGroups, ...model.selfManagedNodeGroups]) yield* judgeInstanceTypes(group);
    yield* judgeLaunches(bootsByResource(model), judgeImage);
  },
});

type Message = 'order' | 'size' | 'capacityType' | 'instanceType' | 'image';

const NAMES = { minimum: 'minimum size', desired: 'desired size', maximum: 'maximum size' } as const;
const LEAST = { minimum: 0, desired: 0, maximum: 1 } as const;
/** Each pair once, the one that may not be larger first. */
const ORDER = [
  ['minimum', 'maximum'],
  ['minimum', 'desired'],
  ['desired', 'maximum'],
] as const;

function* judgeSizes(nodeGroup: NodeGroup): Generator<Judgement<Message>> {
  const { minSize, desiredSize, maxSize } = nodeGroup;
  for (const { when, values } of casesOf(nodeGroup, { minimum: minSize, desired: desiredSize, maximum: maxSize })) {
    const sizes = Object.values(values);
    if (sizes.every(({ kind }) => kind === 'absent')) continue;
    const common = { resource: nodeGroup, when };
    const outcome = judgeCase(nodeGroup, values);
    if (outcome !== undefined) {
      yield { ...common, ...outcome };
      continue;
    }
    const unknown = sizes.find((size) => size.kind === 'unknown');
    yield unknown?.kind === 'unknown'
      ? { ...common, ...undecided("a size of it isn't known", unknown) }
      : { ...common, verdict: 'pass' };
  }
}

function judgeCase(nodeGroup: NodeGroup, sizes: Sizes): Outcome<Message> | undefined {
  const group = resourceName(nodeGroup);
  for (const name of ['minimum', 'desired', 'maximum'] as const) {
    const size = sizes[name];
    if (
      size.kind !== 'known' ||
      (typeof size.value === 'number' && Number.isInteger(size.value) && size.value >= LEAST[name])
    )
      continue;
    const value = typeof size.value === 'number' ? String(size.value) : `"${size.value.slice(0, 40)}"`;
    return {
      verdict: 'fail',
      message: 'size',
      source: size.source,
      data: { group, size: NAMES[name], value, least: String(LEAST[name]) },
    };
  }
  for (const [low, high] of ORDER) {
    const [lower, higher] = [sizes[low], sizes[high]];
    if (lower.kind !== 'known' || higher.kind !== 'known' || Number(lower.value) <= Number(higher.value)) continue;
    const isLater = nodeGroup.isDesiredSizeIgnored === true && (low === 'desired' || high === 'desired');
    return {
      verdict: 'fail',
      message: 'order',
      ...(isLater ? { severity: 'warning' } : {}),
      source: lower.source,
      data: {
        group,
        low: NAMES[low],
        lowSize: String(lower.value),
        high: NAMES[high],
        highSize: String(higher.value),
        // Source: eksctl-io/eksctl, pkg/apis/eksctl.io/v1alpha5/validation.go, ValidateManagedNodeGroup.
        refusal:
          nodeGroup.dialect.name === 'eksctl'
            ? 'eksctl refuses the whole file, and makes nothing'
            : isLater
              ? 'EKS refuses to create such a group, while one that exists keeps the desired size that it has'
              : 'EKS refuses the group',
        ...inOrder(sizes),
      },
      related: [{ message: `${NAMES[high]} ${higher.value}`, source: higher.source }],
    };
  }
  return undefined;
}

const CAPACITY_TYPES: ReadonlySet<string> = new Set(['ON_DEMAND', 'SPOT', 'CAPACITY_BLOCK']);

function* judgeCapacityType(nodeGroup: NodeGroup): Generator<Judgement<Message>> {
  for (const { when, values } of casesOf(nodeGroup, { type: nodeGroup.capacityType })) {
    const { type } = values;
    if (type.kind !== 'known' || CAPACITY_TYPES.has(type.value)) continue;
    yield {
      verdict: 'fail',
      resource: nodeGroup,
      message: 'capacityType',
      source: type.source,
      data: { group: resourceName(nodeGroup), value: type.value.slice(0, 40) },
      when,
    };
  }
}

function judgeImage({ nodeGroup, template, when: given }: NodeBoot): readonly LaunchOutcome<Message>[] {
  if (template.kind !== 'known') return [];
  return flatMapCases(
    { image: under(given, whereExists(nodeGroup, template.value.imageId)) },
    ({ image }, caseWhen) => {
      const when = given.and(caseWhen);
      if (when === undefined || image.kind !== 'known' || image.value.isMalformed !== true) return [];
      return [
        {
          verdict: 'fail' as const,
          message: 'image' as const,
          source: image.source,
          data: { value: image.value.text.slice(0, 60) },
          when,
        },
      ];
    },
  );
}

function* judgeInstanceTypes(group: AnyNodeGroup): Generator<Judgement<Message>> {
  for (const { when, values } of casesOf(group, { types: instanceTypesOf(group) })) {
    if (values.types.kind !== 'known') continue;
    const told = new Set<string>();
    for (const item of values.types.value) {
      for (const { when: given, value } of alternativesOf(item)) {
        const both = when.and(given);
        if (value.kind !== 'known' || both === undefined || told.has(value.value)) continue;
        const judgement = judgeInstanceType(group, value.value, value.source);
        if (judgement === undefined) continue;
        told.add(value.value);
        yield { ...judgement, about: value.value.slice(0, 40), ...(both === always ? {} : { when: both }) };
      }
    }
  }
}

function judgeInstanceType(group: AnyNodeGroup, name: string, source: Source): Judgement<Message> | undefined {
  if (instanceType(name) !== undefined || name === '') return undefined;
  const nearest = nearestType(name);
  if (isTypeName(name) && nearest === undefined) return undefined;
  const data = {
    group: resourceName(group),
    value: name.slice(0, 40),
    nearest: nearest === undefined ? ', such as `m7i.large`' : `: \`${nearest}\` is one`,
  };
  return { verdict: 'fail', resource: group, message: 'instanceType', source, data };
}

/** A family and a size, of whatever family: `m9x.24xlarge`, `u-6tb1.metal`. */
function isTypeName(name: string): boolean {
  return /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/.test(name);
}

/** Sizes that a family may get some day. */
const SIZE = /^(?:nano|micro|small|medium|large|\d*xlarge|metal|metal-\d+xl)$/;

/** The type that was meant: one of the same family with a size that is written nearly so. */
function nearestType(name: string): string | undefined {
  const [family = '', size = ''] = name.toLowerCase().split(/[.-](?=[^.-]*$)/);
  if (name === name.toLowerCase() && isTypeName(name) && SIZE.test(size)) return undefined;
  const candidates = instanceTypeNames().filter((candidate) => candidate.startsWith(`${family}.`));
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(size, candidate.slice(family.length + 1)) }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate;
}
