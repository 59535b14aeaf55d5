import { RESOURCE_TABLES } from '../../../eks/resources';
import { LAUNCH_TEMPLATE } from '../../../eks/resources/launch-template';
import { propertyPath, stepsOf, type ResourceTable, type Setting } from '../../../eks/resources/table';

/**
 * What the properties that the reader looks at must be. CloudFormation itself is lenient about scalars (`"2"` is a
 * number, `1.33` a version), but a list never stands for a map.
 */
export type Shape =
  | 'text'
  | 'boolean'
  /** Anything; checked by whoever reads it. */
  | 'any'
  | { readonly list: Shape }
  /** One value where a list may stand, as IAM allows. */
  | { readonly oneOrMore: Shape }
  | { readonly map: Readonly<Record<string, Shape>> }
  /** A map, or its JSON text. */
  | { readonly mapOrText: Readonly<Record<string, Shape>> };

const texts: Shape = { list: 'text' };

const policyDocument: Shape = {
  mapOrText: {
    Statement: {
      oneOrMore: {
        map: {
          Effect: 'text',
          Action: { oneOrMore: 'text' },
          NotAction: { oneOrMore: 'text' },
          Resource: { oneOrMore: 'text' },
          NotResource: { oneOrMore: 'text' },
          Condition: { map: {} },
        },
      },
    },
  },
};

const launchTemplateSpecification: Shape = {
  map: { LaunchTemplateId: 'text', LaunchTemplateName: 'text', Version: 'text' },
};

const ingressPeer = {
  SourceSecurityGroupId: 'text',
  SourceSecurityGroupName: 'text',
  SourcePrefixListId: 'text',
  CidrIp: 'text',
  CidrIpv6: 'text',
} as const;

const egressPeer = {
  DestinationSecurityGroupId: 'text',
  DestinationPrefixListId: 'text',
  CidrIp: 'text',
  CidrIpv6: 'text',
} as const;

const clusterPart = { ClusterName: 'text' } as const;

/** Shapes of `Properties`, by resource type. */
export const PROPERTY_SHAPES: ReadonlyMap<unknown, Readonly<Record<string, Shape>>> = new Map<
  string,
  Readonly<Record<string, Shape>>
>([
  ...RESOURCE_TABLES.flatMap((table) => table.cloudFormation.map((type) => [type, shapeOf(table)] as const)),
  [
    'AWS::AutoScaling::AutoScalingGroup',
    {
      Tags: { list: { map: { Key: 'text', Value: 'text' } } },
      LaunchTemplate: launchTemplateSpecification,
      LaunchConfigurationName: 'text',
      VPCZoneIdentifier: texts,
      MixedInstancesPolicy: {
        map: {
          LaunchTemplate: {
            map: {
              LaunchTemplateSpecification: launchTemplateSpecification,
              Overrides: {
                list: { map: { InstanceType: 'text', LaunchTemplateSpecification: launchTemplateSpecification } },
              },
            },
          },
        },
      },
    },
  ],
  [
    'AWS::EC2::SecurityGroup',
    { SecurityGroupIngress: { list: { map: ingressPeer } }, SecurityGroupEgress: { list: { map: egressPeer } } },
  ],
  ['AWS::EC2::SecurityGroupIngress', { GroupId: 'text', ...ingressPeer }],
  ['AWS::EC2::SecurityGroupEgress', { GroupId: 'text', ...egressPeer }],
  [
    'AWS::IAM::Role',
    {
      RoleName: 'text',
      AssumeRolePolicyDocument: policyDocument,
      ManagedPolicyArns: texts,
      Policies: { list: { map: { PolicyName: 'text', PolicyDocument: policyDocument } } },
    },
  ],
  ['AWS::IAM::Policy', { Roles: texts, PolicyDocument: policyDocument }],
  ['AWS::IAM::ManagedPolicy', { Roles: texts, PolicyDocument: policyDocument }],
  ['AWS::IAM::RolePolicy', { RoleName: 'text', PolicyDocument: policyDocument }],
  ['AWS::IAM::OIDCProvider', { Url: 'text', ClientIdList: texts }],
  ['Custom::AWSCDKOpenIdConnectProvider', { Url: 'text', ClientIDList: texts }],
  ['Custom::AWSCDK-EKS-KubernetesResource', clusterPart],
  ['Custom::AWSCDK-EKS-KubernetesPatch', { ...clusterPart, ResourceName: 'text', ResourceNamespace: 'text' }],
  [
    'Custom::AWSCDK-EKS-HelmChart',
    { ...clusterPart, Chart: 'text', Release: 'text', Namespace: 'text', Version: 'text' },
  ],
]);

