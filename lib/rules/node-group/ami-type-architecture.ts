import { defineRule, resourceName, type Judgement, type RelatedPlace } from '../../engine';
import { undecided, type Outcome } from '../parts/case-judgements';
import { GROUP_REPLACED } from '../parts/repair-effects';
import { acceleratorOf, amiType as amiTypeOf, amiTypesAsOf, instanceType, type Architecture } from '../../knowledge';
import {
  Absent,
  always,
  casesOf,
  flatMapValue,
  imageOf,
  instanceTypesOf,
  Known,
  Unknown,
  type AnyNodeGroup,
  type Plain,
  type Source,
  type Value,
  type When,
} from '../../eks';
import { named } from '../parts/about';
import { inWords, listOf } from '../../text/in-words';
import { candidateTypesOf, doubtBetween, type CandidateType } from './parts/candidate-types';
import { fittingAmiType, suggest, type SuggestedAmiType } from './parts/suggested-ami-type';

/*
 * An AMI runs on one processor architecture. EKS compares the AMI type with the instance types only when the group is
 * created, so a group that mixes t4g with an x86 image passes every check before that.
 * Source: the API's answer; amazon-eks-ami for the AMI types, EC2 for the instance types.
 */

const CODE = {
  cloudformation: '{{inTemplate}}',
  'aws-cdk': '{{inCdk}}',
  terraform: '{{inTerraform}}',
};

export const amiTypeArchitecture = defineRule<Message>({
  id: 'ami-type-architecture',
  subject: 'node-group',
  title: 'AMI type and instance types of a node group have the same processor architecture',
  severity: 'error',
  since: '0.1.0',
  isAboutCode: true,
  messages: {
    mismatch: {
      text: 'Node group "{{group}}" combines AMI type {{amiType}} ({{imageArchitecture}}) with {{types}} ({{otherArchitecture}}). EKS refuses to create it: "[{{firstType}}] is not a valid instance type for requested amiType {{amiType}}".',
      fix: {
        summary: '{{advice}}',
        summaryIn: { eksctl: '{{adviceInConfig}}' },
        code: CODE,
        safety: 'needs-decision',
        repairs: [{ kind: 'set', field: 'amiType', to: '{{replacement}}' }],
        effect: GROUP_REPLACED,
      },
    },
    imageMismatch: {
      text: 'Node group "{{group}}" starts {{types}} ({{otherArchitecture}}) with an AMI that is built for {{imageArchitecture}} (`{{image}}`). No instance of that type launches.',
      fix: {
        summary: '{{advice}}',
        summaryIn: { eksctl: '{{adviceInConfig}}' },
        safety: 'needs-decision',
      },
    },
    mixed: {
      text: 'Node group "{{group}}" lists instance types of both architectures: {{types}} ({{otherArchitecture}}) beside {{firstType}} ({{imageArchitecture}}). A group has one AMI, which runs on one of them only.',
      fix: { summary: 'Make two node groups, one per architecture.', safety: 'needs-decision' },
    },
  },
  *check(model) {
    for (const nodeGroup of [...model.nodeGroups, ...model.selfManagedNodeGroups]) yield* judge(nodeGroup);
  },
});

type Message = 'mismatch' | 'imageMismatch' | 'mixed';

/** What the group's image runs on: told by its AMI type or its own AMI, or not told, with the reason. */
type ImageFact =
  | { readonly kind: 'ami-type'; readonly name: string; readonly architecture: Architecture; readonly source: Source }
  | { readonly kind: 'own-image'; readonly text: string; readonly architecture: Architecture; readonly source: Source }
  | { readonly kind: 'default' };

/** One instance type that the group may start, under its assumption. */
interface Candidate extends Omit<CandidateType, 'type'> {
  readonly name: string;
  readonly architecture: Architecture;
}

