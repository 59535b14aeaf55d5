import type { ChangeBeside } from '../../../engine';
import { alternativesOf, launchTemplateOf, type Known, type NodeGroup, type Source } from '../../../eks';
import { amiType } from '../../../knowledge';
import { eksctlFamilyOf } from '../../../knowledge/eksctl-families';
import { aroundProperty, inOwnModule, volumeAdvice } from '../../parts/metadata-options-code';

/** What else has to change where a group moves to an AMI type of AL2023, or another one. */
export function movingTo(nodeGroup: NodeGroup, suggested: string): Readonly<Record<string, string>> {
  return {
    release: releaseAdvice(nodeGroup, suggested),
    ...aroundProperty(nodeGroup),
    replacing: replacing(nodeGroup),
    volume: volumeAdvice(launchTemplateOf(nodeGroup)),
  };
}

/**
 * The AMI types of groups that change with a fix of something else, each with the launch template that its group then needs. What stands at one place
 * for several of them changes once.
 */
export function amiTypesBeside(
  groups: readonly (readonly [group: NodeGroup, suggested: string])[],
): readonly ChangeBeside[] {
  const written = new Set<string>();
  const typesAt = new Map<string, Set<string>>();
  for (const [group, suggested] of groups) {
    const at = placeOf(ofTypeOf(group));
    typesAt.set(at, (typesAt.get(at) ?? new Set()).add(suggested));
  }
  return groups.map(([group, suggested]) => {
    // Of what is written once for groups that become different types, each group has to say its own.
    const isOne = typesAt.get(placeOf(ofTypeOf(group)))?.size === 1;
    const source = isOne ? ofTypeOf(group) : group.source;
    const place = source.decided === undefined ? '' : placeOf(source.decided.at);
    if (written.has(place)) return changeOf(group, source);
    if (place !== '') written.add(place);
    const change = changeOf(group, source, `AmiType: ${suggested}`, `ami_type = "${suggested}"`);
    const family = eksctlFamilyOf(suggested);
    return family === undefined ? change : { ...change, code: { ...change.code, eksctl: `amiFamily: ${family}` } };
  });
}

function ofTypeOf({ amiType: own, source }: NodeGroup): Source {
  const [first] = alternativesOf(own);
  return first?.value.source ?? source;
}

/**
 * What else groups need whose AMI type stands where the one of a group does, and changes with it: the launch template that they don't have.
 * @param amiType of the group
 */
export function sharersOf(
  group: NodeGroup,
  amiType: Known<string>,
  groups: readonly NodeGroup[],
): readonly ChangeBeside[] {
  const { decided } = amiType.source;
  if (decided === undefined) return [];
  return groups.flatMap((other) => {
    const own = other.amiType.kind === 'known' ? other.amiType.source : undefined;
    const isShared = own?.decided !== undefined && placeOf(own.decided.at) === placeOf(decided.at);
    // Groups of one block have the same template.
    return isShared && placeOf(other.source) !== placeOf(group.source) ? [changeOf(other, own)] : [];
  });
}

function placeOf(source: Source): string {
  const { file, line, column } = source.locate();
  return `${file}:${line}:${column}`;
}

function changeOf(group: NodeGroup, ofType: Source, inTemplate = '', inTerraform = ''): ChangeBeside {
  const { id, source } = group;
  const around = aroundProperty(group);
  const { beforeInTerraform = '', afterInTerraform = '', beforeInTemplate = '', afterInTemplate = '' } = around;
  const { file, line } = source.locate();
  const beside = beforeInTerraform === '' ? '' : `# beside ${inOwnModule(id)}, ${file}:${line}:\n`;
  const name = inOwnModule(id).replace(/^\w+\./, '');
  const code = {
    cloudformation:
      `${beforeInTemplate}${inTemplate}${inTemplate === '' ? afterInTemplate.trimStart() : afterInTemplate}`
        .replaceAll(/\bNodeTemplate\b/g, `${id}Template`)
        .replace('takes its place', `takes the place of ${id}`),
    // Several such groups have a template each.
    terraform:
      `${beside}${beforeInTerraform}${inTerraform}${inTerraform === '' ? afterInTerraform.trimStart() : afterInTerraform}`
        .replaceAll(/\b(aws_launch_template)(\.|" ")nodes\b/g, `$1$2${name}`)
        .replaceAll(/\b(aws_security_group)(\.|" ")ssh\b/g, `$1$2${name}_ssh`),
  };
  return { resource: group, source: ofType, code };
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
