import { parseDocument } from '../../../lib/languages';
import { vpcCni } from '../../../lib/knowledge';
import { isMap, untranslatable, type JsonMap } from '../../rules/terraform/untranslatable';
import { TemplateTranslation, translated, type Declared } from '../template-translation';
import { arn, clusterAnswer, emptyLists, objectLists, type Files } from './dumps';

/** A template of CloudFormation, said again as what AWS and Kubernetes would answer once it is deployed. */
export interface LiveTwin {
  readonly files: Files;
  /** Logical ids of what is called otherwise, by type and id. */
  readonly ids: ReadonlyMap<string, string>;
}

/** @returns the reason if no answer can say the same */
export function translateToAnswers(template: string): LiveTwin | string {
  return translated(template, (root) => new Translation(root, ['Metadata']).twin());
}

const KNOWN = new Set([
  'AWS::EKS::Cluster',
  'AWS::EKS::Nodegroup',
  'AWS::EKS::Addon',
  'AWS::EKS::FargateProfile',
  'AWS::EKS::AccessEntry',
  'AWS::EKS::PodIdentityAssociation',
  'AWS::EC2::LaunchTemplate',
  'AWS::EC2::Subnet',
  'AWS::IAM::Role',
  'Custom::AWSCDK-EKS-KubernetesResource',
]);

class Translation extends TemplateTranslation {
  twin(): LiveTwin {
    for (const { type } of this.resources) if (!KNOWN.has(type)) untranslatable('a resource that no dump has');
    const [cluster, other] = this.all('AWS::EKS::Cluster');
    if (cluster === undefined || other !== undefined) return untranslatable('no cluster, or several');
    const groups = this.all('AWS::EKS::Nodegroup').map((group) => this.group(group, cluster));
    const addons = this.all('AWS::EKS::Addon').map((addon) => this.addon(addon));
    const names = addons.map(({ addonName }) => String(addonName));
    if (new Set(names).size < names.length) untranslatable('an add-on twice');
    const associations = this.all('AWS::EKS::PodIdentityAssociation').map((one) => this.association(one));
    const entries = this.all('AWS::EKS::AccessEntry').map((one) => this.settings(one.properties));
    const profiles = this.all('AWS::EKS::FargateProfile').map(({ id, properties }): JsonMap => {
      this.ids.set(`eks:fargateprofile ${id}`, id);
      return { ...this.settings(properties), fargateProfileName: id };
    });
    const objects = this.all('Custom::AWSCDK-EKS-KubernetesResource').flatMap((one) => this.objects(one));
    const cni = addons.find(({ addonName }) => addonName === 'vpc-cni');
    return {
      files: {
        ...clusterAnswer(cluster.id, this.cluster(cluster)),
        ...emptyLists(),
        'nodegroups.json': { nodegroups: groups.map(({ nodegroupName }) => nodegroupName) },
        ...Object.fromEntries(
          groups.map((one) => [`nodegroup-${String(one['nodegroupName'])}.json`, { nodegroup: one }]),
        ),
        'addons.json': { addons: names },
        ...Object.fromEntries(addons.map((one) => [`addon-${String(one['addonName'])}.json`, { addon: one }])),
        'pod-identity-associations.json': { associations },
        ...Object.fromEntries(associations.map((association, index) => [`association-${index}.json`, { association }])),
        'access-entries.json': { accessEntries: entries.map(({ principalArn }) => principalArn) },
        ...Object.fromEntries(entries.map((accessEntry, index) => [`access-entry-${index}.json`, { accessEntry }])),
        'fargate-profiles.json': { fargateProfileNames: profiles.map(({ fargateProfileName }) => fargateProfileName) },
        ...Object.fromEntries(profiles.map((fargateProfile, index) => [`profile-${index}.json`, { fargateProfile }])),
        ...this.templates(),
        ...this.roles(),
        'subnets.json': { Subnets: this.all('AWS::EC2::Subnet').map((one) => this.subnet(one)) },
        ...objectLists([...objects, ...(cni === undefined ? [] : [daemonSet(cni)])]),
      },
      ids: this.ids,
    };
  }

