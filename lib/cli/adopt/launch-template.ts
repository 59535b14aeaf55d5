import { isDeepStrictEqual } from 'node:util';
import { isMap, member } from '../../cloudformation/cursor';
import { clusterOf, isL2Cluster, type AppResource } from './app';
import { GROUP, NotWritable, objectOf, quoted, type Expressions, type Member, type Needs, type Parts } from './code';
import { userDataOptions } from './user-data';

interface Context {
  readonly id: string;
  readonly os: string;
  readonly code: Expressions;
  readonly needs: Needs;
  readonly group: AppResource;
  /** The template stays the same resource. */
  readonly isKept: boolean;
}

/** Settings for which there are options; all others are written over the template that the construct makes. */
export function launchTemplateParts(template: AppResource, context: Context): Parts {
  return new TemplateParts(template, context);
}

class TemplateParts implements Parts {
  readonly options: Member[] = [];
  readonly statements: string[] = [];
  readonly notes: string[] = [];

  constructor(
    template: AppResource,
    private readonly context: Context,
  ) {
    const { isKept } = context;
    const data = template.properties.LaunchTemplateData;
    if (isKept) {
      this.statements.push(`${TEMPLATE}.overrideLogicalId(${quoted(template.logicalId)});`);
      if (template.properties.LaunchTemplateName !== undefined)
        this.override('LaunchTemplateName', template.properties.LaunchTemplateName);
    }
    if (!isMap(data)) throw new NotWritable('its launch template depends on a condition');
    for (const [name, value] of Object.entries(data)) this.write(name, value, data);
    if (data.ImageId !== undefined && data.BlockDeviceMappings === undefined) this.leaveVolumes();
  }

  private write(name: string, value: unknown, data: Readonly<Record<string, unknown>>): void {
    switch (name) {
      case 'MetadataOptions':
        this.writeMetadata(value);
        break;
      case 'InstanceType':
        // The option instanceTypes has it, but a group that has none of its own must not get any.
        if (this.context.isKept && this.context.group.properties.InstanceTypes === undefined)
          this.overrideData(name, value);
        break;
      case 'InstanceMarketOptions':
        if (member(value, 'MarketType') !== 'capacity-block') this.overrideData(name, value);
        break;
      case 'CapacityReservationSpecification':
        this.writeReservation(value);
        break;
      case 'SecurityGroupIds':
        this.writeSecurityGroups(value);
        break;
      case 'BlockDeviceMappings':
        this.writeVolumes(value, data);
        break;
      case 'ImageId':
        this.writeImage(value, data.UserData);
        break;
      case 'UserData':
        this.writeUserData(value, data.ImageId !== undefined);
        break;
      case 'TagSpecifications':
        this.writeTags(value);
        break;
      case 'Monitoring':
        if (typeof member(value, 'Enabled') === 'boolean')
          this.options.push(['detailedMonitoring', String(member(value, 'Enabled'))]);
        else this.overrideData(name, value);
        break;
      default:
        this.overrideData(name, value);
    }
  }

  private writeMetadata(options: unknown): void {
    if (!isMap(options)) {
      this.overrideData('MetadataOptions', options);
      return;
    }
    for (const [name, value] of Object.entries(options)) {
      if (isDeepStrictEqual(value, METADATA_OPTIONS[name])) continue;
      if (name === 'HttpPutResponseHopLimit' && Number(value) === 1) this.keepHopLimit();
      else if (name === 'HttpTokens' && value === 'optional')
        this.notes.push('tokens, which it has as optional, become required: IMDSv1 gets no answer any more');
      else this.overrideData(`MetadataOptions.${name}`, value);
    }
  }

  private keepHopLimit(): void {
    this.context.needs.own.add('ImdsAccess');
    this.options.push(
      ['imds', 'ImdsAccess.NODE_ONLY'],
      ['imdsReason', quoted('Adopted as it was: nobody has said yet why pods must not reach the metadata service')],
    );
    this.notes.push(
      'its hop limit of 1 stays, with which pods get nothing from the instance metadata service: say why in imdsReason, or leave imds and imdsReason out, and it becomes 2',
    );
  }

  private writeReservation(value: unknown): void {
    const target = member(value, 'CapacityReservationTarget');
    const members: Member[] = (
      [
        ['id', member(target, 'CapacityReservationId')],
        ['resourceGroupArn', member(target, 'CapacityReservationResourceGroupArn')],
      ] as const
    ).flatMap(([name, one]): Member[] => (one === undefined ? [] : [[name, this.context.code.of(one)]]));
    if (members.length === 1) this.options.push(['capacityReservation', objectOf(members)]);
    else this.overrideData('CapacityReservationSpecification', value);
  }

