import { config, findingsIn, managed, selfManaged } from './configs';
import { leftBy, obeyed } from './obeyed';
import type { Finding } from '../../../lib/engine';

/*
 * What a fix says is done, literally: its code goes where it belongs; where words alone say what to do, the file after it stands here. Then the finding
 * is gone, nothing new is found, and eksctl takes the file.
 */

const ARN = 'arn:aws:iam::aws:policy';
const OIDC = 'iam: {withOIDC: true}';
const AGENT = '{name: eks-pod-identity-agent}';
const WINDOWS = 'amiFamily: WindowsServer2022CoreContainer';
const OWN_AMI = ['ami: ami-0123456789abcdef0', 'amiFamily: AmazonLinux2023'];
const PREFIXES = `configurationValues: '{"env":{"ENABLE_PREFIX_DELEGATION":"true","WARM_PREFIX_TARGET":"1"}}'`;
const POD_ENI = `configurationValues: '{"env":{"ENABLE_POD_ENI":"true"},"init":{"env":{"DISABLE_TCP_EARLY_DEMUX":"true"}}}'`;
const CNI = 'name: vpc-cni, version: v1.21.1-eksbuild.1, resolveConflicts: preserve';
const ACCOUNT = (settings: string) => `iam: {withOIDC: true, serviceAccounts: [{metadata: {name: app}, ${settings}}]}`;

interface Case {
  readonly rule: string;
  readonly text: string;
  /** The file after what the words say. @default - the code of the fix does it */
  readonly words?: string;
}

/** On a version that EKS still has Amazon Linux 2 for. */
function on132(text: string): string {
  return text.replace('"1.34"', '"1.32"');
}

