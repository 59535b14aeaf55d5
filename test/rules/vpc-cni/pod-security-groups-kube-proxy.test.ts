import { podSecurityGroupsKubeProxy } from '../../../lib/rules/vpc-cni/pod-security-groups-kube-proxy';
import {
  addon,
  block,
  CLUSTER,
  cluster,
  helmChart,
  manifest,
  onCondition,
  resources,
  template,
} from '../node-templates';
import { testRule } from '../rule-tester';
import { cni, podEni } from './pod-security-group-templates';

const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';

function proxy(values?: object): string {
  return addon(
    'Proxy',
    'AddonName: kube-proxy',
    'AddonVersion: v1.33.10-eksbuild.18',
    ...(values === undefined ? [] : [`ConfigurationValues: '${JSON.stringify(values)}'`]),
  );
}

function config(mode: string): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-proxy-config', namespace: 'kube-system' },
    data: { config: `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: "${mode}"\n` },
  };
}

const IPVS = proxy({ mode: 'ipvs', ipvs: { scheduler: 'rr' } });
const STRICT = cni(podEni());
const STANDARD = cni(podEni({ POD_SECURITY_GROUP_ENFORCING_MODE: 'standard' }));
const NODE_LOCAL_DNS = manifest('Dns', {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'node-local-dns', namespace: 'kube-system' },
  spec: {},
});
const OPERATOR = helmChart('Calico', 'tigera-operator', {});
const PATCH = block('Patch', 'Custom::AWSCDK-EKS-KubernetesPatch', [
  'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  'ClusterName: !Ref Cluster',
  'ResourceName: configmap/kube-proxy-config',
  'ResourceNamespace: kube-system',
  `ApplyPatchJson: '${JSON.stringify({ data: { config: 'bindAddress: 0.0.0.0\nmode: ipvs # faster\n' } }).replaceAll("'", "''")}'`,
  "RestorePatchJson: '{}'",
  'PatchType: merge',
]);

