import { config, failuresIn, findingsIn, managed, selfManaged } from './configs';

/*
 * What eksctl lets through and AWS or Kubernetes break later, and what it gets right although the file doesn't say so.
 */

const CNI_POLICY = 'arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy';
const OTHER_POLICY = 'iam: {attachPolicyARNs: ["arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"]}';
const IPV6 = 'kubernetesNetworkConfig: {ipFamily: IPv6}';
const OLD_IPV6_POLICY = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: [
        'AssignIpv6Addresses',
        'DescribeInstances',
        'DescribeTags',
        'DescribeNetworkInterfaces',
        'DescribeInstanceTypes',
      ].map((name) => `ec2:${name}`),
      Resource: '*',
    },
    { Effect: 'Allow', Action: ['ec2:CreateTags'], Resource: 'arn:aws:ec2:*:*:network-interface/*' },
  ],
});
const OWN_AMI = ['ami: ami-0123456789abcdef0', 'amiFamily: AmazonLinux2023'];

/** Without what is said of every cluster that isn't about the pitfall. */
const BESIDE =
  /^(?:cluster-support-type|cluster-version-support|addon-version|ami-type-kubernetes-version|vpc-cni-role-on-nodes) /;

function told(text: string): readonly string[] {
  return failuresIn(text)
    .filter((failure) => !BESIDE.test(failure))
    .map((failure) => failure.replace(/ \d+$/, ''))
    .toSorted();
}

function on132(text: string): string {
  return text.replace('"1.34"', '"1.32"');
}

it('what eksctl itself writes for Windows is called by no manifest, and the advice is for the add-on', () => {
  const file = (values: string) =>
    config(
      `addons: [{name: vpc-cni, resolveConflicts: preserve${values}}]`,
      managed('amiFamily: WindowsServer2022CoreContainer'),
      '  - name: linux',
    );
  const [finding] = findingsIn(file('')).filter(({ rule }) => rule === 'vpc-cni-windows-ipam');
  expect(finding?.message).toMatch(
    /^For the Windows groups of the file eksctl itself writes `enable-windows-ipam` \("true"\)/,
  );
  expect(finding?.fix).not.toMatch(/[Mm]anifest|take .* out/);
  expect(failuresIn(file(', configurationValues: \'{"enableWindowsIpam":"true"}\'')).join()).not.toContain(
    'windows-ipam',
  );
});