const CASES: Readonly<Record<string, Case>> = {
  'no metadata for pods': { rule: 'imds-hop-limit', text: config(managed('disablePodIMDS: true')) },
  'no metadata for the pods of self-managed nodes': {
    rule: 'imds-hop-limit',
    text: config(selfManaged('disablePodIMDS: true')),
  },
  IMDSv1: { rule: 'imds-v1', text: config(managed('disableIMDSv1: false')) },
  'IMDSv1 of self-managed nodes': { rule: 'imds-v1', text: config(selfManaged('disableIMDSv1: false')) },
  'a family without AMIs': {
    rule: 'ami-type-kubernetes-version',
    text: config(managed('amiFamily: AmazonLinux2', 'instanceType: m6g.large')),
  },
  'a family without patches': {
    rule: 'ami-type-kubernetes-version',
    text: on132(config(managed('amiFamily: AmazonLinux2'))),
  },
  'a self-managed group of a family without AMIs': {
    rule: 'ami-type-kubernetes-version',
    text: config(selfManaged('amiFamily: AmazonLinux2')),
    words: config(selfManaged('amiFamily: AmazonLinux2023')),
  },
  'two architectures': { rule: 'ami-type-architecture', text: config(managed('instanceTypes: [m5.large, m6g.large]')) },
  'an architecture that Windows does not have': {
    rule: 'ami-type-architecture',
    text: config(OIDC, managed(WINDOWS, 'instanceTypes: [m7g.large]'), '  - name: linux'),
    words: config(OIDC, managed(WINDOWS, 'instanceTypes: [m7i.large]'), '  - name: linux'),
  },
  'a GPU beside plain types': {
    rule: 'ami-type-accelerator',
    text: config(managed('instanceTypes: [m5.large, g5.xlarge]')),
    words: config(managed('instanceTypes: [g5.xlarge]'), '  - name: plain', '    instanceTypes: [m5.large]'),
  },
  'a GPU without its driver': {
    rule: 'ami-type-accelerator',
    text: on132(config(managed('amiFamily: AmazonLinux2', 'instanceType: g5g.xlarge'))),
    words: on132(config(managed('amiFamily: AmazonLinux2023', 'instanceType: g5g.xlarge'))),
  },
  'all nodes at once': {
    rule: 'node-group-update-config',
    text: config(managed('maxSize: 2', 'updateConfig: {maxUnavailable: 2}')),
  },
  'SSH from everywhere': {
    rule: 'node-group-remote-access',
    text: config(managed('ssh: {publicKeyName: ops}')),
    words: config(managed('ssh: {publicKeyName: ops, sourceSecurityGroupIds: [sg-1]}')),
  },
  'SSH from everywhere to self-managed nodes': {
    rule: 'node-group-remote-access',
    text: config(selfManaged('ssh: {allow: true}')),
    words: config(selfManaged()),
  },
  'a version out of support': {
    rule: 'cluster-version-support',
    text: config(managed()).replace('"1.34"', '"1.29"'),
  },
  'a support type in small letters': {
    rule: 'cluster-support-type',
    text: config('upgradePolicy: {supportType: standard}').replace('"1.34"', '"1.35"'),
  },
  'an add-on for another version': {
    rule: 'addon-version',
    text: config('addons: [{name: vpc-cni, version: v1.15.5-eksbuild.1, resolveConflicts: preserve}]', managed()),
  },
  'an add-on without a version': {
    rule: 'addon-version',
    text: config('addons: [{name: vpc-cni, resolveConflicts: preserve}]', managed()),
  },
  'a kube-proxy of an older version': {
    rule: 'kube-proxy-version-skew',
    text: config('addons: [{name: kube-proxy, version: v1.32.0-eksbuild.2}]', managed()),
  },
  'updates that overwrite': {
    rule: 'vpc-cni-resolve-conflicts',
    text: config('addons: [{name: vpc-cni, version: v1.21.1-eksbuild.1, resolveConflicts: overwrite}]', managed()),
  },
  'updates that say nothing': {
    rule: 'vpc-cni-resolve-conflicts',
    text: config('addons: [{name: vpc-cni, version: v1.21.1-eksbuild.1}]', managed()),
  },
  'no network': {
    rule: 'cluster-network-addons',
    text: config('addonsConfig: {disableDefaultAddons: true}', managed()),
    words: config('addonsConfig: {}', managed()),
  },
  'no kube-proxy': {
    rule: 'cluster-network-addons',
    text: config('addonsConfig: {disableDefaultAddons: true}', `addons: [{${CNI}}]`, managed()),
    words: config(
      'addonsConfig: {disableDefaultAddons: true}',
      `addons: [{${CNI}}, {name: kube-proxy, version: v1.34.0-eksbuild.2}, {name: coredns, version: v1.12.3-eksbuild.1}]`,
      managed(),
    ),
  },
  'nodes of Windows alone': {
    rule: 'windows-node-prerequisites',
    text: config(OIDC, managed(WINDOWS)),
    words: config(OIDC, managed(WINDOWS), '  - name: linux'),
  },
  'Windows without addresses': {
    rule: 'vpc-cni-windows-ipam',
    text: config(
      `addons: [{${CNI}, configurationValues: '{"enableWindowsIpam":"false"}'}]`,
      managed(WINDOWS),
      '  - name: linux',
    ),
  },
  'nothing shared between the groups': {
    rule: 'launch-template-security-groups',
    text: config(OIDC, selfManaged('securityGroups: {withShared: false}')),
    words: config(OIDC, selfManaged('securityGroups: {withShared: true}')),
  },
  'the wrong volume': {
    rule: 'bottlerocket-data-volume',
    text: config(managed('amiFamily: Bottlerocket', 'volumeName: /dev/xvda', 'volumeSize: 100')),
    words: config(managed('amiFamily: Bottlerocket', 'volumeSize: 100')),
  },
  'max pods that EKS overrides': {
    rule: 'node-config-overridden',
    text: config(managed('maxPodsPerNode: 110')),
    words: config(
      managed(
        ...OWN_AMI,
        'overrideBootstrapCommand: |',
        '  apiVersion: node.eks.aws/v1alpha1',
        '  kind: NodeConfig',
        '  spec: {kubelet: {config: {maxPods: 20}}}',
      ),
    ),
  },
  'a bootstrap that EKS adds as well': {
    rule: 'node-user-data-duplicate-bootstrap',
    text: on132(
      config(managed('amiFamily: AmazonLinux2', 'preBootstrapCommands: ["#!/bin/bash\\n/etc/eks/bootstrap.sh shop"]')),
    ),
    words: on132(config(managed('amiFamily: AmazonLinux2'))),
  },
  'a bootstrap that does not bootstrap': {
    rule: 'node-user-data-missing-bootstrap',
    text: on132(
      config(
        selfManaged('amiFamily: AmazonLinux2', 'ami: ami-0123456789abcdef0', 'overrideBootstrapCommand: "echo a"'),
      ),
    ),
    words: on132(config(selfManaged('amiFamily: AmazonLinux2023'))),
  },
  'bootstrap.sh on AL2023': {
    rule: 'user-data-ami-family',
    text: config(managed('preBootstrapCommands: ["/etc/eks/bootstrap.sh shop"]')),
    words: config(managed()),
  },
  'a command without #!': {
    rule: 'user-data-shebang',
    text: on132(config(managed('amiFamily: AmazonLinux2', 'preBootstrapCommands:', '  - |', '    echo a'))),
    words: on132(
      config(managed('amiFamily: AmazonLinux2', 'preBootstrapCommands:', '  - |', '    #!/bin/bash', '    echo a')),
    ),
  },
  'a field that nodeadm does not know': {
    rule: 'node-config-unknown-field',
    text: config(
      managed(
        ...OWN_AMI,
        'overrideBootstrapCommand: |',
        '  apiVersion: node.eks.aws/v1alpha1',
        '  kind: NodeConfig',
        '  spec:',
        '    kubelet:',
        '      config: {}',
        '      flag: []',
      ),
    ),
    words: config(
      managed(
        ...OWN_AMI,
        'overrideBootstrapCommand: |',
        '  apiVersion: node.eks.aws/v1alpha1',
        '  kind: NodeConfig',
        '  spec:',
        '    kubelet:',
        '      config: {}',
        '      flags: []',
      ),
    ),
  },
  'a feature gate that is gone': {
    rule: 'kubelet-feature-gate',
    text: config(selfManaged('kubeletExtraConfig: {featureGates: {DisableKubeletCloudCredentialProviders: true}}')),
    words: config(selfManaged()),
  },
  'a label that kubelet refuses': {
    rule: 'node-label-reserved',
    text: config(managed('labels: {node-role.kubernetes.io/worker: a}')),
  },
  'a list of policies without those of nodes': {
    rule: 'node-role-policies',
    text: config(OIDC, managed(`iam: {attachPolicyARNs: ["${ARN}/AmazonS3ReadOnlyAccess"]}`)),
    words: config(
      OIDC,
      managed(
        `iam: {attachPolicyARNs: [${[
          'AmazonS3ReadOnlyAccess',
          'AmazonEKSWorkerNodePolicy',
          'AmazonEC2ContainerRegistryPullOnly',
        ]
          .map((name) => `"${ARN}/${name}"`)
          .join(', ')}]}`,
      ),
    ),
  },
  'a CNI without permissions': {
    rule: 'vpc-cni-role-missing',
    text: config(
      'iam: {withOIDC: false}',
      managed(
        `iam: {attachPolicyARNs: ["${ARN}/AmazonEKSWorkerNodePolicy", "${ARN}/AmazonEC2ContainerRegistryPullOnly"]}`,
      ),
    ),
  },
  'IPv6 with the default vpc-cni': {
    rule: 'vpc-cni-role-ip-family',
    text: config('kubernetesNetworkConfig: {ipFamily: IPv6}', 'addons: [{name: coredns}]', managed()),
  },
  'IPv6 with the policy for IPv4': {
    rule: 'vpc-cni-role-ip-family',
    text: config(
      'kubernetesNetworkConfig: {ipFamily: IPv6}',
      OIDC,
      `addons: [{name: coredns}, {${CNI}, attachPolicyARNs: ["${ARN}/AmazonEKS_CNI_Policy"]}]`,
      managed(),
    ),
    words: config('kubernetesNetworkConfig: {ipFamily: IPv6}', OIDC, `addons: [{name: coredns}, {${CNI}}]`, managed()),
  },
  'the role of an add-on that any pod may take': {
    rule: 'irsa-trust-policy',
    text: config(OIDC, 'addons: [{name: aws-ebs-csi-driver}]', managed()),
  },
  'the role of an add-on by policies that eksctl knows': {
    rule: 'irsa-trust-policy',
    text: config(
      OIDC,
      `addons: [${AGENT}, {name: aws-efs-csi-driver, wellKnownPolicies: {efsCSIController: true}}]`,
      managed(),
    ),
  },
  'the role of an add-on by ARNs of policies': {
    rule: 'irsa-trust-policy',
    text: config(
      OIDC,
      `addons: [${AGENT}, {name: aws-ebs-csi-driver, attachPolicyARNs: ["${ARN}/service-role/AmazonEBSCSIDriverPolicy", "arn:aws:iam::111122223333:policy/keys"]}]`,
      managed(),
    ),
  },
  'the role of an add-on with more than a driver needs': {
    rule: 'irsa-trust-policy',
    text: config(
      OIDC,
      `addons: [${AGENT}, {name: aws-ebs-csi-driver, wellKnownPolicies: {ebsCSIController: true, externalDNS: true}}]`,
      managed(),
    ),
    words: config(
      OIDC,
      `addons: [${AGENT}, {name: aws-ebs-csi-driver, podIdentityAssociations: [{namespace: kube-system, serviceAccountName: ebs-csi-controller-sa, permissionPolicyARNs: ["${ARN}/service-role/AmazonEBSCSIDriverPolicy"]}]}]`,
      managed(),
    ),
  },
  'the role of an add-on with policies of its own': {
    rule: 'irsa-trust-policy',
    text: config(OIDC, `addons: [{name: adot, attachPolicyARNs: ["${ARN}/AmazonS3ReadOnlyAccess"]}]`, managed()),
    words: config(
      OIDC,
      `addons: [{name: adot, podIdentityAssociations: [{namespace: adot, serviceAccountName: collector, permissionPolicyARNs: ["${ARN}/AmazonS3ReadOnlyAccess"]}]}, ${AGENT}]`,
      managed(),
    ),
  },
  'the role of an add-on that is made beside it': {
    rule: 'irsa-trust-policy',
    text: config(OIDC, `addons: [{name: adot, attachPolicyARNs: ["${ARN}/AmazonS3ReadOnlyAccess"]}]`, managed()),
    words: config(
      `iam: {withOIDC: true, serviceAccounts: [{metadata: {name: collector, namespace: adot}, roleName: adot, roleOnly: true, attachPolicyARNs: ["${ARN}/AmazonS3ReadOnlyAccess"]}]}`,
      'addons: [{name: adot, serviceAccountRoleARN: "arn:aws:iam::111122223333:role/adot"}]',
      managed(),
    ),
  },
  'an association beside the role that eksctl gives an add-on by itself': {
    rule: 'pod-identity-and-irsa',
    text: config(
      `iam: {withOIDC: true, podIdentityAssociations: [{namespace: kube-system, serviceAccountName: aws-node, permissionPolicyARNs: ["${ARN}/AmazonEKS_CNI_Policy"]}]}`,
      `addons: [{name: vpc-cni}, ${AGENT}]`,
      managed(),
    ),
    words: config(
      OIDC,
      `addons: [{name: vpc-cni, podIdentityAssociations: [{namespace: kube-system, serviceAccountName: aws-node, permissionPolicyARNs: ["${ARN}/AmazonEKS_CNI_Policy"]}]}, ${AGENT}]`,
      managed(),
    ),
  },
  'a role for all accounts of a namespace': {
    rule: 'irsa-trust-policy',
    text: config(ACCOUNT('wellKnownPolicies: {autoScaler: true}, subjectPattern: "*"')),
    words: config(ACCOUNT('wellKnownPolicies: {autoScaler: true}')),
  },
  'the policy of another partition': {
    rule: 'arn-partition',
    text: config(ACCOUNT('attachPolicyARNs: ["arn:aws-cn:iam::aws:policy/AmazonS3ReadOnlyAccess"]')),
    words: config(ACCOUNT(`attachPolicyARNs: ["${ARN}/AmazonS3ReadOnlyAccess"]`)),
  },
  'a cluster role without the controller': {
    rule: 'pod-security-groups-cluster-role',
    text: config(
      'iam: {withOIDC: true, vpcResourceControllerPolicy: false}',
      `addons: [{${CNI}, ${POD_ENI}}]`,
      managed(),
    ),
    words: config(OIDC, `addons: [{${CNI}, ${POD_ENI}}]`, managed()),
  },
  'pods with security groups and probes': {
    rule: 'vpc-cni-tcp-early-demux',
    text: config(OIDC, `addons: [{${CNI}, configurationValues: '{"env":{"ENABLE_POD_ENI":"true"}}'}]`, managed()),
  },
  'prefixes that nodes do not use': {
    rule: 'prefix-delegation-max-pods',
    text: config(OIDC, `addons: [{${CNI}, ${PREFIXES}}]`, selfManaged('instanceType: m5.large')),
    words: config(
      OIDC,
      `addons: [{${CNI}, ${PREFIXES}}]`,
      selfManaged('instanceType: m5.large', 'maxPodsPerNode: 110'),
    ),
  },
  'more pods than addresses': {
    rule: 'max-pods-capacity',
    text: config(OIDC, selfManaged('instanceType: m5.large', 'maxPodsPerNode: 110')),
    words: config(OIDC, selfManaged('instanceType: m5.large', 'maxPodsPerNode: 29')),
  },
  'a key of values that is misspelt': {
    rule: 'vpc-cni-configuration-schema',
    text: config(OIDC, `addons: [{${CNI}, configurationValues: '{"env":{"WARM_ENI_TARGETS":"1"}}'}]`, managed()),
  },
};

