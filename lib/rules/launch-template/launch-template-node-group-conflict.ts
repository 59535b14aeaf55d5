import { defineRule, resourceName, type Judgement, type RelatedPlace } from '../../engine';
import {
  Absent,
  alternativesOf,
  asWritten,
  casesOf,
  flatMapValue,
  launchesOfGroup,
  NAMES_NO_TEMPLATE,
  Unknown,
  launchesByResource,
  type Launch,
  type LaunchTemplate,
  type NodeGroup,
  type Plain,
  type Source,
  type Value,
} from '../../eks';
import { judgeLaunches, passing, type LaunchOutcome } from '../parts/launch-judgements';
import { itemsIn, presenceOf, type Presence } from '../parts/presence';
import { inOwnModule } from '../parts/metadata-options-code';
import { writtenCode } from '../parts/written-code';

/*
 * Several settings of a node's machine can stand in the node group or in its launch template, but not in both, and some only
 * in one of them as soon as there is a template or an AMI in it. EKS compares the two when the group is created or updated.
 * Source: EKS user guide, "Customize managed nodes with launch templates"; EKS API, CreateNodegroup.
 */

/** The node group beside a launch template with an AMI. */
const IMAGE_FIX = {
  code: {
    terraform: [
      '# no ami_type, version or release_version beside it',
      'launch_template {',
      '  id      = aws_launch_template.nodes.id',
      '  version = aws_launch_template.nodes.latest_version',
      '}',
    ].join('\n'),
  },
  safety: 'needs-decision',
} as const;

/** EKS refuses such a group, so none runs. */
const CREATES = 'decides which of the two holds; a group that is refused has no nodes yet';

