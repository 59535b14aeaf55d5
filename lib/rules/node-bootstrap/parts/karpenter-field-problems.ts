import { dataAt, isDataMap, Unknown, type Data, type KubernetesManifest } from '../../../eks';
import type { KarpenterDefinitions, KarpenterField, Refusal } from '../../../knowledge';
import { nearestName } from '../../../text/nearest';
import { MOVED, renamedAt } from './former-fields';
import type { KarpenterProblem as Problem } from './karpenter-problem';
import { FILLED_IN, foundBy, type Check } from './karpenter-validations';

/*
 * What the definitions of v1 objects refuse: fields and values that no version has, what has to be there, and what their expressions find.
 * Source: aws/karpenter-provider-aws, pkg/apis/crds/karpenter.sh_nodepools.yaml and karpenter.k8s.aws_ec2nodeclasses.yaml.
 */

/** What another check tells with more of its circumstances. */
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set([
  'amiFamily',
  'metadataOptions.httpPutResponseHopLimit',
  'template.spec.kubelet',
  'template.spec.nodeClassRef.apiVersion',
]);

/** The paths at which another check tells what is missing. */
const MISSING_ELSEWHERE: ReadonlySet<string> = new Set(['', 'template.spec.nodeClassRef']);

/** How an object is judged. */
export interface Judging {
  readonly definitions: KarpenterDefinitions;
  /** The expressions of its definition. */
  readonly checks: Readonly<Record<string, Check>>;
  /** Whether it is a whole object, rather than a part that something else puts to one. */
  readonly isWhole: boolean;
}

/** What the definition of its kind refuses of an object of v1. */
export function* fieldProblems({ object, type }: KubernetesManifest, judging: Judging): Generator<Problem> {
  // The provider of Terraform makes the text of a number, and the reverse.
  const hasTypes = type !== 'kubernetes_manifest';
  const isWhole = judging.isWhole;
  yield* problemsIn(dataAt(object, 'spec') ?? null, { ...judging, hasTypes, isWhole, keys: [], path: '' });
}

interface Place extends Judging {
  /** Whether values reach the API server in the type in which they are written. */
  readonly hasTypes: boolean;
  readonly keys: readonly string[];
  /** By the table: with `[]` for each item of a list, and `{}` for each value of a map whose keys are of the user's choice. */
  readonly path: string;
}

function* problemsIn(data: Data, at: Place): Generator<Problem> {
  const { definitions, keys, path } = at;
  if (data instanceof Unknown || data === null || TOLD_ELSEWHERE.has(path)) return;
  const field = definitions.field(path);
  if (field === undefined) {
    yield unknownField(at);
    return;
  }
  if (typeof data === 'string' && FILLED_IN.test(data)) return;
  if (!definitions.has(field.since)) {
    yield laterField(field, at);
    return;
  }
  const wrongType = at.hasTypes ? typeProblem(data, field, at) : undefined;
  if (wrongType !== undefined) {
    yield wrongType;
    return;
  }
  yield* expressionProblems(data, at);
  yield* boundProblems(data, field, at);
  if (Array.isArray(data)) {
    for (const [index, item] of (data as readonly Data[]).entries())
      if (definitions.field(`${path}[]`) !== undefined)
        yield* problemsIn(item, { ...at, keys: [...keys, String(index)], path: `${path}[]`, isWhole: true });
  } else if (isDataMap(data)) yield* problemsInMap(data, field, at);
  else if (typeof data === 'string') yield* valueProblem(data, field, at);
}

function* problemsInMap(data: Readonly<Record<string, Data>>, field: KarpenterField, at: Place): Generator<Problem> {
  const { definitions, keys, path } = at;
  if (at.isWhole && !MISSING_ELSEWHERE.has(path)) yield* missingProblems(data, field, at);
  for (const [key, value] of Object.entries(data)) {
    const isRestricted = definitions.refusesKey(path, key);
    if (isRestricted !== undefined) yield restricted(key, 'label', [...keys, key], isRestricted);
    const named = path === '' ? key : `${path}.${key}`;
    const ofAny = `${path}{}`;
    const isOfUser =
      definitions.isOpen(field) && definitions.field(named) === undefined && !Object.hasOwn(MOVED, named);
    const below = isOfUser ? ofAny : named;
    if (isOfUser && definitions.field(ofAny) === undefined) continue;
    yield* problemsIn(value, { ...at, keys: [...keys, key], path: below });
  }
}

const shown = (path: string): string => `\`${path.replaceAll(/\[\]|\{\}/g, '')}\``;

