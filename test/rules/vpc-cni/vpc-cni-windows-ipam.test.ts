import { vpcCniWindowsIpam } from '../../../lib/rules/vpc-cni/vpc-cni-windows-ipam';
import {
  addon,
  block,
  CLUSTER,
  helmChart,
  manifest,
  namedNodeGroup,
  onCondition,
  resources,
  template,
} from '../node-templates';
import { testRule } from '../rule-tester';
import { cni } from './pod-security-group-templates';

const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const PARAMETER = 'Parameters:\n  P: { Type: String }';

const WINDOWS = namedNodeGroup('Windows', 'AmiType: WINDOWS_CORE_2022_x86_64');
const LINUX = namedNodeGroup('Linux', 'AmiType: AL2023_x86_64_STANDARD');
const ON = cni({ enableWindowsIpam: 'true' });
const OFF = cni(undefined);

function configMap(data: object = { 'enable-windows-ipam': 'true' }, namespace = 'kube-system', id = 'Config'): string {
  return manifest(id, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'amazon-vpc-cni', namespace }, data });
}

/** The version before the setting, where the ConfigMap is the only way. */
const OLD = cni(undefined, 'v1.13.4-eksbuild.1');

const PATCH = block('Patch', 'Custom::AWSCDK-EKS-KubernetesPatch', [
  'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  'ClusterName: !Ref Cluster',
  'ResourceName: configmap/amazon-vpc-cni',
  'ResourceNamespace: kube-system',
  `ApplyPatchJson: '{"data":{"enable-windows-ipam":"true"}}'`,
  "RestorePatchJson: '{}'",
  'PatchType: merge',
]);

