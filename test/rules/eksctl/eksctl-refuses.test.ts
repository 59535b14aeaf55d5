import { eksctlRefuses } from '../../../lib/rules/eksctl/eksctl-refuses';
import { config, managed, selfManaged } from '../../front-ends/eksctl/configs';
import { CLUSTER, resources } from '../node-templates';
import { testRule } from '../rule-tester';

const FILE = 'cluster.yaml';

function refused(name: string, template: string, at: string, says: readonly string[] = []) {
  return { name, template, findings: [{ message: 'refused', severity: 'error', resource: FILE, at, says }] } as const;
}

function late(name: string, template: string, at: string, says: readonly string[] = []) {
  return {
    name,
    template,
    findings: [{ message: 'refusedLate', severity: 'error', resource: FILE, at, says }],
  } as const;
}

const IPV6 = 'kubernetesNetworkConfig: {ipFamily: IPv6}';
const AMI = ['ami: ami-0123456789abcdef0'];

const POLICY = 'arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess';
const ROLE = 'arn:aws:iam::111122223333:role/somebody';

function entry(...settings: readonly string[]): readonly string[] {
  return [
    'accessConfig:',
    '  accessEntries:',
    `    - principalARN: ${ROLE}`,
    ...settings.map((line) => `      ${line}`),
  ];
}

function association(settings: string): readonly string[] {
  return [
    'iam:',
    '  podIdentityAssociations:',
    `    - {namespace: a, serviceAccountName: b, ${settings}}`,
    'addons: [{name: eks-pod-identity-agent}]',
  ];
}

const REMOTE = 'remoteNodeNetworks: [{cidrs: ["10.80.0.0/16"]}]';
const ON_OUTPOST = 'arn:aws:outposts:eu-west-1:111122223333:outpost/op-';
const SUBNETS = '{eu-west-1a: {id: subnet-1}, eu-west-1b: {id: subnet-2}}';
const OUTPOST = 'controlPlaneOutpostARN: arn:aws:outposts:eu-west-1:111122223333:outpost/op-0123456789abcdef0';

type Case = readonly [name: string, lines: readonly string[], at: string, says: string];

