import { stringify } from 'yaml';
import { amiTypeFor } from '../../../lib/front-ends/eksctl/families';
import { isMap, untranslatable, type JsonMap } from '../../rules/terraform/untranslatable';
import { TemplateTranslation, translated, type Declared } from '../template-translation';
import { userDataTwin } from './user-data-twin';

/** A template of CloudFormation, said again as a ClusterConfig. */
export interface ConfigTwin {
  readonly text: string;
  /** Logical ids of what eksctl calls otherwise, by type and id. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * @param rule the rule to judge it: what eksctl has no word for is left out where the rule doesn't look at it
 * @returns the reason if eksctl can't say the same
 */
export function translateToConfig(template: string, rule: string): ConfigTwin | string {
  return translated(template, (root) => new Translation(root, rule).twin());
}

class Translation extends TemplateTranslation {
  constructor(
    root: JsonMap,
    private readonly rule: string,
  ) {
    super(root);
  }

  twin(): ConfigTwin {
    const clusters = this.all('AWS::EKS::Cluster');
    const [cluster, other] = clusters;
    if (cluster === undefined || other !== undefined) return untranslatable('no cluster, or several');
    for (const { type } of this.resources) if (!KNOWN.has(type)) untranslatable(reasonOf(type));
    const groups = this.all('AWS::EKS::Nodegroup').map((group) => this.group(group));
    const uses = groups.flatMap(({ template }) => template ?? []);
    const used = new Set(uses);
    if (used.size < uses.length) untranslatable('a launch template of several groups');
    if (this.all('AWS::EC2::LaunchTemplate').some(({ id }) => !used.has(id)))
      untranslatable('a launch template that no group uses, or several');
    const addons = this.all('AWS::EKS::Addon').map((addon) => this.addon(addon));
    const profiles = this.all('AWS::EKS::FargateProfile').map((profile) => this.profile(profile));
    const associations = this.all('AWS::EKS::PodIdentityAssociation').map((one) => this.association(one));
    return {
      text: stringify({
        apiVersion: 'eksctl.io/v1alpha5',
        kind: 'ClusterConfig',
        ...this.cluster(cluster, associations),
        addonsConfig: { disableDefaultAddons: true },
        ...(addons.length === 0 ? {} : { addons }),
        ...(profiles.length === 0 ? {} : { fargateProfiles: profiles }),
        ...(groups.length === 0 ? {} : { managedNodeGroups: groups.map(({ config }) => config) }),
      }),
      ids: this.ids,
    };
  }

  private cluster({ id, properties }: Declared, associations: readonly JsonMap[]): JsonMap {
    const {
      Name: _name,
      RoleArn: role,
      Version: version,
      KubernetesNetworkConfig: network,
      ComputeConfig: compute,
      AccessConfig: access,
      UpgradePolicy: policy,
      ResourcesVpcConfig: vpc,
      ...others
    } = properties;
    nothingElse(others, 'a property of the cluster');
    // eksctl makes subnets and security groups, and no rule of a single setting asks for them.
    const { SubnetIds: _subnets, SecurityGroupIds: _groups, ...reach } = isMap(vpc) ? vpc : {};
    nothingElse(reach, 'the VPC of the cluster');
    const { IpFamily: family, ServiceIpv4Cidr: cidr, ...rest } = isMap(network) ? network : {};
    nothingElse(rest, 'a property of the cluster');
    return {
      metadata: { name: id, region: '${REGION}', ...(version === undefined ? {} : { version: text(version) }) },
      iam: {
        ...(role === undefined ? {} : { serviceRoleARN: text(role) }),
        ...(associations.length === 0 ? {} : { podIdentityAssociations: associations }),
      },
      ...(family === undefined && cidr === undefined
        ? {}
        : {
            kubernetesNetworkConfig: {
              ...(family === undefined ? {} : { ipFamily: text(family) }),
              ...(cidr === undefined ? {} : { serviceIPv4CIDR: text(cidr) }),
            },
          }),
      ...(isMap(compute) ? { autoModeConfig: { enabled: compute['Enabled'] } } : {}),
      ...(isMap(access) ? { accessConfig: { authenticationMode: text(access['AuthenticationMode']) } } : {}),
      ...(isMap(policy) ? { upgradePolicy: { supportType: text(policy['SupportType']) } } : {}),
    };
  }