  private writeSecurityGroups(value: unknown): void {
    const { code, needs, group, id } = this.context;
    if (!Array.isArray(value)) {
      this.overrideData('SecurityGroupIds', value);
      return;
    }
    const groups = value as unknown[];
    const others = groups.filter((one) => !isGroupOfCluster(group, one));
    if (others.length > 0) {
      needs.modules.add('ec2');
      this.options.push([
        'securityGroups',
        `[${others
          .map(
            (one, index) =>
              code.l2(one, 'ec2.SecurityGroup') ??
              `ec2.SecurityGroup.fromSecurityGroupId(stack, ${quoted(`${id}Group${index}`)}, ${code.of(one)})`,
          )
          .join(', ')}]`,
      ]);
    }
    if (others.length === groups.length && others.length > 0) this.options.push(['clusterSecurityGroup', 'false']);
  }

  /** Without block devices an AMI of one's own has its volumes, of whatever size and wherever they are. */
  private leaveVolumes(): void {
    this.options.push(['amiVolumes', 'true']);
    this.notes.push(
      'its volumes stay as its AMI has them; without amiVolumes they are encrypted, if the AMI has them at the devices where those of EKS have them',
    );
  }

  private writeVolumes(value: unknown, data: Readonly<Record<string, unknown>>): void {
    const os = (data.ImageId === undefined ? undefined : bootstrapOf(data.UserData)) ?? this.context.os;
    const all = Array.isArray(value) ? (value as unknown[]).map(volumeOf) : [undefined];
    // Bottlerocket's first volume is the operating system, for which there are no options.
    const volumes = all.filter(
      (volume) => os !== 'BOTTLEROCKET' || volume?.device !== '/dev/xvda' || volume.members.length > 0,
    );
    const main = volumes.findIndex((volume) => volume?.device === DEVICES[os]);
    const hasSystem = os === 'BOTTLEROCKET' && volumes.some((volume) => volume?.device === '/dev/xvda');
    if (main < 0 || hasSystem || volumes.includes(undefined)) {
      this.overrideData('BlockDeviceMappings', value);
      if (!isEncrypted(value))
        this.notes.push('its volumes stay as they were, and not all of them are written as encrypted');
      return;
    }
    const [volume] = volumes.splice(main, 1);
    if (volume !== undefined && volume.members.length > 0) this.options.push(['volume', objectOf(volume.members)]);
    if (volumes.length > 0)
      this.options.push([
        'additionalVolumes',
        `[${volumes
          .map((one) => objectOf([['deviceName', quoted(one?.device ?? '')], ...(one?.members ?? [])]))
          .join(', ')}]`,
      ]);
  }

  /** The option tags would change the tags of the group too, which EKS doesn't take together with a new version of the template. */
  private writeTags(value: unknown): void {
    const { group, isKept } = this.context;
    const { Tags: tags } = group.properties;
    const own = isMap(tags) ? tags : {};
    const ofInstances = Object.entries(instanceTagsOf(value));
    if (isKept && ofInstances.some(([key, one]) => !isDeepStrictEqual(own[key], one)))
      this.overrideData('TagSpecifications', value);
  }

  private writeUserData(value: unknown, isOfOwnAmi: boolean): void {
    const { os, code, needs } = this.context;
    const options = isOfOwnAmi ? undefined : userDataOptions(value, os, code, needs);
    if (options === undefined) this.overrideData('UserData', value);
    else this.options.push(...options);
  }

  /** The user data of an AMI of one's own stays as it is, beside the image. */
  private writeImage(image: unknown, userData: unknown): void {
    const { code, needs, group } = this.context;
    const text = JSON.stringify(userData ?? '');
    const family = bootstrapOf(userData);
    if (family === undefined)
      throw new NotWritable("its AMI is your own, and its user data doesn't tell which operating system that has");
    const range = serviceCidrOf(group);
    const written = /cidr: *\\?"?(\d+\.\d+\.\d+\.\d+\/\d+)/.exec(text)?.[1];
    if (range === undefined && written === undefined)
      throw new NotWritable(
        "its AMI is your own, and the cluster's code doesn't tell the service range: write its ManagedNodeGroup with customAmi and serviceCidr",
      );
    if (family !== 'AL2023') needs.own.add('AmiFamily');
    if (family !== 'AL2023') this.options.push(['amiFamily', `AmiFamily.${family}`]);
    if (range === undefined) this.options.push(['serviceCidr', quoted(written ?? '')]);
    const parameter = parameterOf(group, image);
    if (parameter !== undefined) needs.modules.add('ec2');
    this.options.push([
      'customAmi',
      parameter === undefined ? code.of(image) : `ec2.MachineImage.fromSsmParameter(${quoted(parameter)})`,
    ]);
    this.notes.push('its user data stays as it is; without the override the construct renders the bootstrap');
  }