describe('what is let through', () => {
  it.each<readonly [pitfall: string, text: string, findings: readonly string[]]>([
    ['P1 a key in another case', config('managedNodegroups: [{name: a}]'), ['eksctl-ignored-key error']],
    ['P2 groups in a second document', `${config('iam: {}')}---\n${config(managed())}`, ['eksctl-ignored-key warning']],
    [
      'P3 a list of policies without those of nodes',
      config('iam: {withOIDC: true}', managed(OTHER_POLICY)),
      ['node-role-policies error', 'node-role-policies error'],
    ],
    [
      'P3 the same of self-managed ones, which eksctl always lets pull images',
      config('iam: {withOIDC: true}', selfManaged(OTHER_POLICY)),
      ['node-role-policies error'],
    ],
    [
      'P4 a list of policies without the CNI policy',
      config('iam: {withOIDC: false}', managed(OTHER_POLICY)),
      ['node-role-policies error', 'node-role-policies error', 'vpc-cni-role-missing error'],
    ],
    [
      'P5 IPv6 with the default vpc-cni',
      config(IPV6, 'addons: [{name: coredns}]', managed()),
      ['vpc-cni-role-ip-family error'],
    ],
    [
      'P6 IPv6 with the five actions',
      config(
        IPV6,
        'iam: {withOIDC: true}',
        `addons: [{name: coredns}, {name: vpc-cni, attachPolicy: ${OLD_IPV6_POLICY}}]`,
        managed(),
      ),
      ['vpc-cni-resolve-conflicts info', 'vpc-cni-role-subnet-discovery error'],
    ],
    [
      'P7 IPv6 with the policy for IPv4',
      config(
        IPV6,
        'iam: {withOIDC: true}',
        `addons: [{name: coredns}, {name: vpc-cni, attachPolicyARNs: ["${CNI_POLICY}"]}]`,
        managed(),
      ),
      ['vpc-cni-resolve-conflicts info', 'vpc-cni-role-ip-family error'],
    ],
    ['P8 no metadata for pods', config(managed('disablePodIMDS: true')), ['imds-hop-limit info']],
    ['P9 max pods that EKS sets, too', config(managed('maxPodsPerNode: 110')), ['node-config-overridden info']],
    [
      'P10 a script where a NodeConfig belongs',
      config(managed(...OWN_AMI, 'overrideBootstrapCommand: "#!/bin/bash"')),
      ['eksctl-refuses error'],
    ],
    [
      'settings of Bottlerocket that are EKS’s own, each told once',
      config(
        'iam: {}',
        managed(
          'amiFamily: Bottlerocket',
          'maxPodsPerNode: 20',
          'bottlerocket: {settings: {kubernetes: {cluster-name: shop, api-server: a, cluster-certificate: b}}}',
        ),
      ),
      ['eksctl-refuses error', 'eksctl-refuses error', 'eksctl-refuses error'],
    ],
    [
      'a label of Kubernetes beside an AMI, for which eksctl writes it into the user data',
      config('iam: {}', managed(...OWN_AMI, 'labels: {node-role.kubernetes.io/web: ""}')),
      ['node-label-reserved error'],
    ],
    [
      'associations without the agent, which is told once',
      config(
        'iam: {podIdentityAssociations: [{namespace: a, serviceAccountName: b, roleARN: "arn:aws:iam::111122223333:role/b"}]}',
        managed(),
      ),
      ['eksctl-refuses error'],
    ],
    [
      'P11 a NodeConfig without apiVersion and kind',
      config(managed(...OWN_AMI, 'overrideBootstrapCommand: "spec: {kubelet: {config: {maxPods: 50}}}"')),
      ['node-config-decoding error', 'node-config-decoding error'],
    ],
    [
      'P13 Karpenter in a cluster that does not read aws-auth',
      config('iam: {withOIDC: true}', 'karpenter: {version: 1.6.0}', 'accessConfig: {authenticationMode: API}'),
      ['eksctl-ignored-key warning'],
    ],
    [
      'P14 mappings in such a cluster',
      config(
        'accessConfig: {authenticationMode: API}',
        'iamIdentityMappings: [{arn: "arn:aws:iam::111122223333:role/ops", groups: ["system:masters"]}]',
      ),
      ['eksctl-ignored-key warning'],
    ],
    [
      'P15 the role of an add-on without subject',
      config('iam: {withOIDC: true}', 'addons: [{name: aws-ebs-csi-driver}]', managed()),
      ['irsa-trust-policy warning'],
    ],
    [
      'P16 the policies of an add-on without OIDC',
      config('addons: [{name: aws-ebs-csi-driver, wellKnownPolicies: {ebsCSIController: true}}]', managed()),
      ['eksctl-ignored-key warning', 'ebs-csi-role-missing warning'],
    ],
    [
      'P17 updates of a self-managed group',
      config('iam: {}', selfManaged('updateConfig: {maxUnavailable: 1}')),
      ['eksctl-ignored-key warning'],
    ],
    [
      'P18 all nodes at once',
      config(managed('minSize: 2', 'maxSize: 2', 'updateConfig: {maxUnavailable: 2}')),
      ['node-group-update-config warning'],
    ],
    ['P19 two architectures', config(managed('instanceTypes: [m5.large, m6g.large]')), ['ami-type-architecture error']],
    [
      'P20 a GPU beside plain types',
      config(managed('instanceTypes: [m5.large, g5.xlarge]')),
      ['ami-type-accelerator warning'],
    ],
    [
      'P21 a command without #!',
      on132(config(managed('amiFamily: AmazonLinux2', 'preBootstrapCommands: ["echo a"]'))),
      ['user-data-shebang warning'],
    ],
    [
      'P22 max pods on Windows',
      config('iam: {}', managed('amiFamily: WindowsServer2022CoreContainer', 'maxPodsPerNode: 30'), '  - name: linux'),
      ['eksctl-ignored-key warning'],
    ],
    [
      'P24 an add-on that resets the IPAM of Windows',
      config(
        'addons: [{name: vpc-cni, resolveConflicts: overwrite}]',
        managed('amiFamily: WindowsServer2022CoreContainer'),
        '  - name: linux',
      ),
      ['vpc-cni-resolve-conflicts warning', 'vpc-cni-windows-ipam warning'],
    ],
    [
      'P27 SSH from everywhere, to self-managed nodes',
      config(selfManaged('ssh: {allow: true}')),
      ['node-group-remote-access warning'],
    ],
    [
      'P25 nothing shared between the groups',
      config('iam: {}', selfManaged('securityGroups: {withShared: false}')),
      ['launch-template-security-groups warning'],
    ],
    [
      'P26 no security group at all',
      config('iam: {}', selfManaged('securityGroups: {withShared: false, withLocal: false}')),
      ['launch-template-security-groups warning'],
    ],
    ['P27 SSH from everywhere', config(managed('ssh: {publicKeyName: ops}')), ['node-group-remote-access warning']],
    [
      'P28 groups without a CNI',
      config('iam: {}', 'addonsConfig: {disableDefaultAddons: true}', managed()),
      ['cluster-network-addons error'],
    ],
    [
      'P29 a cluster role without the controller',
      config(
        'iam: {vpcResourceControllerPolicy: false}',
        `addons: [{name: vpc-cni, resolveConflicts: preserve, configurationValues: '{"env":{"ENABLE_POD_ENI":"true"}}'}]`,
        managed(),
      ),
      ['pod-security-groups-cluster-role error', 'vpc-cni-tcp-early-demux warning'],
    ],
    [
      'P30 IMDSv1 beside a launch template',
      config('iam: {}', managed('launchTemplate: {id: lt-1}', 'disableIMDSv1: true')),
      ['eksctl-ignored-key warning'],
    ],
    [
      'P31 the wrong volume',
      config(managed('amiFamily: Bottlerocket', 'volumeName: /dev/xvda', 'volumeSize: 100')),
      ['bottlerocket-data-volume warning'],
    ],
    [
      'P33 a feature gate that is gone',
      config(
        selfManaged('kubeletExtraConfig: {featureGates: {DisableKubeletCloudCredentialProviders: true}}'),
        'iam: {}',
      ),
      ['kubelet-feature-gate error'],
    ],
    [
      'P34 overwriting updates',
      config('addons: [{name: vpc-cni, resolveConflicts: overwrite}]', managed()),
      ['vpc-cni-resolve-conflicts warning'],
    ],
    [
      'P34 overwriting updates that leave the configuration values',
      config(
        `addons: [{name: vpc-cni, version: v1.21.1-eksbuild.1, resolveConflicts: overwrite, configurationValues: '{"env":{"WARM_ENI_TARGET":"1"}}'}]`,
        managed(),
      ),
      ['vpc-cni-resolve-conflicts info'],
    ],
    ['IMDSv1', config(managed('disableIMDSv1: false')), ['imds-v1 warning']],
    [
      'values that the add-on refuses',
      config(
        `addons: [{name: vpc-cni, version: v1.18.3-eksbuild.1, resolveConflicts: preserve, configurationValues: '{"env":{"ENABLE_NETWORK_POLICY":true}}'}]`,
        managed(),
      ),
      ['vpc-cni-configuration-schema error'],
    ],
  ])('%s', (_, text, findings) => {
    expect(told(text)).toEqual(findings.toSorted());
  });
});

