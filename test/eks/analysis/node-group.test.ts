import { CLOUDFORMATION } from '../../../lib/front-ends/cloudformation/dialects';
import { UNKNOWN_AMI } from '../../../lib/knowledge/published-amis';
import {
  Absent,
  always,
  amiFamilyOf,
  Choice,
  EksModel,
  familyOfAmiType,
  imageOf,
  instanceTypesOf,
  Known,
  kubernetesVersionOf,
  launchesOf,
  launchTemplateOf,
  nowhere,
  under,
  Unknown,
  type Cluster,
  type EksResource,
  type Image,
  type LaunchTemplate,
  type LaunchTemplateUse,
  type NodeGroup,
  type Plain,
  type UserData,
  type Value,
  type When,
} from '../../../lib/eks';
import { SourceText } from '../../../lib/eks/user-data/source-text';

const absent = new Absent(nowhere);
const known = <T>(value: T): Known<T> => new Known(value, nowhere);
const unknown = (reason: string): Unknown => new Unknown(reason, nowhere);

/** An assumption about one condition; two different ones about the same condition exclude each other. */
function when(condition: string, holds: boolean): When {
  return {
    text: `${condition} is ${String(holds)}`,
    and(other) {
      if (other === always || other.text === this.text) return this;
      if (other.text === `${condition} is ${String(!holds)}`) return undefined;
      return { text: `${this.text} and ${other.text}`, and: () => undefined, not: () => [] };
    },
    not: () => [when(condition, !holds)],
  };
}

function either<T>(condition: string, ifTrue: Plain<T>, ifFalse: Plain<T>): Choice<T> {
  return new Choice([
    { when: when(condition, true), value: ifTrue },
    { when: when(condition, false), value: ifFalse },
  ]);
}

const base = {
  path: undefined,
  stack: 'stack',
  frontEnd: 'cloudformation',
  dialect: CLOUDFORMATION,
  source: nowhere,
  suppressions: [],
  exists: always,
} as const;

function cluster(version: Value<string>): Cluster {
  return {
    ...base,
    kind: 'cluster',
    type: 'AWS::EKS::Cluster',
    id: 'Cluster',
    environment: { region: undefined, partition: undefined },
    name: known('main'),
    version,
    ipFamily: absent,
    serviceIpv4Cidr: absent,
    autoMode: absent,
    role: absent,
    securityGroups: absent,
    subnets: absent,
    endpointPrivateAccess: absent,
    authenticationMode: absent,
    bootstrapSelfManagedAddons: absent,
    supportType: absent,
    onOutpost: absent,
  };
}

function launchTemplate(properties: Partial<LaunchTemplate> = {}): LaunchTemplate {
  return {
    ...base,
    kind: 'launch-template',
    type: 'AWS::EC2::LaunchTemplate',
    id: 'Nodes',
    name: absent,
    imageId: absent,
    instanceType: absent,
    metadata: { httpTokens: absent, hopLimit: absent, httpEndpoint: absent, instanceTags: absent },
    userData: absent,
    instanceTagKeys: [],
    instanceProfile: absent,
    shutdownBehavior: absent,
    hibernation: absent,
    instanceRequirements: absent,
    marketType: absent,
    keyName: absent,
    securityGroups: absent,
    networkInterfaces: [],
    blockDevices: [],
    ...properties,
  };
}

function nodeGroup(properties: Partial<NodeGroup> = {}): NodeGroup {
  return {
    ...base,
    kind: 'node-group',
    type: 'AWS::EKS::Nodegroup',
    id: 'Workers',
    cluster: known({ text: 'main', target: undefined }),
    name: absent,
    amiType: absent,
    instanceTypes: absent,
    subnets: absent,
    capacityType: absent,
    version: absent,
    releaseVersion: absent,
    releaseImage: absent,
    launchTemplate: absent,
    nodeRole: absent,
    forceUpdate: absent,
    diskSize: absent,
    remoteAccess: absent,
    labels: absent,
    taints: absent,
    updateConfig: absent,
    minSize: absent,
    maxSize: absent,
    desiredSize: absent,
    ...properties,
  };
}