function* judge(nodeGroup: AnyNodeGroup): Generator<Judgement<Message>> {
  const image = imageFactOf(nodeGroup);
  const own = nodeGroup.instanceTypes;
  const types = instanceTypesOf(nodeGroup, own);
  for (const { when, values } of casesOf(nodeGroup, { image, types, own })) {
    // Of self-managed nodes nothing but their AMI tells; one that is not known may be anything.
    if (
      nodeGroup.kind === 'self-managed-node-group' &&
      (values.image.kind !== 'known' || values.types.kind !== 'known')
    )
      continue;
    const listed = values.own.kind === 'known' && values.own.value.length > 0;
    for (const outcome of judgeCase(nodeGroup, values.image, values.types, when)) {
      // The fix is in the group even where the type stands in its launch template.
      if (outcome.verdict === 'pass') {
        yield { verdict: 'pass', resource: nodeGroup };
        continue;
      }
      const source =
        outcome.verdict === 'fail' && !listed && values.image.kind === 'known' && values.image.value.kind === 'ami-type'
          ? values.image.value.source
          : outcome.source;
      yield { ...outcome, resource: nodeGroup, ...(source === undefined ? {} : { source }) };
    }
  }
}

function judgeCase(
  nodeGroup: AnyNodeGroup,
  image: Plain<ImageFact>,
  types: Plain<readonly Value<string>[]>,
  when: When,
): readonly Outcome<Message>[] {
  if (image.kind === 'absent') return [];
  switch (types.kind) {
    case 'unknown':
      return [{ ...undecided("its instance types aren't known", types), when }];
    case 'absent':
      // EKS then takes a type that fits the AMI type: the Terraform provider and the CDK create groups with arm64 types so in their tests.
      return [
        image.kind === 'unknown' ? { verdict: 'unverifiable', reason: image.reason, when } : { verdict: 'pass', when },
      ];
    case 'known':
      return judgeTypes(nodeGroup, image, types, when);
  }
}

function judgeTypes(
  nodeGroup: AnyNodeGroup,
  image: Exclude<Plain<ImageFact>, Absent>,
  types: Known<readonly Value<string>[]>,
  when: When,
): readonly Outcome<Message>[] {
  const fact = image.kind === 'known' ? image.value : undefined;
  if (fact !== undefined && fact.kind !== 'default' && types.value.every((type) => runsOn(type, fact.architecture)))
    return when === always ? PASSED : [{ verdict: 'pass', when }];
  const { candidates: found, doubt } = candidateTypesOf(nodeGroup, types.value, when);
  const candidates = found.map(
    ({ type, ...rest }): Candidate => ({ name: type.name, architecture: type.architecture, ...rest }),
  );
  const group = resourceName(nodeGroup);
  if (fact !== undefined && fact.kind !== 'default') {
    const failing = candidates.filter((candidate) => candidate.architecture !== fact.architecture);
    const doubtful = failing.map((candidate) => doubtBetween(candidate, [image, types]));
    const failures = perCondition(failing.filter((_, index) => doubtful[index] === undefined));
    if (failures.length > 0) return failures.map((others) => mismatch(group, fact, others, candidates));
    const [first] = doubtful;
    if (first !== undefined) return [{ verdict: 'unverifiable', reason: first.reason, source: first.source, when }];
  } else {
    const mixed = mixture(candidates);
    if (mixed !== undefined) return [{ ...mixed, data: { ...mixed.data, group } }];
  }
  if (doubt !== undefined) return [{ verdict: 'unverifiable', reason: doubt.reason, source: doubt.source, when }];
  if (image.kind === 'unknown') return [{ verdict: 'unverifiable', reason: image.reason, when }];
  const arm = candidates.find((candidate) => candidate.architecture === 'arm64');
  if (fact?.kind === 'default' && arm !== undefined) {
    const reason = `it names no AMI type, and AWS doesn't document which one EKS takes for ${arm.name}`;
    return [{ verdict: 'unverifiable', reason, source: arm.source, when }];
  }
  return [{ verdict: 'pass', when }];
}

