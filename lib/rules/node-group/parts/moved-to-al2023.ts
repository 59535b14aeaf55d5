import { alternativesOf, launchTemplateOf, type NodeGroup } from '../../../eks';
import { amiType } from '../../../knowledge';
import { aroundProperty, volumeAdvice } from '../../parts/metadata-options-code';

/** What else has to change where a group moves to an AMI type of AL2023, or another one. */
export function movingTo(nodeGroup: NodeGroup, suggested: string): Readonly<Record<string, string>> {
  return {
    release: releaseAdvice(nodeGroup, suggested),
    ...aroundProperty(nodeGroup),
    replacing: replacing(nodeGroup),
    volume: volumeAdvice(launchTemplateOf(nodeGroup)),
  };
}

/** A release of another family is none of the AMI type's: EKS refuses the two together. */
function releaseAdvice({ releaseImage }: NodeGroup, suggested: string): string {
  const family = amiType(suggested)?.family;
  const [path] = alternativesOf(releaseImage).flatMap(({ value }) =>
    value.kind === 'known' && value.value.family !== undefined && value.value.family !== family
      ? [/\/aws\/service\/.*\/release_version/.exec(value.value.text)?.[0] ?? value.value.text]
      : [],
  );
  if (path === undefined) return '';
  const [, cpu = '', variant = ''] = /^AL2023_(x86_64|ARM_64)_(\w+)$/.exec(suggested) ?? [];
  const other = path.replace(
    /\/amazon-linux-2(?:-\w+)?\//,
    `/amazon-linux-2023/${cpu === 'ARM_64' ? 'arm64' : cpu}/${variant.toLowerCase()}/`,
  );
  const instead = cpu === '' || other === path ? 'that of the new type' : `\`${other}\``;
  return ` Its release version comes from \`${path}\`, which is of the old type, and has to change as well: take ${instead}, or leave it out.`;
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