function using(target: LaunchTemplate | undefined, text = 'lt-0abc'): Known<LaunchTemplateUse> {
  return known({ template: { text, target }, version: absent, id: known(text), name: absent, source: nowhere });
}

function userDataOf(text: string): Known<UserData> {
  return known({ text: SourceText.of(text), layers: [], encodedBy: 'engine' });
}

function image(text: string, family?: Image['family']): Known<Image> {
  return known({ text, ...UNKNOWN_AMI, family });
}

/** The model of these resources and the view of its node group. */
function viewOf(group: NodeGroup, ...others: EksResource[]) {
  return new EksModel([group, ...others]).viewOf(group);
}

function summary(value: Value<unknown>): unknown {
  if (value.kind === 'choice')
    return value.alternatives.map((alternative) => [alternative.when.text, summary(alternative.value)]);
  return value.kind === 'known' ? value.value : value.kind;
}

describe('the Kubernetes version of a node group', () => {
  it("is the group's own if it is written", () => {
    const group = nodeGroup({ version: known('1.32') });
    expect(summary(kubernetesVersionOf(group, viewOf(group, cluster(known('1.33')))))).toBe('1.32');
  });

  it("is its cluster's otherwise", () => {
    const group = nodeGroup();
    expect(summary(kubernetesVersionOf(group, viewOf(group, cluster(known('1.33')))))).toBe('1.33');
  });

  it('is unknown when the cluster is elsewhere', () => {
    const group = nodeGroup();
    expect(kubernetesVersionOf(group, viewOf(group))).toMatchObject({
      kind: 'unknown',
      reason: 'cluster main is not part of the input',
    });
  });

  it('is unknown when the cluster declares none', () => {
    const group = nodeGroup();
    expect(kubernetesVersionOf(group, viewOf(group, cluster(absent)))).toMatchObject({
      kind: 'unknown',
      reason: 'cluster Cluster declares no Kubernetes version',
    });
  });

  it('keeps the alternatives of both', () => {
    const group = nodeGroup({ version: either('Pinned', known('1.31'), absent) });
    expect(summary(kubernetesVersionOf(group, viewOf(group, cluster(known('1.33')))))).toEqual([
      ['Pinned is true', '1.31'],
      ['Pinned is false', '1.33'],
    ]);
  });
});

describe('the launch template of a node group', () => {
  it('is the one that the group refers to', () => {
    const template = launchTemplate();
    expect(summary(launchTemplateOf(nodeGroup({ launchTemplate: using(template) })))).toBe(template);
  });

  it('is absent, or unknown, as the reference is', () => {
    expect(launchTemplateOf(nodeGroup()).kind).toBe('absent');
    expect(launchTemplateOf(nodeGroup({ launchTemplate: unknown('parameter X has no default') }))).toMatchObject({
      reason: 'parameter X has no default',
    });
  });

  it('is unknown when the input does not hold it', () => {
    expect(launchTemplateOf(nodeGroup({ launchTemplate: using(undefined) }))).toMatchObject({
      kind: 'unknown',
      reason: 'launch template lt-0abc is not part of the input',
    });
  });

  it('is listed per group and alternative', () => {
    const template = launchTemplate();
    const blue = nodeGroup({ id: 'Blue', launchTemplate: either('Custom', using(template), absent) });
    const green = nodeGroup({ id: 'Green', launchTemplate: using(template) });
    const launches = launchesOf(new EksModel([blue, green, template]));
    expect(launches.map((launch) => [launch.nodeGroup.id, launch.template.kind, launch.when.text])).toEqual([
      ['Blue', 'known', 'Custom is true'],
      ['Blue', 'absent', 'Custom is false'],
      ['Green', 'known', ''],
    ]);
  });
});

