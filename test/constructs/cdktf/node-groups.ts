import type { EksClusterConfig } from '@cdktf/provider-aws/lib/eks-cluster';
import type { TerraformStack } from 'cdktf';
import { ManagedNodeGroup, type ClusterAttributes, type ManagedNodeGroupProps } from '../../../constructs/cdktf';
import { parseTemplate } from '../../../lib/languages/hcl/parser';
import { newCluster, newStack, resourcesOf, withProvider, type Arguments } from './stacks';

export const AMI = 'ami-0123456789abcdef0';
export const SERVICE_CIDR = '172.20.0.0/16';
export const subnets = ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'];

/** A cluster that is made elsewhere, of which everything is known. */
export const elsewhere: ClusterAttributes = {
  clusterName: 'production',
  endpoint: 'https://0123456789ABCDEF.gr7.eu-west-1.eks.amazonaws.com',
  certificateAuthority: Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n').toString(
    'base64',
  ),
  serviceCidr: SERVICE_CIDR,
};

export type Options = Omit<ManagedNodeGroupProps, 'cluster' | 'subnets'>;

export function makeGroup(
  options: Options = {},
  cluster: Partial<EksClusterConfig> = {},
): { stack: TerraformStack; group: ManagedNodeGroup } {
  const stack = withProvider(newStack());
  return {
    stack,
    group: new ManagedNodeGroup(stack, 'Workers', { cluster: newCluster(stack, cluster), subnets, ...options }),
  };
}

/** The one resource of a type. */
export function only(stack: TerraformStack, type: string): Arguments {
  const [found, ...others] = Object.values(resourcesOf(stack, type));
  if (found === undefined || others.length > 0)
    throw new Error(`${others.length + (found === undefined ? 0 : 1)} resources of type ${type}`);
  return found;
}

/** The arguments of a group's node group, without those of every one. */
export function nodegroup(options: Options = {}, cluster: Partial<EksClusterConfig> = {}): Arguments {
  return only(makeGroup(options, cluster).stack, 'aws_eks_node_group');
}

export function launchTemplate(options: Options = {}, cluster: Partial<EksClusterConfig> = {}): Arguments {
  return only(makeGroup(options, cluster).stack, 'aws_launch_template');
}

interface WithComments {
  readonly '//': Arguments;
  readonly resource: Readonly<Record<string, Readonly<Record<string, { readonly '//': Arguments }>>>>;
}

/** What this library writes into the comments of a stack and of its launch templates. CDKTF's test library takes comments away. */
export function comments(stack: TerraformStack): { readonly stack: unknown; readonly templates: readonly unknown[] } {
  resourcesOf(stack, 'any');
  const written = stack.toTerraform() as WithComments;
  return {
    stack: written['//']['eks-guardrails'],
    templates: Object.values(written.resource['aws_launch_template'] ?? {}).map(
      (template) => template['//']['eks-guardrails'],
    ),
  };
}

/** The user data that Terraform makes of an argument, with `${…}` for what it fills in. */
export function decoded(userData: unknown): string {
  const text = String(userData);
  if (!text.startsWith('${')) return Buffer.from(text, 'base64').toString();
  const { value, problems } = parseTemplate(text);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const [call, ...others] = value.kind === 'template' ? value.parts : [];
  if (call?.kind !== 'interpolation' || others.length > 0) throw new Error(`no interpolation alone: ${text}`);
  const [template] = call.value.kind === 'call' && call.value.name === 'base64encode' ? call.value.args : [];
  if (template?.kind === 'literal') return String(template.value);
  if (template?.kind !== 'template') throw new Error(`no base64encode of a text: ${text}`);
  return template.parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'interpolation') return `\${${text.slice(part.value.range.start, part.value.range.end)}}`;
      throw new Error(part.kind);
    })
    .join('');
}
