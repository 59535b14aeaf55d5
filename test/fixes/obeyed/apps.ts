/** An app with a defect, as the statements of a stack's constructor. Comments such as `/*node group*\/` end the options of a construct. */
export interface DefectiveApp {
  readonly name: string;
  readonly rule: string;
  /** Library of the cluster; `both` where the constructs differ. @default 'v2' */
  readonly library?: 'v1' | 'both';
  /** What the cluster has beside its version. */
  readonly cluster?: readonly string[];
  /** @default '1.35' */
  readonly version?: string;
  readonly code: string;
  /** @default 'eu-west-1' */
  readonly region?: string;
  /** The cluster is an L1 construct. */
  readonly hasL1Cluster?: true;
  /** What stands before an L1 cluster. */
  readonly before?: string;
  /** The fix has to be told in words: nobody but the user can write it. */
  readonly inWords?: true;
}

const group = (...options: readonly string[]): string =>
  [
    '/*before*/',
    "cluster.addNodegroupCapacity('Workers', {",
    ...options.map((line) => `  ${line}`),
    '  /*node group*/',
    '});',
  ].join('\n');
const AL2023 = 'amiType: eks.NodegroupAmiType.AL2023_X86_64_STANDARD,';
const template = (...options: readonly string[]): string =>
  [
    '/*before LaunchTemplate*/',
    "const template = new ec2.LaunchTemplate(this, 'Template', {",
    ...options.map((line) => `  ${line}`),
    '  /*LaunchTemplate*/',
    '});',
  ].join('\n');
const SPEC = 'launchTemplateSpec: { id: template.launchTemplateId!, version: template.latestVersionNumber },';
const SAFE = ['httpTokens: ec2.LaunchTemplateHttpTokens.REQUIRED,', 'httpPutResponseHopLimit: 2,'];
const SAFE_GROUP = [template(...SAFE), group(AL2023, SPEC)].join('\n');
const addon = (name: string, ...options: readonly string[]): string =>
  [
    "const addon = new eks.Addon(this, 'Addon', {",
    '  cluster,',
    `  addonName: '${name}',`,
    ...options.map((line) => `  ${line}`),
    '  /*Addon*/',
    '});',
  ].join('\n');
const cni = (values: string, version = 'v1.21.1-eksbuild.5'): string =>
  `${addon('vpc-cni', `addonVersion: '${version}',`, `configurationValues: ${values},`, 'preserveOnDelete: true,')}\n(addon.node.defaultChild as eks.CfnAddon).resolveConflicts = 'PRESERVE';`;
const nodeRole = (...policies: readonly string[]): string =>
  [
    "const role = new iam.Role(this, 'NodeRole', {",
    "  assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com'),",
    `  managedPolicies: [${policies.map((name) => `iam.ManagedPolicy.fromAwsManagedPolicyName('${name}')`).join(', ')}],`,
    '});',
  ].join('\n');
const CNI_ROLE = (actions: readonly string[], resources = "['*']"): string =>
  [
    "const role = new iam.Role(this, 'CniRole', {",
    "  assumedBy: new iam.SessionTagsPrincipal(new iam.ServicePrincipal('pods.eks.amazonaws.com')),",
    '});',
    `role.addToPrincipalPolicy(new iam.PolicyStatement({ actions: [${actions.map((action) => `'${action}'`).join(', ')}], resources: ${resources} }));`,
    "new eks.CfnAddon(this, 'Cni', {",
    '  clusterName: cluster.clusterName,',
    "  addonName: 'vpc-cni',",
    "  addonVersion: 'v1.21.1-eksbuild.5',",
    "  resolveConflicts: 'PRESERVE',",
    '  preserveOnDelete: true,',
    "  podIdentityAssociations: [{ serviceAccount: 'aws-node', roleArn: role.roleArn }],",
    '});',
    "new eks.CfnAddon(this, 'Agent', { clusterName: cluster.clusterName, addonName: 'eks-pod-identity-agent' });",
  ].join('\n');