/** The shape of the properties that a table describes. */
function shapeOf(table: ResourceTable): Readonly<Record<string, Shape>> {
  const shape: ShapeMap = {};
  for (const setting of Object.values(table.settings)) addTo(shape, propertyPath(table, setting), setting);
  return shape;
}

type ShapeMap = Record<string, Shape>;

function addTo(shape: ShapeMap, path: readonly string[] | undefined, setting: Setting): void {
  const [first, ...rest] = path ?? [];
  if (first === undefined || setting.type === 'any') return;
  if (rest.length === 0) {
    shape[first] = shapeOfSetting(setting);
    return;
  }
  const known = shape[first];
  const inner: ShapeMap = typeof known === 'object' && 'map' in known ? { ...known.map } : {};
  addTo(inner, rest, setting);
  shape[first] = { map: inner };
}

function shapeOfSetting(setting: Setting): Shape {
  if ('settings' in setting) {
    const inner: ShapeMap = {};
    for (const one of Object.values(setting.settings))
      addTo(inner, one.cloudFormation === undefined ? undefined : stepsOf(one.cloudFormation), one);
    return setting.type === 'block' ? { map: inner } : { list: { map: inner } };
  }
  switch (setting.type) {
    case 'boolean':
      return 'boolean';
    case 'texts':
    case 'subnets':
    case 'routeTables':
    case 'securityGroups':
      return texts;
    case 'tags':
      return { list: { map: { Key: 'text' } } };
    case 'present':
    case 'map':
      return { map: {} };
    case 'any':
      return 'any';
    case 'text':
    case 'word':
    case 'number':
    case 'amount':
    case 'cluster':
    case 'role':
    case 'subnet':
    case 'vpc':
    case 'routeTable':
      return 'text';
  }
}

/** Keys of a decision in a resource's metadata. */
export const SUPPRESSION_KEYS = ['rule', 'reason', 'until'] as const;

/** Shape of the `eks-guardrails` entry in a resource's metadata. The engine says what is wrong with a day. */
export const SUPPRESSION_SHAPE: Shape = {
  map: { suppress: { list: { map: { rule: 'text', reason: 'text', until: 'any' } } } },
};

/** A launch template has tags of its own beside those of its instances. */
const ALSO_BESIDE = 'TagSpecifications';

/** By type of resource, the property that holds all settings, and those of them that can't stand beside it. */
export const HELD_PROPERTIES: ReadonlyMap<unknown, { readonly holder: string; readonly held: ReadonlySet<string> }> =
  new Map(
    [LAUNCH_TEMPLATE].flatMap(({ cloudFormation, root, settings }) =>
      cloudFormation.map((type) => [type, { holder: root, held: heldIn(settings) }] as const),
    ),
  );

function heldIn(settings: Readonly<Record<string, Setting>>): ReadonlySet<string> {
  return new Set(
    Object.values(settings).flatMap(({ cloudFormation, isBesideRoot }) => {
      const [first] = cloudFormation === undefined || isBesideRoot === true ? [] : stepsOf(cloudFormation);
      return first === undefined || first === ALSO_BESIDE ? [] : [first];
    }),
  );
}