describe('what eksctl brings by itself', () => {
  const messages = (text: string, rule: string) =>
    findingsIn(text)
      .filter((finding) => finding.rule === rule)
      .map(({ message }) => message);

  it('is said to be its own: the NodeConfig of maxPodsPerNode', () => {
    const [message, ...others] = messages(config(managed('maxPodsPerNode: 110')), 'node-config-overridden');
    expect(others).toEqual([]);
    expect(message).toContain(
      'sets `maxPodsPerNode`, of which eksctl makes a NodeConfig with `spec.kubelet.config.maxPods`, but names no AMI',
    );
  });

  it('is said to be its own: an add-on that the file does not list, and not one that it lists', () => {
    const policies = `iam: {attachPolicyARNs: ["${CNI_POLICY}", "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"]}`;
    const of = (...addons: readonly string[]) =>
      messages(config('iam: {withOIDC: true}', ...addons, managed(policies)), 'vpc-cni-role-on-nodes').join();
    expect(of()).toContain(
      'has a role of its own (eksctl installs `vpc-cni` by itself, as the file does not list it): every pod',
    );
    expect(of('addons: [{name: vpc-cni}, {name: coredns}]')).toContain('has a role of its own: every pod');
    const selfManaged = messages(
      config('iam: {withOIDC: true}', `nodeGroups: [{name: own, ${policies}}]`),
      'vpc-cni-role-on-nodes',
    );
    expect(selfManaged.join()).toMatch(
      /^Node role nodeGroups\.own\.iam has AmazonEKS_CNI_Policy, .* on own can attach/,
    );
  });

  it('is put right where it comes from: the policy of the CNI on nodes, without OIDC', () => {
    const addon = 'addons: [{name: vpc-cni, serviceAccountRoleARN: "arn:aws:iam::111122223333:role/cni"}]';
    const fixes = (text: string) =>
      findingsIn(text).flatMap(({ rule, fix }) => (rule === 'vpc-cni-role-on-nodes' ? [fix] : []));
    expect(fixes(config(addon, managed())).join()).toContain('Set `iam.withOIDC: true`');
    expect(fixes(config('iam: {withOIDC: true}', addon, managed()))).toEqual([]);
  });

  it('is one thing that nobody can tell, of all add-ons in the newest version', () => {
    const of = (...names: readonly string[]) =>
      messages(
        config(`addons: [${names.map((name) => `{name: ${name}, version: latest}`).join(', ')}]`, managed()),
        'addon-version',
      );
    expect(of('vpc-cni', 'coredns', 'kube-proxy')).toEqual([
      "Can't tell whether vpc-cni follows addon-version: the versions of vpc-cni, coredns and kube-proxy are not known (eksctl installs the newest version).",
    ]);
    expect(of('coredns')).toEqual([
      "Can't tell whether coredns follows addon-version: its version is not known (eksctl installs the newest version).",
    ]);
  });
});

