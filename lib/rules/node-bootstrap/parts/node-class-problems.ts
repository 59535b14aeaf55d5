import {
  aliasOf,
  AMI_FAMILIES,
  dataAt,
  familyOfAlias,
  isAmongPatches,
  isDataMap,
  Unknown,
  type Data,
} from '../../../eks';
import { KarpenterDefinitions } from '../../../knowledge';
import { fieldProblems } from './karpenter-field-problems';
import type { KarpenterObject } from './karpenter-objects';
import type { KarpenterProblem } from './karpenter-problem';
import { NODE_CLASS_CHECKS } from './node-class-validations';

/*
 * What the definition of an EC2NodeClass refuses.
 * Source: aws/karpenter-provider-aws, pkg/apis/crds/karpenter.k8s.aws_ec2nodeclasses.yaml, of 1.0.0, 1.3.0, 1.5.0 and 1.14.1.
 */

/** Terms that Karpenter takes. */
export const AMI_TERMS = 'amiSelectorTerms:\n  - alias: al2023@v20260801 # a release that you have tried';

/** The lists without which a node class is refused, with what each selects. */
const TERMS: readonly (readonly [key: string, what: string, code: string])[] = [
  ['amiSelectorTerms', 'AMI', AMI_TERMS],
  ['subnetSelectorTerms', 'subnet', 'subnetSelectorTerms:\n  - tags:\n      karpenter.sh/discovery: CLUSTER'],
  [
    'securityGroupSelectorTerms',
    'security group',
    'securityGroupSelectorTerms:\n  - tags:\n      karpenter.sh/discovery: CLUSTER',
  ],
];

/** What of an EC2NodeClass of `karpenter.k8s.aws/v1` is refused. What lacks most of what each one has is a part of one, which something else puts to it. */
export function nodeClassProblems({ manifest, versions }: KarpenterObject): readonly KarpenterProblem[] {
  const { object } = manifest;
  const spec = dataAt(object, 'spec');
  if (!isDataMap(spec)) return [];
  const isWhole = !isAmongPatches(manifest);
  const definitions = new KarpenterDefinitions('EC2NodeClass', versions);
  const written = [...fieldProblems(manifest, { definitions, checks: NODE_CLASS_CHECKS, isWhole })];
  return [
    ...(isWhole ? missingProblems(object, spec) : familyProblems(object, true)),
    ...written,
    ...countProblems(spec),
  ];
}

/** Numbers below zero, which the definitions of all versions that are released refuse; those of some leave the fields beside them open. */
function countProblems({ kubelet }: Readonly<Record<string, Data>>): readonly KarpenterProblem[] {
  if (!isDataMap(kubelet)) return [];
  return ['maxPods', 'podsPerCore'].flatMap((key): readonly KarpenterProblem[] => {
    const count = kubelet[key];
    if (typeof count !== 'number' || count >= 0) return [];
    return [
      {
        kind: 'bound',
        path: ['kubelet', key],
        problem: `has ${count} as \`kubelet.${key}\`, which is no number of pods`,
        advice: 'Write 0 or more, or leave it to Karpenter.',
        code: '',
      },
    ];
  });
}

/** Whether it lacks something that each node class has, where patches are kept. */
export function isPatchOfClass({ manifest }: KarpenterObject): boolean {
  const spec = dataAt(manifest.object, 'spec');
  const keys = isDataMap(spec) ? [...TERMS.map(([key]) => spec[key]), spec['role'] ?? spec['instanceProfile']] : [];
  return keys.some(isMissing) && isAmongPatches(manifest);
}

function missingProblems(object: Data, spec: Readonly<Record<string, Data>>): readonly KarpenterProblem[] {
  const missing = TERMS.filter(([key]) => isMissing(spec[key]));
  if (missing.length > 1) return [];
  const found: KarpenterProblem[] = missing.map(([key, what, code]) => ({
    kind: 'missing',
    path: [key],
    problem: `has no \`${key}\`, so it selects no ${what}`,
    advice: `Say in \`spec.${key}\` which ${what}s its nodes get.`,
    code,
  }));
  if (missing.length === 0) found.push(...identityProblem(spec));
  found.push(...familyProblems(object, missing.length > 0));
  return found;
}

function isMissing(data: Data | undefined): boolean {
  return data === undefined || data === null || (Array.isArray(data) && data.length === 0);
}

const ROLE_CODE = 'role: KarpenterNodeRole-CLUSTER # its name, without path and ARN';

function identityProblem(spec: Readonly<Record<string, Data>>): readonly KarpenterProblem[] {
  const written = ['role', 'instanceProfile'].filter((key) => !isMissing(spec[key]));
  // Which the definitions of all versions say of `role`.
  const empty = written.find((key) => spec[key] === '');
  if (empty !== undefined)
    return [
      {
        kind: 'identity',
        path: [empty],
        problem: `has an empty \`${empty}\`, so its nodes would have no identity`,
        advice: 'Name the role of the nodes, or a profile with one.',
        code:
          empty === 'role'
            ? ROLE_CODE
            : 'instanceProfile: KarpenterNodeProfile-CLUSTER # its name, without path and ARN',
      },
    ];
  if (written.length === 1) return [];
  const both = written.length > 1;
  return [
    {
      kind: 'identity',
      path: both ? ['instanceProfile'] : [],
      problem: both
        ? 'has both `role` and `instanceProfile`, which exclude one another'
        : 'has neither `role` nor `instanceProfile`, so its nodes would have no identity',
      advice: both
        ? 'Drop one of them: with `role`, Karpenter makes the instance profile itself.'
        : 'Name the role of the nodes in `spec.role`, or a profile with one in `spec.instanceProfile`.',
      code: ROLE_CODE,
    },
  ];
}

