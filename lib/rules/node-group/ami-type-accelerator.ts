import { defineRule, resourceName, type Judgement } from '../../engine';
import {
  acceleratorOf,
  amiType as amiTypeOf,
  amiTypesAsOf,
  hasDriver,
  instanceType,
  type Accelerator,
  type AmiType,
  type Architecture,
} from '../../knowledge';
import {
  casesOf,
  instanceTypesOf,
  launchTemplateOf,
  type ClusterView,
  type EksModel,
  type NodeGroup,
  type Plain,
  type Source,
  type Unknown,
  type Value,
  type When,
} from '../../eks';
import { named } from '../parts/about';
import { judgeCases, undecided, unverifiable, type Outcome } from '../parts/case-judgements';
import { NEW_GROUP } from '../parts/eksctl-advice';
import { listOf } from '../../text/in-words';
import { candidateTypesOf, doubtBetween } from './parts/candidate-types';
import { casesWithoutDriver } from './parts/gpu-drivers';
import { fittingAmiType, suggest } from './parts/suggested-ami-type';

/*
 * Only the accelerated AMI types bring the drivers of GPUs and Neuron devices. EKS doesn't compare them with the instance
 * types: the nodes join and look well, and no pod that asks for the device is ever scheduled.
 * Source: EKS user guide, "Use EKS-optimized accelerated AMIs for GPU instances"; Bottlerocket, QUICKSTART-EKS.md, "Neuron Support".
 */

const CODE = {
  cloudformation: 'AmiType: {{suggested}}',
  'aws-cdk': '{{suggestedInCdk}}',
  terraform: 'ami_type = "{{suggested}}"',
};

export const amiTypeAccelerator = defineRule<Message>({
  id: 'ami-type-accelerator',
  subject: 'node-group',
  title: "The AMI type of a node group has the drivers of its instances' accelerators",
  severity: 'warning',
  since: '0.1.0',
  messages: {
    noDriver: {
      text: 'Node group "{{group}}" starts {{types}} with AMI type {{amiType}}, which doesn\'t have the driver of {{device}}. The nodes boot without it, and pods that ask for the device stay Pending.',
      fix: { summary: '{{advice}}', summaryIn: { eksctl: '{{adviceInConfig}}' }, code: CODE, safety: 'needs-decision' },
    },
    noDevice: {
      text: 'Node group "{{group}}" starts {{types}} with AMI type {{amiType}}, which is made for {{device}}. The instances have none, so pods that ask for the device can\'t run there.',
      fix: { summary: '{{advice}}', summaryIn: { eksctl: '{{adviceInConfig}}' }, code: CODE, safety: 'needs-decision' },
    },
  },
  *check(model) {
    for (const nodeGroup of model.nodeGroups) yield* judge(nodeGroup, model);
  },
});

type Message = 'noDriver' | 'noDevice';

function judge(nodeGroup: NodeGroup, model: EksModel): Iterable<Judgement<Message>> {
  const { amiType } = nodeGroup;
  const types = instanceTypesOf(nodeGroup);
  if (amiType.kind === 'known' && types.kind === 'known' && isOrdinary(amiTypeOf(amiType.value), types.value))
    return [{ verdict: 'pass', resource: nodeGroup }];
  return judgeCases(nodeGroup, { amiType, types }, (values, when) =>
    values.amiType.kind === 'absent'
      ? judgeDefault(nodeGroup, values.types, when)
      : judgeNamed({ nodeGroup, view: model.viewOf(nodeGroup) }, values.amiType, values.types, when),
  );
}

/** The usual group: a Linux image without accelerator, instances without one. */
function isOrdinary(ami: AmiType | undefined, types: readonly Value<string>[]): boolean {
  if (ami === undefined || ami.accelerator !== undefined || ami.family === 'WINDOWS' || ami.family === 'CUSTOM')
    return false;
  return types.every(
    (type) =>
      type.kind === 'known' && instanceType(type.value) !== undefined && acceleratorOf(type.value) === undefined,
  );
}

