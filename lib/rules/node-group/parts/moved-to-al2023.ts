import { alternativesOf, launchTemplateOf, type NodeGroup } from '../../../eks';
import { aroundProperty, volumeAdvice } from '../../parts/metadata-options-code';

/** What else has to change where a group moves to AL2023. */
export function movingTo(nodeGroup: NodeGroup): Readonly<Record<string, string>> {
  return {
    ...aroundProperty(nodeGroup),
    replacing: replacing(nodeGroup),
    volume: volumeAdvice(launchTemplateOf(nodeGroup)),
  };
}

/**
 * terraform-aws-modules/eks creates the new group first, which a name with a prefix allows. Source: terraform-aws-modules/terraform-aws-eks,
 * modules/eks-managed-node-group/main.tf, `create_before_destroy` in all versions from 18 on.
 */
function replacing(nodeGroup: NodeGroup): string {
  const { moduleInputs, namePrefix } = nodeGroup;
  const isCreatedFirst =
    moduleInputs !== undefined &&
    namePrefix !== undefined &&
    alternativesOf(namePrefix).every(({ value }) => value.kind !== 'absent');
  const hasHops = alternativesOf(launchTemplateOf(nodeGroup)).every(
    ({ value }) =>
      value.kind === 'known' &&
      alternativesOf(value.value.metadata.hopLimit).every(
        (hop) => hop.value.kind === 'known' && Number(hop.value.value) >= ENOUGH,
      ),
  );
  if (isCreatedFirst && hasHops)
    return ', and the module makes the new one first, with a launch template that sets the hop limit to 2 already, so that this line is enough';
  const template = hasHops ? '' : ', with a launch template that sets the hop limit to 2 (AL2023 without one gets 1),';
  return `, so add a new one${template} and drain the old one`;
}

/** Hops that an answer of the metadata service needs to reach a pod. */
const ENOUGH = 2;