/** The further errors of eksctl's validation, in its order. */
const OTHERS: readonly Case[] = [
  [
    'IPv6 with hybrid nodes',
    [IPV6, 'addons: [{name: coredns}]', `remoteNetworkConfig: {${REMOTE}}`],
    'remoteNetworkConfig',
    'does not go with IPv6',
  ],
  [
    'hybrid nodes by the ConfigMap',
    ['accessConfig: {authenticationMode: CONFIG_MAP}', `remoteNetworkConfig: {${REMOTE}}`],
    'authenticationMode',
    'access entries',
  ],
  [
    'two networks of nodes',
    ['remoteNetworkConfig: {remoteNodeNetworks: [{cidrs: ["10.80.0.0/16"]}, {cidrs: ["10.81.0.0/16"]}]}'],
    'remoteNodeNetworks',
    'several networks',
  ],
  [
    'no network of nodes',
    ['remoteNetworkConfig: {iam: {provider: ssm}}'],
    'remoteNetworkConfig',
    'no network of nodes',
  ],
  ['a gateway of another kind', [`remoteNetworkConfig: {${REMOTE}, vpcGatewayID: igw-1}`], 'vpcGatewayID', '"igw-1"'],
  [
    'a gateway in a VPC of its own',
    ['vpc: {id: vpc-1}', `remoteNetworkConfig: {${REMOTE}, vpcGatewayID: tgw-1}`],
    'vpcGatewayID',
    'for a VPC that eksctl makes',
  ],
  ['an unknown provider', [`remoteNetworkConfig: {${REMOTE}, iam: {provider: saml}}`], 'provider', '"saml"'],
  [
    'a certificate for SSM',
    [`remoteNetworkConfig: {${REMOTE}, iam: {caBundleCert: a}}`],
    'caBundleCert',
    'IAM Roles Anywhere',
  ],
  ['no certificate', [`remoteNetworkConfig: {${REMOTE}, iam: {provider: ira}}`], 'iam', 'certificate'],
  ['a rollback in an hour', ['  rollbackConfig: {timeoutMinutes: 60}'], 'timeoutMinutes', '120 to 10080'],
  [
    'a service account twice',
    [
      'iam:',
      '  withOIDC: true',
      '  serviceAccounts:',
      ...['{name: a}', '{name: a, namespace: default}'].map(
        (one) => `    - {metadata: ${one}, attachPolicyARNs: ["${POLICY}"]}`,
      ),
    ],
    'name: a, namespace',
    'default/a',
  ],
  [
    'a Karpenter by name',
    ['iam: {withOIDC: true}', 'karpenter: {version: latest}'],
    'version: latest',
    '"latest" is no version',
  ],
  [
    'an association with a role and policies',
    association(`roleARN: "${ROLE}", permissionPolicyARNs: ["${POLICY}"]`),
    'permissionPolicyARNs',
    'a role and policies',
  ],
  [
    'an association without the agent',
    [...association(`roleARN: "${ROLE}"`).slice(0, -1), managed()],
    'podIdentityAssociations',
    'no add-on eks-pod-identity-agent',
  ],
  [
    'the association of an add-on without the agent',
    ['addons: [{name: vpc-cni, useDefaultPodIdentityAssociations: true}]', 'vpc: {cidr: 10.0.0.0/16}'],
    'useDefaultPodIdentityAssociations',
    'no add-on eks-pod-identity-agent',
  ],
  [
    'an association without permissions',
    association('createServiceAccount: true'),
    '{namespace',
    'neither a role nor policies',
  ],
  [
    'a name of a policy that is not there',
    association(`permissionPolicyARNs: ["${POLICY}"], permissionPolicyName: x`),
    'permissionPolicyName',
    "doesn't write",
  ],
  [
    'known policies of an add-on',
    [
      'addons:',
      '  - name: eks-pod-identity-agent',
      '  - name: aws-ebs-csi-driver',
      '    podIdentityAssociations: [{namespace: a, serviceAccountName: b, wellKnownPolicies: {ebsCSIController: true}}]',
    ],
    'wellKnownPolicies',
    'for associations of `iam`',
  ],
  [
    'a namespace of an add-on',
    ['addons: [{name: snapshot-controller, namespaceConfig: {namespace: My_NS}}]'],
    'namespace: My_NS',
    '"My_NS"',
  ],
  [
    'services without a prefix',
    ['kubernetesNetworkConfig: {serviceIPv4CIDR: 10.100.0.0}'],
    'serviceIPv4CIDR',
    'no range of addresses',
  ],
  ...['10.0.0.256/24', '10.0.0/24', '2600:::/56', '10.0.0.0/33'].map(
    (range): Case => [`no range: ${range}`, [`vpc: {publicAccessCIDRs: ["${range}"]}`], `"${range}"`, `"${range}"`],
  ),
  ['an address as a range', ['vpc: {publicAccessCIDRs: ["1.1.1.1"]}'], '"1.1.1.1"', 'vpc.publicAccessCIDRs[0]'],
  [
    'an old CNI with IPv6',
    [IPV6, 'iam: {withOIDC: true}', 'addons: [{name: coredns}, {name: vpc-cni, version: 1.9.3}]'],
    'version: 1.9.3',
    'older than 1.10.0',
  ],
  [
    'more IPv6 ranges with IPv4 by name',
    ['kubernetesNetworkConfig: {ipFamily: IPv4}', 'vpc: {extraIPv6CIDRs: ["2600::/56"]}'],
    'extraIPv6CIDRs',
    'are for IPv6 clusters',
  ],
  ['an IPv6 range with IPv4', ['vpc: {ipv6Cidr: "2600::/56", ipv6Pool: a}'], 'ipv6Cidr', 'for IPv6 clusters'],
  [
    'an IPv6 range without its pool',
    [IPV6, 'addons: [{name: coredns}]', 'vpc: {ipv6Cidr: "2600::/56"}'],
    'ipv6Cidr',
    'go together',
  ],
  [
    'addresses of IPv6 beside those of IPv4 in an IPv6 cluster',
    [IPV6, 'iam: {withOIDC: true}', 'addons: [{name: coredns}, {name: vpc-cni}]', 'vpc: {autoAllocateIPv6: true}'],
    'autoAllocateIPv6',
    'is for IPv4 clusters',
  ],
  [
    'subnets of the control plane twice',
    ['vpc: {controlPlaneOnPrivateSubnets: true, controlPlaneSubnetIDs: [subnet-1, subnet-2]}'],
    'controlPlaneOnPrivateSubnets',
    'exclude each other',
  ],
  ['host names of another type', ['vpc: {hostnameType: ip}'], 'hostnameType', '"ip"'],
  [
    'local zones in a VPC of its own',
    ['vpc: {id: vpc-1}', 'localZones: [us-west-2-lax-1a]'],
    'localZones',
    'for a VPC that eksctl makes',
  ],
  [
    'a fully private cluster without private subnets',
    ['privateCluster: {enabled: true}', 'vpc: {id: vpc-1}'],
    'id: vpc-1',
    'no private subnets',
  ],
  [
    'a further endpoint that eksctl does not make',
    ['privateCluster: {enabled: true, additionalEndpointServices: [sqs]}'],
    'sqs',
    '"sqs"',
  ],
  [
    'further endpoints of none',
    ['privateCluster: {enabled: true, skipEndpointCreation: true, additionalEndpointServices: [logs]}'],
    'additionalEndpointServices',
    'leaves out',
  ],
  [
    'an unknown type of log',
    ['cloudWatch: {clusterLogging: {enableTypes: [api, controller-manager]}}'],
    'controller-manager',
    '"controller-manager"',
  ],
  [
    'logs that are kept and not written',
    ['cloudWatch: {clusterLogging: {logRetentionInDays: 30}}'],
    'logRetentionInDays',
    'no type of log is on',
  ],
  [
    'six years of logs, which CloudWatch has and eksctl has not',
    ['cloudWatch: {clusterLogging: {enableTypes: ["*"], logRetentionInDays: 2192}}'],
    'logRetentionInDays',
    'does not take 2192',
  ],
  ['a key by its alias', ['secretsEncryption: {keyARN: alias/shop}'], 'keyARN', 'no ARN'],
  ['flux without flags', ['gitops: {flux: {gitProvider: github}}'], 'flux', 'no `flags`'],
  ['an unknown pool of Auto Mode', ['autoModeConfig: {enabled: true, nodePools: [gpu]}'], 'gpu', '"gpu"'],
  ['a pool of Auto Mode twice', ['autoModeConfig: {enabled: true, nodePools: [system, system]}'], 'system]', 'twice'],
  [
    'a role for no pool',
    [`autoModeConfig: {enabled: true, nodeRoleARN: "${ROLE}", nodePools: []}`],
    'nodeRoleARN',
    'none',
  ],
  ['pools of Auto Mode that is off', ['autoModeConfig: {nodePools: [system]}'], 'nodePools', 'Auto Mode is off'],
  [
    'an access entry of nobody',
    ['accessConfig: {accessEntries: [{type: STANDARD}]}'],
    '{type: STANDARD}',
    'names nobody',
  ],
  [
    'an access entry by a name',
    ['accessConfig: {accessEntries: [{principalARN: somebody}]}'],
    'principalARN',
    'no ARN',
  ],
  [
    'an access entry twice',
    [...entry(), `    - {type: STANDARD, principalARN: "${ROLE}"}`],
    'principalARN: "',
    'two access entries',
  ],
  [
    'an access entry of nodes with groups',
    entry('type: EC2_LINUX', 'kubernetesGroups: [a]'),
    'kubernetesGroups',
    'is for nodes',
  ],
  ['an access entry of another type', entry('type: Linux'), 'type: Linux', '"Linux"'],
  [
    'a policy of IAM as access policy',
    entry(`accessPolicies: [{policyARN: "${POLICY}", accessScope: {type: cluster}}]`),
    'policyARN',
    'no access policy of EKS',
  ],
  [
    'an access policy without scope',
    entry('accessPolicies: [{policyARN: "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy"}]'),
    '{policyARN',
    'no scope',
  ],
  [
    'an access policy for namespaces without any',
    entry(
      'accessPolicies: [{policyARN: "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy", accessScope: {type: namespace}}]',
    ),
    'accessScope',
    'names none',
  ],
  [
    'nodes that nobody may let in',
    ['accessConfig: {bootstrapClusterCreatorAdminPermissions: false}', selfManaged()],
    'bootstrapClusterCreatorAdminPermissions',
    'lets itself out',
  ],
  [
    'a service without its namespace',
    ['iamIdentityMappings: [{serviceName: emr-containers}]'],
    '{serviceName',
    'only one of',
  ],
  [
    'an account with a name',
    ['iamIdentityMappings: [{account: "111122223333", username: a}]'],
    'account',
    '`username`',
  ],
  [
    'an identity provider without a client',
    ['identityProviders: [{type: oidc, name: a, issuerURL: "https://example.com"}]'],
    '{type: oidc',
    'no `clientID`',
  ],
  ['add-ons on Outposts', [`outpost: {${OUTPOST}}`, 'addons: [{name: coredns}]'], 'addons', 'Outposts'],
  [
    'addresses of IPv6 on Outposts',
    [`outpost: {${OUTPOST}}`, 'vpc: {autoAllocateIPv6: true}'],
    'autoAllocateIPv6',
    '`vpc.autoAllocateIPv6` does not go with a control plane on Outposts',
  ],
  [
    'nobody who enters a cluster on Outposts',
    [`outpost: {${OUTPOST}}`, 'accessConfig: {bootstrapClusterCreatorAdminPermissions: false}'],
    'bootstrapClusterCreatorAdminPermissions',
    'Outposts',
  ],
  [
    'a place for etcd that has no instances of its own',
    [`outpost: {${OUTPOST}, etcdPlacement: {spreadLevel: host}}`],
    'etcdPlacement',
    '`outpost.etcdPlacement` needs instances for etcd',
  ],
  [
    'hybrid nodes of a cluster on Outposts without such instances',
    [`outpost: {${OUTPOST}}`, `remoteNetworkConfig: {${REMOTE}}`],
    'remoteNetworkConfig',
    'needs instances for etcd',
  ],
  [
    'a placement group beside such instances',
    [`outpost: {${OUTPOST}, etcdInstanceType: m5.large, controlPlanePlacement: {groupName: a}}`],
    'groupName',
    'does not go with `outpost.etcdInstanceType`',
  ],
  [
    'the ConfigMap beside such instances',
    [`outpost: {${OUTPOST}, etcdInstanceType: m5.large}`, 'accessConfig: {authenticationMode: CONFIG_MAP}'],
    'authenticationMode',
    'needs access entries',
  ],
  [
    'Bottlerocket on Outposts',
    [`outpost: {${OUTPOST}}`, selfManaged('amiFamily: Bottlerocket')],
    'amiFamily',
    'on an Outpost and runs Bottlerocket',
  ],
  [
    'a volume that Outposts do not have',
    [`outpost: {${OUTPOST}}`, selfManaged('volumeType: gp3')],
    'volumeType',
    'volumes of type gp3',
  ],
  [
    'a group on another Outpost than the control plane',
    [`outpost: {${OUTPOST}}`, selfManaged(`outpostARN: ${ON_OUTPOST}1`)],
    'outpostARN',
    'two Outposts',
  ],
  ['a group on an Outpost by its id', [selfManaged('outpostARN: op-1')], 'outpostARN', 'no ARN of an Outpost'],
  [
    'a zone on an Outpost',
    [selfManaged(`outpostARN: ${ON_OUTPOST}1`, 'availabilityZones: [eu-west-1a]')],
    'availabilityZones',
    'does not go',
  ],
  ['another NAT gateway', ['vpc: {nat: {gateway: single}}'], 'gateway', 'no NAT gateways "single"'],
  ['a provider of another type', ['identityProviders: [{type: saml, name: a}]'], 'type', 'no other'],
  [
    'a policy without a name',
    association('permissionPolicyName: "--", permissionPolicy: {Version: "2012-10-17", Statement: []}'),
    'permissionPolicyName',
    '"--" is no name',
  ],
  ['an update of no number of nodes', [managed('updateConfig: {}')], 'updateConfig', 'how many nodes'],
  [
    'a policy of a self-managed group by its name',
    [selfManaged('iam: {attachPolicyARNs: [AmazonEKSWorkerNodePolicy]}')],
    'AmazonEKSWorkerNodePolicy',
    'no ARN of a policy',
  ],
  [
    'the load balancer controller by two names',
    [selfManaged('iam: {withAddonPolicies: {albIngress: true, awsLoadBalancerController: true}}')],
    'albIngress',
    'its old and its new name',
  ],
  [
    'a version of a launch template by its name',
    [managed('launchTemplate: {id: lt-1, version: "$Latest"}')],
    'version: "$Latest"',
    '"$Latest"',
  ],
  ['a key of a label with two slashes', [managed('labels: {a/b/c: x}')], 'a/b/c', 'no key of a label'],
  ['a label with a space', [managed('labels: {team: blue red}')], 'team', 'the value "blue red"'],
  [
    'a short taint without its effect',
    [selfManaged('taints: {dedicated: batch}')],
    'dedicated',
    'The taint dedicated is "batch"',
  ],
  [
    'Ubuntu with accelerators',
    [managed('amiFamily: Ubuntu2204', 'instanceTypes: [inf2.xlarge]')],
    'inf2.xlarge',
    'drivers',
  ],
  [
    'Windows on Graviton',
    [selfManaged('amiFamily: WindowsServer2022CoreContainer', 'instanceType: m6g.large')],
    'instanceType',
    'no AMI for m6g.large',
  ],
  [
    'settings of Bottlerocket that are no map',
    [selfManaged('amiFamily: Bottlerocket', 'bottlerocket: {settings: {kubernetes: all}}')],
    'kubernetes: all',
    'no map',
  ],
  [
    'the DNS of the cluster twice',
    [
      selfManaged(
        'amiFamily: Bottlerocket',
        'clusterDNS: 10.0.0.10',
        'bottlerocket: {settings: {kubernetes: {cluster-dns-ip: 10.0.0.10}}}',
      ),
    ],
    'cluster-dns-ip',
    'twice',
  ],
  [
    'no SSH beside a launch template',
    [managed('launchTemplate: {id: lt-0123456789abcdef0}', 'ssh: {publicKeyName: a}')],
    'publicKeyName',
    'does not go with a launch template',
  ],
  [
    'two SSH keys, at the second',
    [managed('ssh: {publicKeyName: a, publicKey: ssh-ed25519 AAAA}')],
    'publicKey: ssh-ed25519',
    'several SSH keys',
  ],
  ['an AMI of a managed group by a word', [managed('ami: auto', 'amiFamily: AmazonLinux2023')], 'ami: auto', 'no AMI'],
  ['a placement without a group', [managed('placement: {spreadLevel: rack}')], 'placement', 'no placement group'],
  [
    'instances by type and selector',
    [managed('instanceType: m5.large', 'instanceSelector: {vCPUs: 2}')],
    'instanceType',
    '`instanceSelector`',
  ],
  [
    'a managed group on an Outpost',
    [managed('outpostARN: arn:aws:outposts:eu-west-1:111122223333:outpost/op-1')],
    'outpostARN',
    'Outpost',
  ],
  ['pods below zero', [managed('maxPodsPerNode: -1')], 'maxPodsPerNode', '-1 pods'],
  ['a taint without a key', [managed('taints: [{effect: NoSchedule}]')], '{effect', 'no key'],
  [
    'a taint with a space in its value',
    [managed('taints: [{key: team, value: "my team", effect: NoSchedule}]')],
    'value: "my team"',
    'the value "my team"',
  ],
  [
    'groups on two Outposts',
    [selfManaged(`outpostARN: ${ON_OUTPOST}1`), '  - name: other', `    outpostARN: ${ON_OUTPOST}2`],
    `outpostARN: ${ON_OUTPOST}2`,
    'two Outposts',
  ],
  [
    'a group on an Outpost in a fully private cluster',
    ['privateCluster: {enabled: true}', selfManaged('privateNetworking: true', `outpostARN: ${ON_OUTPOST}1`)],
    'outpostARN',
    'fully private',
  ],
  [
    'a control plane in private subnets of one zone, written twice',
    ['availabilityZones: [eu-west-1a, eu-west-1a]', 'vpc: {controlPlaneOnPrivateSubnets: true}'],
    'controlPlaneOnPrivateSubnets',
    'some in one zone only',
  ],
  [
    'a control plane in private subnets, of which there are none',
    ['vpc:', '  controlPlaneOnPrivateSubnets: true', `  subnets: {public: ${SUBNETS}}`],
    'controlPlaneOnPrivateSubnets',
    'of which there are none',
  ],
  [
    'a control plane in private subnets that say they are in one zone',
    [
      'vpc:',
      '  controlPlaneOnPrivateSubnets: true',
      `  subnets: {private: ${SUBNETS.replace('eu-west-1b: {', 'two: {az: eu-west-1a, ')}}`,
    ],
    'controlPlaneOnPrivateSubnets',
    'some in one zone only',
  ],
  ['a taint with a space', [managed('taints: [{key: "my key", effect: NoSchedule}]')], 'key: "my key"', '"my key"'],
  [
    'a reservation and a preference',
    [
      managed(
        'capacityReservation: {capacityReservationPreference: open, capacityReservationTarget: {capacityReservationID: cr-1}}',
      ),
    ],
    'capacityReservationPreference',
    'a preference',
  ],
  [
    'a market of another type',
    [
      managed(
        'instanceMarketOptions: {marketType: spot}',
        'capacityReservation: {capacityReservationTarget: {capacityReservationID: cr-1}}',
      ),
    ],
    'marketType',
    '"spot"',
  ],
  [
    'more than all on demand',
    [selfManaged('instancesDistribution: {instanceTypes: [m5.large], onDemandPercentageAboveBaseCapacity: 150}')],
    'onDemandPercentageAboveBaseCapacity',
    '150',
  ],
  [
    'a strategy that EC2 does not have',
    [selfManaged('instancesDistribution: {instanceTypes: [m5.large], spotAllocationStrategy: cheapest}')],
    'spotAllocationStrategy',
    '"cheapest"',
  ],
  [
    'pools with a strategy that has none',
    [
      selfManaged(
        'instancesDistribution: {instanceTypes: [m5.large], spotInstancePools: 2, spotAllocationStrategy: capacity-optimized}',
      ),
    ],
    'spotInstancePools',
    'does not go with',
  ],
  [
    'credits of instances that have none',
    [selfManaged('instanceType: m5.large', 'cpuCredits: unlimited')],
    'cpuCredits',
    'no instance type',
  ],
  [
    'credits of another kind',
    [selfManaged('instanceType: t3.large', 'cpuCredits: endless')],
    'cpuCredits',
    '"endless"',
  ],
  [
    'a process that no group has',
    [selfManaged('asgSuspendProcesses: [AZRebalancing]')],
    'AZRebalancing',
    '"AZRebalancing"',
  ],
  ['instances that live an hour', [selfManaged('maxInstanceLifetime: 3600')], 'maxInstanceLifetime', '3600'],
  ['Docker', [selfManaged('containerRuntime: dockerd')], 'containerRuntime', 'dockerd'],
  [
    'a name of a self-managed group with a dot',
    [selfManaged().replace('workers', 'my.workers')],
    'name: my.workers',
    '"my.workers"',
  ],
  [
    'zones of both kinds',
    [selfManaged('localZones: [us-west-2-lax-1a]', 'availabilityZones: [us-west-2a]')],
    'localZones',
    'has both',
  ],
];