  private group({ id, properties }: Declared): { readonly config: JsonMap; readonly template: string | undefined } {
    const {
      ClusterName: _cluster,
      NodegroupName: _name,
      NodeRole: role,
      Subnets: subnets,
      ScalingConfig: scaling,
      InstanceTypes: types,
      AmiType: amiType,
      CapacityType: capacity,
      ReleaseVersion: release,
      Labels: labels,
      Taints: taints,
      UpdateConfig: update,
      LaunchTemplate: template,
      Tags: _tags,
      ForceUpdateEnabled: force,
      ...others
    } = properties;
    nothingElse(others, 'a property of the group');
    if (force !== undefined && this.rule === 'node-group-force-update') untranslatable('a property of the group');
    const {
      MinSize: minSize,
      MaxSize: maxSize,
      DesiredSize: desiredCapacity,
      ...sizes
    } = isMap(scaling) ? scaling : {};
    nothingElse(sizes, 'a property of the group');
    const names = Array.isArray(types) ? types.map(text) : undefined;
    const family = amiType === undefined ? undefined : familyOf(text(amiType), names ?? ['t3.medium']);
    const used = template === undefined ? undefined : this.template(template, family);
    const numbers = given({ minSize, maxSize, desiredCapacity });
    if (update !== undefined && isMap(update) && update['UpdateStrategy'] !== undefined)
      untranslatable('an update strategy');
    return {
      template: used?.id,
      config: {
        name: id,
        iam: { instanceRoleARN: text(role) },
        ...(Array.isArray(subnets) ? { subnets: subnets.map(text) } : {}),
        // What EKS takes where nobody names one; eksctl's own default is another.
        instanceTypes: names ?? ['t3.medium'],
        ...given({ amiFamily: family }),
        ...Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, number(value)])),
        ...(capacity === 'SPOT'
          ? { spot: true }
          : capacity === undefined || capacity === 'ON_DEMAND'
            ? {}
            : untranslatable('a capacity type')),
        ...(release === undefined ? {} : { releaseVersion: text(release) }),
        ...(labels === undefined ? {} : { labels: texts(labels) }),
        ...(taints === undefined ? {} : { taints: taintList(taints) }),
        ...(isMap(update)
          ? {
              updateConfig: Object.fromEntries(
                Object.entries(update).map(([key, value]) => [
                  key.charAt(0).toLowerCase() + key.slice(1),
                  number(value),
                ]),
              ),
            }
          : {}),
        ...used?.settings,
      },
    };
  }

  private template(use: unknown, family: string | undefined): { readonly id: string; readonly settings: JsonMap } {
    const id = isMap(use) && isMap(use['Id']) ? use['Id']['Ref'] : undefined;
    const declared = this.resources.find((one) => one.id === id && one.type === 'AWS::EC2::LaunchTemplate');
    if (declared === undefined) return untranslatable('a launch template by another name');
    const version = isMap(use) ? use['Version'] : undefined;
    if (!JSON.stringify(version ?? '').includes('LatestVersionNumber'))
      untranslatable('a version of the launch template');
    const { LaunchTemplateData: data, ...others } = declared.properties;
    nothingElse(others, 'a property of the launch template');
    const { MetadataOptions: options, ImageId: image, UserData: userData, ...rest } = isMap(data) ? data : {};
    nothingElse(rest, 'a property of the launch template');
    const own = image === undefined && userData === undefined ? {} : userDataTwin(userData, image, family, this.rule);
    this.ids.set('managedNodeGroups.launchTemplate', String(id));
    if (options === undefined && !this.rule.includes('imds')) return { id: String(id), settings: own };
    const { HttpTokens: tokens, HttpPutResponseHopLimit: hop, ...more } = isMap(options) ? options : {};
    nothingElse(more, 'metadata options that eksctl has no setting for');
    const isRequired = tokens === 'required';
    if ((tokens !== 'required' && tokens !== 'optional') || (hop !== 2 && hop !== 1))
      untranslatable('metadata options that eksctl has no setting for');
    if (hop === 1 && !isRequired) untranslatable('metadata options that eksctl has no setting for');
    return {
      id: String(id),
      settings: {
        ...own,
        ...(hop === 1 ? { disablePodIMDS: true } : {}),
        ...(isRequired ? {} : { disableIMDSv1: false }),
      },
    };
  }

  private profile({ id, properties }: Declared): JsonMap {
    const { Selectors: selectors } = properties;
    if (!Array.isArray(selectors)) return untranslatable('a value that is put together');
    return {
      name: id,
      selectors: selectors.map((selector: unknown) => {
        const { Namespace: namespace, Labels: labels } = isMap(selector) ? selector : {};
        return { namespace: text(namespace), ...(labels === undefined ? {} : { labels: { app: 'shop' } }) };
      }),
    };
  }

  private association({ id, properties }: Declared): JsonMap {
    const [namespace, serviceAccountName] = [text(properties['Namespace']), text(properties['ServiceAccount'])];
    this.ids.set(`iam.podIdentityAssociations ${namespace}/${serviceAccountName}`, id);
    return { namespace, serviceAccountName, roleARN: text(properties['RoleArn']) };
  }

  private addon({ id, properties }: Declared): JsonMap {
    const {
      ClusterName: _cluster,
      AddonName: name,
      AddonVersion: version,
      ResolveConflicts: mode,
      ConfigurationValues: values,
      ServiceAccountRoleArn: role,
      PreserveOnDelete: preserve,
      Tags: _tags,
      ...others
    } = properties;
    nothingElse(others, 'a property of the add-on');
    if (preserve !== undefined && this.rule === 'addon-preserve-on-delete') untranslatable('a property of the add-on');
    if (role !== undefined) untranslatable('a role of the add-on, for which eksctl wants an OIDC provider of its own');
    if (values !== undefined && typeof values !== 'string')
      untranslatable('configuration values that are put together');
    this.ids.set(`addons ${text(name)}`, id);
    return {
      name: text(name),
      ...(version === undefined ? {} : { version: text(version) }),
      ...(mode === undefined ? {} : { resolveConflicts: text(mode) }),
      ...(values === undefined ? {} : { configurationValues: values }),
    };
  }
}