function failures(text: string): readonly Finding[] {
  return findingsIn(text).filter(({ verdict }) => verdict === 'fail');
}

describe('what a fix says, done literally', () => {
  it.each(Object.entries(CASES))('%s', (_, { rule, text, words }) => {
    const before = failures(text);
    const own = before.filter((finding) => finding.rule === rule);
    const [finding] = own;
    if (finding === undefined) throw new Error(`no ${rule}, but ${before.map((one) => one.rule).join()}`);
    expect(own.filter(({ messageId }) => messageId === finding.messageId)).toHaveLength(1);
    expect(before.filter(({ rule: other }) => /^eksctl-(?:refuses|ignored-key)$/.test(other))).toHaveLength(0);
    expect({ hasCode: finding.fixCode !== undefined, fix: finding.fix }).toEqual({
      hasCode: words === undefined,
      fix: finding.fix,
    });
    const after = words ?? obeyed(text, finding);
    expect(leftBy(finding, before, failures(after), after)).toEqual([]);
  });

  it('speaks of nothing that eksctl does not have', () => {
    const all = Object.values(CASES).flatMap(({ text }) => failures(text));
    const foreign = all.filter(({ fix, fixCode = '' }) =>
      /launch template|\bAmiType\b|AMI type `|ResolveConflicts|`PRESERVE`|Terraform|terraform|CloudFormation|\bCDK\b/.test(
        `${fix}\n${fixCode}`,
      ),
    );
    expect([...new Set(foreign.map(({ rule, fix }) => `${rule}: ${fix}`))]).toEqual([]);
  });
});