/** What is told only when the control plane is there. */
const AT_WORK: readonly Case[] = [
  [
    'a name of a managed group with an underscore',
    [managed().replace('workers', 'my_workers')],
    'name: my_workers',
    'builds the stack of the group',
  ],
  [
    'fewer self-managed nodes than at least',
    [selfManaged('minSize: 3', 'desiredCapacity: 2')],
    'desiredCapacity',
    '`desiredCapacity: 2` below `minSize: 3`',
  ],
  [
    'EFA on a type without',
    [managed('efaEnabled: true', 'instanceTypes: [p4d.24xlarge, m5.large]')],
    'm5.large',
    'which m5.large has no place for',
  ],
  [
    'self-managed EFA on a type without',
    [selfManaged('efaEnabled: true', 'instanceType: m5.large')],
    'instanceType',
    'm5.large',
  ],
];

/** What `create fargateprofile` tells at once, and `create cluster` when the control plane is there. */
const OF_FARGATE: readonly Case[] = [
  [
    'a Fargate profile without a selector',
    ['fargateProfiles: [{name: shop}]'],
    '{name: shop}',
    '`eksctl create fargateprofile` refuses the file, and `eksctl create cluster` stops there',
  ],
  [
    'a Fargate profile with an empty selector',
    ['fargateProfiles: [{name: shop, selectors: [{labels: {a: b}}]}]'],
    '{labels',
    'no namespace',
  ],
  [
    "a Fargate profile with AWS's prefix",
    ['fargateProfiles: [{name: eks-shop, selectors: [{namespace: shop}]}]'],
    'name: eks-shop',
    'begins with',
  ],
  [
    'a Fargate profile without a name',
    ['fargateProfiles: [{selectors: [{namespace: shop}]}]'],
    '{selectors',
    'has no name',
  ],
  [
    'a Fargate profile with an empty namespace beside a key that is none',
    ['fargateProfiles: [{name: shop, selectors: [{namespace: ""}]}]'],
    '{namespace',
    'no namespace',
  ],
];

