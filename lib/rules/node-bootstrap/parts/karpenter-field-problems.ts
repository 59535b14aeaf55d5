import { dataAt, isDataMap, Unknown, type Data, type KubernetesManifest } from '../../../eks';
import { KarpenterFields, type KarpenterField, type KarpenterKind } from '../../../knowledge';
import type { NodeClassProblem } from './node-class-problems';

/*
 * Fields and values of v1 objects that no version of Karpenter since 1.0 has, by its definitions; and what the expressions in these refuse, in 1.0
 * to 1.14 alike.
 * Source: aws/karpenter-provider-aws, pkg/apis/crds/karpenter.sh_nodepools.yaml and karpenter.k8s.aws_ec2nodeclasses.yaml.
 */

type Problem = NodeClassProblem;

/** What became of fields that people bring along from the versions before v1. */
const MOVED: Readonly<Record<string, Pick<Problem, 'problem' | 'advice' | 'code'>>> = {
  'template.spec.kubelet': {
    problem: 'sets `kubelet`, which v1 has moved to the EC2NodeClass',
    advice:
      'Move it to `spec.kubelet` of the EC2NodeClass; pools that need other values need a node class of their own.',
    code: '# in the spec of the EC2NodeClass:\nkubelet:\n  maxPods: 110',
  },
  'disruption.expireAfter': {
    problem: 'sets `disruption.expireAfter`, which v1 has moved to `template.spec`',
    advice: 'Move it to `spec.template.spec.expireAfter`.',
    code: 'template:\n  spec:\n    expireAfter: 720h',
  },
  ttlSecondsAfterEmpty: {
    problem: 'sets `ttlSecondsAfterEmpty`, which was of the Provisioner',
    advice: 'Say it in `spec.disruption`, with `consolidationPolicy: WhenEmpty` and `consolidateAfter`.',
    code: 'disruption:\n  consolidationPolicy: WhenEmpty\n  consolidateAfter: 30s',
  },
  ttlSecondsUntilExpired: {
    problem: 'sets `ttlSecondsUntilExpired`, which was of the Provisioner',
    advice: 'Say it in `spec.template.spec.expireAfter`.',
    code: 'template:\n  spec:\n    expireAfter: 720h',
  },
};

/** Values before v1, and what they are called now. */
const RENAMED: Readonly<Record<string, string>> = { WhenUnderutilized: 'WhenEmptyOrUnderutilized' };

/** What another check tells with more of its circumstances. */
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set([
  'amiFamily',
  'amiSelectorTerms[].alias',
  'template.spec.nodeClassRef.apiVersion',
]);

/** Fields and values of an object of v1 that its definition doesn't have. */
export function* fieldProblems({ object }: KubernetesManifest, kind: KarpenterKind): Generator<Problem> {
  yield* problemsIn(dataAt(object, 'spec') ?? null, { fields: new KarpenterFields(kind), keys: [], path: '' });
}

interface Place {
  readonly fields: KarpenterFields;
  readonly keys: readonly string[];
  /** By the table: with `[]` for each item of a list. */
  readonly path: string;
}

function* problemsIn(data: Data, at: Place): Generator<Problem> {
  const { fields, keys, path } = at;
  if (data instanceof Unknown || TOLD_ELSEWHERE.has(path)) return;
  if (Array.isArray(data)) {
    for (const [index, item] of (data as readonly Data[]).entries())
      if (fields.field(`${path}[]`) !== undefined)
        yield* problemsIn(item, { fields, keys: [...keys, String(index)], path: `${path}[]` });
  } else if (isDataMap(data)) {
    if (fields.field(path)?.isOpen === true) return;
    for (const [key, value] of Object.entries(data)) {
      const below: Place = { fields, keys: [...keys, key], path: path === '' ? key : `${path}.${key}` };
      if (value === null || TOLD_ELSEWHERE.has(below.path)) continue;
      if (fields.field(below.path) === undefined) yield unknownField(key, below);
      else yield* problemsIn(value, below);
    }
  } else if (typeof data === 'string') yield* valueProblem(data, at);
}

function unknownField(key: string, { fields, keys, path }: Place): Problem {
  const place = { kind: 'field', path: keys } as const;
  const moved = MOVED[path];
  if (moved !== undefined && Object.hasOwn(MOVED, path)) return { ...place, ...moved };
  const last = fields.lastVersionOf(path);
  const called = `\`${path.replaceAll('[]', '')}\``;
  return {
    ...place,
    ...(last === undefined ? { severity: 'warning' } : {}),
    problem:
      last === undefined
        ? `sets ${called}, a field that no Karpenter from 1.0 to ${fields.newest} has there`
        : `sets ${called}, a field of ${last === 'v1alpha' ? 'the alpha versions' : last} that v1 doesn't have`,
    advice: `Take \`${key}\` out, or write it as v1 has it; \`kubectl explain\` shows the fields.`,
    code: '',
  };
}