function unknownField({ definitions, keys, path }: Place): Problem {
  const place = { kind: 'field', path: keys } as const;
  const moved = Object.hasOwn(MOVED, path) ? MOVED[path] : undefined;
  if (moved !== undefined) return { ...place, ...moved };
  const last = definitions.lastVersionOf(path);
  if (last !== undefined)
    return {
      ...place,
      problem: `sets ${shown(path)}, a field of ${last === 'v1alpha' ? 'the alpha versions' : last} that v1 doesn't have`,
      advice: `Take \`${keys.at(-1) ?? ''}\` out, or write it as v1 has it; \`kubectl explain\` shows the fields.`,
      code: '',
      becomes: '',
    };
  return {
    ...place,
    ...(definitions.isCertain ? {} : { severity: 'warning' }),
    problem: `sets ${shown(path)}, a field that ${definitions.isOne ? `${definitions.called} doesn't have` : `no ${definitions.called} has`} there`,
    ...meantField(definitions, path),
    code: '',
  };
}

/** What to do with a field that no version has: a misspelt name, or the right one at a wrong place. */
function meantField(definitions: KarpenterDefinitions, path: string): Pick<Problem, 'advice' | 'becomes'> {
  const [, parent = '', key = ''] = /^(?:(.*)\.)?([^.]*)$/.exec(path) ?? [];
  const [at, ...others] = definitions.placesOf(key);
  if (at !== undefined && others.length === 0)
    return { advice: `Move it to \`spec.${at}\`, where v1 has it.`, becomes: at };
  const near = nearestName(key, definitions.namesIn(parent));
  return near === undefined
    ? { advice: `Take \`${key}\` out, or write it as v1 has it; \`kubectl explain\` shows the fields.`, becomes: '' }
    : { advice: `Write \`${near}\`, if that is meant.`, becomes: parent === '' ? near : `${parent}.${near}` };
}

function laterField({ since = '' }: KarpenterField, { definitions, keys, path }: Place): Problem {
  return {
    kind: 'field',
    path: keys,
    problem: `sets ${shown(path)}, a field that Karpenter has since ${since}, and the cluster has ${definitions.called}`,
    advice: `Take it out, or update Karpenter, its CRDs first.`,
    code: '',
    becomes: '',
  };
}

/** What Karpenter's definitions call types, in words. */
const TYPES = {
  string: 'a text',
  integer: 'a whole number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'a map',
};

/** What YAML 1.1, which kubectl reads, takes for true or false. */
const TRUTH = /^(?:y|yes|n|no|true|false|on|off)$/i;

function typeProblem(data: Data, { type }: KarpenterField, { keys, path }: Place): Problem | undefined {
  if (type === undefined || isOfType(data, type)) return undefined;
  const key = keys.at(-1) ?? '';
  const isPlain = typeof data === 'number' || typeof data === 'boolean';
  const code =
    type === 'string' && isPlain ? (/^\d+$/.test(key) ? `- "${String(data)}"` : `${key}: "${String(data)}"`) : '';
  const written = isPlain
    ? `\`${String(data)}\``
    : typeof data === 'string'
      ? `the text \`${data.slice(0, LONGEST)}\``
      : Array.isArray(data)
        ? 'a list'
        : 'a map';
  return {
    kind: 'type',
    path: keys,
    problem: `has ${written} as ${shown(path)}, which has to be ${TYPES[type]}`,
    advice: code === '' ? `Write ${TYPES[type]}.` : 'Put it in quotes.',
    code,
    ...(isPlain && code !== '' ? { sets: { path: keys, value: String(data) } } : {}),
  };
}

function isOfType(data: Data, type: NonNullable<KarpenterField['type']>): boolean {
  switch (type) {
    case 'string':
      return typeof data === 'string';
    case 'integer':
      return Number.isInteger(data);
    case 'boolean':
      return typeof data === 'boolean' || (typeof data === 'string' && TRUTH.test(data));
    case 'array':
      return Array.isArray(data);
    case 'object':
      return isDataMap(data);
  }
}

/** Versions that don't agree leave a doubt. */
function certainty(refusal: Refusal | undefined): Pick<Problem, 'severity'> {
  return refusal === 'newest' ? { severity: 'warning' } : {};
}

