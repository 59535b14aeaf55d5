import { amiTypeAccelerator } from '../../../lib/rules/node-group/ami-type-accelerator';
import {
  block,
  CLUSTER,
  helmChart,
  launchTemplate,
  manifest,
  nodeGroup,
  onCondition,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { testRule } from '../rule-tester';

const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const METADATA = 'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }';
const NODES = launchTemplate(METADATA);
const STANDARD = 'AmiType: AL2023_x86_64_STANDARD';
const NVIDIA = 'AmiType: AL2023_x86_64_NVIDIA';
const NEURON = 'AmiType: AL2023_x86_64_NEURON';

/** The node group with a launch template that keeps the metadata rules silent. */
function workers(...properties: readonly string[]): string {
  return nodeGroup(USES_NODES, ...properties);
}

/** Its cluster, the group and its launch template. */
function group(...properties: readonly string[]): string {
  return resources(CLUSTER, workers(...properties), NODES);
}

/** A launch template with a shell script. */
function script(...lines: readonly string[]): string {
  return launchTemplate(METADATA, 'UserData:', '  Fn::Base64: |', ...mime(lines).map((line) => `    ${line}`));
}

function mime(lines: readonly string[]): readonly string[] {
  return [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="//"',
    '',
    '--//',
    'Content-Type: text/x-shellscript; charset="us-ascii"',
    '',
    '#!/bin/bash',
    ...lines,
    '',
    '--//--',
  ];
}

const OPERATOR = helmChart('Operator', 'gpu-operator', { toolkit: { enabled: true } });

testRule(amiTypeAccelerator, {
  valid: [
    {
      name: 'GPU instances with an NVIDIA type pass',
      template: group(NVIDIA, 'InstanceTypes: [g6.xlarge, p5.48xlarge]'),
    },
    {
      name: 'arm64 GPU instances with an NVIDIA type pass',
      template: group('AmiType: AL2023_ARM_64_NVIDIA', 'InstanceTypes: [g5g.xlarge]'),
    },
    {
      name: 'Inferentia and Trainium with a Neuron type pass',
      template: group(NEURON, 'InstanceTypes: [inf2.xlarge, trn1.2xlarge]'),
    },
    {
      name: 'the GPU type of AL2 has both drivers',
      template: group('AmiType: AL2_x86_64_GPU', 'InstanceTypes: [g5.xlarge, inf2.xlarge]'),
    },
    {
      name: 'Inferentia with the ordinary Bottlerocket type passes: it has the driver',
      template: group('AmiType: BOTTLEROCKET_x86_64', 'InstanceTypes: [inf2.xlarge]'),
    },
    {
      name: 'Trainium with the FIPS type of Bottlerocket passes',
      template: group('AmiType: BOTTLEROCKET_x86_64_FIPS', 'InstanceTypes: [trn1.2xlarge]'),
    },
    {
      name: 'ordinary instances with an ordinary type pass',
      template: group(STANDARD, 'InstanceTypes: [m7i.large, c7i.large]'),
    },
    {
      name: 'GPUs of AMD with an ordinary type pass: no AMI type has their driver',
      template: group(STANDARD, 'InstanceTypes: [g4ad.xlarge]'),
    },
    {
      name: 'other accelerators with an ordinary type pass',
      template: group(STANDARD, 'InstanceTypes: [dl1.24xlarge, vt1.3xlarge, f2.6xlarge]'),
    },
    { name: 'an ordinary type without instance types passes', template: group(STANDARD) },
    { name: 'no AMI type and ordinary instances pass', template: group('InstanceTypes: [m7i.large]') },
    { name: 'neither AMI type nor instance types pass', template: group() },
    {
      name: 'AMI type and instance types that change together pass',
      template: template(
        CONDITION,
        CLUSTER,
        workers(
          'AmiType: !If [IsProduction, AL2023_x86_64_NVIDIA, AL2023_x86_64_STANDARD]',
          'InstanceTypes: [!If [IsProduction, g6.xlarge, m7i.large]]',
        ),
        NODES,
      ),
    },
    {
      name: 'a GPU type only where the group is not created passes',
      template: template(
        CONDITION,
        CLUSTER,
        onCondition('IsProduction', workers(STANDARD, 'InstanceTypes: [!If [IsProduction, m7i.large, g6.xlarge]]')),
        NODES,
      ),
    },
  ],
  invalid: [
    {
      name: 'p5 with an ordinary type, as CDK writes it, is a warning at the AMI type',
      template: group(STANDARD, 'InstanceTypes: [p5.48xlarge]'),
      findings: [
        {
          message: 'noDriver',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          related: ['p5.48xlarge]'],
          says: ['"Workers"', 'p5.48xlarge', 'AL2023_x86_64_STANDARD', 'NVIDIA GPUs', 'Pending'],
        },
      ],
      fixed: group(NVIDIA, 'InstanceTypes: [p5.48xlarge]'),
    },
    {
      name: 'a GPU instance with AL2 is a warning',
      template: resources(
        block('Cluster', 'AWS::EKS::Cluster', ["Version: '1.32'"]),
        workers('AmiType: AL2_x86_64', 'InstanceTypes: [g5.xlarge]'),
        NODES,
      ),
      findings: [
        { message: 'noDriver', severity: 'warning', resource: 'Workers', at: 'AmiType', related: ['g5.xlarge]'] },
      ],
      fixed: resources(
        block('Cluster', 'AWS::EKS::Cluster', ["Version: '1.32'"]),
        workers(NVIDIA, 'InstanceTypes: [g5.xlarge]'),
        NODES,
      ),
    },
    {
      name: 'a GPU instance with the ordinary Bottlerocket type is a warning',
      template: group('AmiType: BOTTLEROCKET_x86_64', 'InstanceTypes: [gr6.4xlarge]'),
      findings: [
        { message: 'noDriver', severity: 'warning', resource: 'Workers', at: 'AmiType', related: ['gr6.4xlarge]'] },
      ],
      fixed: group('AmiType: BOTTLEROCKET_x86_64_NVIDIA', 'InstanceTypes: [gr6.4xlarge]'),
    },
    {
      name: 'Inferentia with an NVIDIA type is a warning',
      template: group(NVIDIA, 'InstanceTypes: [inf2.xlarge]'),
      findings: [
        {
          message: 'noDriver',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          related: ['inf2.xlarge]'],
          says: ['Neuron'],
          omits: ['NVIDIA GPUs'],
        },
      ],
      fixed: group(NEURON, 'InstanceTypes: [inf2.xlarge]'),
    },
    {
      name: 'Inferentia with the NVIDIA type of Bottlerocket is a warning',
      template: group('AmiType: BOTTLEROCKET_x86_64_NVIDIA', 'InstanceTypes: [inf2.xlarge]'),
      findings: [{ message: 'noDriver', severity: 'warning', resource: 'Workers', at: 'AmiType' }],
      fixed: group('AmiType: BOTTLEROCKET_x86_64', 'InstanceTypes: [inf2.xlarge]'),
    },
    {
      name: 'Trainium with an ordinary type is a warning, GPU operator or not',
      template: resources(CLUSTER, workers(STANDARD, 'InstanceTypes: [trn1.2xlarge]'), NODES, OPERATOR),
      findings: [
        {
          message: 'noDriver',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          related: ['trn1.2xlarge]'],
          says: ['Neuron'],
        },
      ],
    },
    {
      name: 'a GPU operator that installs no driver changes nothing',
      template: resources(
        CLUSTER,
        workers(STANDARD, 'InstanceTypes: [g6.xlarge]'),
        NODES,
        helmChart('Operator', 'gpu-operator', { driver: { enabled: false } }),
      ),
      findings: [{ message: 'noDriver', severity: 'warning', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: 'another chart and another object change nothing',
      template: resources(
        CLUSTER,
        workers(STANDARD, 'InstanceTypes: [g6.xlarge]'),
        NODES,
        helmChart('Plugin', 'nvidia-device-plugin', {}),
        manifest('Policy', {
          apiVersion: 'kyverno.io/v1',
          kind: 'ClusterPolicy',
          metadata: { name: 'policy' },
          spec: {},
        }),
      ),
      findings: [{ message: 'noDriver', severity: 'warning', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: 'GPU instances with an ordinary type are a warning beside the GPU operator too: it has no drivers for Amazon Linux',
      template: resources(CLUSTER, workers(STANDARD, 'InstanceTypes: [g6.xlarge]'), NODES, OPERATOR),
      findings: [{ message: 'noDriver', severity: 'warning', resource: 'Workers', at: 'AmiType' }],
      fixed: resources(CLUSTER, workers(NVIDIA, 'InstanceTypes: [g6.xlarge]'), NODES, OPERATOR),
    },
    {
      name: 'nor has it any for Bottlerocket, with the driver turned on or by its own object',
      template: resources(
        CLUSTER,
        workers('AmiType: BOTTLEROCKET_x86_64_FIPS', 'InstanceTypes: [g6.xlarge]'),
        NODES,
        helmChart('Operator', 'nvidia/gpu-operator', { driver: { enabled: true } }),
        manifest('Policy', {
          apiVersion: 'nvidia.com/v1',
          kind: 'ClusterPolicy',
          metadata: { name: 'policy' },
          spec: {},
        }),
      ),
      findings: [
        {
          message: 'noDriver',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          fix: 'BOTTLEROCKET_x86_64_NVIDIA_FIPS',
        },
      ],
    },
    {
      name: 'ordinary instances with an NVIDIA type are a warning',
      template: group(NVIDIA, 'InstanceTypes: [m7i.large]'),
      findings: [
        {
          message: 'noDevice',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          related: ['m7i.large]'],
          says: ['m7i.large', 'NVIDIA GPUs'],
        },
      ],
      fixed: group(STANDARD, 'InstanceTypes: [m7i.large]'),
    },
    {
      name: 'GPUs of AMD with an NVIDIA type are a warning',
      template: group(NVIDIA, 'InstanceTypes: [g4ad.xlarge]'),
      findings: [
        { message: 'noDevice', severity: 'warning', resource: 'Workers', at: 'AmiType', related: ['g4ad.xlarge]'] },
      ],
    },
    {
      name: 'ordinary instances among GPU instances are a warning of their own',
      template: group(NVIDIA, 'InstanceTypes: [g6.xlarge, m7i.large, c7i.large]'),
      findings: [
        {
          message: 'noDevice',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          related: ['m7i.large, c7i.large]', 'c7i.large]'],
          says: ['m7i.large and c7i.large'],
          omits: ['g6.xlarge'],
        },
      ],
      fixed: group(NVIDIA, 'InstanceTypes: [g6.xlarge]'),
    },
    {
      name: 'two accelerators with an ordinary type are two warnings',
      template: group(STANDARD, 'InstanceTypes: [g6.xlarge, inf2.xlarge]'),
      findings: [
        { message: 'noDriver', severity: 'warning', resource: 'Workers', at: 'AmiType', says: ['g6.xlarge', 'NVIDIA'] },
        {
          message: 'noDriver',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          says: ['inf2.xlarge', 'Neuron'],
        },
      ],
    },
    {
      name: 'a GPU instance of the launch template is a warning at the AMI type',
      template: resources(CLUSTER, workers(STANDARD), launchTemplate(METADATA, 'InstanceType: g6.xlarge')),
      findings: [{ message: 'noDriver', severity: 'warning', resource: 'Workers', at: 'AmiType', says: ['g6.xlarge'] }],
    },
    {
      name: 'an arm64 GPU instance with an x86_64 type lacks the driver too',
      template: group(STANDARD, 'InstanceTypes: [g5g.xlarge]'),
      findings: [
        { message: 'noDriver', severity: 'warning', resource: 'Workers', at: 'AmiType', related: ['g5g.xlarge]'] },
      ],
      fixed: group('AmiType: AL2023_ARM_64_NVIDIA', 'InstanceTypes: [g5g.xlarge]'),
      also: ['ami-type-architecture'],
    },
    {
      name: 'one bad branch of the instance type is named',
      template: template(
        CONDITION,
        CLUSTER,
        workers(STANDARD, 'InstanceTypes: [!If [IsProduction, g6.xlarge, m7i.large]]'),
        NODES,
      ),
      findings: [
        {
          message: 'noDriver',
          severity: 'warning',
          resource: 'Workers',
          at: 'AmiType',
          says: ['This happens when condition IsProduction is true'],
        },
      ],
    },
    {
      name: 'a GPU instance is a warning beside one that is not known',
      template: template(
        'Parameters:\n  Size: { Type: String }',
        CLUSTER,
        workers(STANDARD, 'InstanceTypes: [!Ref Size, g6.xlarge]'),
        NODES,
      ),
      findings: [{ message: 'noDriver', severity: 'warning', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: 'user data that labels GPU nodes installs no driver',
      template: resources(
        CLUSTER,
        workers(STANDARD, 'InstanceTypes: [g6.xlarge]'),
        script('echo nvidia.com/gpu.present=true nvidia-device-plugin'),
      ),
      findings: [{ message: 'noDriver', severity: 'warning', resource: 'Workers', at: 'AmiType' }],
    },
  ],
  unverifiable: [
    {
      name: 'the default of the AMI type where another parameter asks for GPUs',
      template: template(
        "Parameters:\n  Ami: { Type: String, Default: AL2023_x86_64_STANDARD }\n  Gpu: { Type: String, Default: 'no' }\nConditions:\n  WithGpu: !Equals [!Ref Gpu, 'yes']",
        CLUSTER,
        workers('AmiType: !Ref Ami', 'InstanceTypes: [!If [WithGpu, g6.xlarge, m7i.large]]'),
        NODES,
      ),
      resources: ['Workers'],
      because: 'condition WithGpu is true',
    },
    {
      name: 'an NVIDIA type without instance types: which EKS takes is not documented',
      template: group(NVIDIA),
      resources: ['Workers'],
      because: 'AL2023_x86_64_NVIDIA',
    },
    {
      name: 'a GPU operator with a driver from another registry',
      template: resources(
        CLUSTER,
        workers(STANDARD, 'InstanceTypes: [g6.xlarge]'),
        NODES,
        helmChart('Operator', 'nvidia/gpu-operator', { driver: { repository: 'registry.example.com/gpu' } }),
      ),
      resources: ['Workers'],
      because: 'Operator',
    },
    {
      name: 'the object of a GPU operator with another driver image',
      template: resources(
        CLUSTER,
        workers(STANDARD, 'InstanceTypes: [g6.xlarge]'),
        NODES,
        manifest('Policy', {
          apiVersion: 'nvidia.com/v1',
          kind: 'ClusterPolicy',
          metadata: { name: 'policy' },
          spec: { driver: { image: 'al2023-driver' } },
        }),
      ),
      resources: ['Workers'],
      because: 'Policy',
    },
    {
      name: 'user data that installs the NVIDIA driver',
      template: resources(
        CLUSTER,
        workers(STANDARD, 'InstanceTypes: [g6.xlarge]'),
        script('dnf module install -y nvidia-driver:latest-dkms'),
      ),
      resources: ['Workers'],
      because: 'user data',
    },
    {
      name: 'user data that installs the Neuron driver',
      template: resources(
        CLUSTER,
        workers(STANDARD, 'InstanceTypes: [inf2.xlarge]'),
        script('dnf install -y aws-neuronx-dkms'),
      ),
      resources: ['Workers'],
      because: 'user data',
    },
    {
      name: 'user data from elsewhere',
      template: resources(
        CLUSTER,
        workers(STANDARD, 'InstanceTypes: [g6.xlarge]'),
        launchTemplate(METADATA, 'UserData: !ImportValue data'),
      ),
      resources: ['Workers'],
      because: 'user data',
    },
    {
      name: 'a launch template outside the input',
      template: resources(
        CLUSTER,
        nodeGroup('LaunchTemplate: { Id: lt-0abc, Version: 1 }', STANDARD, 'InstanceTypes: [g6.xlarge]'),
      ),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
    {
      name: 'GPU instances without AMI type',
      template: group('InstanceTypes: [g6.xlarge]'),
      resources: ['Workers'],
      because: 'g6.xlarge',
    },
    {
      name: 'an instance type from a parameter without default',
      template: template(
        'Parameters:\n  Size: { Type: String }',
        CLUSTER,
        workers(STANDARD, 'InstanceTypes: [!Ref Size]'),
        NODES,
      ),
      resources: ['Workers'],
      because: 'Size',
    },
    {
      name: 'an instance type from a parameter without default and no AMI type',
      template: template(
        'Parameters:\n  Size: { Type: String }',
        CLUSTER,
        workers('InstanceTypes: [!Ref Size]'),
        NODES,
      ),
      resources: ['Workers'],
      because: 'Size',
    },
    {
      name: 'an instance type that the table does not have',
      template: group(NVIDIA, 'InstanceTypes: [zz9.large]'),
      resources: ['Workers'],
      because: 'zz9.large',
    },
    {
      name: 'a list of instance types from a parameter without default',
      template: template(
        'Parameters:\n  Sizes: { Type: CommaDelimitedList }',
        CLUSTER,
        workers(NVIDIA, 'InstanceTypes: !Ref Sizes'),
        NODES,
      ),
      resources: ['Workers'],
      because: 'Sizes',
    },
    {
      name: 'an AMI type from a parameter without default',
      template: template(
        'Parameters:\n  Ami: { Type: String }',
        CLUSTER,
        workers('AmiType: !Ref Ami', 'InstanceTypes: [g6.xlarge]'),
        NODES,
      ),
      resources: ['Workers'],
      because: 'Ami',
    },
    {
      name: 'an AMI type that the table does not have',
      template: group('AmiType: AL2030_x86_64_STANDARD', 'InstanceTypes: [g6.xlarge]'),
      resources: ['Workers'],
      because: 'AL2030_x86_64_STANDARD',
    },
    {
      name: 'a GPU operator whose driver registry is decided at deployment',
      template: template(
        'Parameters:\n  Driver: { Type: String }',
        CLUSTER,
        workers(STANDARD, 'InstanceTypes: [g6.xlarge]'),
        NODES,
        OPERATOR.replace(/Values: .*/, `Values: !Sub '{"driver":{"repository":"\${Driver}"}}'`),
      ),
      resources: ['Workers'],
      because: 'Operator',
    },
  ],
  notApplicable: [
    {
      name: 'an own AMI',
      template: resources(
        CLUSTER,
        workers('InstanceTypes: [g6.xlarge]'),
        launchTemplate('ImageId: ami-0123456789abcdef0'),
      ),
    },
    { name: 'AMI type CUSTOM', template: group('AmiType: CUSTOM', 'InstanceTypes: [g6.xlarge]') },
    {
      name: 'an own AMI and an instance type that is not known',
      template: template(
        'Parameters:\n  Size: { Type: String }',
        CLUSTER,
        workers('InstanceTypes: [!Ref Size]'),
        launchTemplate('ImageId: ami-0123456789abcdef0'),
      ),
    },
    {
      name: 'Windows, for which EKS has no accelerated AMI type',
      template: group('AmiType: WINDOWS_CORE_2022_x86_64', 'InstanceTypes: [g4dn.xlarge]'),
    },
    { name: 'a cluster without node groups', template: resources(CLUSTER) },
  ],
});