const OWN_CNI_ROLE = CNI_ROLE([
  'ec2:AssignPrivateIpAddresses',
  'ec2:AttachNetworkInterface',
  'ec2:CreateNetworkInterface',
  'ec2:CreateTags',
  'ec2:DeleteNetworkInterface',
  'ec2:Describe*',
  'ec2:DetachNetworkInterface',
  'ec2:ModifyNetworkInterfaceAttribute',
  'ec2:UnassignPrivateIpAddresses',
])
  .replace('const role =', 'const cniRole =')
  .replaceAll('role.', 'cniRole.');
const POLICY = (name: string) =>
  `cluster.addManifest('${name}', {\n  apiVersion: 'vpcresources.k8s.aws/v1beta1',\n  kind: 'SecurityGroupPolicy',\n  metadata: { name: 'web', namespace: 'shop' },\n  spec: { podSelector: { matchLabels: { app: 'web' } }, securityGroups: { groupIds: ['sg-0123456789abcdef0'] } },\n});`;
const l1Group = (...properties: readonly string[]): string =>
  [
    '/*before*/',
    "new eks.CfnNodegroup(this, 'Workers', {",
    '  clusterName: cluster.clusterName,',
    "  nodeRole: 'arn:aws:iam::111122223333:role/nodes',",
    "  subnets: ['subnet-0123456789abcdef0'],",
    ...properties.map((line) => `  ${line}`),
    '  /*node group*/',
    '});',
  ].join('\n');
const l1Addon = (...properties: readonly string[]): string =>
  [
    "new eks.CfnAddon(this, 'Cni', {",
    '  clusterName: cluster.clusterName,',
    "  addonName: 'vpc-cni',",
    "  addonVersion: 'v1.21.1-eksbuild.5',",
    '  preserveOnDelete: true,',
    ...properties.map((line) => `  ${line}`),
    '  /*Addon*/',
    '});',
  ].join('\n');
const l1Role = (service: string, policies: readonly string[]): string =>
  [
    "const role = new iam.CfnRole(this, 'Role', {",
    `  assumeRolePolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Principal: { Service: '${service}' }, Action: 'sts:AssumeRole' }] },`,
    `  managedPolicyArns: [${policies.map((name) => `'arn:aws:iam::aws:policy/${name}'`).join(', ')}],`,
    '  /*CfnRole*/',
    '});',
  ].join('\n');

const ofL1 = (code: string): string => code.replaceAll('cluster.clusterName', 'cluster.ref');
const L1_TEMPLATE = [
  "const template = new ec2.CfnLaunchTemplate(this, 'Template', {",
  "  launchTemplateData: { metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 } },",
  '});',
].join('\n');
const L1_SPEC = 'launchTemplate: { id: template.ref, version: template.attrLatestVersionNumber },';

const pinned = (id: string, name: string, version: string): string =>
  [
    `new eks.CfnAddon(this, '${id}', {`,
    '  clusterName: cluster.ref,',
    `  addonName: '${name}',`,
    `  addonVersion: '${version}',`,
    `  /*CfnAddon Stack/${id}*/`,
    '});',
  ].join('\n');

