import { securityGroupPolicy } from '../../../lib/rules/vpc-cni/security-group-policy';
import { CLUSTER, cluster, helmChart, manifest, nodeGroup, onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  API_VERSION,
  cni,
  cniWith,
  DEMUX,
  FARGATE,
  patch,
  policy,
  policyObject,
  substituted,
} from './pod-eni-templates';

const CONDITION = 'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]';
const PARAMETER = 'Parameters:\n  P: { Type: String }';
const WEB = policy('Web');
const OFF = { env: { ENABLE_POD_ENI: 'false' } };
const IDS = ['sg-1', 'sg-2', 'sg-3', 'sg-4', 'sg-5', 'sg-6'];

function changed(changes: object): string {
  return manifest('Web', { ...policyObject(), ...changes });
}

function groups(securityGroups: unknown): string {
  return policy('Web', { podSelector: {}, securityGroups });
}

const autoMode = (version: string) => cluster(`Version: '${version}'`, 'ComputeConfig: { Enabled: true }');

const AT_POLICY = { resource: 'Web', at: 'Web:' } as const;
const error = (message: string, ...says: readonly string[]) =>
  ({ ...AT_POLICY, message, severity: 'error', says }) as const;
const OFF_FINDING = { message: 'pod-eni-off', severity: 'error', resource: 'Cni', at: 'ConfigurationValues' } as const;
const NOT_SET = {
  message: 'pod-eni-not-set',
  severity: 'warning',
  resource: 'Cni',
  at: 'ConfigurationValues',
} as const;