function* expressionProblems(data: Data, { definitions, checks, keys, path }: Place): Generator<Problem> {
  const found = new Map<string, ReturnType<Check>>();
  const refusal = definitions.refusals(path, ({ rule }) => {
    const check = Object.hasOwn(checks, rule) ? checks[rule] : undefined;
    const one = check === undefined ? undefined : foundBy(check, data);
    if (one !== undefined) found.set(rule, one);
    return one !== undefined;
  });
  for (const { rule } of refusal?.by ?? []) {
    const one = found.get(rule);
    if (one === undefined) continue;
    const sets = one.sets === undefined ? {} : { sets: { ...one.sets, path: [...keys, ...one.sets.path] } };
    yield { kind: 'expression', ...certainty(refusal?.in), ...one, ...sets, path: [...keys, ...one.path] };
  }
  if (typeof data === 'string') {
    const isRestricted = definitions.refusesKey(path, data);
    if (isRestricted !== undefined) yield restricted(data, 'requirement', keys, isRestricted);
  }
}

/** Keys that people look for in another domain than they are of. Source: pkg/apis/v1/labels.go of kubernetes-sigs/karpenter and of the provider. */
const OWN_KEYS = [
  'karpenter.sh/capacity-type',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'topology.kubernetes.io/zone',
  'node.kubernetes.io/instance-type',
  ...['category', 'cpu', 'family', 'generation', 'hypervisor', 'memory', 'size'].map(
    (one) => `karpenter.k8s.aws/instance-${one}`,
  ),
];

function restricted(key: string, what: string, path: readonly string[], refusal: Refusal | undefined): Problem {
  const [, name] = key.split('/');
  const meant = OWN_KEYS.find((one) => one !== key && one.endsWith(`/${name ?? ''}`));
  return {
    kind: 'restricted',
    ...certainty(refusal),
    path,
    problem: `has the ${what} \`${key}\`, of a domain that is kept for Karpenter and Kubernetes themselves`,
    advice:
      meant === undefined
        ? `Take the ${what} out, or take a key that Karpenter knows, or one of your own.`
        : `Write \`${meant}\`, if that is meant.`,
    code: '',
  };
}

function* missingProblems(data: Readonly<Record<string, Data>>, field: KarpenterField, at: Place): Generator<Problem> {
  for (const key of field.required ?? []) {
    if (data[key] !== undefined) continue;
    const path = at.path === '' ? key : `${at.path}.${key}`;
    const told = Object.hasOwn(NEEDED, path.replace('startupTaints', 'taints'))
      ? NEEDED[path.replace('startupTaints', 'taints')]
      : undefined;
    yield {
      kind: 'missing',
      path: at.keys,
      problem: `has no ${shown(path)}, which v1 demands${at.keys.length === 0 ? '' : ' there'}`,
      advice: told?.advice ?? `Write \`${key}\`; \`kubectl explain\` tells what it takes.`,
      code: told?.code ?? '',
    };
  }
}

/** What to write where something has to be there. */
const NEEDED: Readonly<Record<string, Pick<Problem, 'advice' | 'code'>>> = {
  'disruption.consolidateAfter': {
    advice:
      'Say how long nodes have to be as they are before Karpenter consolidates them: `0s` is at once. Without `disruption`, Karpenter takes that itself.',
    code: 'disruption:\n  consolidationPolicy: WhenEmptyOrUnderutilized\n  consolidateAfter: 0s',
  },
  'template.spec.requirements': {
    advice: 'Say what the nodes have to be; an empty list, `[]`, leaves all open.',
    code: 'requirements:\n  - key: kubernetes.io/arch\n    operator: In\n    values: ["amd64"]',
  },
  'template.spec.nodeClassRef': {
    advice: 'Name the node class by group, kind and name.',
    code: 'nodeClassRef:\n  group: karpenter.k8s.aws\n  kind: EC2NodeClass\n  name: default',
  },
  'template.spec.requirements[].operator': {
    advice: 'Write `In`, with the values, or another operator.',
    code: 'operator: In',
  },
  'template.spec.taints[].effect': {
    advice: 'Write `NoSchedule`, `PreferNoSchedule` or `NoExecute`.',
    code: 'effect: NoSchedule',
  },
};

function* boundProblems(data: Data, field: KarpenterField, { keys, path }: Place): Generator<Problem> {
  const place = { kind: 'bound', path: keys, code: '' } as const;
  const [size, least, most, unit] = Array.isArray(data)
    ? [data.length, field.minItems, field.maxItems, 'items']
    : isDataMap(data)
      ? [Object.keys(data).length, undefined, field.maxProperties, 'keys']
      : typeof data === 'string'
        ? [data.length, field.minLength, field.maxLength, 'characters']
        : [typeof data === 'number' ? data : 0, field.minimum, field.maximum, ''];
  // Where nothing is in a list, another check tells what is missing.
  if (size === 0 && unit !== '') return;
  if (typeof data === 'boolean' || ((least === undefined || size >= least) && (most === undefined || size <= most)))
    return;
  const range =
    least === undefined ? `at most ${String(most)}` : most === undefined ? `at least ${least}` : `${least} to ${most}`;
  yield {
    ...place,
    problem:
      unit === ''
        ? `has ${size} as ${shown(path)}, which v1 takes as ${range}`
        : `has ${size} ${unit} in ${shown(path)}, of which v1 takes ${range}`,
    advice: unit === '' ? `Write a number of ${range}.` : `Write ${range}.`,
  };
}