export const DEFECTIVE_APPS: readonly DefectiveApp[] = [
  {
    name: 'an L1 cluster without version',
    rule: 'cluster-version-pinned',
    hasL1Cluster: true,
    version: '',
    code: '',
  },
  {
    name: 'an L1 cluster with an old version',
    rule: 'cluster-version-support',
    hasL1Cluster: true,
    version: '1.29',
    code: '',
  },
  {
    name: 'an L1 cluster with an old version, and add-ons that are pinned beside it',
    rule: 'cluster-version-support',
    hasL1Cluster: true,
    version: '1.29',
    code: [pinned('Proxy', 'kube-proxy', 'v1.29.0-eksbuild.1'), pinned('Dns', 'coredns', 'v1.11.1-eksbuild.4')].join(
      '\n',
    ),
  },
  {
    name: 'an L1 cluster without network add-ons',
    rule: 'cluster-network-addons',
    hasL1Cluster: true,
    cluster: ['bootstrapSelfManagedAddons: false,'],
    code: `${L1_TEMPLATE}\n${ofL1(l1Group(L1_SPEC))}`,
  },
  {
    name: 'nothing but Windows beside an L1 cluster',
    rule: 'windows-node-prerequisites',
    hasL1Cluster: true,
    code: `${L1_TEMPLATE}\n${ofL1(l1Group("amiType: 'WINDOWS_CORE_2022_x86_64',", L1_SPEC))}`,
    inWords: true,
  },
  {
    name: 'addresses of Windows beside an L1 cluster',
    rule: 'vpc-cni-windows-ipam',
    hasL1Cluster: true,
    code: `${L1_TEMPLATE}\n${ofL1(l1Group("amiType: 'WINDOWS_CORE_2022_x86_64',", L1_SPEC))}`,
  },
  {
    name: 'an association without agent beside an L1 cluster',
    rule: 'pod-identity-agent',
    hasL1Cluster: true,
    code: "new eks.CfnPodIdentityAssociation(this, 'Web', {\n  clusterName: cluster.ref,\n  namespace: 'shop',\n  serviceAccount: 'web',\n  roleArn: 'arn:aws:iam::111122223333:role/web',\n});",
  },
  {
    name: 'SSH and a disk size beside an L1 cluster',
    rule: 'imds-hop-limit',
    hasL1Cluster: true,
    code: ofL1(
      l1Group(
        "amiType: 'AL2023_x86_64_STANDARD',",
        'diskSize: 100,',
        "remoteAccess: { ec2SshKey: 'ops', sourceSecurityGroups: ['sg-0123456789abcdef0'] },",
      ),
    ),
  },
  {
    name: 'a version of an L1 template that never changes',
    rule: 'launch-template-version',
    hasL1Cluster: true,
    code: `${L1_TEMPLATE}\n${ofL1(l1Group("launchTemplate: { id: template.ref, version: '$Latest' },"))}`,
  },
  {
    name: 'a launch configuration that says nothing of tokens',
    library: 'v1',
    version: '1.32',
    rule: 'imds-v1',
    code: "const group = cluster.addAutoScalingGroupCapacity('Nodes', { instanceType: new ec2.InstanceType('m5.large') });\nvoid group;",
  },
  {
    name: 'a role of another partition',
    rule: 'arn-partition',
    region: 'cn-north-1',
    code: "new eks.CfnPodIdentityAssociation(this, 'Web', {\n  clusterName: cluster.clusterName,\n  namespace: 'shop',\n  serviceAccount: 'web',\n  roleArn: 'arn:aws:iam::111122223333:role/web',\n  /*CfnPodIdentityAssociation*/\n});",
  },
  {
    name: 'policies of another partition',
    library: 'both',
    rule: 'arn-partition',
    region: 'us-gov-west-1',
    code: `const role = new iam.Role(this, 'NodeRole', {\n  assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com'),\n  managedPolicies: ${JSON.stringify(['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryReadOnly', 'AmazonEKS_CNI_Policy'])}.map((name) => iam.ManagedPolicy.fromManagedPolicyArn(this, name, \`arn:aws:iam::aws:policy/\${name}\`)),\n  /*Role*/\n});\n${template(...SAFE)}\n${group(AL2023, SPEC, 'nodeRole: role,')}`,
  },
  {
    name: 'a role that the policy of the CNI is on beside its own',
    library: 'both',
    rule: 'vpc-cni-role-on-nodes',
    code: `${nodeRole('AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryReadOnly', 'AmazonEKS_CNI_Policy').replace(/\}\);$/, '  /*Role*/\n});')}\n${template(...SAFE)}\n${group(AL2023, SPEC, 'nodeRole: role,')}\n${OWN_CNI_ROLE}`,
  },
  {
    name: 'a role that the group makes, beside one of the CNI',
    library: 'both',
    rule: 'vpc-cni-role-on-nodes',
    code: `${SAFE_GROUP}\n${OWN_CNI_ROLE}`,
  },
  {
    name: 'a role for every pod of the cluster',
    rule: 'irsa-trust-policy',
    library: 'both',
    code: `${SAFE_GROUP}\n/*before*/\nconst web = new iam.Role(this, 'Web', {\n  assumedBy: new iam.OpenIdConnectPrincipal(cluster.openIdConnectProvider),\n  /*Role*/\n});\ncluster.addManifest('Account', {\n  apiVersion: 'v1',\n  kind: 'ServiceAccount',\n  metadata: { name: 'web', namespace: 'shop', annotations: { 'eks.amazonaws.com/role-arn': web.roleArn } },\n});`,
  },
  {
    name: 'a disruption budget that allows none',
    rule: 'drain-blocked',
    code: `${SAFE_GROUP}\ncluster.addManifest('Web', {\n  apiVersion: 'policy/v1',\n  kind: 'PodDisruptionBudget',\n  metadata: { name: 'web', namespace: 'shop' },\n  spec: {\n    maxUnavailable: 0,\n    selector: { matchLabels: { app: 'web' } },\n    /*spec of the PodDisruptionBudget*/\n  },\n}, {\n  apiVersion: 'apps/v1',\n  kind: 'Deployment',\n  metadata: { name: 'web', namespace: 'shop' },\n  spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } } },\n});`,
  },
  { name: 'a group without launch template', rule: 'imds-hop-limit', code: group(AL2023) },
  { name: 'a group with a disk size', library: 'both', rule: 'imds-hop-limit', code: group(AL2023, 'diskSize: 50,') },
  {
    name: 'a group beside a NodeTemplate that is there already',
    rule: 'imds-hop-limit',
    code: `new ec2.LaunchTemplate(this, 'NodeTemplate');\n${group(AL2023)}`,
  },
  {
    name: 'an L1 group without launch template',
    rule: 'imds-hop-limit',
    code: l1Group("amiType: 'AL2023_x86_64_STANDARD',"),
  },
  {
    name: 'an L1 group with a disk size',
    rule: 'imds-hop-limit',
    code: l1Group("amiType: 'AL2023_x86_64_STANDARD',", 'diskSize: 50,'),
  },
  {
    name: 'a launch template with requireImdsv2 alone',
    library: 'both',
    rule: 'imds-hop-limit',
    code: [template('requireImdsv2: true,'), group(AL2023, SPEC)].join('\n'),
  },
  {
    name: 'a hop limit of 1',
    rule: 'imds-hop-limit',
    code: [template('requireImdsv2: true,', 'httpPutResponseHopLimit: 1,'), group(AL2023, SPEC)].join('\n'),
  },
  {
    name: 'an L1 launch template with a hop limit of 1 and another option',
    rule: 'imds-hop-limit',
    code: [
      "const template = new ec2.CfnLaunchTemplate(this, 'Template', {",
      '  launchTemplateData: {',
      "    metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 1, httpProtocolIpv6: 'enabled' },",
      '    /*launchTemplateData*/',
      '  },',
      '});',
      group(AL2023, 'launchTemplateSpec: { id: template.ref, version: template.attrLatestVersionNumber },'),
    ].join('\n'),
  },
  {
    name: 'the default capacity of a cluster',
    rule: 'ami-type-kubernetes-version',
    cluster: ['defaultCapacity: 2,', 'defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,'],
    code: '',
  },
  {
    name: 'optional tokens',
    rule: 'imds-v1',
    code: [template('httpTokens: ec2.LaunchTemplateHttpTokens.OPTIONAL,'), group(AL2023, SPEC)].join('\n'),
  },
  {
    name: 'an endpoint that is off',
    rule: 'imds-endpoint-disabled',
    code: [template('httpEndpoint: false,'), group(AL2023, SPEC)].join('\n'),
  },
  {
    name: 'tags in the metadata',
    rule: 'imds-instance-tags',
    code: [template(...SAFE, 'instanceMetadataTags: true,'), group(AL2023, SPEC)].join('\n'),
  },
  {
    name: 'no conflict mode',
    library: 'both',
    rule: 'vpc-cni-resolve-conflicts',
    code: `${SAFE_GROUP}\n${addon('vpc-cni', "addonVersion: 'v1.21.1-eksbuild.5',", 'preserveOnDelete: true,')}`,
  },
  {
    name: 'OVERWRITE in an L1',
    rule: 'vpc-cni-resolve-conflicts',
    code: `${SAFE_GROUP}\n${l1Addon("resolveConflicts: 'OVERWRITE',")}`,
  },
  {
    name: 'OVERWRITE beside pods with security groups, and values of the user',
    rule: 'vpc-cni-resolve-conflicts',
    code: `${SAFE_GROUP}\ncluster.role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonEKSVPCResourceController'));\n${POLICY('Policy')}\n${addon('vpc-cni', "addonVersion: 'v1.21.1-eksbuild.5',", 'preserveOnDelete: true,', "configurationValues: { env: { WARM_ENI_TARGET: '2' } },")}\n(addon.node.defaultChild as eks.CfnAddon).resolveConflicts = 'OVERWRITE';`,
  },
  {
    name: 'an add-on without version',
    rule: 'addon-version',
    code: `${SAFE_GROUP}\n${addon('vpc-cni', 'preserveOnDelete: true,')}\n(addon.node.defaultChild as eks.CfnAddon).resolveConflicts = 'PRESERVE';`,
  },
  {
    name: 'an add-on for other clusters',
    rule: 'kube-proxy-version-skew',
    code: `${SAFE_GROUP}\n${addon('kube-proxy', "addonVersion: 'v1.29.0-eksbuild.1',")}`,
  },
  { name: 'an old cluster', library: 'both', rule: 'cluster-version-support', version: '1.28', code: '' },
  {
    name: 'AL2, which the CDK takes where instance types are named',
    library: 'both',
    rule: 'ami-type-kubernetes-version',
    code: group("instanceTypes: [new ec2.InstanceType('m5.large')],"),
  },
  {
    name: 'AL2 with a disk size',
    rule: 'ami-type-kubernetes-version',
    code: group('amiType: eks.NodegroupAmiType.AL2_X86_64,', 'diskSize: 50,'),
  },
  {
    name: 'AL2 with a launch template that says nothing of metadata',
    rule: 'ami-type-kubernetes-version',
    code: [template('ebsOptimized: true,'), group('amiType: eks.NodegroupAmiType.AL2_X86_64,', SPEC)].join('\n'),
  },
  {
    name: 'AL2 in an L1',
    rule: 'ami-type-kubernetes-version',
    code: l1Group("amiType: 'AL2_x86_64',", 'diskSize: 50,'),
  },
  {
    name: 'a node role without the policy of the CNI',
    rule: 'vpc-cni-role-missing',
    code: `${nodeRole('AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryReadOnly')}\n${template(...SAFE)}\n${group(AL2023, SPEC, 'nodeRole: role,')}\n${l1Addon("resolveConflicts: 'PRESERVE',")}`,
  },
  {
    name: 'an association without agent',
    rule: 'pod-identity-agent',
    code: `${SAFE_GROUP}\nnew eks.CfnPodIdentityAssociation(this, 'Web', {\n  clusterName: cluster.clusterName,\n  namespace: 'shop',\n  serviceAccount: 'web',\n  roleArn: 'arn:aws:iam::111122223333:role/web',\n});`,
  },
  {
    name: 'the newest version by name',
    rule: 'launch-template-version',
    code: [
      template(...SAFE),
      group(AL2023, "launchTemplateSpec: { id: template.launchTemplateId!, version: '$Latest' },"),
    ].join('\n'),
  },
  {
    name: 'Spot in the launch template',
    rule: 'launch-template-forbidden-field',
    code: [template(...SAFE, 'spotOptions: {},'), group(AL2023, SPEC)].join('\n'),
  },
  {
    name: 'a disk size beside a launch template',
    rule: 'launch-template-node-group-conflict',
    code: `${template(...SAFE)}\n${l1Group("amiType: 'AL2023_x86_64_STANDARD',", 'diskSize: 50,', 'launchTemplate: { id: template.launchTemplateId!, version: template.latestVersionNumber },')}`,
  },
  {
    name: 'security groups of its own',
    library: 'both',
    rule: 'launch-template-security-groups',
    code: `const nodes = new ec2.SecurityGroup(this, 'Nodes', { vpc: cluster.vpc });\n${template(...SAFE, 'securityGroup: nodes,')}\n${group(AL2023, SPEC)}`,
  },
  {
    name: 'an AMI of Bottlerocket without bootstrap',
    rule: 'node-user-data-missing-bootstrap',
    code: [
      '/*before LaunchTemplate*/',
      "const template = new ec2.CfnLaunchTemplate(this, 'Template', {",
      '  launchTemplateData: {',
      "    imageId: '{{resolve:ssm:/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/recommended/image_id}}',",
      "    metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 },",
      '    /*launchTemplateData*/',
      '  },',
      '});',
      group('launchTemplateSpec: { id: template.ref, version: template.attrLatestVersionNumber },'),
    ].join('\n'),
  },
  {
    name: 'all nodes at once',
    rule: 'node-group-update-config',
    code: [template(...SAFE), group(AL2023, SPEC, 'maxUnavailablePercentage: 100,')].join('\n'),
  },
  { name: 'force, which the CDK turns on', rule: 'node-group-force-update', code: SAFE_GROUP },
  {
    name: 'SSH from anywhere',
    rule: 'node-group-remote-access',
    code: group('amiType: eks.NodegroupAmiType.BOTTLEROCKET_X86_64,', "remoteAccess: { sshKeyName: 'ops' },"),
    inWords: true,
  },
  { name: 'no support type', rule: 'cluster-support-type', code: '' },
  {
    name: 'no network add-ons',
    rule: 'cluster-network-addons',
    cluster: ['bootstrapSelfManagedAddons: false,'],
    code: SAFE_GROUP,
  },
  {
    name: 'the switch for probes, and other settings',
    library: 'both',
    rule: 'vpc-cni-tcp-early-demux',
    code: `${SAFE_GROUP}\n${POLICY('Policy')}\n${cni("{ env: { ENABLE_POD_ENI: 'true', WARM_ENI_TARGET: '2' } }")}`,
  },
  {
    name: 'prefixes without a target',
    rule: 'prefix-delegation-warm-targets',
    code: `${SAFE_GROUP}\n${cni("{ env: { ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: '0' } }")}`,
  },
  {
    name: 'a minimum alone',
    rule: 'vpc-cni-warm-targets',
    code: `${SAFE_GROUP}\n${cni("{ env: { MINIMUM_IP_TARGET: '20' } }")}`,
  },
  {
    name: 'no agent for network policies',
    rule: 'vpc-cni-network-policy',
    code: `${SAFE_GROUP}\n${cni("{ enableNetworkPolicy: 'true', nodeAgent: { enabled: false } }")}`,
  },
  {
    name: 'the same in an L1',
    rule: 'vpc-cni-network-policy',
    code: `${SAFE_GROUP}\n${l1Addon("resolveConflicts: 'PRESERVE',", "configurationValues: JSON.stringify({ enableNetworkPolicy: 'true', nodeAgent: { enabled: false } }),")}`,
  },
  {
    name: 'values that only the deployment knows',
    rule: 'vpc-cni-network-policy',
    code: `${SAFE_GROUP}\n${cni("{ enableNetworkPolicy: 'true', nodeAgent: { enabled: false }, eniConfig: { create: true, region: 'eu-west-1', subnets: { a: { id: cluster.clusterName } } } }")}`,
    inWords: true,
  },
  {
    name: 'a role of the CNI with the permissions of the other family',
    rule: 'vpc-cni-role-ip-family',
    code: `${SAFE_GROUP}\n${CNI_ROLE(['ec2:AssignIpv6Addresses', 'ec2:DescribeInstances', 'ec2:DescribeTags', 'ec2:DescribeNetworkInterfaces', 'ec2:DescribeInstanceTypes'])}`,
  },
  {
    name: 'a role of the CNI that describes no subnets',
    rule: 'vpc-cni-role-subnet-discovery',
    code: `${SAFE_GROUP}\n${CNI_ROLE(['ec2:AssignPrivateIpAddresses', 'ec2:AttachNetworkInterface', 'ec2:CreateNetworkInterface', 'ec2:DeleteNetworkInterface', 'ec2:DescribeInstances', 'ec2:DescribeTags', 'ec2:DescribeNetworkInterfaces', 'ec2:DescribeInstanceTypes', 'ec2:DetachNetworkInterface', 'ec2:ModifyNetworkInterfaceAttribute', 'ec2:UnassignPrivateIpAddresses', 'ec2:CreateTags'])}`,
  },
  {
    name: 'a trust policy without tags',
    rule: 'pod-identity-trust-policy',
    code: `${SAFE_GROUP}\nnew eks.CfnAddon(this, 'Agent', { clusterName: cluster.clusterName, addonName: 'eks-pod-identity-agent' });\nconst role = new iam.Role(this, 'Role', {\n  assumedBy: new iam.ServicePrincipal('pods.eks.amazonaws.com'),\n  /*Role*/\n});\nnew eks.CfnPodIdentityAssociation(this, 'Web', {\n  clusterName: cluster.clusterName,\n  namespace: 'shop',\n  serviceAccount: 'web',\n  roleArn: role.roleArn,\n});`,
  },
  {
    name: 'a cluster role without the policy for security groups',
    rule: 'pod-security-groups-cluster-role',
    code: `${SAFE_GROUP}\n${POLICY('Policy')}\n${cni("{ env: { ENABLE_POD_ENI: 'true' }, init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } } }")}`,
  },
  {
    name: 'a GPU with the ordinary AMI',
    rule: 'ami-type-accelerator',
    code: `${template(...SAFE)}\n${l1Group("amiType: 'AL2023_x86_64_STANDARD',", "instanceTypes: ['g5.xlarge'],", 'launchTemplate: { id: template.launchTemplateId!, version: template.latestVersionNumber },')}`,
  },
  {
    name: "the system's volume of Bottlerocket",
    rule: 'bottlerocket-data-volume',
    code: `${template(...SAFE, "blockDevices: [{\n    deviceName: '/dev/xvda',\n    volume: ec2.BlockDeviceVolume.ebs(100),\n    /*blockDevices*/\n  }],")}\n${group('amiType: eks.NodegroupAmiType.BOTTLEROCKET_X86_64,', SPEC)}`,
  },
  {
    name: 'an old version of an L1 group',
    rule: 'node-group-kubernetes-version',
    code: `${template(...SAFE)}\n${l1Group("amiType: 'AL2023_x86_64_STANDARD',", "version: '1.33',", 'launchTemplate: { id: template.launchTemplateId!, version: template.latestVersionNumber },')}`,
  },
  {
    name: 'nothing but Windows',
    rule: 'windows-node-prerequisites',
    code: `${template(...SAFE)}\n${group('amiType: eks.NodegroupAmiType.WINDOWS_CORE_2022_X86_64,', SPEC)}`,
  },
  {
    name: 'a script without shebang in user data that is there',
    rule: 'user-data-shebang',
    code: `const script = ec2.UserData.custom('set -ex');\nconst userData = new ec2.MultipartUserData();\nuserData.addUserDataPart(script);\n${template(...SAFE, 'userData,')}\n${group(AL2023, SPEC)}`,
    inWords: true,
  },
  {
    name: 'an L1 role of nodes without a policy',
    rule: 'node-role-policies',
    code: `${template(...SAFE)}\n${l1Role('ec2.amazonaws.com', ['AmazonEKSWorkerNodePolicy', 'AmazonEKS_CNI_Policy'])}\n${group(AL2023, SPEC, "nodeRole: iam.Role.fromRoleArn(this, 'Nodes', role.attrArn),")}`,
  },
  {
    name: 'an L1 role that the CNI needs a policy on',
    rule: 'vpc-cni-role-missing',
    hasL1Cluster: true,
    code: `${template(...SAFE)}\n${l1Role('ec2.amazonaws.com', ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryReadOnly'])}\n${ofL1(l1Group("amiType: 'AL2023_x86_64_STANDARD',", 'launchTemplate: { id: template.launchTemplateId!, version: template.latestVersionNumber },').replace("'arn:aws:iam::111122223333:role/nodes'", 'role.attrArn'))}\n${ofL1(l1Addon("resolveConflicts: 'PRESERVE',"))}`,
  },
  {
    name: 'an L1 role of the CNI that describes no subnets',
    rule: 'vpc-cni-role-subnet-discovery',
    code: `${SAFE_GROUP}\n${CNI_ROLE([])
      .replace(
        /^const role[^]*?(?=^new eks\.CfnAddon\(this, 'Cni')/m,
        `const role = new iam.CfnRole(this, 'CniRole', {\n  assumeRolePolicyDocument: new iam.PolicyDocument({ statements: [new iam.PolicyStatement({ actions: ['sts:AssumeRole', 'sts:TagSession'], principals: [new iam.ServicePrincipal('pods.eks.amazonaws.com')] })] }),\n  policies: [{ policyName: 'cni', policyDocument: new iam.PolicyDocument({ statements: [new iam.PolicyStatement({ actions: ['ec2:AssignPrivateIpAddresses', 'ec2:AttachNetworkInterface', 'ec2:CreateNetworkInterface', 'ec2:DeleteNetworkInterface', 'ec2:DescribeInstances', 'ec2:DescribeTags', 'ec2:DescribeNetworkInterfaces', 'ec2:DescribeInstanceTypes', 'ec2:DetachNetworkInterface', 'ec2:ModifyNetworkInterfaceAttribute', 'ec2:UnassignPrivateIpAddresses', 'ec2:CreateTags'], resources: ['*'] })] }) }],\n});\n`,
      )
      .replace('role.roleArn', 'role.attrArn')}`,
  },
  {
    name: 'a trust policy without tags in an L1 role',
    rule: 'pod-identity-trust-policy',
    code: `${SAFE_GROUP}\nnew eks.CfnAddon(this, 'Agent', { clusterName: cluster.clusterName, addonName: 'eks-pod-identity-agent' });\n${l1Role('pods.eks.amazonaws.com', [])}\nnew eks.CfnPodIdentityAssociation(this, 'Web', {\n  clusterName: cluster.clusterName,\n  namespace: 'shop',\n  serviceAccount: 'web',\n  roleArn: role.attrArn,\n});`,
  },
  {
    name: 'an L1 cluster role without the policies of clusters',
    rule: 'cluster-role-policies',
    hasL1Cluster: true,
    cluster: ['roleArn: role.attrArn,'],
    before: l1Role('eks.amazonaws.com', []),
    code: '',
  },
  {
    name: 'a disk size beside an L1 template',
    rule: 'launch-template-node-group-conflict',
    code: `const template = new ec2.CfnLaunchTemplate(this, 'Template', {\n  launchTemplateData: {\n    metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 },\n    /*launchTemplateData*/\n  },\n});\n${l1Group("amiType: 'AL2023_x86_64_STANDARD',", 'diskSize: 80,', L1_SPEC)}`,
  },
  {
    name: 'the group that a cluster makes by itself, of a type of its own',
    library: 'v1',
    version: '1.32',
    rule: 'ami-type-kubernetes-version',
    cluster: ["defaultCapacityInstance: new ec2.InstanceType('m6g.large'),", 'defaultCapacity: 3,'],
    code: '',
  },
  {
    name: 'a setting in the wrong place, and others',
    library: 'both',
    rule: 'vpc-cni-configuration-schema',
    code: `${SAFE_GROUP}\n${cni("{ env: { WARM_ENI_TARGET: '2', DISABLE_TCP_EARLY_DEMUX: 'false' } }")}`,
  },
  {
    name: 'a number where text belongs, in an L1',
    rule: 'vpc-cni-configuration-schema',
    code: `${SAFE_GROUP}\n${l1Addon("resolveConflicts: 'PRESERVE',", 'configurationValues: JSON.stringify({ env: { WARM_ENI_TARGET: 2 } }),')}`,
  },
  {
    name: 'bootstrap.sh on AL2023, with an AMI of its own',
    library: 'both',
    rule: 'user-data-ami-family',
    code: `const own = ec2.UserData.forLinux();\nown.addCommands('set -ex', \`/etc/eks/bootstrap.sh \${cluster.clusterName} --kubelet-extra-args '--node-labels=role=batch --max-pods=58'\`);\n${template(...SAFE, "machineImage: ec2.MachineImage.fromSsmParameter('/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/recommended/image_id'),", 'userData: own,')}\n${group(SPEC)}`,
  },
  {
    name: 'a plain script beside the AMI of EKS',
    rule: 'node-user-data-format',
    library: 'both',
    code: `const own = ec2.UserData.forLinux();\nown.addCommands('yum install -y jq', "echo 'it is \\\\ so' > /tmp/ok");\n${template(...SAFE, 'userData: own,')}\n${group(AL2023, SPEC)}`,
  },
  {
    name: 'a bare NodeConfig beside the AMI of EKS',
    rule: 'node-user-data-format',
    code: `const own = ec2.UserData.custom('apiVersion: node.eks.aws/v1alpha1\\nkind: NodeConfig\\nspec:\\n  kubelet:\\n    config:\\n      shutdownGracePeriod: 45s\\n');\n${template(...SAFE, 'userData: own,')}\n${group(AL2023, SPEC)}`,
  },
];