testRule(securityGroupPolicy, {
  valid: [
    { name: 'a pod selector and one group', template: resources(CLUSTER, cni(DEMUX), WEB) },
    {
      name: 'an empty pod selector, which fits all pods',
      template: resources(CLUSTER, policy('Web', { podSelector: {} })),
    },
    {
      name: 'a service account selector',
      template: resources(
        CLUSTER,
        policy('Web', { podSelector: null, serviceAccountSelector: { matchLabels: { role: 'web' } } }),
      ),
    },
    { name: 'five groups', template: resources(CLUSTER, groups({ groupIds: IDS.slice(1) })) },
    { name: 'groups that repeat', template: resources(CLUSTER, groups({ groupIds: [...IDS.slice(1), 'sg-2'] })) },
    {
      name: 'group ids that CloudFormation fills in',
      template: template(PARAMETER, CLUSTER, substituted(groups({ groupIds: ['${P}'] }))),
    },
    {
      name: 'a selector with labels that CloudFormation fills in',
      template: template(
        PARAMETER,
        CLUSTER,
        substituted(policy('Web', { podSelector: { matchLabels: { app: '${P}' } } })),
      ),
    },
    { name: 'policies for Fargate alone need no ENABLE_POD_ENI', template: resources(CLUSTER, cni(OFF), FARGATE, WEB) },
    { name: 'nothing configures the CNI in the input', template: resources(WEB.replace('!Ref Cluster', 'main')) },
    {
      name: 'OVERWRITE without the setting is the finding of another rule',
      template: resources(CLUSTER, cni({}, undefined, 'ResolveConflicts: OVERWRITE'), WEB),
    },
    {
      name: "a switch that the CNI can't read is the finding of another rule",
      template: resources(CLUSTER, cni({ env: { ENABLE_POD_ENI: 'yes' } }), WEB),
    },
    {
      name: 'so is one that the schema refuses because it is misspelt',
      template: resources(CLUSTER, cni({ env: { ENABLE_POD_EN: 'true' } }), WEB),
    },
    { name: 'or in the wrong place', template: resources(CLUSTER, cni({ ENABLE_POD_ENI: 'true' }), WEB) },
    {
      name: 'or in a misspelt block',
      template: resources(CLUSTER, cni({ environment: { ENABLE_POD_ENI: 'true' } }), WEB),
    },
    {
      name: 'off, where there is no policy',
      template: template(
        CONDITION,
        CLUSTER,
        cniWith([`ConfigurationValues: !If [IsProd, '${JSON.stringify(DEMUX)}', '${JSON.stringify(OFF)}']`]),
        onCondition('IsProd', WEB),
      ),
    },
  ],
  invalid: [
    {
      name: 'no selector',
      template: resources(CLUSTER, policy('Web', {})),
      fixed: resources(CLUSTER, policy('Web', { podSelector: {} })),
      findings: [error('no-selector', 'SecurityGroupPolicy web', 'silently')],
    },
    {
      name: 'a selector that is null',
      template: resources(CLUSTER, policy('Web', { podSelector: null })),
      findings: [error('no-selector')],
    },
    {
      name: 'a misspelt selector',
      template: resources(CLUSTER, policy('Web', { podSelecter: { matchLabels: { app: 'web' } } })),
      findings: [error('no-selector', '"podSelecter"')],
    },
    {
      name: 'no groups',
      template: resources(CLUSTER, groups(undefined)),
      fixed: resources(CLUSTER, WEB),
      findings: [error('no-groups', 'no spec.securityGroups.groupIds', 'silently')],
    },
    { name: 'groups without ids', template: resources(CLUSTER, groups({})), findings: [error('no-groups')] },
    {
      name: 'an empty list of groups',
      template: resources(CLUSTER, groups({ groupIds: [] })),
      findings: [error('no-groups', 'an empty list', 'API server refuses')],
    },
    {
      name: 'a group that is no list',
      template: resources(CLUSTER, groups({ groupIds: 'sg-1' })),
      findings: [error('no-groups', 'no list')],
    },
    {
      name: 'a misspelt list of groups',
      template: resources(CLUSTER, groups({ groupIDs: ['sg-1'] })),
      findings: [error('no-groups', '"groupIDs"')],
    },
    {
      name: 'neither selector nor groups',
      template: resources(CLUSTER, changed({ spec: {} })),
      findings: [error('no-selector'), error('no-groups')],
    },
    {
      name: 'no spec',
      template: resources(CLUSTER, changed({ spec: undefined })),
      findings: [error('no-selector'), error('no-groups')],
    },
    {
      name: 'both selectors',
      template: resources(CLUSTER, policy('Web', { podSelector: {}, serviceAccountSelector: {} })),
      findings: [{ ...AT_POLICY, message: 'both-selectors', severity: 'info', says: ['both'] }],
    },
    {
      name: 'six groups',
      template: resources(CLUSTER, groups({ groupIds: IDS })),
      findings: [{ ...AT_POLICY, message: 'many-groups', severity: 'warning', says: ['6'] }],
    },
    {
      name: 'a version that the kind does not have',
      template: resources(CLUSTER, changed({ apiVersion: 'vpcresources.k8s.aws/v1' })),
      fixed: resources(CLUSTER, WEB),
      findings: [error('api-version', 'vpcresources.k8s.aws/v1"')],
    },
    {
      name: 'a misspelt group',
      template: resources(CLUSTER, changed({ apiVersion: 'vpcresource.k8s.aws/v1beta1' })),
      findings: [error('api-version')],
    },
    {
      name: 'no apiVersion',
      template: resources(CLUSTER, changed({ apiVersion: undefined })),
      findings: [error('api-version', 'no apiVersion')],
    },
    {
      name: 'an apiVersion without version',
      template: resources(CLUSTER, changed({ apiVersion: 'vpcresources.k8s.aws' })),
      findings: [error('api-version')],
    },
    {
      name: 'a misspelt kind',
      template: resources(CLUSTER, changed({ kind: 'SecurityGroupsPolicy' })),
      fixed: resources(CLUSTER, WEB),
      findings: [error('kind', 'SecurityGroupsPolicy')],
    },
    {
      name: 'a kind in small letters',
      template: resources(CLUSTER, changed({ kind: 'securitygrouppolicy' })),
      findings: [error('kind')],
    },
    {
      name: 'kind and group misspelt',
      template: resources(
        CLUSTER,
        changed({ kind: 'SecurityGroupPolicies', apiVersion: 'vpc-resources.k8s.aws/v1beta1' }),
      ),
      findings: [error('kind')],
    },
    {
      name: 'ENABLE_POD_ENI is off',
      template: resources(CLUSTER, cni(OFF), WEB, policy('Api')),
      fixed: resources(CLUSTER, cni(DEMUX), WEB, policy('Api')),
      findings: [{ ...OFF_FINDING, says: ['"false"', 'web and api give', 'Pending'] }],
    },
    {
      name: 'off, with OVERWRITE',
      template: resources(CLUSTER, cni(OFF, undefined, 'ResolveConflicts: OVERWRITE'), WEB),
      findings: [OFF_FINDING],
    },
    {
      name: 'off in the Helm chart',
      template: resources(CLUSTER, helmChart('Cni', 'aws-vpc-cni', OFF), WEB),
      findings: [{ ...OFF_FINDING, at: 'Cni:', says: ['Helm release'] }],
    },
    {
      name: 'not set',
      template: resources(CLUSTER, cni({ env: { WARM_ENI_TARGET: '1' } }), WEB),
      findings: [{ ...NOT_SET, says: ['SecurityGroupPolicy web gives'] }],
    },
    {
      name: 'no configuration values',
      template: resources(CLUSTER, cni(undefined), WEB),
      findings: [{ ...NOT_SET, at: 'Properties: # cni' }],
    },
    {
      name: 'misspelt in the chart, whose keys nothing checks',
      template: resources(CLUSTER, helmChart('Cni', 'aws-vpc-cni', { env: { ENABLE_POD_EN: 'true' } }), WEB),
      findings: [{ ...NOT_SET, at: 'Cni:' }],
    },
    {
      name: 'not set, with Auto Mode of a version without such pods',
      template: resources(autoMode('1.33'), cni({}), nodeGroup('InstanceTypes: [m5.large]'), WEB),
      findings: [NOT_SET],
    },
    {
      name: 'not set, with NONE',
      template: resources(CLUSTER, cni({}, undefined, 'ResolveConflicts: NONE'), WEB),
      findings: [NOT_SET],
    },
    {
      name: 'not set, and a mode that depends on a condition',
      template: template(
        CONDITION,
        CLUSTER,
        cni({}, undefined, 'ResolveConflicts: !If [IsProd, PRESERVE, OVERWRITE]'),
        WEB,
      ),
      findings: [{ ...NOT_SET, says: ['IsProd is true'] }],
      also: ['vpc-cni-resolve-conflicts'],
    },
    {
      name: 'off in one branch',
      template: template(
        CONDITION,
        CLUSTER,
        cniWith([`ConfigurationValues: !If [IsProd, '${JSON.stringify(DEMUX)}', '${JSON.stringify(OFF)}']`]),
        WEB,
      ),
      findings: [{ ...OFF_FINDING, says: ['IsProd is false'] }],
    },
    {
      name: 'off, where the policy is',
      template: template(CONDITION, CLUSTER, cni(OFF), onCondition('IsProd', WEB)),
      findings: [{ ...OFF_FINDING, says: ['IsProd is true'] }],
    },
    {
      name: 'a policy that does not work at all says nothing of the CNI',
      template: resources(CLUSTER, cni(OFF), policy('Web', {})),
      findings: [error('no-selector')],
    },
  ],
  unverifiable: [
    {
      name: 'a spec that is not known',
      template: template(PARAMETER, CLUSTER, substituted(changed({ spec: '${P}' }))),
      resources: ['Web'],
      because: 'spec',
    },
    {
      name: 'a list of groups that is not known',
      template: template(PARAMETER, CLUSTER, substituted(groups({ groupIds: '${P}' }))),
      resources: ['Web'],
      because: 'security groups',
    },
    {
      name: 'a selector that is not known',
      template: template(PARAMETER, CLUSTER, substituted(policy('Web', { podSelector: '${P}' }))),
      resources: ['Web'],
      because: 'selectors',
    },
    {
      name: 'an apiVersion that is not known',
      template: template(PARAMETER, CLUSTER, substituted(changed({ apiVersion: '${P}' }))),
      resources: ['Web'],
      because: 'apiVersion',
    },
    {
      name: 'a field whose name is not known',
      template: template(PARAMETER, CLUSTER, substituted(policy('Web', { '${P}': {} }))),
      resources: ['Web'],
      because: 'selectors',
    },
    {
      name: 'whether ENABLE_POD_ENI is on',
      template: template(PARAMETER, CLUSTER, substituted(cni({ env: { ENABLE_POD_ENI: '${P}' } })), WEB),
      resources: ['Cni'],
      because: 'ENABLE_POD_ENI',
    },
    {
      name: 'off, with Fargate next to nodes',
      template: resources(CLUSTER, cni(OFF), FARGATE, nodeGroup('InstanceTypes: [m5.large]'), WEB),
      resources: ['Cni'],
      because: 'Fargate',
    },
    {
      name: 'not set, with Auto Mode next to nodes',
      template: resources(autoMode('1.36'), cni({}), nodeGroup('InstanceTypes: [m5.large]'), WEB),
      resources: ['Cni'],
      because: 'Auto Mode',
    },
    {
      name: 'not set, with Auto Mode under a condition next to nodes',
      template: template(
        CONDITION,
        autoMode('1.36').replace('Enabled: true', 'Enabled: !If [IsProd, true, false]'),
        cni({}),
        nodeGroup('InstanceTypes: [m5.large]'),
        WEB,
      ),
      resources: ['Cni'],
      because: 'Auto Mode',
    },
    {
      name: 'not set, and a patch sets it',
      template: resources(CLUSTER, cni({}), WEB, patch('ENABLE_POD_ENI', 'true')),
      resources: ['Cni'],
      because: 'patch Patch',
    },
  ],
  notApplicable: [
    {
      name: 'another kind of the group',
      template: resources(
        CLUSTER,
        manifest('Node', { apiVersion: 'vpcresources.k8s.aws/v1alpha1', kind: 'CNINode', metadata: { name: 'a' } }),
      ),
    },
    {
      name: 'a list of policies',
      template: resources(
        CLUSTER,
        manifest('List', { apiVersion: API_VERSION, kind: 'SecurityGroupPolicyList', items: [] }),
      ),
    },
    {
      name: 'a similar kind of another group',
      template: resources(
        CLUSTER,
        manifest('Group', {
          apiVersion: 'ec2.services.k8s.aws/v1alpha1',
          kind: 'SecurityGroup',
          metadata: { name: 'a' },
        }),
      ),
    },
    {
      name: 'the same kind of another group',
      template: resources(
        CLUSTER,
        manifest('Other', {
          apiVersion: 'security.example.com/v1',
          kind: 'SecurityGroupPolicy',
          metadata: { name: 'a' },
        }),
      ),
    },
    {
      name: 'other manifests',
      template: resources(CLUSTER, cni(OFF), manifest('Map', { apiVersion: 'v1', kind: 'ConfigMap' })),
    },
    {
      name: 'a manifest that is not known',
      template: template(PARAMETER, CLUSTER, manifest('Some', {}).replace(/Manifest: .*/, 'Manifest: !Ref P')),
    },
    { name: 'no manifest', template: resources(cluster("Version: '1.33'"), cni(OFF)) },
  ],
});
