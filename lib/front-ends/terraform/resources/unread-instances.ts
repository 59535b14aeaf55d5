import { argumentsSpeakOfEks, speakOfEks, isOtherThing, templateMayHoldEks } from '../../../knowledge/eks-words';
import { TerraformBlock } from '../../../terraform/block';
import type { TerraformInstance } from '../../../terraform/instance';
import { TerraformMap } from '../../../terraform/terraform-value';
import type { NotRead } from '../../parts/not-read';

const STACKS: ReadonlyMap<string, NotRead['kind']> = new Map<string, NotRead['kind']>([
  ['aws_cloudformation_stack', 'CloudFormation stack'],
  ['aws_cloudformation_stack_set', 'stack set'],
  ['awscc_cloudformation_stack', 'CloudFormation stack'],
  ['awscc_cloudformation_stack_set', 'stack set'],
]);

/** Resources of other providers that are clusters, nodes or add-ons of EKS. */
const OF_EKS = /^(?!aws_)(?:[a-z\d]+_)*(?:eks|eksctl)_|^awscc_ec2_launch_template$/;

/** Resources that declare something of EKS and aren't read, or may do so in a template of CloudFormation. */
export function unreadInstances(instances: readonly TerraformInstance[]): readonly NotRead[] {
  return instances.flatMap((instance): readonly NotRead[] => {
    const { mode, type, address, source } = instance;
    if (mode !== 'managed') return [];
    const kind = STACKS.get(type);
    if (kind === undefined) return OF_EKS.test(type) ? [{ kind: 'resource', name: address, source }] : [];
    return mayHoldEks(instance) ? [{ kind, name: address, source }] : [];
  });
}

/** By the template where it is known, else by the names of the stack, its file and its parameters. */
function mayHoldEks({ address, attributes }: TerraformInstance): boolean {
  const block = new TerraformBlock(attributes);
  const body = block.string('template_body');
  if (body.kind === 'known') return templateMayHoldEks(body.value);
  const url = block.string('template_url');
  const file = (url.kind === 'known' ? url.value : '').split('/').at(-1) ?? '';
  if (isOtherThing(file.replace(/\.\w+$/, ''))) return false;
  const name = block.string('name');
  const parameters = block.item('parameters');
  const names =
    parameters.kind === 'known' && parameters.value instanceof TerraformMap ? [...parameters.value.entries.keys()] : [];
  const texts = [body, url, name].map((value) =>
    value.kind === 'known' ? value.value : value.kind === 'unknown' ? (value.text ?? '') : '',
  );
  return speakOfEks([address, file, ...texts]) || argumentsSpeakOfEks(names);
}