export const launchTemplateNodeGroupConflict = defineRule<Message>({
  id: 'launch-template-node-group-conflict',
  subject: 'launch-template',
  title: 'A setting stands in the node group or in its launch template, where EKS wants it, and not in both',
  severity: 'error',
  since: '0.1.0',
  isAboutCode: true,
  messages: {
    diskSize: {
      text: 'Node group "{{group}}" sets a disk size of {{value}} beside {{beside}}. EKS refuses the group: "Disk size must be specified within the launch template."',
      fix: {
        summary:
          '{{bySwitch}}Remove the disk size from the node group, and map the volume in the launch template (`/dev/xvda`; for Bottlerocket `/dev/xvdb`).',
        code: {
          cloudformation: [
            '# in the Properties, without DiskSize:',
            '# in the LaunchTemplateData of the launch template:',
            'BlockDeviceMappings:',
            '  - DeviceName: {{device}}',
            '    Ebs: { VolumeSize: {{yaml}}, VolumeType: gp3, Encrypted: true }',
          ].join('\n'),
          'aws-cdk': [
            '// in the options of the node group, without diskSize:',
            '// in the options of the LaunchTemplate:',
            "blockDevices: [{ deviceName: '{{device}}', volume: ec2.BlockDeviceVolume.ebs({{cdk}}, { volumeType: ec2.EbsDeviceVolumeType.GP3, encrypted: true }) }],",
          ].join('\n'),
          'terraform-module': '{{inModule}}',
          terraform: [
            '# in the aws_eks_node_group, without disk_size:',
            '# in {{templateInModule}}:',
            'block_device_mappings {',
            '  device_name = "{{device}}"',
            '  ebs {',
            '    volume_size = {{hcl}}',
            '    volume_type = "gp3"',
            '    encrypted   = true',
            '  }',
            '}',
          ].join('\n'),
        },
        safety: 'safe',
      },
    },
    diskSizeMapped: {
      text: 'Node group "{{group}}" sets a disk size of {{value}} beside launch template "{{template}}", which maps volumes already. EKS refuses the group: "Disk size must be specified within the launch template."',
      fix: {
        summary:
          'Remove the disk size from the node group: the launch template maps volumes already, and the size of the root volume belongs there.',
        safety: 'needs-decision',
        repairs: [{ kind: 'remove', field: 'diskSize' }],
        effect: CREATES,
      },
    },
    remoteAccess: {
      text: 'Node group "{{group}}" sets remote access beside {{beside}}. EKS refuses the group: "Remote access configuration cannot be specified with a launch template."',
      fix: {
        summary:
          "{{bySwitch}}Remove the remote access; if nodes must take SSH, set key and security groups in the launch template, the cluster's security group among them. Session Manager needs neither.",
        code: {
          'terraform-module': '{{inModule}}',
          terraform: [
            '# in the launch template',
            'key_name               = {{hcl}}',
            'vpc_security_group_ids = [aws_eks_cluster.main.vpc_config[0].cluster_security_group_id, aws_security_group.ssh.id]',
          ].join('\n'),
        },
        safety: 'needs-decision',
        repairs: [{ kind: 'remove', field: 'remoteAccess' }],
        effect: CREATES,
      },
    },
    instanceTypes: {
      text: '{{where}} sets instance type `{{value}}`, and the node group lists instance types too. EKS refuses the group: "Cannot specify instance types in launch template and API Request."',
      fix: {
        summary:
          'Keep the list in the node group, which can hold several types, and remove the type from the launch template.',
        code: {
          terraform: [
            '# in the node group; no instance_type in the launch template',
            'instance_types = ["{{value}}"]',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    amiType: {
      text: 'Node group "{{group}}" sets AMI type `{{value}}`, and launch template "{{template}}" sets AMI `{{image}}`. EKS refuses the group: "You cannot specify an AMI Type other than CUSTOM, when specifying an image id in your launch template."',
      fix: {
        summary:
          'Remove the AMI type from the node group to use the AMI, or remove the AMI from the template to use the one of EKS.',
        repairs: [{ kind: 'remove', field: 'amiType' }],
        effect: CREATES,
        ...IMAGE_FIX,
      },
    },
    version: {
      text: 'Node group "{{group}}" sets Kubernetes version `{{value}}`, and launch template "{{template}}" sets AMI `{{image}}`. EKS refuses the group: "You cannot specify a kubernetes version to use when specifying an image id to use within the launch template."',
      fix: {
        summary:
          'Remove the version from the node group: the AMI decides it. Or remove the AMI from the template to use the one of EKS.',
        repairs: [{ kind: 'remove', field: 'version' }],
        effect: CREATES,
        ...IMAGE_FIX,
      },
    },
    releaseVersion: {
      text: 'Node group "{{group}}" sets AMI release version `{{value}}`, and launch template "{{template}}" sets AMI `{{image}}`. A release version names an AMI of EKS, so EKS refuses the group.',
      fix: {
        summary:
          'Remove the release version from the node group: the AMI decides it. Or remove the AMI from the template to use the one of EKS.',
        repairs: [{ kind: 'remove', field: 'releaseVersion' }],
        effect: CREATES,
        ...IMAGE_FIX,
      },
    },
    customWithoutImage: {
      text: 'Node group "{{group}}" sets AMI type `CUSTOM`, and {{lack}}. There is no AMI to start, so EKS refuses the group.',
      fix: {
        summary:
          'Set the AMI in the launch template, with the bootstrap that it needs, or name an AMI type of EKS such as `AL2023_x86_64_STANDARD` instead.',
        safety: 'needs-decision',
      },
    },
    idAndName: {
      text: 'Node group "{{group}}" names its launch template by id and by name (`{{value}}`). EKS takes exactly one of them and refuses the group.',
      fix: {
        summary: 'Keep the id, and remove the name.',
        code: {
          terraform: [
            'launch_template {',
            '  id      = aws_launch_template.nodes.id',
            '  version = aws_launch_template.nodes.latest_version',
            '}',
          ].join('\n'),
        },
        safety: 'safe',
        repairs: [{ kind: 'remove', field: 'launchTemplate.name' }],
      },
    },
  },
  *check(model) {
    for (const nodeGroup of model.nodeGroups) {
      // What makes a template of the group's own settings sees to it that they fit.
      const launches = launchesOfGroup(nodeGroup, model.viewOf(nodeGroup));
      yield* judgeGroup(
        nodeGroup,
        launches.filter(({ template }) => template.kind !== 'known' || template.value.partOf !== nodeGroup),
      );
    }
    yield* judgeLaunches(launchesByResource(model), judgeInstanceTypes);
  },
});

type Message =
  | 'diskSize'
  | 'diskSizeMapped'
  | 'remoteAccess'
  | 'instanceTypes'
  | 'amiType'
  | 'version'
  | 'releaseVersion'
  | 'customWithoutImage'
  | 'idAndName';

/** Something of the node group that can't stand beside something of its launch template. */
interface Conflict {
  readonly message: Message;
  /** What the node group sets, for a reader. */
  readonly name: string;
  readonly own: (nodeGroup: NodeGroup) => Value<unknown>;
  /** What it can't stand beside. */
  readonly other: (template: Plain<LaunchTemplate>) => Value<unknown>;
  readonly otherName: string;
}

const anyTemplate = (template: Plain<LaunchTemplate>): Value<unknown> =>
  isUnnamed(template) ? new Unknown(template.reason, template.source, 'a launch template') : template;
const imageIn = (template: Plain<LaunchTemplate>): Value<unknown> => within(template, ({ imageId }) => imageId);

const CONFLICTS: readonly Conflict[] = [
  {
    message: 'diskSize',
    name: 'disk size',
    own: ({ diskSize }) => asWritten(diskSize),
    other: anyTemplate,
    otherName: 'launch template',
  },
  {
    message: 'remoteAccess',
    name: 'remote access',
    own: ({ remoteAccess }) => remoteAccess,
    other: anyTemplate,
    otherName: 'launch template',
  },
  {
    message: 'amiType',
    name: 'AMI type',
    own: ({ amiType }) => asWritten(flatMapValue(amiType, exceptCustom)),
    other: imageIn,
    otherName: 'AMI',
  },
  { message: 'version', name: 'version', own: ({ version }) => asWritten(version), other: imageIn, otherName: 'AMI' },
  {
    message: 'releaseVersion',
    name: 'release version',
    own: ({ releaseVersion }) => asWritten(releaseVersion),
    other: imageIn,
    otherName: 'AMI',
  },
];

/** A setting of a template that is there; unknown, and perhaps not set, in one that can't be seen. */
function within<T>(template: Plain<LaunchTemplate>, read: (template: LaunchTemplate) => Value<T>): Value<T> {
  if (template.kind === 'known') return read(template.value);
  return template.kind === 'absent' ? template : new Unknown(template.reason, template.source);
}

function exceptCustom(amiType: Plain<string>): Plain<string> {
  if (amiType.kind === 'known') return amiType.value === 'CUSTOM' ? new Absent(amiType.source) : amiType;
  // It may turn out to be CUSTOM.
  return amiType.kind === 'unknown' ? new Unknown(amiType.reason, amiType.source) : amiType;
}

function* judgeGroup(nodeGroup: NodeGroup, launches: readonly Launch[]): Generator<Judgement<Message>> {
  const judgements = [
    ...CONFLICTS.flatMap((conflict) => judgeConflict(conflict, nodeGroup, launches)),
    ...judgeUnseenTypes(nodeGroup, launches),
    ...judgeCustom(nodeGroup, launches),
    ...judgeNames(nodeGroup),
  ];
  const failures = judgements.filter(({ verdict }) => verdict === 'fail');
  const doubts = judgements.filter(({ verdict }) => verdict === 'unverifiable');
  if (failures.length > 0) yield* failures;
  else if (doubts.length > 0) yield* doubts;
  else if (launches.some(({ template }) => template.kind !== 'absent')) yield { verdict: 'pass', resource: nodeGroup };
}

function judgeConflict(
  { message, name, own, other, otherName }: Conflict,
  nodeGroup: NodeGroup,
  launches: readonly Launch[],
): readonly Judgement<Message>[] {
  const mine = own(nodeGroup);
  // Nearly every setting of nearly every group.
  if (mine.kind === 'absent') return [];
  return launches.flatMap(({ template, when: given }) =>
    casesOf(nodeGroup, { mine, theirs: other(template) }, given).map(({ when, values }): Judgement<Message> => {
      const presence = both(presenceOf(values.mine), presenceOf(values.theirs));
      const common = { resource: nodeGroup, when, source: values.mine.source };
      if (presence === 'unset') return { verdict: 'pass', resource: nodeGroup, when };
      if (presence === 'unknown')
        return { ...common, verdict: 'unverifiable', reason: doubtOf(name, values.mine, otherName, values.theirs) };
      const value = shown(values.mine);
      const data = {
        group: resourceName(nodeGroup),
        template: templateName(template),
        value,
        ...codeOf(message, values.mine, nodeGroup),
        templateInModule: addressOf(template),
        ...besideIn(template, nodeGroup),
        image: shown(values.theirs),
      };
      const told = message === 'diskSize' && mapsVolumes(template) ? 'diskSizeMapped' : message;
      return {
        ...common,
        verdict: 'fail',
        message: told,
        data,
        related: isUnnamed(template) ? [] : [otherSide(template, values.theirs.source, otherName)],
      };
    }),
  );
}

/** The template as code of the module has it in which both are written; a hole where the input doesn't have it, or a call makes it. */
function addressOf(template: Plain<LaunchTemplate>): string {
  return template.kind === 'known' && template.value.moduleInputs === undefined
    ? inOwnModule(template.value.id)
    : '<the launch template>';
}

/** The setting as the launch template would have it. */
function codeOf(
  message: Message,
  mine: Plain<unknown>,
  { amiType, remoteAccess }: NodeGroup,
): Readonly<Record<string, string>> {
  if (message === 'diskSize')
    return { ...writtenCode(mine as Plain<string | number>, '100', false), device: deviceOf(amiType) };
  if (message !== 'remoteAccess') return {};
  // The same in all cases, which are one finding.
  const [key] = alternativesOf(
    flatMapValue(remoteAccess, (plain) => (plain.kind === 'known' ? plain.value.sshKey : plain)),
  );
  return { ...writtenCode(key?.value, '<key pair>') };
}

/** The volume that holds images and pods. Source: EC2 user guides, "Device names for volumes"; Bottlerocket, README, "Default Volumes". */
function deviceOf(amiType: Value<string>): string {
  const types = alternativesOf(amiType).map(({ value }) => (value.kind === 'known' ? value.value : ''));
  if (types.every((type) => type.startsWith('BOTTLEROCKET_'))) return '/dev/xvdb';
  return types.every((type) => type.startsWith('WINDOWS_')) ? '/dev/sda1' : '/dev/xvda';
}

function both(one: Presence, other: Presence): Presence {
  if (one === 'unset' || other === 'unset') return 'unset';
  return one === 'unknown' || other === 'unknown' ? 'unknown' : 'set';
}

function doubtOf(name: string, mine: Plain<unknown>, otherName: string, theirs: Plain<unknown>): string {
  if (presenceOf(mine) === 'unknown' && mine.kind === 'unknown') return `its ${name} isn't known: ${mine.reason}`;
  return `whether its launch template sets ${/^[aeiou]/i.test(otherName) ? 'an' : 'a'} ${otherName} isn't known: ${theirs.kind === 'unknown' ? theirs.reason : ''}`;
}

/** Whether the template has a place for the size already. */
function mapsVolumes(template: Plain<LaunchTemplate>): boolean {
  return template.kind === 'known' && template.value.blockDevices.length > 0;
}

function otherSide(template: Plain<LaunchTemplate>, source: Source, name: string): RelatedPlace {
  const called = `launch template "${templateName(template)}"`;
  return name === 'launch template' ? { message: called, source } : { message: `${called} sets the ${name}`, source };
}

function templateName(template: Plain<LaunchTemplate>): string {
  if (template.kind === 'known') return resourceName(template.value);
  return template.kind === 'unknown' ? (template.text ?? '') : '';
}

/** A launch template that is there, and that neither id nor name tell. */
function isUnnamed(template: Plain<LaunchTemplate>): template is Unknown {
  return template.kind === 'unknown' && template.reason === NAMES_NO_TEMPLATE;
}

/** What a setting stands beside. Of a template that a call of a module doesn't name, only the switch of the module tells. */
function besideIn(template: Plain<LaunchTemplate>, { moduleInputs }: NodeGroup): Record<string, string> {
  if (!isUnnamed(template))
    return { beside: `launch template "${templateName(template)}"`, bySwitch: '', inModule: '' };
  if (moduleInputs === undefined) return { beside: 'a launch template that nothing names', bySwitch: '', inModule: '' };
  return {
    beside: `a launch template that nothing names: the module has the group use one unless \`${SWITCH}\``,
    bySwitch: `Set \`${SWITCH}\` in the group, and EKS makes the template of these settings. Or: `,
    inModule: SWITCH,
  };
}

/** Of terraform-aws-modules/eks since version 19. */
const SWITCH = 'use_custom_launch_template = false';

function shown(plain: Plain<unknown>): string {
  if (plain.kind === 'unknown') return plain.text ?? '';
  if (plain.kind === 'absent') return '';
  const { value } = plain;
  if (typeof value === 'object' && value !== null) return 'text' in value ? String(value.text) : '';
  return String(value);
}

/** A template that can't be seen may name an instance type too. One that can is judged by {@link judgeInstanceTypes}. */
function judgeUnseenTypes(nodeGroup: NodeGroup, launches: readonly Launch[]): readonly Judgement<Message>[] {
  const unseen = launches.filter(({ template }) => template.kind === 'unknown');
  return unseen.length === 0
    ? []
    : judgeConflict(
        {
          message: 'instanceTypes',
          name: 'list of instance types',
          own: () => itemsIn(asWritten(nodeGroup.instanceTypes)),
          other: (template) => within(template, ({ instanceType }) => instanceType),
          otherName: 'instance type',
        },
        nodeGroup,
        unseen,
      );
}

function judgeCustom(nodeGroup: NodeGroup, launches: readonly Launch[]): readonly Judgement<Message>[] {
  const amiType = asWritten(nodeGroup.amiType);
  if (amiType.kind === 'absent' || (amiType.kind === 'known' && amiType.value !== 'CUSTOM')) return [];
  return launches.flatMap(({ template, when: given }) =>
    casesOf(nodeGroup, { amiType, image: imageIn(template) }, given).map(
      ({ when, values: { amiType: type, image } }): Judgement<Message> => {
        // One that isn't known is hardly ever CUSTOM without an AMI.
        if (type.kind !== 'known' || type.value !== 'CUSTOM' || presenceOf(image) === 'set')
          return { verdict: 'pass', resource: nodeGroup, when };
        const common = { resource: nodeGroup, when, source: type.source };
        if (image.kind === 'unknown')
          return {
            ...common,
            verdict: 'unverifiable',
            reason: `whether its launch template sets an AMI isn't known: ${image.reason}`,
          };
        if (template.kind !== 'known')
          return {
            ...common,
            verdict: 'fail',
            message: 'customWithoutImage',
            data: { group: resourceName(nodeGroup), lack: 'has no launch template that could set an AMI' },
          };
        const name = templateName(template);
        const related = [{ message: `launch template "${name}"`, source: template.source }];
        return {
          ...common,
          verdict: 'fail',
          message: 'customWithoutImage',
          data: { group: resourceName(nodeGroup), lack: `launch template "${name}" sets no AMI` },
          related,
        };
      },
    ),
  );
}

function judgeNames(nodeGroup: NodeGroup): readonly Judgement<Message>[] {
  const use = nodeGroup.launchTemplate;
  if (use.kind === 'absent') return [];
  const part = (key: 'id' | 'name'): Value<string> =>
    flatMapValue(
      use,
      (plain): Value<string> =>
        plain.kind === 'known'
          ? plain.value[key]
          : plain.kind === 'absent'
            ? plain
            : new Unknown(plain.reason, plain.source),
    );
  const name = part('name');
  if (name.kind === 'absent') return [];
  return casesOf(nodeGroup, { name, id: part('id') }).map(({ when, values }): Judgement<Message> => {
    // Which of the two isn't known doesn't matter as long as nothing speaks for both.
    if (both(presenceOf(values.name), presenceOf(values.id)) !== 'set')
      return { verdict: 'pass', resource: nodeGroup, when };
    const data = { group: resourceName(nodeGroup), value: shown(values.name) };
    return {
      verdict: 'fail',
      resource: nodeGroup,
      when,
      message: 'idAndName',
      source: values.name.source,
      data,
      related: [{ message: `the id: ${shown(values.id)}`, source: values.id.source }],
    };
  });
}

/** The one conflict that is solved in the launch template: a group can list several types. */
function judgeInstanceTypes({ nodeGroup, template, when: given }: Launch): readonly LaunchOutcome<Message>[] {
  if (template.kind !== 'known' || template.value.instanceType.kind === 'absent') return [];
  const split = { listed: itemsIn(asWritten(nodeGroup.instanceTypes)), type: template.value.instanceType };
  return casesOf(nodeGroup, split, given).flatMap(
    ({ when, values: { listed, type } }): readonly LaunchOutcome<Message>[] => {
      const presence = both(presenceOf(listed), presenceOf(type));
      if (presence === 'unset') return passing(when);
      const place = { when, source: type.source };
      if (presence === 'unknown')
        return [
          {
            ...place,
            verdict: 'unverifiable',
            reason: doubtOf('list of instance types in the node group', listed, 'instance type', type),
          },
        ];
      const related = [
        { message: `node group "${resourceName(nodeGroup)}" lists instance types`, source: listed.source },
      ];
      return [{ ...place, verdict: 'fail', message: 'instanceTypes', data: { value: shown(type) }, related }];
    },
  );
}