describe('what no rule tells yet', () => {
  it.each<readonly [pitfall: string, reason: string, text: string]>([
    [
      'P12 a script without the labels that eksctl waits for',
      'a script may get them from files of the AMI',
      config(
        'iam: {}',
        selfManaged(
          'amiFamily: Ubuntu2204',
          'ami: ami-0123456789abcdef0',
          'overrideBootstrapCommand: "/etc/eks/bootstrap.sh shop"',
        ),
      ),
    ],
    [
      'P23 a group of Windows alone',
      'whether the cluster has the IPAM of Windows is not in the file',
      config(managed('amiFamily: WindowsServer2022CoreContainer')),
    ],
    [
      'P32 the policy for external-dns',
      'the version of external-dns is not in the file',
      config('iam: {}', managed('iam: {withAddonPolicies: {externalDNS: true}}')),
    ],
    [
      'P35 a size that never grows',
      'it breaks nothing',
      config('iam: {}', managed('desiredCapacity: 2', 'iam: {withAddonPolicies: {autoScaler: true}}')),
    ],
  ])('%s: %s', (_, __, text) => {
    expect(told(text)).toEqual([]);
  });
});

describe('what is right', () => {
  it.each<readonly [what: string, text: string]>([
    ['a group without a word', config('iam: {}', managed())],
    ['a group without the CNI policy beside OIDC', config('iam: {withOIDC: true}', managed())],
    [
      'vpc-cni with a role that eksctl makes',
      config(
        'iam: {withOIDC: true}',
        `addons: [{name: vpc-cni, resolveConflicts: preserve, attachPolicyARNs: ["${CNI_POLICY}"]}]`,
        managed(),
      ),
    ],
    ['an AMI for which eksctl writes the NodeConfig', config('iam: {}', managed(...OWN_AMI))],
    [
      'a NodeConfig of the user beside it',
      config(
        'iam: {}',
        managed(
          ...OWN_AMI,
          'overrideBootstrapCommand: |',
          '  apiVersion: node.eks.aws/v1alpha1',
          '  kind: NodeConfig',
          '  spec:',
          '    instance: {localStorage: {strategy: RAID0}}',
        ),
      ),
    ],
    ['a command that eksctl makes a script of', config('iam: {}', managed('preBootstrapCommands: ["sysctl -w a=b"]'))],
    [
      'scripts with names to fill in',
      config(
        'iam: {}',
        managed(
          ...OWN_AMI.slice(0, 1),
          'amiFamily: AmazonLinux2',
          'overrideBootstrapCommand: |',
          '  #!/bin/bash',
          "  /etc/eks/bootstrap.sh <cluster-name> --kubelet-extra-args '--node-labels=<labels>'",
        ),
      ),
    ],
    ['a big volume of Bottlerocket', config('iam: {}', managed('amiFamily: Bottlerocket', 'volumeSize: 100'))],
    ['security groups beside that of the cluster', config('iam: {}', managed('securityGroups: {attachIDs: [sg-1]}'))],
    ['families in any case', config('kubernetesNetworkConfig: {ipFamily: ipv4}', managed('amiFamily: bottlerocket'))],
    [
      'Windows and Linux in a new cluster',
      config('iam: {}', managed('amiFamily: WindowsServer2022CoreContainer'), '  - name: linux'),
    ],
    [
      'self-managed groups of each family',
      config(
        'iam: {}',
        selfManaged('amiFamily: Bottlerocket'),
        '  - name: linux',
        '  - name: windows',
        '    amiFamily: WindowsServer2022CoreContainer',
      ),
    ],
    ['SSH within the VPC', config(managed('ssh: {publicKeyName: ops}', 'privateNetworking: true'))],
    [
      'Karpenter whose nodes get in by an entry',
      config(
        'iam: {withOIDC: true}',
        'karpenter: {version: 1.6.0}',
        'accessConfig:',
        '  authenticationMode: API',
        '  accessEntries:',
        '    - {principalARN: "arn:aws:iam::111122223333:role/eksctl-KarpenterNodeRole-shop", type: EC2_LINUX}',
      ),
    ],
    [
      'a security group of their own in place of the shared one',
      config('iam: {}', selfManaged('securityGroups: {withShared: false, attachIDs: [sg-1]}')),
    ],
    [
      'SSH that no security group lets in',
      config(selfManaged('securityGroups: {withLocal: false}', 'ssh: {allow: true}')),
    ],
    ['SSH from a group', config(managed('ssh: {publicKeyName: ops, sourceSecurityGroupIds: [sg-1]}'))],
  ])('%s', (_, text) => {
    expect(told(text)).toEqual([]);
  });

  it('is no version where eksctl takes its own default', () => {
    expect(
      failuresIn(config('iam: {}').replace('  version: "1.34"\n', '')).filter((failure) => failure.includes('version')),
    ).toEqual([]);
  });
});