testRule(eksctlRefuses, {
  valid: [
    {
      name: 'a name that a script puts in',
      template: config(managed()).replace('name: shop', 'name: CLUSTER_NAME'),
    },
    {
      name: 'a fully private cluster',
      template: config(
        'privateCluster: {enabled: true}',
        'vpc: {cidr: 10.0.0.0/16}',
        managed('privateNetworking: true'),
      ),
    },
    {
      name: 'EFA on types that have it, that nobody knows, or that eksctl selects',
      template: config(
        managed('efaEnabled: true', 'instanceTypes: [p4d.24xlarge, c6gn.16xlarge]'),
        '  - {name: new, efaEnabled: true, instanceType: x99.metal}',
        '  - {name: chosen, efaEnabled: true, instanceSelector: {vCPUs: 96}}',
        '  - {name: none, efaEnabled: false, instanceType: m5.large}',
      ),
    },
    ...['API', 'API_AND_CONFIG_MAP', 'CONFIG_MAP', '${MODE}'].map((mode) => ({
      name: `the authentication mode ${mode}`,
      template: config(`accessConfig: {authenticationMode: "${mode}"}`),
    })),
    {
      name: 'associations for a cluster that may have the agent',
      template: config(...association(`roleARN: "${ROLE}"`).slice(0, -1)),
    },
    {
      name: 'add-ons for a cluster that may have the agent',
      template: config('addons: [{name: vpc-cni, useDefaultPodIdentityAssociations: true}]'),
    },
    {
      name: 'associations beside an add-on that may be the agent',
      template: config(...association(`roleARN: "${ROLE}"`).slice(0, -1), 'addons: [{name: "${ADDON}"}]', managed()),
    },
    {
      name: 'associations in Auto Mode, which has the agent',
      template: config(...association(`roleARN: "${ROLE}"`).slice(0, -1), 'autoModeConfig: {enabled: true}'),
    },
    {
      name: 'associations in what may be Auto Mode',
      template: config(...association(`roleARN: "${ROLE}"`).slice(0, -1), 'autoModeConfig: {enabled: "${AUTO}"}'),
    },
    {
      name: 'default associations for no add-on',
      template: config('addonsConfig: {autoApplyPodIdentityAssociations: true}', managed()),
    },
    {
      name: 'labels and short taints as Kubernetes has them',
      template: config(
        selfManaged(
          'labels: {example.com/team: blue, tier: ""}',
          'taints: {dedicated: "batch:NoSchedule", spot: NoExecute, example.com/a: ":NoSchedule"}',
        ),
      ),
    },
    { name: 'volumes of a type whose IOPS nobody chooses', template: config(managed('volumeType: gp2')) },
    {
      name: 'settings of Bottlerocket that the group itself has not',
      template: config(
        managed('amiFamily: Bottlerocket', 'bottlerocket: {settings: {kubernetes: {pod-pids-limit: 1000}}}'),
      ),
    },
    {
      name: 'the address of the DNS in the settings of Bottlerocket alone',
      template: config(
        selfManaged('amiFamily: Bottlerocket', 'bottlerocket: {settings: {kubernetes: {cluster-dns-ip: 10.0.0.10}}}'),
      ),
    },
    {
      name: 'labels that somebody fills in',
      template: config(
        managed('labels: {team: "${TEAM NAME}", "{{ .key }}": x}', 'launchTemplate: {id: lt-1, version: $VERSION}'),
      ),
    },
    {
      name: 'an update that says one of the two',
      template: config(managed('updateConfig: {maxUnavailablePercentage: 25}')),
    },
    { name: 'sizes in their order', template: config(selfManaged('minSize: 0', 'desiredCapacity: 0', 'maxSize: 3')) },
    {
      name: 'a NAT gateway in a VPC of its own, which eksctl passes over',
      template: config(`vpc: {id: vpc-1, nat: {gateway: none}, subnets: {private: ${SUBNETS}}}`),
    },
    {
      name: 'Graviton on Ubuntu, and accelerators with drivers',
      template: config(
        selfManaged('amiFamily: Ubuntu2204', 'instanceType: m6g.large'),
        '  - name: neuron',
        '    instanceType: inf2.xlarge',
      ),
    },
    {
      name: 'groups on the Outpost of the control plane',
      template: config(
        `outpost: {${OUTPOST}, etcdInstanceType: m5.large, etcdPlacement: {spreadLevel: host}}`,
        selfManaged(`outpostARN: ${ON_OUTPOST}0123456789abcdef0`, 'volumeType: gp2'),
      ),
    },
    {
      name: 'the first Karpenter that eksctl installs',
      template: config('iam: {withOIDC: true}', 'karpenter: {version: v0.20.0}'),
    },
    {
      name: 'a distribution',
      template: config(
        selfManaged('instanceType: mixed', 'instancesDistribution: {instanceTypes: [m5.large]}'),
        '  - name: selected',
        '    instancesDistribution: {onDemandBaseCapacity: 1}',
        '    instanceSelector: {vCPUs: 2}',
      ),
    },
    {
      name: 'a control plane in private subnets, of zones that eksctl chooses',
      template: config('vpc: {controlPlaneOnPrivateSubnets: true}', managed()),
    },
    {
      name: 'a control plane in private subnets of two zones',
      template: config('vpc:', '  controlPlaneOnPrivateSubnets: true', `  subnets: {private: ${SUBNETS}}`, managed()),
    },
    {
      name: 'two groups on one Outpost, one in the region, and a taint without a value',
      template: config(
        selfManaged(`outpostARN: ${ON_OUTPOST}1`),
        '  - name: other',
        `    outpostARN: ${ON_OUTPOST}1`,
        '  - name: third',
        '    taints: [{key: a, effect: NoSchedule}, {key: b, value: "", effect: NoSchedule}, {key: c, value: v1.2_x, effect: NoExecute}]',
      ),
    },
    {
      name: 'policies with a path, of another partition, and of a variable',
      template: config(
        managed(
          'iam: {attachPolicyARNs: [arn:aws:iam::aws:policy/service-role/X, "arn:aws-cn:iam::111122223333:policy/a", "${POLICY}"]}',
        ),
      ),
    },
    { name: 'booleans of YAML 1.1', template: config(managed('spot: yes')) },
    {
      name: 'families in any case',
      template: config('kubernetesNetworkConfig: {ipFamily: ipv4}', managed('amiFamily: bottlerocket')),
    },
    {
      name: 'values that are filled in before',
      template: config(managed('desiredCapacity: ${SIZE}', 'spot: ${SPOT}')),
    },
    {
      name: 'what eksctl leaves out as null',
      template: config(
        managed('ssh: {publicKeyPath: ""}', 'securityGroups: {withLocal: null, withShared: null}', 'labels: null'),
      ),
    },
    {
      name: 'merged keys',
      template: config(
        'nodeGroups:',
        '  - &base',
        '    name: a',
        '    minSize: 1',
        '  - name: b',
        '    volumeSize: 50',
      ),
    },
    {
      name: 'taints as a map, of a self-managed group',
      template: config(selfManaged('taints: {dedicated: "gpu:NoSchedule"}')),
    },
    {
      name: 'a NodeConfig as override',
      template: config(
        managed(
          'overrideBootstrapCommand: |',
          '  apiVersion: node.eks.aws/v1alpha1',
          '  kind: NodeConfig',
          '  spec: {}',
        ),
      ),
    },
    {
      name: 'IPv6 with what it takes',
      template: config(IPV6, 'iam: {withOIDC: true}', 'addons: [{name: coredns}, {name: vpc-cni}]', managed()),
    },
    {
      name: 'a service account with a policy',
      template: config(
        'iam: {withOIDC: true, serviceAccounts: [{metadata: {name: a}, wellKnownPolicies: {autoScaler: true}}]}',
      ),
    },
    { name: 'an encrypted volume of a managed group', template: config(managed('volumeEncrypted: true')) },
    {
      name: 'Auto Mode with the pools of EKS and a role of its own',
      template: config(
        'autoModeConfig:',
        '  enabled: true',
        '  nodeRoleARN: arn:aws:iam::111122223333:role/auto',
        '  nodePools: [general-purpose, system]',
      ),
    },
    { name: 'Auto Mode without pools', template: config('autoModeConfig: {enabled: true, nodePools: []}') },
    { name: 'Auto Mode that is off', template: config('autoModeConfig: {enabled: false}', managed()) },
    {
      name: 'all logs, with a word beside it that eksctl drops',
      template: config('cloudWatch: {clusterLogging: {enableTypes: ["*", apis], logRetentionInDays: 30}}'),
    },
    {
      name: 'access entries of each kind',
      template: config(
        'accessConfig:',
        '  accessEntries:',
        '    - {principalARN: "arn:aws:iam::111122223333:role/nodes", type: EC2_LINUX}',
        '    - principalARN: arn:aws:iam::111122223333:role/people',
        '      kubernetesGroups: [people]',
        '      accessPolicies:',
        '        - policyARN: arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy',
        '          accessScope: {type: namespace, namespaces: [shop]}',
        '    - principalARN: ${ADMIN_ROLE_ARN}',
        '      accessPolicies: [{policyARN: "${POLICY_ARN}", accessScope: {type: cluster}}]',
      ),
    },
    {
      name: 'identities of people, a service and an account',
      template: config(
        'iamIdentityMappings:',
        '  - {arn: "arn:aws:iam::111122223333:role/people", username: people, groups: [people]}',
        '  - {serviceName: emr-containers, namespace: emr}',
        '  - {account: "111122223333"}',
      ),
    },
    {
      name: 'hybrid nodes',
      template: config(
        'accessConfig: {authenticationMode: API}',
        'remoteNetworkConfig:',
        '  iam: {provider: SSM}',
        '  vpcGatewayID: tgw-0123456789abcdef0',
        '  remoteNodeNetworks: [{cidrs: ["10.80.146.0/24", "10.81.0.0/24"]}]',
        '  remotePodNetworks: [{cidrs: ["10.86.30.0/23"]}]',
      ),
    },
    {
      name: 'ranges, one with the bits of a host',
      template: config(
        'kubernetesNetworkConfig: {serviceIPv4CIDR: 10.100.0.0/16}',
        'vpc: {extraCIDRs: ["100.64.0.1/16"], publicAccessCIDRs: ["1.1.1.1/32", "$OFFICE/32"], hostnameType: resource-name}',
      ),
    },
    {
      name: 'a range of IPv6',
      template: config(
        IPV6,
        'addons: [{name: coredns}]',
        'vpc: {extraIPv6CIDRs: ["2600:1f13::/56"], publicAccessCIDRs: ["::/0", "10.0.0.1/8"]}',
      ),
    },
    {
      name: 'a fully private cluster with an endpoint for logs',
      template: config(
        'privateCluster: {enabled: true, additionalEndpointServices: [logs, autoscaling]}',
        managed('privateNetworking: true'),
      ),
    },
    {
      name: 'a Fargate profile',
      template: config('fargateProfiles: [{name: shop, selectors: [{namespace: shop}]}]'),
    },
    {
      name: 'two service accounts of one name in two namespaces',
      template: config(
        'iam:',
        '  withOIDC: true',
        '  serviceAccounts:',
        '    - {metadata: {name: a}, attachPolicyARNs: ["arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"]}',
        '    - {metadata: {name: a, namespace: b}, attachPolicyARNs: ["arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"]}',
      ),
    },
    {
      name: 'what self-managed groups may have',
      template: config(
        selfManaged(
          'cpuCredits: Unlimited',
          'maxInstanceLifetime: 86400',
          'containerRuntime: containerd',
          'asgSuspendProcesses: [AZRebalance]',
          'instancesDistribution:',
          '  instanceTypes: [m5.large, t3.large]',
          '  onDemandBaseCapacity: 0',
          '  onDemandPercentageAboveBaseCapacity: 0',
          '  spotAllocationStrategy: price-capacity-optimized',
          'taints: [{key: example.com/dedicated, value: gpu, effect: NoSchedule}]',
        ),
      ),
    },
    {
      name: 'a block of capacity',
      template: config(
        managed(
          'instanceType: p5.48xlarge',
          'capacityReservation: {capacityReservationTarget: {capacityReservationID: cr-0123456789abcdef0}}',
          'instanceMarketOptions: {marketType: capacity-block}',
        ),
      ),
    },
    {
      name: 'a launch template, and SSH that is off',
      template: config(managed('launchTemplate: {id: lt-0123456789abcdef0}', 'ssh: {allow: false, publicKeyName: a}')),
    },
    {
      name: 'what is filled in before, where eksctl wants an ARN, a name and a number',
      template: config(
        'secretsEncryption: {keyARN: $KMS_KEY}',
        'karpenter: {version: "${KARPENTER_VERSION}"}',
        'iam: {withOIDC: true}',
        managed('maxPodsPerNode: ${PODS}').replace('workers', '${NAME}'),
      ),
    },
  ],
  invalid: [
    ...OTHERS.map(([name, lines, at, says]) => refused(name, config(...lines), at, [says])),
    ...AT_WORK.map(([name, lines, at, says]) => late(name, config(...lines), at, [says])),
    ...OF_FARGATE.map(
      ([name, lines, at, says]) =>
        ({
          name,
          template: config(...lines),
          findings: [{ message: 'refusedByCommand', severity: 'error', resource: FILE, at, says: [says] }],
        }) as const,
    ),
    ...[
      ['a misspelt key of a selector', '{name: shop, selectors: [{namepsace: shop}]}', 'namepsace', 'namespace'],
      ['a misspelt key of a profile', '{name: shop, selector: [{namespace: shop}]}', 'selector', 'selectors'],
    ].map(
      ([name = '', profile = '', key = '', right = '']) =>
        ({
          name,
          template: config(`fargateProfiles: [${profile}]`),
          findings: [
            { message: 'unknownKey', severity: 'error', resource: FILE, at: key, says: [key], advises: `\`${right}\`` },
          ],
          fixed: config(`fargateProfiles: [${profile.replace(key, right)}]`),
        }) as const,
    ),
    {
      ...refused('a file without a region', config(managed()).replace('  region: eu-west-1\n', ''), 'metadata:', [
        'no `region`',
      ]),
      fixed: config(managed()),
    },
    {
      ...refused(
        'a name with an underscore',
        config(managed()).replace('name: shop', 'name: my_shop'),
        'name: my_shop',
        ['"my_shop"'],
      ),
      fixed: config(managed()).replace('name: shop', 'name: my-shop'),
    },
    {
      ...refused('a version without quotes', config(managed()).replace('"1.34"', '1.30'), 'version: 1.30', [
        'a number',
        'a text',
      ]),
      fixed: config(managed()),
    },
    {
      name: 'an old version without quotes',
      template: config(managed()).replace('"1.34"', '1.24'),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: FILE,
          at: 'version: 1.24',
          says: ['a number'],
          advises: '`"1.24"` would be refused as too old',
        },
      ],
      fixed: config(managed()),
    },
    refused(
      'a version of ClusterConfig that eksctl does not have',
      config(managed()).replace('v1alpha5', 'v1alpha4'),
      'apiVersion',
      ['v1alpha4'],
    ),
    {
      name: 'another version of ClusterConfig, whose keys are told with it',
      template: config(selfManaged('allowSSH: true', 'foo: 1')).replace('v1alpha5', 'v1alpha4'),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: FILE,
          at: 'apiVersion',
          fix: 'It does not have `allowSSH` (line ',
        },
      ],
    },
    refused(
      'the endpoints of a fully private cluster',
      config(
        'privateCluster: {enabled: true}',
        'vpc: {clusterEndpoints: {privateAccess: true, publicAccess: false}}',
        managed('privateNetworking: true'),
      ),
      'publicAccess',
      ['decides on its endpoints'],
    ),
    refused('an old Karpenter', config('iam: {withOIDC: true}', 'karpenter: {version: v0.16.1}'), 'version: v0.16.1', [
      '0.20.0',
    ]),
    refused(
      'one instance type beside a distribution',
      config(selfManaged('instanceType: m5.large', 'instancesDistribution: {instanceTypes: [m5.large, m5.xlarge]}')),
      'instanceType: m5.large',
      ['m5.large', 'instancesDistribution'],
    ),
    refused(
      'a distribution of nothing',
      config(selfManaged('instancesDistribution: {onDemandBaseCapacity: 1}')),
      'instancesDistribution',
      ['no instance types'],
    ),
    {
      name: 'a launch template of a self-managed group, which is one defect',
      template: config(selfManaged('launchTemplate: {id: lt-1, version: latest}', 'volumeSize: 20')),
      findings: [
        {
          message: 'unknownKey',
          severity: 'error',
          resource: FILE,
          at: 'launchTemplate',
          says: ['launchTemplate'],
          advises: 'managedNodeGroups',
        },
      ],
    },
    {
      name: 'a misspelt key',
      template: config(managed('desiredCapcity: 3')),
      findings: [
        {
          message: 'unknownKey',
          severity: 'error',
          resource: FILE,
          at: 'desiredCapcity',
          says: ['a group of `managedNodeGroups`'],
          advises: '`desiredCapacity`',
        },
      ],
      fixed: config(managed('desiredCapacity: 3')),
    },
    {
      name: 'keys that are not indented, which are one slip',
      template:
        'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata:\nname: shop\nregion: eu-west-1\nversion: "1.34"\niam: {}\n',
      findings: [
        {
          message: 'unknownKey',
          severity: 'error',
          resource: FILE,
          at: 'name: shop',
          says: ['"name" in a ClusterConfig'],
          advises: 'Indent `name`, `region` and `version` under `metadata`.',
        },
      ],
      fixed: config('iam: {}'),
    },
    {
      name: 'the name of a service account beside its metadata',
      template: config(
        'iam: {withOIDC: true, serviceAccounts: [{name: web, namespace: shop, attachRoleARN: "arn:aws:iam::1:role/web"}]}',
      ),
      findings: [
        {
          message: 'unknownKey',
          severity: 'error',
          resource: FILE,
          at: 'name: web',
          advises: 'Indent `name` and `namespace` under `metadata`.',
        },
      ],
    },
    {
      name: 'a key of the other kind of group',
      template: config(managed('kubeletExtraConfig: {maxPods: 20}')),
      findings: [
        {
          message: 'unknownKey',
          severity: 'error',
          resource: FILE,
          at: 'kubeletExtraConfig',
          advises: 'a group of `nodeGroups`',
        },
      ],
    },
    {
      name: 'a key that a newer eksctl may have',
      template: config('somethingNew: 1'),
      findings: [
        { message: 'unknownKey', severity: 'warning', resource: FILE, at: 'somethingNew', says: ['as far as'] },
      ],
    },
    refused('a text for a number', config(managed('maxPodsPerNode: "20"')), 'maxPodsPerNode', ['a text', 'a number']),
    refused('a number as a label', config(managed('labels: {tier: 1}')), 'tier: 1'),
    refused('a boolean as a tag', config(managed('tags: {team: yes}')), 'team: yes'),
    refused('an empty item', config('managedNodeGroups:', '  - name: a', '  -'), 'managedNodeGroups'),
    refused('a map for a list', config('managedNodeGroups: {name: a}'), 'managedNodeGroups'),
    refused(
      'service accounts without OIDC',
      config('iam: {serviceAccounts: [{metadata: {name: a}, attachRoleARN: "arn:aws:iam::1:role/a"}]}'),
      'serviceAccounts',
    ),
    refused(
      'a service account without policies',
      config('iam: {withOIDC: true, serviceAccounts: [{metadata: {name: orders}}]}'),
      '{metadata: {name: orders',
      ['orders'],
    ),
    refused('Karpenter without OIDC', config('karpenter: {version: 1.6.0}'), 'karpenter'),
    refused(
      'access entries without the API',
      config(
        'accessConfig: {authenticationMode: CONFIG_MAP, accessEntries: [{principalARN: "arn:aws:iam::1:role/a"}]}',
      ),
      'authenticationMode',
    ),
    {
      name: 'a mode that there is not',
      template: config('accessConfig: {authenticationMode: API_AND_CONFIGMAP}'),
      findings: [
        {
          message: 'refusedByEks',
          severity: 'error',
          resource: FILE,
          at: 'authenticationMode',
          says: ['no authentication mode "API_AND_CONFIGMAP"', 'EKS refuses the cluster'],
        },
      ],
    },
    refused('one zone', config('availabilityZones: [eu-west-1a]'), 'availabilityZones'),
    refused(
      'no endpoint',
      config('vpc: {clusterEndpoints: {publicAccess: false, privateAccess: false}}'),
      'clusterEndpoints',
    ),
    refused('IPv6 without coredns', config(IPV6, 'iam: {withOIDC: true}'), 'ipFamily'),
    refused(
      'IPv6 with vpc-cni and no identity',
      config(IPV6, 'addons: [{name: coredns}, {name: vpc-cni}]'),
      '{name: vpc-cni',
    ),
    refused('IPv6 with NAT', config(IPV6, 'addons: [{name: coredns}]', 'vpc: {nat: {gateway: Single}}'), 'nat'),
    refused('groups beside Auto Mode', config('autoModeConfig: {enabled: true}', managed()), 'managedNodeGroups'),
    refused(
      'a core add-on beside Auto Mode',
      config('autoModeConfig: {enabled: true}', 'addons: [{name: coredns}]'),
      '{name: coredns',
    ),
    refused(
      'days that CloudWatch does not have',
      config('cloudWatch: {clusterLogging: {enableTypes: [audit], logRetentionInDays: 10}}'),
      'logRetentionInDays',
    ),
    refused(
      'a public group of a private cluster',
      config('privateCluster: {enabled: true}', managed()),
      'name: workers',
    ),
    refused('two groups of one name', config(managed(), '  - name: workers # second'), 'name: workers # second'),
    refused('a family that there is not', config(managed('amiFamily: Debian12')), 'amiFamily'),
    refused('an AMI without family', config(managed(...AMI)), 'ami: '),
    refused('an AMI of Ubuntu without bootstrap', config(managed(...AMI, 'amiFamily: Ubuntu2204')), 'ami: '),
    refused(
      'max pods beside an AMI',
      config(managed(...AMI, 'amiFamily: AmazonLinux2023', 'maxPodsPerNode: 20')),
      'maxPodsPerNode',
    ),
    refused(
      'no metadata for pods that live on it',
      config(managed('disablePodIMDS: true', 'iam: {withAddonPolicies: {ebs: true, efs: true, fsx: false}}')),
      'disablePodIMDS',
      ['(`ebs` and `efs`)'],
    ),
    refused(
      'a role of somebody else and all that would change it',
      config(
        managed('iam: {instanceRoleARN: "arn:aws:iam::1:role/a", instanceRoleName: b, withAddonPolicies: {ebs: true}}'),
      ),
      'instanceRoleARN',
      ['(`instanceRoleName` and `withAddonPolicies.ebs`)'],
    ),
    refused(
      'a role of somebody else and policies',
      config(
        managed('iam: {instanceRoleARN: "arn:aws:iam::1:role/a", attachPolicyARNs: ["arn:aws:iam::aws:policy/A"]}'),
      ),
      'instanceRoleARN',
    ),
    refused(
      'the shared security group of a managed group',
      config(managed('securityGroups: {withShared: true}')),
      'withShared',
    ),
    refused(
      'one type and several',
      config(managed('instanceType: m5.large', 'instanceTypes: [m5.large]')),
      'instanceType: ',
    ),
    refused('IOPS on gp2', config(managed('volumeType: gp2', 'volumeIOPS: 3000')), 'volumeIOPS'),
    refused('too few IOPS', config(managed('volumeIOPS: 100')), 'volumeIOPS'),
    refused('encryption without a size', config(selfManaged('volumeEncrypted: true')), 'volumeEncrypted'),
    refused('a launch template by name', config(managed('launchTemplate: {version: "1"}')), 'launchTemplate'),
    refused(
      'a version of a launch template in words',
      config(managed('launchTemplate: {id: lt-1, version: $Latest}')).replace('$Latest', '"latest"'),
      'version: "latest"',
    ),
    refused(
      'what does not go with a launch template',
      config(managed('launchTemplate: {id: lt-1}', 'volumeSize: 50')),
      'volumeSize',
    ),
    refused('what kubelet is not told', config(selfManaged('kubeletExtraConfig: {clusterDomain: a}')), 'clusterDomain'),
    refused(
      'commands of Bottlerocket',
      config(managed('amiFamily: Bottlerocket', 'preBootstrapCommands: [a]')),
      'preBootstrapCommands',
    ),
    refused('a taint without effect', config(managed('taints: [{key: a, value: b, effect: NoRun}]')), 'effect'),
    refused(
      'an add-on with two sources of permissions',
      config(
        'iam: {withOIDC: true}',
        'addons: [{name: vpc-cni, attachPolicyARNs: ["arn:aws:iam::aws:policy/A"], wellKnownPolicies: {ebsCSIController: true}}]',
      ),
      'wellKnownPolicies',
    ),
    refused(
      'an association without namespace',
      config(
        'addons: [{name: eks-pod-identity-agent}, {name: vpc-cni, podIdentityAssociations: [{serviceAccountName: aws-node, roleARN: "arn:aws:iam::1:role/a"}]}]',
      ),
      '{serviceAccountName',
    ),
    refused(
      'values that nobody can read',
      config('addons: [{name: vpc-cni, configurationValues: "{env: ["}]'),
      'configurationValues',
    ),
    refused('a document before it', `kind: ConfigMap\napiVersion: v1\n---\n${config(managed())}`, 'kind: ConfigMap'),
    late(
      'a policy by its name',
      config(managed('iam: {attachPolicyARNs: [AmazonEKSWorkerNodePolicy]}')),
      'AmazonEKSWorkerNodePolicy',
      ['no ARN of a policy'],
    ),
    late(
      'an ARN that names no policy',
      config(selfManaged(`iam: {attachPolicyARNs: ["arn:aws:iam::aws:policy"]}`)),
      '"arn:aws:iam::aws:policy"',
      ['no ARN of a policy'],
    ),
    late(
      'a script as NodeConfig',
      config(managed('overrideBootstrapCommand: "#!/bin/bash\\ntrue"')),
      'overrideBootstrapCommand',
      ['a script'],
    ),
    late(
      'MIME as NodeConfig',
      config(managed('overrideBootstrapCommand: "MIME-Version: 1.0\\n"')),
      'overrideBootstrapCommand',
      ['MIME'],
    ),
    late(
      'a self-managed group of an IPv6 cluster',
      config(IPV6, 'iam: {withOIDC: true}', 'addons: [{name: coredns}]', selfManaged()),
      'name: workers',
    ),
    late(
      'settings of Bottlerocket that are the group’s',
      config(managed('amiFamily: Bottlerocket', 'bottlerocket: {settings: {kubernetes: {node-labels: {a: b}}}}')),
      'node-labels',
    ),
  ],
  unverifiable: [],
  notApplicable: [{ name: 'a template', template: resources(CLUSTER) }],
});
