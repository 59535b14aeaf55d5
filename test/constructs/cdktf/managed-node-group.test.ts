import { DataAwsEksCluster } from '@cdktf/provider-aws/lib/data-aws-eks-cluster';
import { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import { IamRolePolicyAttachment } from '@cdktf/provider-aws/lib/iam-role-policy-attachment';
import { AwsProvider } from '@cdktf/provider-aws/lib/provider';
import { App, Fn, Token, TerraformStack, TerraformVariable } from 'cdktf';
import {
  AmiFamily,
  BottlerocketSettings,
  CniPermissions,
  ConstructionError,
  ImdsAccess,
  ManagedNodeGroup,
  NodeConfig,
  VpcCniAddon,
} from '../../../constructs/cdktf';
import {
  AMI,
  comments,
  decoded,
  elsewhere,
  launchTemplate,
  makeGroup,
  nodegroup,
  only,
  SERVICE_CIDR,
  subnets,
  type Options,
} from './node-groups';
import { ipv6, newCluster, newStack, resourcesOf } from './stacks';

const attachments = (stack: TerraformStack): string[] =>
  Object.values(resourcesOf(stack, 'aws_iam_role_policy_attachment')).map((one) =>
    String(one['policy_arn']).replace(/^.*\//, ''),
  );

describe('defaults', () => {
  it('require IMDSv2, let pods through and say why, where a reader of the configuration looks', () => {
    expect(launchTemplate()['metadata_options']).toEqual({
      http_endpoint: 'enabled',
      http_tokens: 'required',
      http_put_response_hop_limit: 2,
      instance_metadata_tags: 'disabled',
    });
    expect(comments(makeGroup().stack)).toEqual({
      stack: undefined,
      templates: [{ notes: { http_put_response_hop_limit: expect.stringContaining('Two hops') as string } }],
    });
  });

  it('set no user data and no AMI, so that EKS does the bootstrap', () => {
    expect(Object.keys(launchTemplate()).sort()).toEqual([
      'block_device_mappings',
      'lifecycle',
      'metadata_options',
      'name_prefix',
    ]);
  });

  it("make an AL2023 group that respects disruption budgets, and whose number of nodes is an autoscaler's", () => {
    expect(nodegroup()).toMatchObject({
      ami_type: 'AL2023_x86_64_STANDARD',
      instance_types: ['m5.large'],
      update_config: { max_unavailable: 1 },
      scaling_config: { min_size: 2, max_size: 2, desired_size: 2 },
      lifecycle: { create_before_destroy: true, ignore_changes: ['scaling_config[0].desired_size'] },
      node_group_name_prefix: 'Workers-',
      subnet_ids: subnets,
    });
    expect(nodegroup()).not.toHaveProperty('force_update_version');
    expect(nodegroup()).not.toHaveProperty('node_group_name');
  });

  it('follow the latest version of the template, so that edits roll out', () => {
    const { stack } = makeGroup();
    const [name] = Object.keys(resourcesOf(stack, 'aws_launch_template'));
    expect(only(stack, 'aws_eks_node_group')['launch_template']).toEqual({
      id: `\${aws_launch_template.${name}.id}`,
      version: `\${aws_launch_template.${name}.latest_version}`,
    });
  });

  it('encrypt a gp3 root volume', () => {
    expect(launchTemplate()['block_device_mappings']).toEqual([
      {
        device_name: '/dev/xvda',
        ebs: { encrypted: 'true', volume_type: 'gp3', volume_size: 20, delete_on_termination: 'true' },
      },
    ]);
  });

  it('start nodes when their role has its policies, in every partition', () => {
    const { stack } = makeGroup();
    const policies = resourcesOf(stack, 'aws_iam_role_policy_attachment');
    expect(only(stack, 'aws_eks_node_group')['depends_on']).toEqual(
      Object.keys(policies)
        .map((name) => `aws_iam_role_policy_attachment.${name}`)
        .sort((a, b) => order(a) - order(b)),
    );
    expect(attachments(stack).sort()).toEqual([
      'AmazonEC2ContainerRegistryPullOnly',
      'AmazonEKSWorkerNodePolicy',
      'AmazonEKS_CNI_Policy',
    ]);
    for (const { policy_arn: arn } of Object.values(policies))
      expect(arn).toMatch(/^arn:\$\{data\.aws_partition\.\w+\.partition\}:iam::aws:policy\//);
  });

  it('expose what they make', () => {
    const { stack, group } = makeGroup();
    expect(group.role).toBeInstanceOf(IamRole);
    expect(group.amiType).toBe('AL2023_x86_64_STANDARD');
    expect(group.userData).toBeUndefined();
    expect(Token.isUnresolved(group.nodegroupArn)).toBe(true);
    expect(Token.isUnresolved(group.nodegroupName)).toBe(true);
    expect(TerraformStack.of(group.launchTemplate)).toBe(stack);
  });
});

const order = (name: string): number =>
  ['WorkerNodePolicy', 'PullPolicy', 'CniPolicy'].findIndex((part) => name.includes(part));

describe('options', () => {
  it('reach the node group', () => {
    const group = nodegroup({
      nodegroupName: 'web',
      instanceTypes: ['m7g.large', 'c7g.large'],
      capacityType: 'SPOT',
      minSize: 1,
      maxSize: 10,
      desiredSize: 4,
      maxUnavailablePercentage: 33,
      forceUpdate: true,
      forceUpdateReason: 'batch jobs can be repeated',
      labels: { tier: 'web' },
      taints: [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' }],
      releaseVersion: '1.34.1-20251007',
      tags: { team: 'web' },
    });
    expect(group).toMatchObject({
      node_group_name: 'web',
      ami_type: 'AL2023_ARM_64_STANDARD',
      instance_types: ['m7g.large', 'c7g.large'],
      capacity_type: 'SPOT',
      scaling_config: { min_size: 1, max_size: 10, desired_size: 4 },
      update_config: { max_unavailable_percentage: 33 },
      force_update_version: true,
      labels: { tier: 'web' },
      taint: [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' }],
      release_version: '1.34.1-20251007',
      tags: { team: 'web' },
    });
    // A group of that name can't stand beside the old one, and the number of nodes is the user's.
    expect(group).not.toHaveProperty('lifecycle');
    expect(group).not.toHaveProperty('node_group_name_prefix');
  });

  it('tags reach template, role, instances and volumes', () => {
    const { stack } = makeGroup({ tags: { team: 'web' } });
    const tags = { team: 'web' };
    expect(only(stack, 'aws_launch_template')).toMatchObject({
      tags,
      tag_specifications: [
        { resource_type: 'instance', tags },
        { resource_type: 'volume', tags },
      ],
    });
    expect(
      Object.values(resourcesOf(stack, 'aws_iam_role')).filter(
        (role) => JSON.stringify(role['tags']) === JSON.stringify(tags),
      ),
    ).toHaveLength(1);
  });

  it('give names a beginning that EKS takes', () => {
    const prefix = (id: string): unknown => {
      const stack = newStack();
      new ManagedNodeGroup(stack, id, { cluster: newCluster(stack), subnets });
      return only(stack, 'aws_eks_node_group')['node_group_name_prefix'];
    };
    expect(prefix('web_eu.1')).toBe('web-eu-1-');
    expect(prefix('ÄÖ')).toBe('nodes-');
    expect(prefix('n')).toBe('nodes-n-');
    expect(prefix('x'.repeat(60))).toBe(`${'x'.repeat(36)}-`);
  });

  it.each<[AmiFamily, object[]]>([
    [
      AmiFamily.BOTTLEROCKET,
      [
        { device_name: '/dev/xvda', ebs: { encrypted: 'true', volume_type: 'gp3', delete_on_termination: 'true' } },
        {
          device_name: '/dev/xvdb',
          ebs: { encrypted: 'true', volume_type: 'gp3', volume_size: 80, delete_on_termination: 'true' },
        },
      ],
    ],
    [
      AmiFamily.WINDOWS_CORE_2022,
      [
        {
          device_name: '/dev/sda1',
          ebs: { encrypted: 'true', volume_type: 'gp3', volume_size: 80, delete_on_termination: 'true' },
        },
      ],
    ],
  ])('diskSize is that of the volume of images and pods, on %s', (amiFamily, devices) => {
    expect(launchTemplate({ amiFamily, diskSize: 80 })['block_device_mappings']).toEqual(devices);
  });

  it.each<[string, Options, string]>([
    ['two architectures', { instanceTypes: ['m5.large', 'm7g.large'] }, 'instanceTypes has two CPU architectures'],
    [
      'an architecture of other instance types',
      { instanceTypes: ['m5.large'], architecture: 'arm64' },
      'but architecture is arm64',
    ],
    ['an instance type that is a token', { instanceTypes: [Token.asString({ a: 1 })] }, 'instanceTypes has a token'],
    ['NODE_ONLY without reason', { imds: ImdsAccess.NODE_ONLY }, 'imds is NODE_ONLY without imdsReason'],
    ['AL2 on 1.34', { amiFamily: AmiFamily.AL2, al2Reason: 'later' }, 'EKS has that AMI type up to 1.32'],
    ['a token as AMI type', { amiType: Token.asString({ a: 1 }) }, 'amiType is a token'],
    ["an AMI that isn't", { customAmi: 'ami-123' }, 'an AMI id is "ami-" and 8 or 17'],
    ['an SSM parameter', { customAmi: 'resolve:ssm:/my/ami' }, 'data source aws_ssm_parameter'],
    [
      'an AMI and its type',
      { customAmi: AMI, amiType: 'AL2023_x86_64_STANDARD' },
      'amiType is "AL2023_x86_64_STANDARD" and customAmi is set',
    ],
    ['sizes', { minSize: 3, maxSize: 2 }, 'maxSize is 2'],
    ['two ways of updating', { maxUnavailable: 1, maxUnavailablePercentage: 10 }, 'EKS takes one of them'],
    [
      'NODE_ROLE with a role',
      { role: 'arn:aws:iam::111122223333:role/nodes', cniPermissions: CniPermissions.NODE_ROLE },
      'cniPermissions is NODE_ROLE and role is set',
    ],
    ['a service CIDR of another family', { customAmi: AMI, serviceCidr: 'fd00::/108' }, 'both must be of one family'],
    [
      'labels as a token with an AMI',
      { customAmi: AMI, labels: Token.asStringMap({ a: 1 }) },
      'labels is a token and customAmi is set',
    ],
    ['a name that is too long', { nodegroupName: 'x'.repeat(64) }, 'at most 63'],
    ['a name that begins with a dash', { nodegroupName: '-a' }, 'the first a letter or digit'],
    [
      'too many taints',
      {
        taints: Array.from({ length: 51 }, (_unused, index) => ({ key: `t${index}`, effect: 'NO_SCHEDULE' as const })),
      },
      'EKS takes at most 50',
    ],
    [
      'an item of a list token as instance type',
      { instanceTypes: [Token.asList({ a: 1 })[0] ?? ''] },
      'instanceTypes has a token',
    ],
    [
      'a taint of an unknown effect',
      { taints: [{ key: 'a', effect: 'NoSchedule' as never }] },
      'EKS has NO_SCHEDULE, PREFER_NO_SCHEDULE, NO_EXECUTE',
    ],
  ])('are refused: %s', (_, options, message) => {
    expect(() => makeGroup(options)).toThrow(ConstructionError);
    expect(() => makeGroup(options)).toThrow(message);
    expect(() => makeGroup(options)).toThrow('Test/Workers: ');
  });

  it('need subnets', () => {
    const stack = newStack();
    expect(() => new ManagedNodeGroup(stack, 'Workers', { cluster: newCluster(stack), subnets: [] })).toThrow(
      'subnets is empty',
    );
  });

  it('may be tokens', () => {
    const stack = newStack();
    const text = new TerraformVariable(stack, 'text', { type: 'string' });
    const number = new TerraformVariable(stack, 'number', { type: 'number' });
    const list = new TerraformVariable(stack, 'list', { type: 'list(string)' });
    const map = new TerraformVariable(stack, 'map', { type: 'map(string)' });
    new ManagedNodeGroup(stack, 'Workers', {
      cluster: newCluster(stack, { version: text.stringValue }),
      subnets: list.listValue,
      instanceTypes: list.listValue,
      amiType: 'AL2023_ARM_64_STANDARD',
      minSize: number.numberValue,
      diskSize: number.numberValue,
      maxUnavailable: number.numberValue,
      labels: Token.asStringMap(map.value),
      taints: [{ key: text.stringValue, value: text.stringValue, effect: 'NO_EXECUTE' }],
      kubernetesVersion: '1.33',
    });
    expect(only(stack, 'aws_eks_node_group')).toMatchObject({
      subnet_ids: '${var.list}',
      instance_types: '${var.list}',
      scaling_config: { min_size: '${var.number}', desired_size: '${var.number}' },
      update_config: { max_unavailable: '${var.number}' },
      labels: '${var.map}',
      taint: [{ key: '${var.text}', value: '${var.text}', effect: 'NO_EXECUTE' }],
    });
  });
});

describe('what goes against a rule', () => {
  it.each<[Options, string, string]>([
    [{ imds: ImdsAccess.NODE_ONLY, imdsReason: 'every pod has its own role' }, 'LaunchTemplate', 'imds-hop-limit'],
    [{ forceUpdate: true, forceUpdateReason: 'batch' }, 'Resource', 'node-group-force-update'],
    [{ amiFamily: AmiFamily.AL2, al2Reason: 'next quarter' }, 'Resource', 'ami-type-kubernetes-version'],
  ])('says so, with the reason: %j', (options, construct, rule) => {
    const { stack } = makeGroup(options, { version: '1.32' });
    expect(comments(stack).stack).toEqual({
      acknowledge: [{ path: `Test/Workers/${construct}`, rule, reason: expect.any(String) as string }],
    });
  });

  it('sets one hop with NODE_ONLY, and notes nothing else', () => {
    const { stack } = makeGroup({ imds: ImdsAccess.NODE_ONLY, imdsReason: 'every pod has its own role' });
    expect(only(stack, 'aws_launch_template')['metadata_options']).toMatchObject({ http_put_response_hop_limit: 1 });
    expect(comments(stack).templates).toEqual([undefined]);
  });
});

describe("an AMI of the user's own", () => {
  const text = (options: Options, cluster = {}): string =>
    decoded(launchTemplate({ customAmi: AMI, ...options }, cluster)['user_data']);

  it("gets all of the bootstrap from the cluster's resource", () => {
    expect(launchTemplate({ customAmi: AMI })['image_id']).toBe(AMI);
    expect(nodegroup({ customAmi: AMI })).not.toHaveProperty('ami_type');
    expect(text({ labels: { tier: 'web' } })).toContain(
      [
        '  cluster:',
        '    name: "${aws_eks_cluster.Cluster.name}"',
        '    apiServerEndpoint: "${aws_eks_cluster.Cluster.endpoint}"',
        '    certificateAuthority: "${aws_eks_cluster.Cluster.certificate_authority[0].data}"',
        '    cidr: "${aws_eks_cluster.Cluster.kubernetes_network_config[0].service_ipv4_cidr}"',
        '  kubelet:',
        '    flags:',
        '      - "--node-labels=tier=web"',
      ].join('\n'),
    );
  });

  it('gets the service range that the cluster is given, and that of its family', () => {
    expect(text({}, { kubernetesNetworkConfig: { serviceIpv4Cidr: '10.100.0.0/16' } })).toContain(
      'cidr: "10.100.0.0/16"',
    );
    expect(text({}, ipv6)).toContain(
      'cidr: "${aws_eks_cluster.Cluster.kubernetes_network_config[0].service_ipv6_cidr}"',
    );
    expect(text({ amiFamily: AmiFamily.AL2 }, ipv6)).toContain(
      '--service-ipv6-cidr "${aws_eks_cluster.Cluster.kubernetes_network_config[0].service_ipv6_cidr}"',
    );
  });

  it.each<[Options, string]>([
    [{ amiFamily: AmiFamily.AL2 }, '--dns-cluster-ip "${cidrhost('],
    [{ amiFamily: AmiFamily.BOTTLEROCKET }, 'cluster-dns-ip = "${cidrhost('],
    [{ amiFamily: AmiFamily.WINDOWS_CORE_2022 }, '-DNSClusterIP "${cidrhost('],
  ])('gets the address of DNS computed: %j', (options, expected) => {
    expect(text(options)).toContain(
      `${expected}aws_eks_cluster.Cluster.kubernetes_network_config[0].service_ipv4_cidr, 10)}"`,
    );
  });

  it("gets the range from the options where it isn't the cluster's affair", () => {
    expect(text({ amiFamily: AmiFamily.AL2, serviceCidr: SERVICE_CIDR })).toContain('--dns-cluster-ip "172.20.0.10"');
  });

  it('may be a token', () => {
    const stack = newStack();
    const ami = new TerraformVariable(stack, 'ami', { type: 'string' });
    new ManagedNodeGroup(stack, 'Workers', { cluster: newCluster(stack), subnets, customAmi: ami.stringValue });
    expect(only(stack, 'aws_launch_template')['image_id']).toBe('${var.ami}');
  });

  it('takes labels, taints and number of pods, as tokens too', () => {
    const stack = newStack();
    const number = new TerraformVariable(stack, 'pods', { type: 'number' });
    const team = new TerraformVariable(stack, 'team', { type: 'string' });
    const group = {
      cluster: newCluster(stack),
      subnets,
      customAmi: AMI,
      maxPods: number.numberValue,
      labels: { team: team.stringValue },
    };
    new ManagedNodeGroup(stack, 'Nodeadm', group);
    new ManagedNodeGroup(stack, 'Bottlerocket', { ...group, amiFamily: AmiFamily.BOTTLEROCKET });
    new ManagedNodeGroup(stack, 'Script', { ...group, amiFamily: AmiFamily.AL2 });
    const [nodeadm, bottlerocket, script] = Object.values(resourcesOf(stack, 'aws_launch_template'))
      .map((template) => decoded(template['user_data']))
      .sort((a, b) => rank(a) - rank(b));
    expect(nodeadm).toMatch(/maxPods: \$\{var\.pods\}\n[^]*--node-labels=team=\$\{var\.team\}"/);
    expect(bottlerocket).toMatch(/max-pods = \$\{var\.pods\}\n[^]*"\$\{var\.team\}"/);
    expect(script).toMatch(/--max-pods=\$\{var\.pods\}/);
  });

  const rank = (one: string): number =>
    [/NodeConfig/, /\[settings/, /bootstrap\.sh/].findIndex((part) => part.test(one));

  it('is told by attributes of a cluster that is made elsewhere, in plain base64 if they are known', () => {
    const stack = newStack();
    const group = new ManagedNodeGroup(stack, 'Workers', { cluster: elsewhere, subnets, customAmi: AMI, maxPods: 20 });
    expect(only(stack, 'aws_launch_template')['user_data']).toBe(Buffer.from(group.userData ?? '').toString('base64'));
    expect(group.userData).toContain('name: "production"');
  });

  it('is told by a data source', () => {
    const stack = newStack();
    new ManagedNodeGroup(stack, 'Workers', {
      cluster: new DataAwsEksCluster(stack, 'Cluster', { name: 'main' }),
      subnets,
      customAmi: AMI,
    });
    const userData = decoded(only(stack, 'aws_launch_template')['user_data']);
    for (const attribute of [
      'name',
      'endpoint',
      'certificate_authority[0].data',
      'kubernetes_network_config[0].service_ipv4_cidr',
    ])
      expect(userData).toContain(`\${data.aws_eks_cluster.Cluster.${attribute}}`);
  });

  it("is told by what the user writes in Terraform's own syntax", () => {
    const stack = newStack();
    const written = Object.fromEntries(
      ['clusterName', 'endpoint', 'certificateAuthority', 'serviceCidr', 'kubernetesVersion'].map((name) => [
        name,
        `\${module.eks["a"].${name}}`,
      ]),
    );
    new ManagedNodeGroup(stack, 'Workers', { cluster: { clusterName: '', ...written }, subnets, customAmi: AMI });
    const userData = decoded(only(stack, 'aws_launch_template')['user_data']);
    for (const name of ['clusterName', 'endpoint', 'certificateAuthority', 'serviceCidr'])
      expect(userData).toContain(`"\${module.eks["a"].${name}}"`);
    expect(
      decoded(
        launchTemplate(
          { customAmi: AMI, amiFamily: AmiFamily.AL2 },
          { version: '${var.version}', kubernetesNetworkConfig: { serviceIpv4Cidr: '${var.cidr}' } },
        )['user_data'],
      ),
    ).toContain(
      '--dns-cluster-ip "${cidrhost(aws_eks_cluster.Cluster.kubernetes_network_config[0].service_ipv4_cidr, 10)}"',
    );
  });

  it("can't be told by a name alone", () => {
    const group = (cluster: object): ManagedNodeGroup =>
      new ManagedNodeGroup(newStack(), 'Workers', {
        cluster: { clusterName: 'production', ...cluster },
        subnets,
        customAmi: AMI,
      });
    expect(() => group({})).toThrow("needs the cluster's service CIDR, and the cluster's attributes don't tell it");
    expect(() => group({ serviceCidr: SERVICE_CIDR })).toThrow(
      "lacks apiServerEndpoint, certificateAuthority; give endpoint and certificateAuthority in the cluster's attributes",
    );
  });
});

describe('a VpcCniAddon of the cluster', () => {
  const withAddon = (addonFirst: boolean, options: Options = {}, addon: object = {}): TerraformStack => {
    const stack = newStack();
    const cluster = newCluster(stack);
    const cni = (): unknown => new VpcCniAddon(stack, 'Cni', { cluster, ...addon });
    if (addonFirst) cni();
    new ManagedNodeGroup(stack, 'Workers', { cluster, subnets, ...options });
    if (!addonFirst) cni();
    return stack;
  };

  it.each([true, false])('takes its permissions off the nodes, which wait for it (add-on first: %s)', (addonFirst) => {
    const stack = withAddon(addonFirst);
    expect(
      Object.keys(resourcesOf(stack, 'aws_iam_role_policy_attachment'))
        .filter((name) => name.startsWith('Workers'))
        .map((name) => name.split('_')[1])
        .sort(),
    ).toEqual(['PullPolicy', 'WorkerNodePolicy']);
    expect(only(stack, 'aws_eks_node_group')['depends_on']).toContainEqual(
      expect.stringMatching(/^aws_eks_addon\.Cni/),
    );
  });

  it.each([true, false])('makes the number of pods that nodes are told (add-on first: %s)', (addonFirst) => {
    const stack = withAddon(addonFirst, { customAmi: AMI, instanceTypes: ['m5.large'] }, { prefixDelegation: {} });
    expect(decoded(only(stack, 'aws_launch_template')['user_data'])).toContain('maxPods: 110');
  });

  it('must not be without permissions', () => {
    expect(() =>
      only(withAddon(false, { cniPermissions: CniPermissions.OWN_ROLE }, { useNodeRole: true }), 'aws_eks_node_group'),
    ).toThrow("cniPermissions is OWN_ROLE, but the vpc-cni add-on Test/Cni takes the node role's permissions");
  });

  it('has a policy of its own on nodes of IPv6', () => {
    const { stack } = makeGroup({}, ipv6);
    expect(JSON.stringify(only(stack, 'aws_iam_policy')['policy'])).toContain('AssignIpv6Addresses');
    expect(attachments(stack)).not.toContain('AmazonEKS_CNI_Policy');
    expect(only(stack, 'aws_eks_node_group')['depends_on']).toContainEqual(
      expect.stringContaining('CniPolicyAttachment'),
    );
  });
});

describe("a role of the user's own", () => {
  it('gets nothing, and its policies come first', () => {
    const stack = newStack();
    const role = new IamRole(stack, 'Nodes', { name: 'nodes', assumeRolePolicy: '{}' });
    new ManagedNodeGroup(stack, 'Workers', { cluster: newCluster(stack), subnets, role });
    new IamRolePolicyAttachment(stack, 'Late', {
      role: role.name,
      policyArn: 'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy',
    });
    new IamRolePolicyAttachment(stack, 'Pull', {
      role: role.name,
      policyArn: 'arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly',
    });
    new IamRolePolicyAttachment(stack, 'Other', {
      role: 'other',
      policyArn: 'arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy',
    });
    expect(Object.keys(resourcesOf(stack, 'aws_iam_role_policy_attachment'))).toEqual(['Late', 'Other', 'Pull']);
    expect(only(stack, 'aws_eks_node_group')).toMatchObject({
      node_role_arn: '${aws_iam_role.Nodes.arn}',
      depends_on: ['aws_iam_role_policy_attachment.Late', 'aws_iam_role_policy_attachment.Pull'],
    });
  });

  it('may be an ARN', () => {
    expect(nodegroup({ role: 'arn:aws:iam::111122223333:role/nodes' })['node_role_arn']).toBe(
      'arn:aws:iam::111122223333:role/nodes',
    );
  });
});

describe('other stacks and providers', () => {
  it('take the cluster by remote state, in user data too that is rendered late', () => {
    const app = new App();
    const [one, other] = ['One', 'Two'].map((name) => {
      const stack = new TerraformStack(app, name);
      new AwsProvider(stack, 'Aws', { region: 'eu-west-1' });
      return stack;
    });
    if (one === undefined || other === undefined) throw new Error('no stacks');
    const west = new AwsProvider(one, 'West', { alias: 'west', region: 'us-west-2' });
    new ManagedNodeGroup(other, 'Workers', { cluster: newCluster(one, { provider: west }), subnets, customAmi: AMI });
    app.node.findAll().forEach((construct) => {
      if (TerraformStack.isStack(construct)) construct.prepareStack();
    });
    const userData = decoded(only(other, 'aws_launch_template')['user_data']);
    expect(userData).toContain(
      'name: "${data.terraform_remote_state.cross-stack-reference-input-One.outputs.cross-stack-output-aws_eks_clusterClustername}"',
    );
    expect(userData).not.toContain('${aws_eks_cluster');
    // Each stack has its own provider configurations.
    expect(only(other, 'aws_eks_node_group')).not.toHaveProperty('provider');
  });

  it('come from the cluster', () => {
    const stack = newStack();
    const west = new AwsProvider(stack, 'West', { alias: 'west', region: 'us-west-2' });
    new ManagedNodeGroup(stack, 'Workers', { cluster: newCluster(stack, { provider: west }), subnets });
    new ManagedNodeGroup(stack, 'Others', { cluster: { ...elsewhere, provider: west }, subnets });
    for (const type of ['aws_eks_node_group', 'aws_launch_template', 'aws_iam_role_policy_attachment']) {
      for (const resource of Object.values(resourcesOf(stack, type))) expect(resource['provider']).toBe('aws.west');
    }
  });
});

describe('parts of user data', () => {
  it("are refused where they don't belong, and rendered where they do", () => {
    expect(() => makeGroup({ bottlerocketSettings: new BottlerocketSettings({ maxPods: 20 }) })).toThrow(
      'bottlerocketSettings is set and the operating system is AL2023',
    );
    expect(() => makeGroup({ maxPods: 20 })).toThrow('maxPods is 20 without customAmi');
    expect(() => new NodeConfig({ kubelet: { config: { maxPods: 'many' } } })).toThrow(
      'NodeConfig: `spec.kubelet.config.maxPods`',
    );
    expect(() => new NodeConfig({ kubelet: { flags: Token.asList({ a: 1 }) } }).toYaml()).toThrow('list token');
    const shellScripts = [`#!/bin/sh\necho ${Fn.join('', ['a'])} \${HOME}\n`];
    expect(decoded(launchTemplate({ shellScripts })['user_data'])).toContain(
      '#!/bin/sh\necho ${join("", ["a"])} ${HOME}\n',
    );
  });
});
