import { Known, Unknown, type Source } from '../../value';
import { instanceType } from '../../knowledge';
import { flatMap } from '../evaluation/choices';
import { TerraformList, TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';

/** Types that run 32-bit images as well, which EC2 lists first. Source: Amazon EC2 instance types, "processor". */
const ALSO_32_BIT = /^(?:t2\..*|t1\.micro|m1\.(?:small|medium)|c1\.medium|c3\.large)$/;

/**
 * What `aws_ec2_instance_type` tells of the type that it looks up: its architectures, by which configurations choose an AMI type. Source:
 * hashicorp/terraform-provider-aws, internal/service/ec2/ec2_instance_type_data_source.go.
 */
export function withArchitectures(attributes: TerraformValue, source: Source): TerraformValue {
  if (attributes.kind !== 'known' || !(attributes.value instanceof TerraformMap)) return attributes;
  const { value: map } = attributes;
  const name = map.entry('instance_type');
  if (name === undefined) return attributes;
  const architectures = flatMap(name, (plain): TerraformValue => {
    const found = plain.kind === 'known' && typeof plain.value === 'string' ? architecturesOf(plain.value) : undefined;
    if (found === undefined || plain.kind !== 'known')
      return new Unknown('the architectures of its instance type are not known', source);
    const items = found.map((one) => new Known<TerraformItem>(one, source, plain.note));
    return new Known<TerraformItem>(new TerraformList(items), source, plain.note);
  });
  // What isn't known keeps its reference, by which it equals itself elsewhere.
  if (architectures.kind === 'unknown') return attributes;
  return new Known<TerraformItem>(
    new TerraformMap(new Map([...map.entries, ['supported_architectures', architectures]]), map.more, map.unsure),
    attributes.source,
  );
}

function architecturesOf(name: string): readonly string[] | undefined {
  // Those of Macs have names of their own.
  const architecture = name.startsWith('mac') ? undefined : instanceType(name)?.architecture;
  if (architecture === undefined) return undefined;
  return ALSO_32_BIT.test(name) ? ['i386', architecture] : [architecture];
}
