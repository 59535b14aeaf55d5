import { flatMapValue, Unknown, type Plain, type When } from '../../../../value';
import { asText, type TerraformValue } from '../../../../terraform/terraform-value';
import { listOf, mapOf, type Given } from '../given';
import type { ModuleContext } from '../module-context';
import { isAtLeast } from '../../../../terraform/module/version-constraint';

/** Where a self-managed group finds its image unless the call gives it one. */
export interface ImageInput {
  readonly prefix: string;
  readonly group: Given;
  readonly amiType: TerraformValue;
  readonly kubernetesVersion: TerraformValue;
  readonly exists: When;
}

/**
 * The image that AWS publishes for a group's version: by the name of AL2 images, from 20.9 on by the SSM parameter of its AMI type.
 * Source: terraform-aws-modules/terraform-aws-eks, modules/self-managed-node-group/main.tf of the tags v18.0.0, v20.8.5, v20.9.0 and v21.19.0.
 */
export function publishedImage(
  context: ModuleContext,
  { prefix, group, amiType, kubernetesVersion, exists }: ImageInput,
): TerraformValue {
  const { place } = group;
  const byParameter = context.versions.agreed((release) => isAtLeast(release, 20, 9));
  if (byParameter === undefined) return context.unknown(context.differs('ami_type'), place);
  return flatMapValue(asText(kubernetesVersion), (version): TerraformValue => {
    const minor =
      version.kind === 'absent' ? new Unknown('the version is not known', place, '${kubernetes_version}') : version;
    if (!byParameter.value) {
      const names = listOf([context.text(['amazon-eks-node-', minor, '-v*'], place)], place);
      const filter = listOf([mapOf({ name: context.fixed('name', place), values: names }, place)], place);
      return context.reference(
        context.declare(`${prefix}data.aws_ami.eks_default[0]`, { filter }, place, exists),
        'image_id',
        place,
      );
    }
    return flatMapValue(asText(amiType), (type): TerraformValue => {
      const path = type.kind === 'known' ? parameterPath(type.value, minor) : undefined;
      if (path === undefined)
        return type.kind === 'unknown'
          ? new Unknown(type.reason, place)
          : new Unknown('the module looks the image up', place);
      const name = context.text(path, place);
      return context.reference(
        context.declare(`${prefix}data.aws_ssm_parameter.ami[0]`, { name }, place, exists),
        'value',
        place,
      );
    });
  });
}

/** The parameter of an AMI type. Source: EKS User Guide, "Retrieve recommended AMI IDs" for each family. */
function parameterPath(type: string, version: Plain<string>): readonly (string | Plain<string>)[] | undefined {
  const architecture = type.includes('ARM_64') ? 'arm64' : 'x86_64';
  const [, family, variant = ''] =
    /^(AL2|AL2023|BOTTLEROCKET|WINDOWS)_(?:(?:CORE|FULL)_\d{4}_)?(?:x86_64|ARM_64)(?:_(\w+))?$/.exec(type) ?? [];
  switch (family) {
    case 'AL2':
      return [
        '/aws/service/eks/optimized-ami/',
        version,
        `/amazon-linux-2${variant === 'GPU' ? '-gpu' : architecture === 'arm64' ? '-arm64' : ''}/recommended/image_id`,
      ];
    case 'AL2023':
      return [
        '/aws/service/eks/optimized-ami/',
        version,
        `/amazon-linux-2023/${architecture}/${variant.toLowerCase()}/recommended/image_id`,
      ];
    case 'BOTTLEROCKET':
      return [
        '/aws/service/bottlerocket/aws-k8s-',
        version,
        `${variant === '' ? '' : `-${variant.toLowerCase()}`}/${architecture}/latest/image_id`,
      ];
    case 'WINDOWS':
      return [
        `/aws/service/ami-windows-latest/Windows_Server-${/\d{4}/.exec(type)?.[0] ?? ''}-English-${type.includes('CORE') ? 'Core' : 'Full'}-EKS_Optimized-`,
        version,
        '/image_id',
      ];
    case undefined:
    default:
      return undefined;
  }
}