  /** The text that a reference comes to once all is deployed. */
  private value(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!isMap(value)) return value;
    const [key = '', ...others] = Object.keys(value);
    if (others.length > 0 || !/^(?:Ref$|Fn::|Condition$)/.test(key))
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.value(item)]));
    const target = key === 'Ref' ? value['Ref'] : key === 'Fn::GetAtt' ? value['Fn::GetAtt'] : undefined;
    const [id, attribute] = (Array.isArray(target) ? target : typeof target === 'string' ? target.split('.') : []) as
      | readonly string[]
      | readonly [string, string | undefined];
    const declared = this.resources.find((one) => one.id === id);
    if (declared === undefined) return untranslatable('a value that is put together');
    if (key === 'Ref') return declared.type === 'AWS::EC2::Subnet' ? `subnet-${id}` : id;
    if (attribute === 'Arn' && declared.type === 'AWS::IAM::Role') return arn('iam', `role/${id}`);
    if (attribute === 'LatestVersionNumber' || attribute === 'DefaultVersionNumber') return '1';
    if (attribute === 'ClusterSecurityGroupId') return 'sg-0c000000000000001';
    return untranslatable('a value that is put together');
  }

  /** Properties of EKS as its API answers them. */
  private settings(properties: JsonMap): JsonMap {
    return smallLetters(this.value(properties)) as JsonMap;
  }

  private cluster({ properties }: Declared): JsonMap {
    if (properties['Version'] === undefined) untranslatable('what EKS chooses itself');
    const { name: _name, bootstrapSelfManagedAddons: bootstrap, ...others } = this.settings(properties);
    if (bootstrap !== undefined) untranslatable('what EKS does not tell afterwards');
    const vpc = others['resourcesVpcConfig'];
    if (!isMap(vpc)) return others;
    return {
      ...others,
      resourcesVpcConfig: {
        clusterSecurityGroupId: 'sg-0c000000000000001',
        ...vpc,
      },
    };
  }

  private group({ id, properties }: Declared, cluster: Declared): JsonMap {
    const { forceUpdateEnabled: _force, nodegroupName: _name, ...settings } = this.settings(properties);
    const use = properties['LaunchTemplate'];
    const template =
      isMap(use) && isMap(use['Id'])
        ? this.resources.find((one) => one.id === (use['Id'] as JsonMap)['Ref'])
        : undefined;
    if (use !== undefined && template === undefined) untranslatable('a launch template by another name');
    const data = template?.properties['LaunchTemplateData'];
    const hasImage = isMap(data) && data['ImageId'] !== undefined;
    if (settings['amiType'] === undefined && !hasImage) untranslatable('what EKS chooses itself');
    const used = settings['launchTemplate'];
    if (isMap(used) && used['version'] === undefined) untranslatable('a version of the launch template');
    this.ids.set(`eks:nodegroup ${id}`, id);
    const hasTypes = settings['instanceTypes'] !== undefined || (isMap(data) && data['InstanceType'] !== undefined);
    if (!hasTypes) untranslatable('what EKS chooses itself');
    return {
      version: cluster.properties['Version'],
      capacityType: 'ON_DEMAND',
      ...(hasImage ? { amiType: 'CUSTOM' } : {}),
      ...settings,
      nodegroupName: id,
      nodegroupArn: arn('eks', `nodegroup/${cluster.id}/${id}/1`),
    };
  }

  private templates(): Files {
    return Object.fromEntries(
      this.all('AWS::EC2::LaunchTemplate').map(({ id, properties }) => [
        `launch-template-${id}.json`,
        {
          LaunchTemplateVersions: [
            {
              LaunchTemplateId: id,
              LaunchTemplateName: id,
              VersionNumber: 1,
              DefaultVersion: true,
              LaunchTemplateData: this.value(properties['LaunchTemplateData'] ?? {}),
            },
          ],
        },
      ]),
    );
  }

  private addon({ id, properties }: Declared): JsonMap {
    const {
      resolveConflicts: _mode,
      preserveOnDelete: _preserve,
      podIdentityAssociations: own,
      ...settings
    } = this.settings(properties);
    if (own !== undefined) untranslatable('associations of an add-on');
    if (settings['addonVersion'] === undefined) untranslatable('what EKS chooses itself');
    this.ids.set(`eks:addon ${String(settings['addonName'])}`, id);
    return { ...settings, addonArn: arn('eks', `addon/x/${id}/1`) };
  }

  private association({ id, properties }: Declared): JsonMap {
    const settings = this.settings(properties);
    this.ids.set(
      `eks:podidentityassociation ${String(settings['namespace'])}/${String(settings['serviceAccount'])}`,
      id,
    );
    return { ...settings, associationArn: arn('eks', `podidentityassociation/x/${id}`), associationId: id };
  }

  private subnet({ id, properties }: Declared): JsonMap {
    this.ids.set(`ec2:subnet subnet-${id}`, id);
    return { ...(this.value(properties) as JsonMap), SubnetId: `subnet-${id}` };
  }

  private roles(): Files {
    return Object.fromEntries(
      this.all('AWS::IAM::Role').flatMap(({ id, properties }) => {
        const {
          AssumeRolePolicyDocument: trust,
          Policies: policies = [],
          ManagedPolicyArns: arns = [],
        } = this.value(properties) as JsonMap;
        if (!Array.isArray(policies) || !Array.isArray(arns)) return untranslatable('a value that is put together');
        const inline = policies as readonly JsonMap[];
        return [
          [
            `role-${id}.json`,
            { Role: { RoleName: id, Arn: arn('iam', `role/${id}`), AssumeRolePolicyDocument: trust } },
          ],
          [
            `role-${id}.attached-policies.json`,
            {
              AttachedPolicies: (arns as readonly string[]).map((policy) => ({
                PolicyArn: policy,
                PolicyName: policy.replace(/^.*\//, ''),
              })),
            },
          ],
          [`role-${id}.inline-policies.json`, { PolicyNames: inline.map(({ PolicyName: name }) => name) }],
          ...inline.map((policy, index) => [
            `role-${id}.policy-${index}.json`,
            { RoleName: id, PolicyName: policy['PolicyName'], PolicyDocument: policy['PolicyDocument'] },
          ]),
        ] as [string, unknown][];
      }),
    );
  }

  private objects({ id, properties }: Declared): readonly JsonMap[] {
    const { Manifest: text } = properties;
    if (typeof text !== 'string') return untranslatable('a value that is put together');
    const objects = JSON.parse(text) as readonly JsonMap[];
    const [only, other] = objects;
    if (only === undefined || other !== undefined) return untranslatable('several objects in one manifest');
    const { kind, metadata } = only;
    const named = isMap(metadata) ? metadata : {};
    const [name, namespace] = [named['name'], named['namespace']].map((one) => (typeof one === 'string' ? one : ''));
    this.ids.set(`kubernetes:${String(kind)} ${namespace === '' ? '' : `${namespace ?? ''}/`}${name ?? ''}`, id);
    return [{ ...only, metadata: { ...named, uid: `uid-${id}`, resourceVersion: '1' } }];
  }
}