describe('the AMI and the instance types of a node group', () => {
  it("are its launch template's", () => {
    const group = nodeGroup({
      launchTemplate: using(launchTemplate({ imageId: image('ami-1'), instanceType: known('m7g.large') })),
    });
    expect(summary(imageOf(group))).toEqual({ text: 'ami-1', family: undefined });
    expect(instanceTypesOf(group)).toMatchObject({ kind: 'known', value: [{ value: 'm7g.large' }] });
  });

  it("let the group's own list win, unless it is empty", () => {
    const template = using(launchTemplate({ instanceType: known('m7g.large') }));
    expect(
      instanceTypesOf(nodeGroup({ launchTemplate: template, instanceTypes: known([known('m5.large')]) })),
    ).toMatchObject({ value: [{ value: 'm5.large' }] });
    expect(instanceTypesOf(nodeGroup({ launchTemplate: template, instanceTypes: known([]) }))).toMatchObject({
      value: [{ value: 'm7g.large' }],
    });
  });

  it('are absent without launch template and unknown with one that is elsewhere', () => {
    expect(imageOf(nodeGroup()).kind).toBe('absent');
    expect(instanceTypesOf(nodeGroup()).kind).toBe('absent');
    expect(imageOf(nodeGroup({ launchTemplate: using(undefined) })).kind).toBe('unknown');
    expect(instanceTypesOf(nodeGroup({ launchTemplate: using(undefined) })).kind).toBe('unknown');
  });
});