testRule(vpcCniWindowsIpam, {
  valid: [
    { name: 'the setting of the add-on', template: resources(CLUSTER, WINDOWS, LINUX, ON) },
    { name: 'another spelling of true', template: resources(CLUSTER, WINDOWS, LINUX, cni({ enableWindowsIpam: '1' })) },
    {
      name: 'the ConfigMap, with an add-on that has no setting',
      template: resources(CLUSTER, WINDOWS, LINUX, OLD, configMap()),
    },
    { name: 'the ConfigMap, without an add-on', template: resources(CLUSTER, WINDOWS, LINUX, configMap()) },
    { name: 'a patch of the ConfigMap, without an add-on', template: resources(CLUSTER, WINDOWS, LINUX, PATCH) },
    {
      name: 'the setting of the Helm chart',
      template: resources(CLUSTER, WINDOWS, LINUX, helmChart('Network', 'aws-vpc-cni', { enableWindowsIpam: true })),
    },
    {
      name: 'the ConfigMap for other settings beside the add-on',
      template: resources(CLUSTER, WINDOWS, LINUX, ON, configMap({ 'warm-ip-target': '2' })),
    },
    {
      name: 'an add-on of an imported cluster',
      template: resources(...[WINDOWS, LINUX, ON].map((one) => one.replace('!Ref Cluster', 'elsewhere'))),
    },
    {
      name: 'the setting wherever there are Windows nodes',
      template: template(
        CONDITION,
        CLUSTER,
        LINUX,
        onCondition('IsProduction', WINDOWS),
        cni({}).replace("'{}'", '!If [IsProduction, \'{"enableWindowsIpam":"true"}\', \'{}\']'),
      ),
    },
    {
      name: 'the add-on in one branch and the ConfigMap in the other',
      template: template(
        `${CONDITION}\n  IsTest: !Not [!Condition IsProduction]`,
        CLUSTER,
        WINDOWS,
        LINUX,
        onCondition('IsProduction', ON),
        onCondition('IsTest', configMap()),
      ),
    },
  ],
  invalid: [
    {
      name: 'an add-on without the setting',
      template: resources(CLUSTER, LINUX, WINDOWS, OFF),
      findings: [
        {
          message: 'off',
          severity: 'error',
          resource: 'Cni',
          at: 'Properties: # cni',
          related: ['Windows:'],
          says: ['The add-on "Cni" leaves `enableWindowsIpam` off', '"Windows"', 'ContainerCreating'],
          omits: ['This happens when'],
        },
      ],
      fixed: resources(CLUSTER, LINUX, WINDOWS, ON),
    },
    {
      name: 'the setting off, for two groups',
      template: resources(
        CLUSTER,
        LINUX,
        WINDOWS,
        namedNodeGroup('More', 'AmiType: WINDOWS_FULL_2022_x86_64'),
        cni({ enableWindowsIpam: 'false' }),
      ),
      findings: [
        {
          message: 'off',
          severity: 'error',
          resource: 'Cni',
          at: 'ConfigurationValues',
          related: ['Windows:', 'More:'],
          says: ['"Windows" and "More"'],
        },
      ],
    },
    {
      name: 'an old add-on, for which the ConfigMap is the way',
      template: resources(CLUSTER, LINUX, WINDOWS, OLD),
      findings: [{ message: 'off', severity: 'error', resource: 'Cni', at: 'Properties: # cni' }],
      fixed: resources(CLUSTER, LINUX, WINDOWS, OLD, configMap()),
    },
    {
      name: 'the ConfigMap in another namespace',
      template: resources(CLUSTER, LINUX, WINDOWS, OLD, configMap(undefined, 'default')),
      findings: [{ message: 'off', severity: 'error', resource: 'Cni', at: 'Properties: # cni' }],
    },
    {
      name: 'Windows nodes in one branch',
      template: template(CONDITION, CLUSTER, LINUX, onCondition('IsProduction', WINDOWS), OFF),
      findings: [
        { message: 'off', severity: 'error', resource: 'Cni', at: 'Properties: # cni', says: ['IsProduction is true'] },
      ],
    },
    {
      name: 'the Helm chart without the setting',
      template: resources(CLUSTER, LINUX, WINDOWS, helmChart('Network', 'aws-vpc-cni', {})),
      findings: [
        {
          message: 'off',
          severity: 'error',
          resource: 'Network',
          at: 'Network:',
          says: ['The Helm release "Network"'],
        },
      ],
    },
    {
      name: 'Cilium, which does not run on Windows',
      template: resources(CLUSTER, LINUX, WINDOWS, OFF, helmChart('Network', 'cilium', {})),
      findings: [{ message: 'off', severity: 'error', resource: 'Cni', at: 'Properties: # cni' }],
    },
    {
      name: 'nothing that switches it on',
      template: resources(CLUSTER, LINUX, WINDOWS),
      findings: [
        {
          message: 'missing',
          severity: 'warning',
          resource: 'Cluster',
          at: 'Cluster:',
          related: ['Windows:'],
          says: ['"Windows"', 'as far as the input shows'],
        },
      ],
      fixed: resources(CLUSTER, LINUX, WINDOWS, ON),
    },
    {
      name: 'the add-on in one branch only',
      template: template(CONDITION, CLUSTER, LINUX, WINDOWS, onCondition('IsProduction', ON)),
      findings: [
        {
          message: 'missing',
          severity: 'warning',
          resource: 'Cluster',
          at: 'Cluster:',
          says: ['IsProduction is false'],
        },
      ],
    },
    {
      name: 'the ConfigMap beside an add-on that writes it too, and off',
      template: resources(CLUSTER, LINUX, WINDOWS, OFF, configMap()),
      findings: [
        {
          message: 'twice',
          severity: 'warning',
          resource: 'Config',
          at: 'Config:',
          related: ['Properties: # cni'],
          says: ['Manifest "Config"', '("true")', 'the add-on "Cni" owns ("false")', 'puts its own value back'],
        },
      ],
      fixed: resources(CLUSTER, LINUX, WINDOWS, ON),
    },
    {
      name: 'the ConfigMap beside an add-on that agrees',
      template: resources(CLUSTER, LINUX, WINDOWS, ON, configMap()),
      findings: [{ message: 'twice', severity: 'info', resource: 'Config', at: 'Config:', says: ['Both agree now'] }],
    },
    {
      name: 'a patch beside the add-on, without Windows nodes in the input',
      template: resources(CLUSTER, LINUX, OFF, PATCH),
      findings: [{ message: 'twice', severity: 'warning', resource: 'Patch', at: 'Patch:', says: ['Patch "Patch"'] }],
    },
  ],
  unverifiable: [
    {
      name: 'a setting that is not known',
      template: template(
        PARAMETER,
        CLUSTER,
        LINUX,
        WINDOWS,
        cni({}).replace("'{}'", '!Sub \'{"enableWindowsIpam":"${P}"}\''),
      ),
      resources: ['Cni'],
      because: 'enableWindowsIpam',
    },
    {
      name: 'configuration values that are not known',
      template: template(PARAMETER, CLUSTER, LINUX, WINDOWS, cni({}).replace("'{}'", '!Ref P')),
      resources: ['Cni'],
    },
    {
      name: 'a ConfigMap whose value is not known',
      template: template(
        PARAMETER,
        CLUSTER,
        LINUX,
        WINDOWS,
        configMap({ 'enable-windows-ipam': '${P}' }).replace("Manifest: '", "Manifest: !Sub '"),
      ),
      resources: ['Cluster'],
      because: 'Config',
    },
    {
      name: 'a manifest that is not known',
      template: template(
        PARAMETER,
        CLUSTER,
        LINUX,
        WINDOWS,
        manifest('Some', {}).replace(/Manifest: .*/, 'Manifest: !Ref P'),
      ),
      resources: ['Cluster'],
      because: 'Some',
    },
    {
      name: 'an add-on whose name is not known',
      template: template(PARAMETER, CLUSTER, LINUX, WINDOWS, addon('Any', 'AddonName: !Ref P')),
      resources: ['Cluster'],
      because: 'Any',
    },
    {
      name: 'Calico gives Windows pods their addresses',
      template: resources(
        CLUSTER,
        LINUX,
        WINDOWS,
        OFF,
        helmChart('Network', 'tigera-operator', { installation: { cni: { type: 'Calico' } } }),
      ),
      resources: ['Cni'],
      because: 'installs Calico',
    },
    {
      name: 'an imported cluster',
      template: resources(...[LINUX, WINDOWS].map((one) => one.replace('!Ref Cluster', 'elsewhere'))),
      resources: ['Windows'],
      because: 'elsewhere is not part of the input',
    },
  ],
  notApplicable: [
    {
      name: 'Windows groups that can have no nodes',
      template: resources(
        CLUSTER,
        LINUX,
        namedNodeGroup('Windows', 'AmiType: WINDOWS_CORE_2022_x86_64', 'ScalingConfig: { MinSize: 0, MaxSize: 0 }'),
        cni({}),
      ),
    },
    { name: 'no Windows nodes', template: resources(CLUSTER, LINUX, OFF) },
    {
      name: 'the setting at the wrong place, which another rule tells',
      template: resources(CLUSTER, LINUX, WINDOWS, cni({ env: { enableWindowsIpam: 'true' } })),
    },
    {
      name: 'a text that is no boolean, which another rule tells',
      template: resources(CLUSTER, LINUX, WINDOWS, cni({ enableWindowsIpam: 'yes' })),
    },
    {
      name: 'a misspelt setting, which another rule tells',
      template: resources(CLUSTER, LINUX, WINDOWS, cni({ enableWindowIpam: 'true' })),
    },
    {
      name: 'the setting in a wrong spelling, which another rule tells',
      template: resources(CLUSTER, LINUX, WINDOWS, cni({ EnableWindowsIPAM: 'true' })),
    },
    {
      name: 'nodes whose operating system is not known',
      template: template(PARAMETER, CLUSTER, namedNodeGroup('Some', 'AmiType: !Ref P'), OFF),
    },
    {
      name: 'other ConfigMaps',
      template: resources(
        CLUSTER,
        LINUX,
        OFF,
        manifest('Other', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'settings', namespace: 'kube-system' },
          data: { 'enable-windows-ipam': 'true' },
        }),
      ),
    },
  ],
});