/** Without AMI type: nothing to tell where the instances have no accelerator, or the group has an AMI of its own. */
function judgeDefault(
  nodeGroup: NodeGroup,
  types: Plain<readonly Value<string>[]>,
  given: When,
): readonly Outcome<Message>[] {
  return casesOf(nodeGroup, { template: launchTemplateOf(nodeGroup) }, given).flatMap(
    ({ when, values: { template } }): readonly Outcome<Message>[] => {
      if (template.kind !== 'known') return [judgeDefaultImage(nodeGroup, types, when)];
      return casesOf(nodeGroup, { image: template.value.imageId }, when).flatMap((one): readonly Outcome<Message>[] =>
        one.values.image.kind === 'absent' ? [judgeDefaultImage(nodeGroup, types, one.when)] : [],
      );
    },
  );
}

function judgeDefaultImage(nodeGroup: NodeGroup, types: Plain<readonly Value<string>[]>, when: When): Outcome<Message> {
  if (types.kind === 'unknown') return unknownTypes(types, when);
  if (types.kind === 'absent') return { verdict: 'pass', when };
  const { candidates, doubt } = candidateTypesOf(nodeGroup, types.value, when);
  const accelerated = candidates.find(({ type }) => acceleratorOf(type.name) !== undefined);
  if (accelerated !== undefined) {
    const reason = `it names no AMI type, and AWS doesn't document which one EKS takes for ${accelerated.type.name}`;
    return { verdict: 'unverifiable', reason, source: accelerated.source, when };
  }
  return doubt === undefined ? { verdict: 'pass', when } : { verdict: 'unverifiable', ...doubt, when };
}

function unknownTypes(types: { readonly reason: string; readonly source: Source }, when: When): Outcome<Message> {
  return { ...undecided("its instance types aren't known", types), when };
}

/** A node group with the cluster that it belongs to. */
interface Group {
  readonly nodeGroup: NodeGroup;
  readonly view: ClusterView;
}

/** An AMI type with the place where it is named. */
interface NamedAmi {
  readonly ami: AmiType;
  readonly source: Source;
}

/** An instance type that the image fits or doesn't. */
interface Fit {
  readonly name: string;
  readonly architecture: Architecture;
  readonly accelerator: Accelerator | undefined;
  readonly source: Source;
  readonly when: When;
  /** Why the image may be another one where the instance type is started. */
  readonly doubt: Unknown | undefined;
}

function judgeNamed(
  group: Group,
  amiType: Exclude<Plain<string>, { kind: 'absent' }>,
  types: Plain<readonly Value<string>[]>,
  when: When,
): readonly Outcome<Message>[] {
  const { source } = amiType;
  if (amiType.kind === 'unknown')
    return [{ verdict: 'unverifiable', reason: `its AMI type isn't known: ${amiType.reason}`, source, when }];
  const ami = amiTypeOf(amiType.value);
  if (ami === undefined)
    return [{ ...unverifiable(`AMI type ${amiType.value} is not in the table of ${amiTypesAsOf()}`, source), when }];
  if (ami.family === 'WINDOWS' || ami.family === 'CUSTOM') return [];
  if (types.kind === 'unknown') return [unknownTypes(types, when)];
  if (types.kind === 'absent') {
    if (ami.accelerator === undefined) return [{ verdict: 'pass', when }];
    return [
      {
        verdict: 'unverifiable',
        reason: `it names no instance type, and AWS doesn't document which one EKS takes for AMI type ${ami.name}`,
        source,
        when,
      },
    ];
  }
  const { candidates, doubt } = candidateTypesOf(group.nodeGroup, types.value, when);
  const fits = candidates.map((candidate): Fit => {
    const { type, source: place, when: started } = candidate;
    return {
      name: type.name,
      architecture: type.architecture,
      accelerator: acceleratorOf(type.name),
      source: place,
      when: started,
      doubt: doubtBetween(candidate, [amiType, types]),
    };
  });
  const outcomes = judgeFits(group, { ami, source }, fits, when);
  if (doubt === undefined || outcomes.some(({ verdict }) => verdict !== 'pass')) return outcomes;
  return [{ verdict: 'unverifiable', ...doubt, when }];
}

