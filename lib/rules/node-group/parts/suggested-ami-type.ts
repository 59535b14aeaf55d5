import {
  acceleratorOf,
  amiType,
  amiTypeNames,
  type Accelerator,
  type AmiType,
  type Architecture,
} from '../../../knowledge';
import { eksctlFamilyOf } from '../../../knowledge/eksctl-families';
import { casesOf, instanceTypesOf, type NodeGroup, type When } from '../../../eks';
import { candidateTypesOf } from './candidate-types';

/** What instances need of their AMI. */
export interface Need {
  readonly architecture: Architecture;
  readonly accelerator: Accelerator | undefined;
}

/** A suggested AMI type, as fixes name it. */
export interface SuggestedAmiType {
  readonly suggested: string;
  /** The line of the AWS CDK that sets it. */
  readonly suggestedInCdk: string;
  /** What eksctl calls its family. */
  readonly family: string;
}

export function suggest(name: string): SuggestedAmiType {
  const inEnum = `amiType: eks.NodegroupAmiType.${name.toUpperCase()},`;
  // What the enum lacks can only be set behind the construct's back.
  const suggestedInCdk =
    amiType(name)?.inCdkEnum === false
      ? `(nodegroup.node.defaultChild as eks.CfnNodegroup).amiType = '${name}';`
      : inEnum;
  return { suggested: name, suggestedInCdk, family: eksctlFamilyOf(name) ?? name };
}

/**
 * The AMI type of the same family that instances need; AL2023 in the place of AL2, which has no new images. Undefined if the family has
 * none, which only Windows can say.
 */
export function fittingAmiType(ami: AmiType | undefined, { architecture, accelerator }: Need): string | undefined {
  const cpu = architecture === 'arm64' ? 'ARM_64' : 'x86_64';
  if (ami?.family === 'WINDOWS') return ami.architecture === architecture ? ami.name : undefined;
  const name =
    ami?.family === 'BOTTLEROCKET'
      ? `BOTTLEROCKET_${cpu}${accelerator === 'nvidia' ? '_NVIDIA' : ''}${ami.fips ? '_FIPS' : ''}`
      : `AL2023_${cpu}_${accelerator?.toUpperCase() ?? 'STANDARD'}`;
  return amiTypeNames().includes(name) ? name : undefined;
}

/** What the instances of a group need, as far as the input tells: the first of them, and of those that an AMI type runs on if there are any. */
function needOf(nodeGroup: NodeGroup, ami: AmiType | undefined, when: When): Need {
  const needs = casesOf(nodeGroup, { types: instanceTypesOf(nodeGroup) }, when).flatMap(
    ({ when: given, values: { types } }) => {
      const { candidates } = candidateTypesOf(nodeGroup, types.kind === 'known' ? types.value : [], given);
      return candidates.map(
        ({ type }): Need => ({ architecture: type.architecture, accelerator: acceleratorOf(type.name) }),
      );
    },
  );
  const own = needs.find(({ architecture }) => architecture === ami?.architecture) ?? needs[0];
  return (
    own ?? {
      architecture: ami?.architecture ?? 'x86_64',
      accelerator: ami?.accelerator === 'nvidia-or-neuron' ? 'nvidia' : ami?.accelerator,
    }
  );
}

/** The AMI type that the group should have: of the same family, or AL2023 in the place of AL2, and fit for its instance types. */
export function suggestion(nodeGroup: NodeGroup, type: AmiType | undefined, when: When): SuggestedAmiType {
  return suggest(fittingAmiType(type, needOf(nodeGroup, type, when)) ?? 'AL2023_x86_64_STANDARD');
}