describe('the AMI family of a node group', () => {
  const familyOf = (properties: Partial<NodeGroup>, ...others: EksResource[]): unknown => {
    const group = nodeGroup(properties);
    return summary(amiFamilyOf(group, viewOf(group, ...others)));
  };

  it.each([
    ['AL2_x86_64', 'AL2'],
    ['AL2_ARM_64', 'AL2'],
    ['AL2023_x86_64_NEURON', 'AL2023'],
    ['BOTTLEROCKET_ARM_64_NVIDIA_FIPS', 'BOTTLEROCKET'],
    ['WINDOWS_CORE_2025_x86_64', 'WINDOWS'],
  ])('is told by AMI type %s', (amiType, family) => {
    expect(familyOf({ amiType: known(amiType) })).toBe(family);
    expect(familyOfAmiType(amiType)).toBe(family);
  });

  it('is told by the AMI type even where a launch template brings an AMI', () => {
    expect(
      familyOf({
        amiType: known('AL2_x86_64'),
        launchTemplate: using(launchTemplate({ imageId: image('ami-1', 'AL2023') })),
      }),
    ).toBe('AL2');
  });

  it('is AL2023 by default, unless the version is known to be below 1.30', () => {
    expect(familyOf({}, cluster(known('1.33')))).toBe('AL2023');
    expect(familyOf({}, cluster(known('1.30')))).toBe('AL2023');
    expect(familyOf({}, cluster(known('1.29')))).toBe('AL2');
    expect(familyOf({ version: known('1.29') }, cluster(known('1.30')))).toBe('AL2');
    expect(familyOf({}, cluster(unknown('parameter V has no default')))).toBe('AL2023');
    expect(familyOf({}, cluster(absent))).toBe('AL2023');
    expect(familyOf({})).toBe('AL2023');
    expect(familyOf({ launchTemplate: using(launchTemplate()) })).toBe('AL2023');
  });

  it('is no newer by default than the cluster, where the version of the group is not known', () => {
    expect(familyOf({ version: unknown('parameter V has no default') }, cluster(known('1.27')))).toBe('AL2');
    expect(familyOf({ version: unknown('parameter V has no default') }, cluster(known('1.30')))).toBe('AL2023');
  });

  it('is not chosen by the release version, which at most casts doubt on a default that is guessed', () => {
    const releaseImage = image('/aws/service/eks/optimized-ami/1.33/amazon-linux-2/recommended/release_version', 'AL2');
    expect(familyOf({ releaseImage }, cluster(known('1.33')))).toBe('AL2023');
    expect(familyOf({ releaseImage, version: known('1.33') })).toBe('AL2023');
    expect(familyOf({ releaseImage }, cluster(known('1.29')))).toBe('AL2');
    expect(
      familyOf(
        {
          releaseImage: image(
            '/aws/service/eks/optimized-ami/1.29/amazon-linux-2023/x86_64/standard/recommended/release_version',
            'AL2023',
          ),
        },
        cluster(known('1.29')),
      ),
    ).toBe('AL2');
    expect(familyOf({ releaseImage })).toBe('unknown');
    expect(familyOf({ releaseImage }, cluster(unknown('parameter V has no default')))).toBe('unknown');
    expect(familyOf({ releaseImage, version: unknown('parameter V has no default') }, cluster(known('1.29')))).toBe(
      'AL2',
    );
    expect(familyOf({ releaseImage: image('1.33.0-20250715') })).toBe('AL2023');
    expect(familyOf({ releaseImage, amiType: known('AL2023_x86_64_STANDARD') })).toBe('AL2023');
  });

  it('is unknown when the AMI type is, or when it says nothing', () => {
    expect(familyOf({ amiType: unknown('parameter A has no default') })).toBe('unknown');
    expect(familyOf({ amiType: known('SOMETHING_NEW') })).toBe('unknown');
    expect(familyOf({ amiType: known('CUSTOM') })).toBe('unknown');
  });

  it('is unknown when a launch template elsewhere may bring an AMI', () => {
    expect(familyOf({ launchTemplate: using(undefined) })).toBe('unknown');
  });

  it("is the own AMI's, with or without AMI type CUSTOM", () => {
    const template = using(launchTemplate({ imageId: image('/aws/service/bottlerocket/x', 'BOTTLEROCKET') }));
    expect(familyOf({ launchTemplate: template })).toBe('BOTTLEROCKET');
    expect(familyOf({ launchTemplate: template, amiType: known('CUSTOM') })).toBe('BOTTLEROCKET');
  });

  it('is told by the user data when the own AMI tells nothing', () => {
    const userData = userDataOf('#!/bin/bash\n/etc/eks/bootstrap.sh main');
    expect(familyOf({ launchTemplate: using(launchTemplate({ imageId: image('ami-1'), userData })) })).toBe('AL2');
    expect(
      familyOf({ launchTemplate: using(launchTemplate({ imageId: unknown('parameter I has no default'), userData })) }),
    ).toBe('AL2');
    expect(familyOf({ launchTemplate: using(launchTemplate({ imageId: image('ami-1') })) })).toBe('unknown');
  });

  it('does not read user data where EKS chooses the AMI', () => {
    const userData = userDataOf('#!/bin/bash\n/etc/eks/bootstrap.sh main');
    expect(familyOf({ launchTemplate: using(launchTemplate({ userData })) })).toBe('AL2023');
  });

  it('keeps alternatives that differ and drops conditions that change nothing', () => {
    expect(familyOf({ amiType: either('IsOld', known('AL2_x86_64'), known('AL2023_x86_64_STANDARD')) })).toEqual([
      ['IsOld is true', 'AL2'],
      ['IsOld is false', 'AL2023'],
    ]);
    expect(
      familyOf({ amiType: either('IsArm', known('AL2023_ARM_64_STANDARD'), known('AL2023_x86_64_STANDARD')) }),
    ).toBe('AL2023');
  });
});

describe('a value under an assumption', () => {
  it('loses the alternatives that contradict it', () => {
    const value = either('Custom', known(1), known(2));
    expect(summary(under(when('Custom', false), value))).toEqual([['Custom is false', 2]]);
    expect(under(always, value)).toBe(value);
  });
});
