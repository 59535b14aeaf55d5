import {
  alternativesOf,
  isReadBack,
  launchTemplateOf,
  type AnyNodeGroup,
  type LaunchTemplate,
  type NodeGroup,
  type Plain,
  type Value,
} from '../../eks';
import { writtenCode } from './written-code';

/** What to write in a launch template so that nodes answer their pods, and only with a token: the fix of several rules. */
export const METADATA_OPTIONS_CODE = {
  cloudformation: ['MetadataOptions:', '  HttpTokens: required', '  HttpPutResponseHopLimit: 2'].join('\n'),
  'aws-cdk': [
    'httpTokens: ec2.LaunchTemplateHttpTokens.REQUIRED, // `requireImdsv2` alone leaves the hop limit open',
    'httpPutResponseHopLimit: 2,',
  ].join('\n'),
  terraform: [
    'metadata_options {',
    '  http_tokens                 = "required"',
    '  http_put_response_hop_limit = 2',
    '}',
  ].join('\n'),
};

/** A launch template for a group that has none yet, up to the group's properties, and what stands there; {@link movedSettings} fills the placeholders. */
const NEW_TEMPLATE = {
  cloudformation: [
    '{{sshInTemplate}}NodeTemplate:',
    '  Type: AWS::EC2::LaunchTemplate',
    '  Properties:',
    '    LaunchTemplateData:',
    '      MetadataOptions:',
    '        HttpTokens: required',
    '        HttpPutResponseHopLimit: 2{{movedInTemplate}}',
    '# in the Properties of a group that takes its place, under another logical id{{withoutInTemplate}}:',
  ],
  'aws-cdk': [
    "const nodeTemplate = new ec2.LaunchTemplate(this, 'NodeTemplate', {",
    '  httpTokens: ec2.LaunchTemplateHttpTokens.REQUIRED,',
    '  httpPutResponseHopLimit: 2,{{movedInCdk}}',
    '});',
    '// in the options of a group that takes its place, under another id{{withoutInCdk}}:',
  ],
  terraform: [
    '{{sshInTerraform}}resource "aws_launch_template" "nodes" {{{loopInTerraform}}',
    '  metadata_options {',
    '    http_tokens                 = "required"',
    '    http_put_response_hop_limit = 2',
    '  }{{movedInTerraform}}',
    '}',
    '# in the aws_eks_node_group, which Terraform replaces{{withoutInTerraform}}:',
  ],
} as const;

const USE_OF_TEMPLATE = {
  cloudformation: ['LaunchTemplate:', '  Id: !Ref NodeTemplate', '  Version: !GetAtt NodeTemplate.LatestVersionNumber'],
  'aws-cdk': ['launchTemplateSpec: { id: nodeTemplate.launchTemplateId!, version: nodeTemplate.latestVersionNumber },'],
  terraform: [
    'launch_template {',
    '  id      = aws_launch_template.nodes{{instanceInTerraform}}.id',
    '  version = aws_launch_template.nodes{{instanceInTerraform}}.latest_version',
    '}',
  ],
} as const;

/** What {@link METADATA_OPTIONS_CODE} is for a node group that has no launch template yet. */
export const LAUNCH_TEMPLATE_CODE = {
  cloudformation: [...NEW_TEMPLATE.cloudformation, ...USE_OF_TEMPLATE.cloudformation].join('\n'),
  'aws-cdk': [...NEW_TEMPLATE['aws-cdk'], ...USE_OF_TEMPLATE['aws-cdk']].join('\n'),
  terraform: [...NEW_TEMPLATE.terraform, ...USE_OF_TEMPLATE.terraform].join('\n'),
  // terraform-aws-modules/eks makes a launch template unless it is told not to.
  'terraform-module': [
    '{{createdInModule}}use_custom_launch_template = true{{movedInModule}}',
    METADATA_OPTIONS_CODE.terraform,
  ].join('\n'),
};

/**
 * What stands before and after a property of a group that needs a new launch template beside it: nothing where the group has one. For code such as
 * `{{beforeInTemplate}}AmiType: AL2023_x86_64_STANDARD{{afterInTemplate}}`.
 */
