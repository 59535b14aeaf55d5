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
  }

  private write(name: string, value: unknown, data: Readonly<Record<string, unknown>>): void {
    switch (name) {
      case 'MetadataOptions':
        this.tellMetadata(value);
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
        this.writeVolumes(value);
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

  private tellMetadata(options: unknown): void {
    if (member(options, 'HttpPutResponseHopLimit') !== 1) return;
    this.notes.push(
      'its hop limit of 1 becomes 2, so that pods reach the instance metadata service; imds: ImdsAccess.NODE_ONLY with imdsReason keeps it',
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

  private writeVolumes(value: unknown): void {
    const { os } = this.context;
    const volumes = Array.isArray(value) ? (value as unknown[]).map(volumeOf) : [undefined];
    const isLinux = os === 'AL2023' || os === 'AL2';
    const root = volumes.findIndex((volume) => volume?.device === '/dev/xvda');
    if (!isLinux || root < 0 || volumes.includes(undefined)) {
      this.overrideData('BlockDeviceMappings', value);
      return;
    }
    const [volume] = volumes.splice(root, 1);
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
    const family = BOOTSTRAPS.find(([, pattern]) => pattern.test(text))?.[0];
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