describe('the EBS CSI driver of a ClusterConfig', () => {
  const DRIVER = 'aws-ebs-csi-driver';
  const addons = (settings = '') =>
    `addons: [{name: vpc-cni}, {name: eks-pod-identity-agent}, {name: ${DRIVER}${settings}}]`;
  const association =
    'namespace: kube-system, serviceAccountName: ebs-csi-controller-sa, wellKnownPolicies: {ebsCSIController: true}';
  const lacksRole = (...parts: readonly string[]) =>
    told(config(...parts)).some((failure) => failure.startsWith('ebs-csi-role-missing'));

  it('lacks a role where nothing gives it one', () => {
    expect(lacksRole(addons(), managed())).toBe(true);
  });

  it.each<[string, readonly string[]]>([
    ['by the groups of nodes, as the fix says', [addons(), managed('iam: {withAddonPolicies: {ebs: true}}')]],
    [
      'by the policies that eksctl knows, as the fix says',
      ['iam: {withOIDC: true}', addons(', wellKnownPolicies: {ebsCSIController: true}'), managed()],
    ],
    ['by what eksctl recommends where there is a provider', ['iam: {withOIDC: true}', addons(), managed()]],
    ['by the default association', [addons(', useDefaultPodIdentityAssociations: true'), managed()]],
    ['by those of all', ['addonsConfig: {autoApplyPodIdentityAssociations: true}', addons(), managed()]],
    ['by one beside it', [`iam: {podIdentityAssociations: [{${association}}]}`, addons(), managed()]],
  ])('has one %s', (_, parts) => {
    expect(lacksRole(...parts)).toBe(false);
  });
});