export function aroundProperty(group: NodeGroup): Readonly<Record<string, string>> {
  const isAlone = alternativesOf(launchTemplateOf(group)).every(({ value }) => value.kind === 'absent');
  // The call of a module makes its own template.
  const isNeeded = isAlone && group.moduleInputs === undefined;
  const isSwitched = isAlone && group.moduleInputs?.has('use_custom_launch_template') === true;
  const moved = movedSettings(isNeeded || isSwitched ? [group] : []);
  const filled = (lines: readonly string[]): string =>
    lines.join('\n').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => moved[name] ?? '');
  const before = (lines: readonly string[], then: string): string => (isNeeded ? `${filled(lines)}\n${then}` : '');
  const after = (lines: readonly string[]): string => (isNeeded ? `\n${filled(lines)}` : '');
  return {
    moved: moved['moved'] ?? '',
    beforeInTemplate: before(NEW_TEMPLATE.cloudformation, ''),
    beforeInCdk: before(NEW_TEMPLATE['aws-cdk'], ''),
    beforeInTerraform: before(NEW_TEMPLATE.terraform, ''),
    afterInTemplate:
      after(USE_OF_TEMPLATE.cloudformation) ||
      inOwnTemplate(group, '# in the LaunchTemplateData of the launch template:', METADATA_OPTIONS_CODE.cloudformation),
    afterInCdk:
      after(USE_OF_TEMPLATE['aws-cdk']) ||
      inOwnTemplate(group, '// in the options of the LaunchTemplate:', METADATA_OPTIONS_CODE['aws-cdk']),
    afterInTerraform: isSwitched
      ? `\n${filled([LAUNCH_TEMPLATE_CODE['terraform-module']])}`
      : after(USE_OF_TEMPLATE.terraform) || inOwnTerraformTemplate(group),
  };
}

/** What the launch template that a group has lacks as soon as its nodes run AL2023, whose default hop limit is 1. */
function inOwnTemplate(group: NodeGroup, heading: string, code: string): string {
  const isOpen = alternativesOf(launchTemplateOf(group)).some(
    ({ value }) => value.kind === 'known' && value.value.metadata.hopLimit.kind === 'absent',
  );
  return isOpen ? `\n${heading}\n${code}` : '';
}

function inOwnTerraformTemplate(group: NodeGroup): string {
  const [template] = alternativesOf(launchTemplateOf(group)).flatMap(({ value }) =>
    value.kind === 'known' ? [value.value] : [],
  );
  return template === undefined || template.moduleInputs !== undefined
    ? ''
    : inOwnTemplate(group, `# in ${inOwnModule(template.id)}:`, METADATA_OPTIONS_CODE.terraform);
}

/** An address as the module has it in which the resource is written. */
export function inOwnModule(address: string): string {
  return address.replace(/^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*/, '').replace(/\[[^[\]]*\]$/, '');
}

/** GiB of the snapshot that the AMIs of AL2023 have, below which EC2 makes no volume of it. Source: amazon-eks-ami #1581. */
const AL2023_VOLUME = 20;

const ROOT = '/dev/xvda';

/** What a move to AL2023 needs of a launch template whose volume is known to be smaller than the AMI's, as a sentence at the end of a summary. */
export function volumeAdvice(template: Value<LaunchTemplate>): string {
  const sizes = alternativesOf(template).flatMap(({ value }) =>
    value.kind === 'known'
      ? value.value.blockDevices.flatMap(({ name, size }) =>
          alternativesOf(name).some((one) => one.value.kind === 'known' && one.value.value === ROOT)
            ? alternativesOf(size).flatMap((one) => (one.value.kind === 'known' ? [one.value] : []))
            : [],
        )
      : [],
  );
  const small = sizes.find((size) => Number(size.value) < AL2023_VOLUME);
  if (small === undefined) return '';
  const { decided } = small.source;
  const there = decided?.at.locate();
  const where = there === undefined ? '' : ` (${decided?.by ?? ''}, ${there.file}:${there.line})`;
  return ` Raise \`${ROOT}\` in the launch template from ${small.value}${where} to at least ${AL2023_VOLUME} GiB, because the AMIs of AL2023 have a snapshot of that size and EC2 makes no smaller volume of it.`;
}

/**
 * What a group without launch template sets that EKS takes from the template alone as soon as there is one: for `{{moved}}` at the end of a summary,
 * and for {@link LAUNCH_TEMPLATE_CODE}.
 * Source: Amazon EKS user guide, "Customize managed nodes with launch templates".
 */