const KNOWN = new Set([
  'AWS::EC2::LaunchTemplate',
  'AWS::EKS::Addon',
  'AWS::EKS::Cluster',
  'AWS::EKS::FargateProfile',
  'AWS::EKS::Nodegroup',
  'AWS::EKS::PodIdentityAssociation',
]);

/** Why a ClusterConfig doesn't say what a resource of a type says. */
function reasonOf(type: string): string {
  if (/^(?:Custom::|AWSQS::)/.test(type)) return 'objects and charts of Kubernetes, which stand in files of their own';
  if (type.startsWith('AWS::IAM::')) return 'roles and policies with documents of their own';
  if (type.startsWith('AWS::EC2::')) return 'a network that eksctl makes by itself';
  return 'a resource that eksctl does not make';
}

const FAMILIES: readonly (readonly [pattern: RegExp, family: string])[] = [
  [/^AL2023_/, 'AmazonLinux2023'],
  [/^AL2_/, 'AmazonLinux2'],
  [/^BOTTLEROCKET_.*_FIPS$/, 'BottlerocketFips'],
  [/^BOTTLEROCKET_/, 'Bottlerocket'],
  [/^WINDOWS_CORE_2022/, 'WindowsServer2022CoreContainer'],
  [/^WINDOWS_FULL_2022/, 'WindowsServer2022FullContainer'],
  [/^WINDOWS_CORE_2019/, 'WindowsServer2019CoreContainer'],
];

/** The family whose AMI type eksctl works out to be this one. */
function familyOf(amiType: string, types: readonly string[]): string {
  const family = FAMILIES.find(([pattern]) => pattern.test(amiType))?.[1];
  const [first = ''] = types;
  if (family === undefined || amiTypeFor(family, first) !== amiType)
    return untranslatable('an AMI type that eksctl would not choose');
  return family;
}

function nothingElse(others: JsonMap, what: string): void {
  if (Object.keys(others).length > 0) untranslatable(what);
}

function given(map: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined));
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : untranslatable('a value that is put together');
}

function number(value: unknown): number {
  const found = Number(value);
  return typeof value === 'object' || !Number.isInteger(found) ? untranslatable('a number that is none') : found;
}

function texts(map: unknown): JsonMap {
  if (!isMap(map)) return untranslatable('a value that is put together');
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, text(value)]));
}

function taintList(taints: unknown): readonly JsonMap[] {
  if (!Array.isArray(taints)) return untranslatable('a value that is put together');
  return taints.map((taint: unknown) => {
    const { Key: key, Value: value, Effect: effect } = isMap(taint) ? taint : {};
    const effects: Readonly<Record<string, string>> = {
      NO_SCHEDULE: 'NoSchedule',
      NO_EXECUTE: 'NoExecute',
      PREFER_NO_SCHEDULE: 'PreferNoSchedule',
    };
    return { ...given({ key, value }), effect: effects[text(effect)] ?? text(effect) };
  });
}