testRule(podSecurityGroupsKubeProxy, {
  valid: [
    { name: 'ipvs with standard mode', template: resources(CLUSTER, STANDARD, IPVS) },
    {
      name: 'iptables with strict mode',
      template: resources(
        CLUSTER,
        cni(podEni({ POD_SECURITY_GROUP_ENFORCING_MODE: 'strict' })),
        proxy({ mode: 'iptables' }),
      ),
    },
    {
      name: 'a kube-proxy without configuration, whose default is iptables',
      template: resources(CLUSTER, STRICT, proxy()),
    },
    {
      name: 'ipvs where the setting is not',
      template: template(
        `${CONDITION}\n  IsTest: !Not [!Condition IsProduction]`,
        CLUSTER,
        onCondition('IsProduction', STRICT),
        onCondition('IsTest', IPVS),
      ),
    },
    { name: 'no kube-proxy add-on, so the one that EKS brings', template: resources(CLUSTER, STRICT) },
    {
      name: 'other settings of kube-proxy',
      template: resources(CLUSTER, STRICT, proxy({ resources: { requests: { cpu: '100m' } } })),
    },
    {
      name: 'NodeLocal DNSCache and Calico with standard mode',
      template: resources(CLUSTER, STANDARD, NODE_LOCAL_DNS, OPERATOR),
    },
    {
      name: 'ipvs in another branch than strict mode',
      template: template(
        CONDITION,
        CLUSTER,
        onCondition('IsProduction', STRICT),
        proxy({ mode: 'MODE' }).replace(
          /ConfigurationValues: .*/,
          'ConfigurationValues: !If [IsProduction, \'{"mode":"iptables"}\', \'{"mode":"ipvs"}\']',
        ),
      ),
    },
    {
      name: 'charts and objects of other names',
      template: resources(
        CLUSTER,
        STRICT,
        helmChart('Dns', 'external-dns', {}),
        manifest('Net', { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'deny' } }),
      ),
    },
    {
      name: 'the ConfigMap of another namespace',
      template: resources(
        CLUSTER,
        STRICT,
        manifest('Config', { ...config('ipvs'), metadata: { name: 'kube-proxy-config', namespace: 'test' } }),
      ),
    },
    {
      name: 'a mode somewhere within the configuration',
      template: resources(
        CLUSTER,
        STRICT,
        manifest('Config', { ...config(''), data: { config: 'conntrack:\n  mode: ipvs\nmode: ""\n' } }),
      ),
    },
    {
      name: 'a switch that is not known, where nothing is in the way',
      template: template(
        'Parameters:\n  On: { Type: String }',
        CLUSTER,
        cni({}).replace("'{}'", '!Sub \'{"env":{"ENABLE_POD_ENI":"${On}"}}\''),
        proxy(),
      ),
    },
  ],
  invalid: [
    {
      name: 'ipvs with no mode set, which is strict',
      template: resources(CLUSTER, STRICT, IPVS),
      findings: [
        {
          message: 'mode',
          severity: 'error',
          resource: 'Cni',
          at: 'ConfigurationValues',
          related: ['ConfigurationValues:', 'ConfigurationValues:'],
          says: ['kube-proxy runs in mode ipvs', 'add-on "Cni"', 'strict (the default)'],
        },
      ],
      fixed: resources(CLUSTER, STANDARD, IPVS),
    },
    {
      name: 'ipvs with strict mode, and the other remedy',
      template: resources(CLUSTER, cni(podEni({ POD_SECURITY_GROUP_ENFORCING_MODE: 'strict' })), IPVS),
      findings: [
        { message: 'mode', severity: 'error', resource: 'Cni', at: 'ConfigurationValues', omits: ['(the default)'] },
      ],
      fixed: resources(
        CLUSTER,
        cni(podEni({ POD_SECURITY_GROUP_ENFORCING_MODE: 'strict' })),
        proxy({ mode: 'iptables' }),
      ),
    },
    {
      name: 'nftables, which is not in the documented support',
      template: resources(CLUSTER, STRICT, proxy({ mode: 'nftables' })),
      findings: [
        { message: 'mode', severity: 'warning', resource: 'Cni', at: 'ConfigurationValues', says: ['mode nftables'] },
      ],
    },
    {
      name: 'configuration values in YAML, of both add-ons',
      template: resources(
        CLUSTER,
        cni({}).replace("'{}'", '|\n      env:\n        ENABLE_POD_ENI: "true"'),
        proxy({}).replace("'{}'", '|\n      mode: ipvs'),
      ),
      findings: [{ message: 'mode', severity: 'error', resource: 'Cni', at: 'ConfigurationValues: |\n        env' }],
    },
    {
      name: 'configuration values that CDK joins from tokens',
      template: template(
        'Parameters:\n  Tags: { Type: String }',
        CLUSTER,
        cni({}).replace(
          "'{}'",
          '!Join ["", [\'{"env":{"ENABLE_POD_ENI":"true","ADDITIONAL_ENI_TAGS":"\', !Ref Tags, \'"}}\']]',
        ),
        IPVS,
      ),
      findings: [{ message: 'mode', severity: 'error', resource: 'Cni', at: 'ConfigurationValues' }],
    },
    {
      name: 'ipvs in the ConfigMap of a self-managed kube-proxy',
      template: resources(CLUSTER, STRICT, manifest('Config', config('ipvs'))),
      findings: [
        {
          message: 'mode',
          severity: 'error',
          resource: 'Cni',
          at: 'ConfigurationValues',
          related: ['ConfigurationValues:', 'Config:'],
        },
      ],
      fixed: resources(CLUSTER, STRICT, manifest('Config', config('iptables'))),
    },
    {
      name: 'ipvs by a patch',
      template: resources(CLUSTER, STRICT, PATCH),
      findings: [
        {
          message: 'mode',
          severity: 'error',
          resource: 'Cni',
          at: 'ConfigurationValues',
          related: ['ConfigurationValues:', 'Patch:'],
        },
      ],
    },
    {
      name: 'ipvs under a condition',
      template: template(
        CONDITION,
        CLUSTER,
        STRICT,
        proxy({}).replace("'{}'", '!If [IsProduction, \'{"mode":"ipvs"}\', !Ref AWS::NoValue]'),
      ),
      findings: [
        {
          message: 'mode',
          severity: 'error',
          resource: 'Cni',
          at: 'ConfigurationValues',
          says: ['IsProduction is true'],
        },
      ],
    },
    {
      name: 'the Helm chart of the VPC CNI',
      template: resources(CLUSTER, helmChart('Network', 'aws-vpc-cni', { env: { ENABLE_POD_ENI: 'true' } }), IPVS),
      findings: [
        {
          message: 'mode',
          severity: 'error',
          resource: 'Network',
          at: 'Network:',
          related: ['Network:', 'ConfigurationValues:'],
          says: ['Helm release "Network"'],
        },
      ],
    },
    {
      name: 'NodeLocal DNSCache',
      template: resources(CLUSTER, STRICT, NODE_LOCAL_DNS),
      findings: [
        {
          message: 'nodeLocalDns',
          severity: 'warning',
          resource: 'Cni',
          at: 'ConfigurationValues',
          related: ['ConfigurationValues:', 'Dns:'],
          says: ['DaemonSet "node-local-dns" installs NodeLocal DNSCache'],
        },
      ],
      fixed: resources(CLUSTER, STANDARD, NODE_LOCAL_DNS),
    },
    {
      name: 'NodeLocal DNSCache beside another mode, each with its own place',
      template: resources(CLUSTER, STRICT, IPVS, NODE_LOCAL_DNS),
      findings: [
        {
          message: 'mode',
          severity: 'error',
          resource: 'Cni',
          at: 'ConfigurationValues',
          related: ['ConfigurationValues:', 'ConfigurationValues:'],
        },
        {
          message: 'nodeLocalDns',
          severity: 'warning',
          resource: 'Cni',
          at: 'ConfigurationValues',
          related: ['ConfigurationValues:', 'Dns:'],
        },
      ],
    },
    {
      name: 'the chart of NodeLocal DNSCache',
      template: resources(CLUSTER, STRICT, helmChart('Cache', 'node-local-dns', {})),
      findings: [
        {
          message: 'nodeLocalDns',
          severity: 'warning',
          resource: 'Cni',
          at: 'ConfigurationValues',
          related: ['ConfigurationValues:', 'Cache:'],
          says: ['Helm release "Cache"'],
        },
      ],
    },
    {
      name: 'Calico, by its operator and several policies, is one finding',
      template: resources(
        CLUSTER,
        STRICT,
        OPERATOR,
        ...['A', 'B'].map((id) =>
          manifest(id, {
            apiVersion: 'projectcalico.org/v3',
            kind: 'GlobalNetworkPolicy',
            metadata: { name: id.toLowerCase() },
          }),
        ),
      ),
      findings: [
        {
          message: 'calico',
          severity: 'warning',
          resource: 'Cni',
          at: 'ConfigurationValues',
          says: ['Helm release "Calico" brings Calico'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a switch that is not known',
      template: template(
        'Parameters:\n  On: { Type: String }',
        CLUSTER,
        cni({}).replace("'{}'", '!Sub \'{"env":{"ENABLE_POD_ENI":"${On}"}}\''),
        IPVS,
      ),
      resources: ['Cni'],
      because: 'ENABLE_POD_ENI',
    },
    {
      name: 'an enforcing mode that is not known',
      template: template(
        'Parameters:\n  Mode: { Type: String }',
        CLUSTER,
        cni({}).replace(
          "'{}'",
          '!Sub \'{"env":{"ENABLE_POD_ENI":"true","POD_SECURITY_GROUP_ENFORCING_MODE":"${Mode}"}}\'',
        ),
        IPVS,
      ),
      resources: ['Cni'],
      because: 'POD_SECURITY_GROUP_ENFORCING_MODE',
    },
    {
      name: 'a mode of kube-proxy that is not known',
      template: template(
        'Parameters:\n  Mode: { Type: String }',
        CLUSTER,
        STRICT,
        proxy({}).replace("'{}'", '!Sub \'{"mode":"${Mode}"}\''),
      ),
      resources: ['Cni'],
      because: 'the mode of kube-proxy',
    },
  ],
  notApplicable: [
    {
      name: 'no security groups for pods',
      template: resources(CLUSTER, cni({ env: { WARM_IP_TARGET: '2', MINIMUM_IP_TARGET: '4' } }), IPVS),
    },
    { name: 'no VPC CNI in the input', template: resources(CLUSTER, IPVS, OPERATOR) },
    {
      name: 'an enforcing mode that stops aws-node, which another rule tells',
      template: resources(CLUSTER, cni(podEni({ POD_SECURITY_GROUP_ENFORCING_MODE: 'relaxed' })), IPVS),
    },
    {
      name: 'Fargate only',
      template: resources(
        CLUSTER,
        STRICT,
        IPVS,
        block('Fargate', 'AWS::EKS::FargateProfile', ['ClusterName: !Ref Cluster']),
      ),
    },
    {
      name: 'Auto Mode only',
      template: resources(cluster("Version: '1.33'", 'ComputeConfig: { Enabled: true }'), STRICT, IPVS),
    },
  ],
});