/** What EKS makes of the add-on: the settings that it writes, and those of the configuration values. */
function daemonSet({ configurationValues: text, addonVersion: version }: JsonMap): JsonMap {
  const { root } = typeof text === 'string' ? parseDocument(text, 'values.yaml', false) : { root: {} };
  const values = isMap(root) ? root : {};
  const init = isMap(values['init']) ? values['init']['env'] : {};
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'aws-node', namespace: 'kube-system', uid: 'uid-aws-node', resourceVersion: '1' },
    spec: {
      template: {
        spec: {
          containers: [
            { name: 'aws-node', env: [...variables('env', values['env'], String(version)), ...extraVariables(values)] },
          ],
          initContainers: [{ name: 'aws-vpc-cni-init', env: variables('init.env', init, String(version)) }],
        },
      },
    },
  };
}

function variables(path: string, configured: unknown, version: string): readonly JsonMap[] {
  const rendered = vpcCni.keys.flatMap((key): [string, unknown][] =>
    key.rendered === true &&
    key.path.startsWith(`${path}.`) &&
    key.path.split('.').length === path.split('.').length + 1
      ? [[key.path.slice(path.length + 1), vpcCni.defaultOf(key, version)]]
      : [],
  );
  const own = isMap(configured) ? configured : {};
  return Object.entries({ ...Object.fromEntries(rendered), ...own }).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ name, value }] : [],
  );
}

function extraVariables({ extraEnv: extra }: JsonMap): readonly JsonMap[] {
  return Array.isArray(extra) ? (extra as readonly unknown[]).filter(isMap) : [];
}

/** Names of the API begin with small letters; those of labels stay as they are. */
function smallLetters(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(smallLetters);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key.charAt(0).toLowerCase() + key.slice(1),
      key === 'Labels' ? item : smallLetters(item),
    ]),
  );
}
