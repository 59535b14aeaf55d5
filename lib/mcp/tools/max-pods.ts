import { maxPods as maxPodsOf } from '../../eks/networking';
import { textOf, ToolError, type Tool } from '../tool';

export const maxPods: Tool = {
  name: 'max_pods',
  title: 'Pods that fit on a node',
  description:
    'How many pods the VPC CNI can give addresses to on a node of an EC2 instance type, and what to set as the max pods of the kubelet.',
  input: {
    type: 'object',
    properties: {
      instanceType: { type: 'string', description: 'Such as m5.large.' },
      prefixDelegation: { type: 'boolean', default: false, description: 'ENABLE_PREFIX_DELEGATION is true.' },
      customNetworking: {
        type: 'boolean',
        default: false,
        description: 'AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG is true: pods live in other subnets than nodes.',
      },
      podSecurityGroups: { type: 'boolean', default: false, description: 'ENABLE_POD_ENI is true.' },
      windows: { type: 'boolean', default: false },
      maxEnis: { type: 'integer', minimum: 1, description: 'MAX_ENI. Default: all interfaces of the type.' },
    },
    required: ['instanceType'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      capacity: { type: 'integer', description: 'Pods that can get an address.' },
      recommended: {
        type: ['integer', 'null'],
        description: 'What to set: not above the ceiling that AWS names for the size. Null if no source tells.',
      },
      branchEnis: {
        type: ['integer', 'null'],
        description: 'Pods with security groups of their own, beside those. Null if not asked for or not known.',
      },
    },
    required: ['capacity', 'recommended', 'branchEnis'],
    additionalProperties: false,
  },
  call(given) {
    const mode = Object.fromEntries(MODES.map((name) => [name, given[name] === true]));
    const most = given['maxEnis'];
    try {
      const { capacity, recommended, branchEnis } = maxPodsOf(textOf(given, 'instanceType') ?? '', {
        ...mode,
        ...(typeof most === 'number' ? { maxEnis: most } : {}),
      });
      return { data: { capacity, recommended: recommended ?? null, branchEnis: branchEnis ?? null } };
    } catch (error) {
      if (error instanceof RangeError) throw new ToolError(error.message);
      throw error;
    }
  },
};

const MODES = ['prefixDelegation', 'customNetworking', 'podSecurityGroups', 'windows'] as const;