const PASSED: readonly Outcome<Message>[] = [{ verdict: 'pass', when: always }];

/** Whether an instance type is known without doubt to have an architecture. */
function runsOn(type: Value<string>, architecture: Architecture): boolean {
  return type.kind === 'known' && instanceType(type.value)?.architecture === architecture;
}

function perCondition(candidates: readonly Candidate[]): Candidate[][] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const list = groups.get(candidate.when.text);
    if (list === undefined) groups.set(candidate.when.text, [candidate]);
    else list.push(candidate);
  }
  return [...groups.values()];
}

function mismatch(
  group: string,
  fact: Exclude<ImageFact, { kind: 'default' }>,
  others: readonly Candidate[],
  all: readonly Candidate[],
): Outcome<Message> {
  const [first] = others;
  if (first === undefined) throw new Error('a mismatch needs an instance type');
  const place = {
    verdict: 'fail',
    source: first.source,
    about: named(others.map(({ name }) => name)),
    when: first.when,
  } as const;
  const types = `instance type${others.length > 1 ? 's' : ''} ${listOf(others.map((other) => other.name))}`;
  const data = {
    group,
    types,
    firstType: first.name,
    imageArchitecture: fact.architecture,
    otherArchitecture: first.architecture,
  };
  const related: RelatedPlace[] = [{ message: `the image is built for ${fact.architecture}`, source: fact.source }];
  if (fact.kind === 'own-image')
    return {
      ...place,
      message: 'imageMismatch',
      data: { ...data, image: fact.text, ...adviceForImage(fact.architecture, others, all) },
      related,
    };
  return {
    ...place,
    message: 'mismatch',
    data: { ...data, amiType: fact.name, ...adviceFor(fact.name, fact.architecture, first, all) },
    related,
  };
}

/** Another AMI helps only where no instance type needs the one that there is. */
function adviceForImage(
  architecture: Architecture,
  others: readonly Candidate[],
  all: readonly Candidate[],
): Record<'advice' | 'adviceInConfig', string> {
  const kept = new Set(all.filter((one) => one.architecture === architecture).map(({ name }) => `\`${name}\``));
  const other = others[0]?.architecture ?? architecture;
  if (kept.size === 0)
    return {
      advice: `Take the ${other} variant of the AMI, or instance types of ${architecture} only.`,
      adviceInConfig: `Name the ${other} variant of the AMI in \`ami\`, or take instance types of ${architecture} only.`,
    };
  const gone = listOf([...new Set(others.map(({ name }) => `\`${name}\``))]);
  const advice = `Take ${gone} out of the instance types, of which ${inWords([...kept], 3)} need${kept.size === 1 ? 's' : ''} this AMI; nodes of ${other} are a second group with the ${other} variant.`;
  return { advice, adviceInConfig: advice };
}