export function movedSettings(groups: readonly AnyNodeGroup[]): Readonly<Record<string, string>> {
  const managed = groups.flatMap((group) => (group.kind === 'node-group' ? [group] : []));
  const disk = managed.map(({ diskSize }) => written(diskSize)).find((plain) => plain !== undefined);
  const access = managed.map(({ remoteAccess }) => written(remoteAccess)).find((plain) => plain !== undefined);
  const isRaised =
    disk?.kind === 'known' &&
    Number(disk.value) < AL2023_VOLUME &&
    !managed.some(({ amiType }) => isOtherFamily(amiType));
  const raised = String(AL2023_VOLUME);
  // What a loop gives to each group it gives to a template of each.
  const loop = loopOf(managed);
  const inLoop = loop !== undefined;
  const size = isRaised ? { yaml: raised, cdk: raised, hcl: raised } : writtenCode(disk, '<GiB>', false, inLoop);
  const key = access?.kind === 'known' ? written(access.value.sshKey) : undefined;
  const keyName = key?.kind === 'known' ? ` \`${key.value}\`` : '';
  const keyCode = writtenCode(key, '<key pair>', true, inLoop);
  // Where the group names none, EKS admits everybody; nodes with the key alone are in the security group of the cluster.
  const hasGroups =
    access?.kind !== 'known' ||
    alternativesOf(access.value.sourceSecurityGroups).some(
      ({ value }) => value.kind === 'unknown' || (value.kind === 'known' && value.value.length > 0),
    );
  const parts = [
    ...(disk === undefined
      ? []
      : [
          {
            said: `its disk size, as that of \`${ROOT}\`${isRaised ? ` and raised to the ${AL2023_VOLUME} GiB that AL2023 needs` : ''},`,
            yaml: diskInTemplate(size.yaml),
            cdk: diskInCdk(size.cdk),
            hcl: diskInTerraform(size.hcl),
            names: ['DiskSize', 'diskSize', 'disk_size'],
          },
        ]),
    ...(access === undefined
      ? []
      : [
          {
            said: hasGroups
              ? `its SSH key${keyName}, with what admits SSH from the security groups that may use it,`
              : `its SSH key${keyName} (the group admits SSH from anywhere; name security groups there for those who need it)`,
            yaml: [`KeyName: ${keyCode.yaml}${hasGroups ? '' : ` # ${NOBODY}`}`],
            cdk: accessInCdk(keyCode.cdk, hasGroups),
            hcl: accessInTerraform(keyCode.hcl, hasGroups),
            names: ['RemoteAccess', 'remoteAccess', 'remote_access'],
          },
        ]),
  ];
  const admitted = access?.kind === 'known' && hasGroups ? written(access.value.sourceSecurityGroups) : undefined;
  const usesLoop = loop !== undefined && parts.some(({ hcl }) => hcl.some((line) => /\b(?:each|count)\./.test(line)));
  const without = (index: number): string =>
    parts.length === 0 ? '' : `, without ${parts.map(({ names }) => names[index]).join(' and ')}`;
  const lines = (pieces: readonly (readonly string[])[], indent: string): string =>
    pieces
      .flat()
      .map((line) => `\n${indent}${line}`)
      .join('');
  // In a call nothing tells the VPC of a security group that admits SSH: words name the inputs.
  const isOfCall = managed.length > 0 && managed.every(({ moduleInputs }) => moduleInputs?.has('key_name') === true);
  return {
    moved:
      isOfCall && admitted !== undefined
        ? movedInCall(disk === undefined ? undefined : size.hcl, keyCode.hcl)
        : parts.length === 0
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
    movedInModule: lines(
      parts.map(({ hcl }) => hcl),
      '',
    ),
    createdInModule: managed.some(({ moduleInputs }) => moduleInputs?.has('create_launch_template') === true)
      ? 'create_launch_template = true\n'
      : '',
    sshInTemplate: admitted === undefined ? '' : sshInTemplate(admitted),
    sshInTerraform: admitted === undefined ? '' : sshInTerraform(admitted),
    loopInTerraform: usesLoop ? `\n  ${loop.argument} = ${loop.over}` : '',
    instanceInTerraform: usesLoop ? `[${loop.argument === 'count' ? 'count.index' : 'each.key'}]` : '',
    withoutInTemplate: without(0),
    withoutInCdk: without(1),
    withoutInTerraform: without(2),
  };
}

/** The same in words, for a group of terraform-aws-modules/eks. Source: its modules/eks-managed-node-group, versions 18 to 21. */
function movedInCall(size: string | undefined, key: string): string {
  const ebs = `ebs = { volume_size = ${size}, volume_type = "gp3", encrypted = true }`;
  const disk = size === undefined ? '' : `\`block_device_mappings = { root = { device_name = "${ROOT}", ${ebs} } }\`, `;
  return ` In the call of the module, take \`use_custom_launch_template\`, \`create_launch_template\`, \`launch_template_name\`, \`disk_size\` and \`remote_access\` out of the group as far as it has them, and write \`metadata_options = { http_tokens = "required", http_put_response_hop_limit = 2 }\`, ${disk}\`key_name = ${key}\` and, in \`vpc_security_group_ids\`, a new security group that admits port 22 from those of \`source_security_group_ids\`.`;
}

/** Whether it is known to be of a family whose volumes are others. */
function isOtherFamily(amiType: Value<string>): boolean {
  return alternativesOf(amiType).some(
    ({ value }) => value.kind === 'known' && /^(?:BOTTLEROCKET|WINDOWS)_/.test(value.value),
  );
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

function accessInCdk(key: string, hasGroups: boolean): readonly string[] {
  const keyPair = `keyPair: ec2.KeyPair.fromKeyPairName(this, 'Key', ${key}),`;
  return hasGroups
    ? [keyPair, 'securityGroup: cluster.clusterSecurityGroup, // then template.addSecurityGroup(sshGroup)']
    : [keyPair];
}

/** Of a key whose group admitted everybody. */
const NOBODY = 'nobody connects with it until a security group of the nodes admits port 22';

function accessInTerraform(key: string, hasGroups: boolean): readonly string[] {
  if (!hasGroups) return [`key_name = ${key} # ${NOBODY}`];
  const groups = '[aws_eks_cluster.main.vpc_config[0].cluster_security_group_id, aws_security_group.ssh.id]';
  return [`key_name               = ${key}`, `vpc_security_group_ids = ${groups}`];
}

type SecurityGroups = Exclude<Plain<readonly Value<string>[]>, { kind: 'absent' }>;

/** What EKS makes beside a group with `remote_access`: a security group that admits SSH from those that are named. */
function sshInTerraform(groups: SecurityGroups): string {
  const { wholeExpression = '' } = groups.source;
  const isWritten = wholeExpression !== '' && !/\n|\b(?:each|count)\./.test(wholeExpression);
  const from = isWritten
    ? wholeExpression
    : groups.kind === 'known'
      ? `[${groups.value.map((group) => writtenCode(written(group), '<security group>').hcl).join(', ')}]`
      : writtenCode(groups, '<security groups>', false).hcl;
  return [
    'resource "aws_security_group" "ssh" {',
    '  vpc_id = aws_eks_cluster.main.vpc_config[0].vpc_id',
    '  ingress {',
    '    from_port       = 22',
    '    to_port         = 22',
    '    protocol        = "tcp"',
    `    security_groups = ${from}`,
    '  }',
    '}',
    '',
  ].join('\n');
}

/** In a template nothing tells the VPC of a cluster: its own security group, which all its nodes have, admits SSH. */
function sshInTemplate(groups: SecurityGroups): string {
  const all = groups.kind === 'known' ? groups.value.map((group) => written(group)) : [undefined];
  return all
    .map((group, index) =>
      [
        `NodeSsh${index === 0 ? '' : index + 1}:`,
        '  Type: AWS::EC2::SecurityGroupIngress',
        '  Properties:',
        '    GroupId: !GetAtt Cluster.ClusterSecurityGroupId',
        '    IpProtocol: tcp',
        '    FromPort: 22',
        '    ToPort: 22',
        `    SourceSecurityGroupId: ${writtenCode(group, '<security group>').yaml}`,
        '',
      ].join('\n'),
    )
    .join('');
}

/** The loop that makes groups, all of one block. */
function loopOf(groups: readonly NodeGroup[]): { readonly argument: string; readonly over: string } | undefined {
  const loops = new Set(
    groups.map(({ editing, source, moduleInputs }) => {
      if (moduleInputs !== undefined || editing?.repeatedOver === undefined) return '';
      const { file, line } = source.locate();
      return JSON.stringify([editing.repeatedBy, editing.repeatedOver, file, line]);
    }),
  );
  const [only] = loops;
  if (loops.size !== 1 || only === undefined || only === '') return undefined;
  const [argument = '', over = ''] = JSON.parse(only) as readonly string[];
  return { argument, over };
}