function judgeFits(group: Group, named: NamedAmi, fits: readonly Fit[], when: When): readonly Outcome<Message>[] {
  const { ami } = named;
  const isFitting = ({ accelerator }: Fit): boolean =>
    accelerator === undefined ? ami.accelerator === undefined : hasDriver(ami, accelerator);
  const hasOthers = fits.some(isFitting);
  // Types that the image can't run on at all are ami-type-architecture's, unless they need another image for their driver too.
  const failing = fits.filter(
    (fit) => !isFitting(fit) && (fit.accelerator !== undefined || fit.architecture === ami.architecture),
  );
  const outcomes = perCause(failing.filter(({ doubt }) => doubt === undefined)).flatMap((alike) =>
    outcomesOf(group, named, alike, hasOthers || alike.length < failing.length),
  );
  if (outcomes.length > 0) return outcomes;
  const doubt = failing.find((fit) => fit.doubt !== undefined)?.doubt;
  return [
    doubt === undefined
      ? { verdict: 'pass', when }
      : { verdict: 'unverifiable', reason: doubt.reason, source: doubt.source, when },
  ];
}

/** Together what lacks the same driver on the same architecture under the same assumption. */
function perCause(fits: readonly Fit[]): readonly (readonly Fit[])[] {
  const groups = new Map<string, Fit[]>();
  for (const fit of fits) {
    const key = `${fit.accelerator ?? ''}|${fit.architecture}|${fit.when.text}`;
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [fit]);
    else list.push(fit);
  }
  return [...groups.values()];
}

function outcomesOf(
  { nodeGroup, view }: Group,
  { ami, source }: NamedAmi,
  alike: readonly Fit[],
  hasOthers: boolean,
): readonly Outcome<Message>[] {
  const [first] = alike;
  if (first === undefined) return [];
  const { accelerator, when } = first;
  const suggested = fittingAmiType(ami, first) ?? ami.name;
  const names = listOf([...new Set(alike.map(({ name }) => name))]);
  const data = {
    group: resourceName(nodeGroup),
    amiType: ami.name,
    types: names,
    device: deviceOf(accelerator ?? ami.accelerator),
    advice: hasOthers
      ? `Make a node group of their own for ${names}, with AMI type \`${suggested}\`.`
      : `Use AMI type \`${suggested}\`. The change replaces the group, so add a new one and drain the old one.`,
    adviceInConfig: hasOthers
      ? `Make a group of their own for ${names}: eksctl takes the AMI that fits the instance types of a group.`
      : `Write \`amiFamily: ${suggest(suggested).family}\`. ${NEW_GROUP}`,
    ...suggest(suggested),
  };
  const about = named(alike.map(({ name }) => name));
  const related = alike.map((fit) => ({ message: `instance type ${fit.name}`, source: fit.source }));
  if (accelerator === undefined) return [{ verdict: 'fail', message: 'noDevice', source, data, about, related, when }];
  return casesWithoutDriver(nodeGroup, view, accelerator, when).map(
    (one): Outcome<Message> =>
      one.doubt === undefined
        ? { verdict: 'fail', message: 'noDriver', source, data, about, related, when: one.when }
        : { verdict: 'unverifiable', ...one.doubt, when: one.when },
  );
}

function deviceOf(accelerator: AmiType['accelerator']): string {
  switch (accelerator) {
    case 'nvidia':
      return 'NVIDIA GPUs';
    case 'neuron':
      return 'Inferentia and Trainium (Neuron)';
    case 'nvidia-or-neuron':
    case undefined:
      return 'NVIDIA GPUs, Inferentia or Trainium';
  }
}