  private overrideData(name: string, value: unknown): void {
    this.override(`LaunchTemplateData.${name}`, value);
  }

  private override(path: string, value: unknown): void {
    this.statements.push(`${TEMPLATE}.addPropertyOverride(${quoted(path)}, ${this.context.code.of(value)});`);
  }
}

/** The tags that a launch template gives instances, but for the name, which CDK makes of the construct's path. */
export function instanceTagsOf(specifications: unknown): Readonly<Record<string, unknown>> {
  const ofInstances = (Array.isArray(specifications) ? (specifications as unknown[]) : []).find(
    (one) => member(one, 'ResourceType') === 'instance',
  );
  const tags = member(ofInstances, 'Tags');
  return Object.fromEntries(
    (Array.isArray(tags) ? (tags as unknown[]) : []).flatMap((tag) => {
      const key = member(tag, 'Key');
      return typeof key === 'string' && key !== 'Name' ? [[key, member(tag, 'Value')] as const] : [];
    }),
  );
}

const TEMPLATE = `(${GROUP}.launchTemplate.node.defaultChild as CfnResource)`;

/** What starts the bootstrap of an operating system. */
const BOOTSTRAPS: readonly (readonly [family: string, pattern: RegExp])[] = [
  ['AL2023', /node\.eks\.aws/],
  ['AL2', /\/etc\/eks\/bootstrap\.sh/],
  ['BOTTLEROCKET', /settings\.kubernetes/],
];

/** The operating system that user data starts the nodes of. */
function bootstrapOf(userData: unknown): string | undefined {
  const text = JSON.stringify(userData ?? '');
  return BOOTSTRAPS.find(([, pattern]) => pattern.test(text))?.[0];
}

/** What a `ManagedNodeGroup` writes by itself. */
const METADATA_OPTIONS: Readonly<Record<string, unknown>> = {
  HttpEndpoint: 'enabled',
  HttpTokens: 'required',
  HttpPutResponseHopLimit: 2,
  InstanceMetadataTags: 'disabled',
};

/** Where the volume of the option `volume` is. */
const DEVICES: Readonly<Record<string, string | undefined>> = {
  AL2: '/dev/xvda',
  AL2023: '/dev/xvda',
  BOTTLEROCKET: '/dev/xvdb',
};

function isEncrypted(mappings: unknown): boolean {
  return (
    Array.isArray(mappings) &&
    (mappings as unknown[]).every((mapping) => {
      const ebs = member(mapping, 'Ebs');
      return ebs === undefined || member(ebs, 'Encrypted') === true || member(ebs, 'Encrypted') === 'true';
    })
  );
}

/** A volume with options for all that it has; undefined for others. */
function volumeOf(mapping: unknown): { readonly device: string; readonly members: readonly Member[] } | undefined {
  const device = member(mapping, 'DeviceName');
  const ebs = member(mapping, 'Ebs');
  if (typeof device !== 'string' || !isMap(ebs)) return undefined;
  const members: Member[] = [];
  for (const [name, value] of Object.entries(ebs)) {
    if (name === 'Encrypted' || name === 'DeleteOnTermination') continue;
    const option = VOLUME_OPTIONS[name];
    if (option === undefined || (typeof value !== 'number' && typeof value !== 'string')) return undefined;
    members.push([option, typeof value === 'number' ? String(value) : quoted(value)]);
  }
  return { device, members };
}

const VOLUME_OPTIONS: Readonly<Record<string, string | undefined>> = {
  VolumeSize: 'size',
  VolumeType: 'type',
  Iops: 'iops',
  Throughput: 'throughput',
  SnapshotId: 'snapshotId',
};

function isGroupOfCluster(group: AppResource, value: unknown): boolean {
  const target = group.stack.app.target(group.stack, value);
  return (
    target !== undefined &&
    target.resource === clusterOf(group) &&
    isL2Cluster(target.resource) &&
    /(?:^|\.)ClusterSecurityGroupId$/.test(target.attribute ?? '')
  );
}

function serviceCidrOf(group: AppResource): unknown {
  const { properties = {} } = clusterOf(group) ?? {};
  return (
    member(properties.KubernetesNetworkConfig, 'ServiceIpv4Cidr') ??
    member(member(properties.Config, 'kubernetesNetworkConfig'), 'serviceIpv4Cidr')
  );
}

/** The SSM parameter behind an image that CloudFormation looks up; its parameter of the template goes with the old construct. */
function parameterOf({ stack }: AppResource, image: unknown): string | undefined {
  const id = member(image, 'Ref');
  const parameter = typeof id === 'string' ? stack.parameters.get(id) : undefined;
  return typeof parameter?.value === 'string' && /^AWS::SSM::Parameter::Value</.test(String(parameter.type))
    ? parameter.value
    : undefined;
}