function adviceFor(
  name: string,
  architecture: Architecture,
  other: Candidate,
  all: readonly Candidate[],
): SuggestedAmiType &
  Record<'advice' | 'adviceInConfig' | 'replacement' | 'type' | 'inTemplate' | 'inTerraform' | 'inCdk', string> {
  const fitting = all.find((candidate) => candidate.architecture === architecture);
  const replacement = fittingAmiType(amiTypeOf(name), {
    architecture: other.architecture,
    accelerator: acceleratorOf(other.name),
  });
  if (fitting === undefined && replacement !== undefined) {
    return {
      replacement,
      advice: `Use AMI type \`${replacement}\`, or instance types of ${architecture}.`,
      adviceInConfig: `Use instance types of ${architecture}: eksctl chooses the AMI by the first one, and takes what it does not know for x86_64.`,
      ...suggest(replacement),
      type: other.name,
      inTemplate: `AmiType: ${replacement}`,
      inTerraform: `ami_type = "${replacement}"`,
      inCdk: suggest(replacement).suggestedInCdk,
    };
  }
  const type = fitting?.name ?? (architecture === 'arm64' ? 'm7g.large' : 'm7i.large');
  const advice =
    replacement === undefined
      ? `Use instance types of ${architecture}: AMI type \`${name}\` has no variant for ${other.architecture}.`
      : `Keep the instance types of ${architecture} here, and make a second node group with AMI type \`${replacement}\` for the others.`;
  const kept = all.filter((candidate) => candidate.architecture === architecture).map((candidate) => candidate.name);
  // Where the user has none of them, it is for the user to choose.
  const types = kept.length === 0 ? ['<instance type>'] : [...new Set(kept)];
  return {
    replacement: '',
    advice,
    adviceInConfig:
      replacement === undefined
        ? `Use instance types of ${architecture}: there is no such AMI for ${other.architecture}.`
        : `Keep the instance types of ${architecture} here, and make a second group for the others: eksctl takes the AMI that fits the instance types of a group.`,
    ...suggest(name),
    type,
    inTerraform: `instance_types = [${types.map((one) => `"${one}"`).join(', ')}]`,
    inTemplate: ['InstanceTypes:', ...types.map((one) => `  - ${one}`)].join('\n'),
    inCdk: `instanceTypes: [${types.map((one) => `new ec2.InstanceType('${one}')`).join(', ')}],`,
  };
}

/** Both architectures in one list, whatever the image. */
function mixture(candidates: readonly Candidate[]): Outcome<Message> | undefined {
  const [first] = candidates;
  if (first === undefined) return undefined;
  for (const other of candidates) {
    const when = first.when.and(other.when);
    if (
      when === undefined ||
      other.architecture === first.architecture ||
      doubtBetween({ named: other.named, when }, [first.named]) !== undefined
    )
      continue;
    const data = {
      types: other.name,
      otherArchitecture: other.architecture,
      firstType: first.name,
      imageArchitecture: first.architecture,
    };
    return {
      verdict: 'fail',
      message: 'mixed',
      source: other.source,
      about: named([other.name, first.name]),
      when,
      data,
    };
  }
  return undefined;
}

function imageFactOf(nodeGroup: AnyNodeGroup): Value<ImageFact> {
  return flatMapValue(
    nodeGroup.kind === 'node-group' ? nodeGroup.amiType : new Absent(nodeGroup.source),
    (amiType): Value<ImageFact> => {
      if (amiType.kind === 'unknown') return new Unknown(`its AMI type isn't known: ${amiType.reason}`, amiType.source);
      if (amiType.kind === 'known' && amiType.value !== 'CUSTOM') {
        const architecture = amiTypeOf(amiType.value)?.architecture;
        if (architecture === undefined)
          return new Unknown(`AMI type ${amiType.value} is not in the table of ${amiTypesAsOf()}`, amiType.source);
        return new Known<ImageFact>(
          { kind: 'ami-type', name: amiType.value, architecture, source: amiType.source },
          amiType.source,
        );
      }
      return flatMapValue(imageOf(nodeGroup), (image): Value<ImageFact> => {
        switch (image.kind) {
          case 'unknown':
            return new Unknown(`the architecture of its AMI isn't known: ${image.reason}`, image.source);
          case 'absent':
            if (nodeGroup.kind === 'self-managed-node-group')
              return new Unknown('its launch template names no AMI', image.source);
            if (amiType.kind === 'absent') return new Known<ImageFact>({ kind: 'default' }, amiType.source);
            return new Unknown('AMI type CUSTOM says nothing about the architecture', amiType.source);
          case 'known': {
            const { architecture } = image.value;
            if (architecture === undefined)
              return new Unknown(`the architecture of AMI ${image.value.text} isn't known`, image.source);
            return new Known<ImageFact>(
              { kind: 'own-image', text: image.value.text, architecture, source: image.source },
              image.source,
            );
          }
        }
      });
    },
  );
}
