import { stringify } from 'yaml';
import { amiTypeFor } from '../../../lib/front-ends/eksctl/families';
import { isMap, untranslatable, type JsonMap } from '../../rules/terraform/untranslatable';
import { TemplateTranslation, translated, type Declared } from '../template-translation';

/** A template of CloudFormation, said again as a ClusterConfig. */
export interface ConfigTwin {
  readonly text: string;
  /** Logical ids of what eksctl calls otherwise, by type and id. */
  readonly ids: ReadonlyMap<string, string>;
}

/** @returns the reason if eksctl can't say the same */
export function translateToConfig(template: string): ConfigTwin | string {
  return translated(template, (root) => new Translation(root).twin());
}

class Translation extends TemplateTranslation {
  twin(): ConfigTwin {
    const clusters = this.all('AWS::EKS::Cluster');
    const [cluster, other] = clusters;
    if (cluster === undefined || other !== undefined) return untranslatable('no cluster, or several');
    for (const { type } of this.resources)
      if (!KNOWN.has(type)) untranslatable('a resource that eksctl makes by itself, or none that it makes');
    const groups = this.all('AWS::EKS::Nodegroup').map((group) => this.group(group));
    const used = new Set(groups.flatMap(({ template }) => template ?? []));
    if (this.all('AWS::EC2::LaunchTemplate').some(({ id }) => !used.has(id)))
      untranslatable('a launch template that no group uses, or several');
    const addons = this.all('AWS::EKS::Addon').map((addon) => this.addon(addon));
    return {
      text: stringify({
        apiVersion: 'eksctl.io/v1alpha5',
        kind: 'ClusterConfig',
        ...this.cluster(cluster),
        addonsConfig: { disableDefaultAddons: true },
        ...(addons.length === 0 ? {} : { addons }),
        ...(groups.length === 0 ? {} : { managedNodeGroups: groups.map(({ config }) => config) }),
      }),
      ids: this.ids,
    };
  }

  private cluster({ id, properties }: Declared): JsonMap {
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
    if (vpc !== undefined) untranslatable('the VPC of the cluster');
    const { IpFamily: family, ServiceIpv4Cidr: cidr, ...rest } = isMap(network) ? network : {};
    nothingElse(rest, 'a property of the cluster');
    return {
      metadata: { name: id, region: '${REGION}', ...(version === undefined ? {} : { version: text(version) }) },
      iam: role === undefined ? {} : { serviceRoleARN: text(role) },
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
      ...others
    } = properties;
    nothingElse(others, 'a property of the group');
    const {
      MinSize: minSize,
      MaxSize: maxSize,
      DesiredSize: desiredCapacity,
      ...sizes
    } = isMap(scaling) ? scaling : {};
    nothingElse(sizes, 'a property of the group');
    const names = Array.isArray(types) ? types.map(text) : undefined;
    const used = template === undefined ? undefined : this.template(template);
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
        ...(amiType === undefined ? {} : { amiFamily: familyOf(text(amiType), names ?? ['t3.medium']) }),
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

  private template(use: unknown): { readonly id: string; readonly settings: JsonMap } {
    const id = isMap(use) && isMap(use['Id']) ? use['Id']['Ref'] : undefined;
    const declared = this.resources.find((one) => one.id === id && one.type === 'AWS::EC2::LaunchTemplate');
    if (declared === undefined) return untranslatable('a launch template by another name');
    const version = isMap(use) ? use['Version'] : undefined;
    if (!JSON.stringify(version ?? '').includes('LatestVersionNumber'))
      untranslatable('a version of the launch template');
    const { LaunchTemplateData: data, ...others } = declared.properties;
    nothingElse(others, 'a property of the launch template');
    const { MetadataOptions: options, ...rest } = isMap(data) ? data : {};
    nothingElse(rest, 'a property of the launch template');
    const { HttpTokens: tokens, HttpPutResponseHopLimit: hop, ...more } = isMap(options) ? options : {};
    nothingElse(more, 'metadata options that eksctl has no setting for');
    const isRequired = tokens === 'required';
    if ((tokens !== 'required' && tokens !== 'optional') || (hop !== 2 && hop !== 1))
      untranslatable('metadata options that eksctl has no setting for');
    if (hop === 1 && !isRequired) untranslatable('metadata options that eksctl has no setting for');
    this.ids.set('managedNodeGroups.launchTemplate', String(id));
    return {
      id: String(id),
      settings: { ...(hop === 1 ? { disablePodIMDS: true } : {}), ...(isRequired ? {} : { disableIMDSv1: false }) },
    };
  }

  private addon({ id, properties }: Declared): JsonMap {
    const {
      ClusterName: _cluster,
      AddonName: name,
      AddonVersion: version,
      ResolveConflicts: mode,
      ConfigurationValues: values,
      ServiceAccountRoleArn: role,
      ...others
    } = properties;
    nothingElse(others, 'a property of the add-on');
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

const KNOWN = new Set(['AWS::EKS::Cluster', 'AWS::EKS::Nodegroup', 'AWS::EKS::Addon', 'AWS::EC2::LaunchTemplate']);

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