function familyProblems(object: Data, hasNoTerms: boolean): readonly KarpenterProblem[] {
  const family = dataAt(object, 'spec', 'amiFamily') ?? undefined;
  const alias = aliasOf(object);
  if (typeof family === 'string' && !AMI_FAMILIES.has(family)) return [unknownFamily(family)];
  if (alias instanceof Unknown || family instanceof Unknown) return [];
  if (alias === undefined) {
    if (family !== undefined || hasNoTerms) return [];
    return [
      {
        kind: 'ami-family',
        path: ['amiSelectorTerms'],
        problem: 'selects its AMIs by other things than an alias, and names no `amiFamily`',
        advice: 'Name the family of the AMIs in `spec.amiFamily`: it decides on the format of the user data.',
        code: `amiFamily: ${familyOfUserData(object)}`,
      },
    ];
  }
  return aliasProblems(object, alias, family);
}

/** The family whose format user data has: a call of its bootstrap tells Amazon Linux 2, which has no other. */
function familyOfUserData(object: Data): string {
  const text = dataAt(object, 'spec', 'userData');
  if (typeof text !== 'string') return 'AL2023 # or AL2, Bottlerocket, Windows2022, Custom';
  if (/\/etc\/eks\/bootstrap\.sh/.test(text)) return 'AL2 # whose bootstrap.sh the user data calls';
  if (/^[ \t]*\[settings\b/m.test(text)) return 'Bottlerocket # whose settings the user data has';
  return /<powershell>/i.test(text) ? 'Windows2022 # or 2019, 2025' : 'AL2023 # or AL2, Custom';
}

function unknownFamily(family: string): KarpenterProblem {
  return {
    kind: 'ami-family',
    path: ['amiFamily'],
    problem: `names the AMI family \`${family}\`, which is none`,
    advice:
      family === 'Ubuntu'
        ? 'Karpenter has dropped it with its v1 API: select the AMIs of Ubuntu in `amiSelectorTerms`, with `amiFamily: Custom` and user data that bootstraps, or with `AL2` as long as they understand that.'
        : `Write one of ${[...AMI_FAMILIES.keys()].map((name) => `\`${name}\``).join(', ')}.`,
    code: 'amiFamily: AL2023',
  };
}

function aliasProblems(object: Data, alias: string, family: Data | undefined): readonly KarpenterProblem[] {
  const terms = dataAt(object, 'spec', 'amiSelectorTerms') as readonly Data[];
  const index = terms.findIndex((term) => dataAt(term, 'alias') === alias);
  const wrong = (problem: string, advice: string): readonly KarpenterProblem[] => [
    { kind: 'alias', path: ['amiSelectorTerms', String(index), 'alias'], problem, advice, code: AMI_TERMS },
  ];
  const quoted = `the AMI alias \`${alias}\``;
  if (!/^[a-zA-Z0-9]+@.+$/.test(alias))
    return wrong(`has ${quoted}, which isn't of the form family@version`, 'Write a family and a release.');
  const called = familyOfAlias(alias);
  if (called === undefined)
    return wrong(
      `has ${quoted}, of a family that Karpenter doesn't know`,
      'Take one of `al2`, `al2023`, `bottlerocket`, `windows2019`, `windows2022` and `windows2025`, in small letters.',
    );
  if (called.startsWith('Windows') && !alias.endsWith('@latest'))
    return wrong(`has ${quoted}, but aliases of Windows take no other version than \`latest\``, 'Write `@latest`.');
  if (terms.length > 1)
    return wrong(
      `has ${quoted} beside other terms, which an alias excludes`,
      'Leave the alias alone, or select all AMIs by other things.',
    );
  const others = ['id', 'name', 'tags', 'owner'].filter((key) => !isMissing(dataAt(terms[index] ?? null, key)));
  if (others.length > 0)
    return wrong(
      `has ${quoted} together with \`${others.join('`, `')}\` in one term, which an alias excludes`,
      'Leave the alias alone in its term.',
    );
  if (typeof family !== 'string' || family === 'Custom' || family === called) return [];
  return [
    {
      kind: 'ami-family',
      path: ['amiFamily'],
      problem: `names the AMI family \`${family}\` beside the alias \`${alias}\`, which is of \`${called}\``,
      advice: `Drop \`amiFamily\`: the alias tells it. \`Custom\` is for user data that does the whole bootstrap.`,
      code: '# in the spec of the EC2NodeClass, without amiFamily',
    },
  ];
}