/** What is filled in before the object is applied. */
const FILLED_IN = /[$<{]|__|^\s*$/;

function* valueProblem(value: string, { fields, keys, path }: Place): Generator<Problem> {
  const field: KarpenterField = fields.field(path) ?? {};
  const { values, patterns } = field;
  if (FILLED_IN.test(value)) return;
  const key = keys.at(-1) ?? '';
  const place = { kind: 'value', path: keys } as const;
  const called = `\`${path.replaceAll('[]', '')}\``;
  if (values !== undefined && !values.includes(value)) {
    const isCertain = path.endsWith('aints[].effect') || fields.isFormerValue(path, value);
    const renamed = Object.hasOwn(RENAMED, value) ? RENAMED[value] : undefined;
    const right = renamed ?? values[0] ?? '';
    yield {
      ...place,
      ...(isCertain ? {} : { severity: 'warning' }),
      problem: `has \`${value}\` as ${called}, which v1 doesn't take`,
      advice:
        renamed === undefined
          ? `Write one of ${values.map((one) => `\`${one}\``).join(', ')}.`
          : `Write \`${renamed}\`, as v1 calls it.`,
      code: `${key}: ${right}`,
    };
  } else if (patterns !== undefined && !patterns.some((pattern) => new RegExp(pattern).test(value)))
    yield {
      ...place,
      problem: `has \`${value.slice(0, LONGEST)}\` as ${called}, which isn't of the form that v1 takes`,
      advice:
        (Object.hasOwn(FORMS, key) ? FORMS[key] : undefined) ?? `Write it so that it fits \`${patterns[0] ?? ''}\`.`,
      code: (Object.hasOwn(CODES, key) ? CODES[key] : undefined) ?? '',
    };
}

const LONGEST = 80;

/** In words, what patterns say. */
const FORMS: Readonly<Record<string, string>> = {
  group: 'Write the group alone, without a version: `karpenter.k8s.aws`.',
  volumeSize: 'Write a whole number with `Gi`, `G`, `Ti` or `T`, such as `100Gi`.',
  expireAfter: 'Write hours, minutes and seconds, such as `720h`, or `Never`.',
  consolidateAfter: 'Write hours, minutes and seconds, such as `5m`, or `Never`.',
  terminationGracePeriod: 'Write hours, minutes and seconds, such as `1h`.',
};
const CODES: Readonly<Record<string, string>> = {
  group: 'group: karpenter.k8s.aws',
  volumeSize: 'volumeSize: 100Gi',
  expireAfter: 'expireAfter: 720h',
  consolidateAfter: 'consolidateAfter: 5m',
  terminationGracePeriod: 'terminationGracePeriod: 1h',
};

/** Requirements and labels of a NodePool that the expressions in its definition refuse. */
export function* requirementProblems({ object }: KubernetesManifest): Generator<Problem> {
  const requirements = dataAt(object, 'spec', 'template', 'spec', 'requirements');
  const path = ['template', 'spec', 'requirements'];
  for (const [index, requirement] of (Array.isArray(requirements) ? (requirements as readonly Data[]) : []).entries()) {
    const [key, operator, values] = ['key', 'operator', 'values'].map((name) => dataAt(requirement, name));
    const called = typeof key === 'string' ? key : '';
    yield* restricted(called, 'requirement', [...path, String(index), 'key']);
    const list = values === undefined || values === null ? [] : values;
    if (!Array.isArray(list)) continue;
    const [first, ...others] = list as readonly Data[];
    const place = { kind: 'requirement', path: [...path, String(index)] } as const;
    if (operator === 'In' && first === undefined)
      yield {
        ...place,
        problem: `has a requirement \`${called}\` with the operator \`In\` and no values`,
        advice: 'Name the values, or take the requirement out.',
        code: `- key: ${called}\n  operator: In\n  values: ["…"]`,
      };
    const isNumber =
      others.length === 0 &&
      (first instanceof Unknown || (typeof first === 'string' && (/^\+?\d+$/.test(first) || FILLED_IN.test(first))));
    const isCounted = operator === 'Gt' || operator === 'Lt' || operator === 'Gte' || operator === 'Lte';
    if (isCounted && !isNumber)
      yield {
        ...place,
        problem: `has a requirement \`${called}\` with the operator \`${operator}\`, which takes one whole number, as text`,
        advice: 'Write one number in quotes.',
        code: `- key: ${called}\n  operator: ${operator}\n  values: ["4"]`,
      };
  }
  const labels = dataAt(object, 'spec', 'template', 'metadata', 'labels');
  for (const label of isDataMap(labels) ? Object.keys(labels) : [])
    yield* restricted(label, 'label', ['template', 'metadata', 'labels', label]);
}

function* restricted(key: string, what: string, path: readonly string[]): Generator<Problem> {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  const isKarpenters = domain.endsWith('karpenter.sh') && key !== 'karpenter.sh/capacity-type';
  if (key !== 'kubernetes.io/hostname' && !isKarpenters) return;
  yield {
    kind: 'restricted',
    path,
    problem: `has the ${what} \`${key}\`, which is kept for Karpenter itself`,
    advice: `Take the ${what} out, or take a key of your own.`,
    code: '',
  };
}

const RESTRICTED_TAGS: ReadonlySet<string> = new Set([
  'eks:eks-cluster-name',
  'karpenter.sh/nodepool',
  'karpenter.sh/nodeclaim',
  'karpenter.k8s.aws/ec2nodeclass',
]);

/** Tags of an EC2NodeClass that are Karpenter's own. */
export function* tagProblems({ object }: KubernetesManifest): Generator<Problem> {
  const tags = dataAt(object, 'spec', 'tags');
  for (const tag of isDataMap(tags) ? Object.keys(tags) : [])
    if (RESTRICTED_TAGS.has(tag) || tag.startsWith('kubernetes.io/cluster'))
      yield {
        kind: 'restricted',
        path: ['tags', tag],
        problem: `has the tag \`${tag}\`, which Karpenter sets by itself`,
        advice: 'Take the tag out.',
        code: '',
      };
}