function* valueProblem(value: string, field: KarpenterField, { definitions, keys, path }: Place): Generator<Problem> {
  const { values, pattern, valuesSince = {} } = field;
  const key = keys.at(-1) ?? '';
  const place = { kind: 'value', path: keys } as const;
  const renamed = renamedAt(path, value);
  const since = Object.hasOwn(valuesSince, value) ? valuesSince[value] : undefined;
  if (values?.includes(value) === true && !definitions.has(since)) {
    yield {
      ...place,
      problem: `has \`${value}\` as ${shown(path)}, which Karpenter takes since ${since ?? ''}, and the cluster has ${definitions.called}`,
      advice: 'Write another value, or update Karpenter, its CRDs first.',
      code: '',
    };
  } else if (values?.includes(value) === false) {
    const sameLetters = values.find((one) => one.toLowerCase() === value.toLowerCase());
    const right = renamed?.to ?? sameLetters ?? values.find((one) => !Object.hasOwn(valuesSince, one)) ?? '';
    yield {
      ...place,
      problem: `has \`${value}\` as ${shown(path)}, which v1 doesn't take`,
      advice:
        renamed === undefined
          ? `Write one of ${values.map((one) => `\`${one}\``).join(', ')}.`
          : `Write \`${renamed.to}\`, as v1 calls it.`,
      code: /^\d+$/.test(key) ? `- ${right}` : `${key}: ${right}`,
      ...(renamed === undefined ? {} : { renamed }),
    };
  } else if (pattern !== undefined && !new RegExp(pattern).test(value))
    yield {
      ...place,
      problem: `has \`${value.slice(0, LONGEST)}\` as ${shown(path)}, which isn't of the form that v1 takes`,
      ...(renamed === undefined
        ? {
            advice:
              (Object.hasOwn(FORMS, key) ? FORMS[key] : undefined) ??
              'Write it in the form that `kubectl explain` shows.',
            code: (Object.hasOwn(CODES, key) ? CODES[key] : undefined) ?? '',
          }
        : {
            advice: `Write the group alone, without a version: \`${renamed.to}\`.`,
            code: `${key}: ${renamed.to}`,
            renamed,
          }),
    };
}

const LONGEST = 80;

/** In words, what patterns say. */
const FORMS: Readonly<Record<string, string>> = {
  key: 'Write letters, digits, `-`, `_` and `.`, behind a domain in small letters and `/` if it has one: `example.com/team`.',
  value: 'Write letters, digits, `-`, `_` and `.`, beginning and ending with a letter or digit.',
  cpu: 'Write a quantity, such as `1000` or `500m`.',
  memory: 'Write a quantity, such as `1000Gi`.',
  id: 'Write the id as AWS shows it, behind its prefix.',
  ownerID: 'Write the twelve digits of the account, in quotes.',
  group: 'Write the group alone, without a version: `karpenter.k8s.aws`.',
  volumeSize: 'Write a whole number with `Gi`, `G`, `Ti` or `T`, such as `100Gi`.',
  expireAfter: 'Write hours, minutes and seconds, such as `720h`, or `Never`.',
  consolidateAfter: 'Write hours, minutes and seconds, such as `5m`, or `Never`.',
  terminationGracePeriod: 'Write hours, minutes and seconds, such as `1h`.',
  duration: 'Write hours and minutes, such as `8h` or `1h30m`.',
  nodes: 'Write a number of nodes or a percentage in quotes, such as `"10%"`.',
  schedule: 'Write the five fields of cron, such as `0 9 * * mon-fri`, or `@daily`; the times are in UTC.',
};
const CODES: Readonly<Record<string, string>> = {
  group: 'group: karpenter.k8s.aws',
  volumeSize: 'volumeSize: 100Gi',
  expireAfter: 'expireAfter: 720h',
  consolidateAfter: 'consolidateAfter: 5m',
  terminationGracePeriod: 'terminationGracePeriod: 1h',
  duration: 'duration: 8h',
  nodes: 'nodes: "10%"',
  schedule: 'schedule: "0 9 * * mon-fri"',
};
