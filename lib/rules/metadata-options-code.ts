import { alternativesOf, isReadBack, type AnyNodeGroup, type Plain, type Value } from '../eks';

/** What to write in a launch template so that nodes answer their pods, and only with a token: the fix of several rules. */
export const METADATA_OPTIONS_CODE = {
  cloudformation: ['MetadataOptions:', '  HttpTokens: required', '  HttpPutResponseHopLimit: 2'].join('\n'),
  'aws-cdk': [
    "new ec2.LaunchTemplate(this, 'NodeTemplate', {",
    '  httpTokens: ec2.LaunchTemplateHttpTokens.REQUIRED, // `requireImdsv2` alone leaves the hop limit open',
    '  httpPutResponseHopLimit: 2,',
    '});',
    "// or `new ManagedNodeGroup(…)` from 'eks-guardrails/aws-cdk', which declares both",
  ].join('\n'),
  terraform: [
    'metadata_options {',
    '  http_tokens                 = "required"',
    '  http_put_response_hop_limit = 2',
    '}',
  ].join('\n'),
};

/** The same for a node group that has no launch template yet; {@link movedSettings} fills the placeholders. */
export const LAUNCH_TEMPLATE_CODE = {
  cloudformation: [
    'NodeTemplate:',
    '  Type: AWS::EC2::LaunchTemplate',
    '  Properties:',
    '    LaunchTemplateData:',
    '      MetadataOptions:',
    '        HttpTokens: required',
    '        HttpPutResponseHopLimit: 2{{movedInTemplate}}',
    '# and in the Properties of a new node group{{withoutInTemplate}}:',
    'LaunchTemplate:',
    '  Id: !Ref NodeTemplate',
    '  Version: !GetAtt NodeTemplate.LatestVersionNumber',
  ].join('\n'),
  'aws-cdk': [
    "const template = new ec2.LaunchTemplate(this, 'NodeTemplate', {",
    '  httpTokens: ec2.LaunchTemplateHttpTokens.REQUIRED,',
    '  httpPutResponseHopLimit: 2,{{movedInCdk}}',
    '});',
    "cluster.addNodegroupCapacity('Workers', {{{withoutInCdk}}",
    '  launchTemplateSpec: { id: template.launchTemplateId!, version: template.latestVersionNumber },',
    '});',
    "// or `new ManagedNodeGroup(…)` from 'eks-guardrails/aws-cdk', which brings such a template",
  ].join('\n'),
  terraform: [
    'resource "aws_launch_template" "nodes" {',
    '  metadata_options {',
    '    http_tokens                 = "required"',
    '    http_put_response_hop_limit = 2',
    '  }{{movedInTerraform}}',
    '}',
    '# and in a new aws_eks_node_group{{withoutInTerraform}}:',
    'launch_template {',
    '  id      = aws_launch_template.nodes.id',
    '  version = aws_launch_template.nodes.latest_version',
    '}',
  ].join('\n'),
};

/**
 * What a group without launch template sets that EKS takes from the template alone as soon as there is one: for `{{moved}}` at the end of a summary,
 * and for {@link LAUNCH_TEMPLATE_CODE}.
 * Source: Amazon EKS user guide, "Customize managed nodes with launch templates".
 */
export function movedSettings(groups: readonly AnyNodeGroup[]): Readonly<Record<string, string>> {
  const managed = groups.flatMap((group) => (group.kind === 'node-group' ? [group] : []));
  const disk = managed.map(({ diskSize }) => written(diskSize)).find((plain) => plain !== undefined);
  const access = managed.map(({ remoteAccess }) => written(remoteAccess)).find((plain) => plain !== undefined);
  const size = disk?.kind === 'known' ? String(disk.value) : '<GiB>';
  const key = access?.kind === 'known' ? written(access.value.sshKey) : undefined;
  const keyName = key?.kind === 'known' ? key.value : '<key pair>';
  const parts = [
    ...(disk === undefined
      ? []
      : [
          {
            said: 'its disk size, as that of `/dev/xvda`,',
            yaml: diskInTemplate(size),
            cdk: diskInCdk(size),
            hcl: diskInTerraform(size),
            names: ['DiskSize', 'diskSize', 'disk_size'],
          },
        ]),
    ...(access === undefined
      ? []
      : [
          {
            said: `its SSH key \`${keyName}\`, with security groups that admit SSH,`,
            yaml: accessInTemplate(keyName),
            cdk: accessInCdk(keyName),
            hcl: accessInTerraform(keyName),
            names: ['RemoteAccess', 'remoteAccess', 'remote_access'],
          },
        ]),
  ];
  const without = (index: number): string =>
    parts.length === 0 ? '' : ` without ${parts.map(({ names }) => names[index]).join(' and ')}`;
  const lines = (pieces: readonly (readonly string[])[], indent: string): string =>
    pieces
      .flat()
      .map((line) => `\n${indent}${line}`)
      .join('');
  return {
    moved:
      parts.length === 0
        ? ''
        : ` Move ${parts.map(({ said }) => said).join(' and ')} into the template, because EKS refuses a group that has ${parts.length === 1 ? 'that' : 'these'} beside one.`,
    movedInTemplate: lines(
      parts.map(({ yaml }) => yaml),
      '      ',
    ),
    movedInCdk: lines(
      parts.map(({ cdk }) => cdk),
      '  ',
    ),
    movedInTerraform: lines(
      parts.map(({ hcl }) => hcl),
      '  ',
    ),
    withoutInTemplate: without(0),
    withoutInCdk: parts.length === 0 ? '' : ` //${without(1)}`,
    withoutInTerraform: without(2),
  };
}

function written<T>(value: Value<T>): Exclude<Plain<T>, { kind: 'absent' }> | undefined {
  return alternativesOf(value)
    .map((alternative) => alternative.value)
    .find((plain): plain is Exclude<Plain<T>, { kind: 'absent' }> => plain.kind !== 'absent' && !isReadBack(plain));
}

function diskInTemplate(size: string): readonly string[] {
  return [
    'BlockDeviceMappings:',
    '  - DeviceName: /dev/xvda',
    `    Ebs: { VolumeSize: ${size}, VolumeType: gp3, Encrypted: true }`,
  ];
}

function diskInCdk(size: string): readonly string[] {
  return [
    `blockDevices: [{ deviceName: '/dev/xvda', volume: ec2.BlockDeviceVolume.ebs(${size}, { volumeType: ec2.EbsDeviceVolumeType.GP3, encrypted: true }) }],`,
  ];
}

function diskInTerraform(size: string): readonly string[] {
  return [
    'block_device_mappings {',
    '  device_name = "/dev/xvda"',
    '  ebs {',
    `    volume_size = ${size}`,
    '    volume_type = "gp3"',
    '    encrypted   = true',
    '  }',
    '}',
  ];
}

function accessInTemplate(key: string): readonly string[] {
  return [
    `KeyName: ${key}`,
    'SecurityGroupIds:',
    '  - <security group of the cluster>',
    '  - <security group that admits SSH>',
  ];
}

function accessInCdk(key: string): readonly string[] {
  return [
    `keyPair: ec2.KeyPair.fromKeyPairName(this, 'Key', '${key}'),`,
    'securityGroup: cluster.clusterSecurityGroup, // then template.addSecurityGroup(sshGroup)',
  ];
}

function accessInTerraform(key: string): readonly string[] {
  return [
    `key_name               = "${key}"`,
    'vpc_security_group_ids = ["<security group of the cluster>", "<security group that admits SSH>"]',
  ];
}
