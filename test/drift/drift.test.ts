import { DriftError } from '../../lib/drift/compare';
import { isActionable } from '../../lib/drift/drift';
import { arn, clusterAnswer, emptyLists, roleAnswers, type Files } from '../front-ends/live/dumps';
import {
  addon,
  addonAnswer,
  AS_WRITTEN,
  CLUSTER,
  compare,
  GROUP,
  lines,
  live,
  MADE_BY_KUBECTL,
  OVERWRITE,
  terraform,
  textsOf,
} from './comparing';

describe('the update of the VPC CNI that the code makes', () => {
  it('resets with OVERWRITE what kubectl made, as in the first post', () => {
    const drift = compare(addon('v1.12.6-eksbuild.1', OVERWRITE), live());
    expect(lines(drift)).toEqual([
      'reset add-on vpc-cni env.ENABLE_POD_ENI true → false',
      'reset add-on vpc-cni init.env.DISABLE_TCP_EARLY_DEMUX true → false',
      'changed add-on vpc-cni version v1.11.0-eksbuild.1 → v1.12.6-eksbuild.1',
    ]);
    expect(drift[0]?.pin).toEqual({
      env: { ENABLE_POD_ENI: 'true' },
      init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } },
    });
    const [first] = drift[0]?.items ?? [];
    expect(first?.text).toBe(
      'EKS writes the default, and no configuration value says otherwise. Somebody has made it in the cluster, and the code does not say it.',
    );
    expect(first?.inLive?.locate().file.endsWith('kubectl-objects.json')).toBe(true);
  });

  it('keeps it with PRESERVE, and where the configuration values say the same', () => {
    expect(lines(compare(addon('v1.12.6-eksbuild.1', 'resolve_conflicts_on_update = "PRESERVE"'), live()))).toEqual([
      'changed add-on vpc-cni version v1.11.0-eksbuild.1 → v1.12.6-eksbuild.1',
    ]);
    const values =
      'configuration_values = jsonencode({ env = { ENABLE_POD_ENI = "true" }, init = { env = { DISABLE_TCP_EARLY_DEMUX = "true" } } })';
    expect(
      lines(compare(addon('v1.12.6-eksbuild.1', OVERWRITE, values), live())).filter((line) => line.startsWith('reset')),
    ).toEqual([]);
  });

  it('stops with NONE, and without a mode either stops or resets', () => {
    expect(lines(compare(addon('v1.12.6-eksbuild.1', 'resolve_conflicts_on_update = "NONE"'), live()))).toEqual([
      'stops add-on vpc-cni env.ENABLE_POD_ENI true → -',
      'stops add-on vpc-cni init.env.DISABLE_TCP_EARLY_DEMUX true → -',
      'changed add-on vpc-cni version v1.11.0-eksbuild.1 → v1.12.6-eksbuild.1',
    ]);
    const drift = compare(addon('v1.12.6-eksbuild.1'), live());
    expect(lines(drift)[0]).toBe('reset add-on vpc-cni env.ENABLE_POD_ENI true → false');
    expect(textsOf(drift)).toContain('no source says whether an update then overwrites or stops');
  });

  it('resets nothing that nobody has made', () => {
    const drift = compare(addon('v1.12.6-eksbuild.1', OVERWRITE), live([AS_WRITTEN]));
    expect(lines(drift)).toEqual(['changed add-on vpc-cni version v1.11.0-eksbuild.1 → v1.12.6-eksbuild.1']);
    expect(drift.flatMap(({ items }) => items).some(isActionable)).toBe(false);
  });

  it('is none yet where the code says what runs, and resets it at the next one', () => {
    const drift = compare(addon('v1.11.0-eksbuild.1', OVERWRITE), live());
    expect(lines(drift)).toEqual([
      'reset add-on vpc-cni env.ENABLE_POD_ENI true → false',
      expect.stringContaining('unknown add-on vpc-cni init.env.DISABLE_TCP_EARLY_DEMUX true'),
    ]);
    expect(textsOf(drift)).toContain('This code makes no update of the add-on yet');
  });

  it('may be a downgrade, and may go to a version that nobody knows', () => {
    const newer = live([AS_WRITTEN], addonAnswer('vpc-cni', 'v1.21.1-eksbuild.5'));
    expect(textsOf(compare(addon('v1.19.0-eksbuild.1', OVERWRITE), newer))).toContain('this is a downgrade');
    const code = { 'main.tf': `variable "cni" {}\n${String(addon('var.cni', OVERWRITE)['main.tf'])}` };
    const drift = compare(code, live([AS_WRITTEN]));
    expect(lines(drift)).toEqual([
      'unknown add-on vpc-cni version v1.11.0-eksbuild.1 → -',
      'unknown add-on vpc-cni init.env.DISABLE_TCP_EARLY_DEMUX false → -',
    ]);
  });

  it('can not be told without the DaemonSet, or for a version that no table has', () => {
    const drift = compare(addon('v1.12.6-eksbuild.1', OVERWRITE), live([]));
    expect(drift[0]?.unseen[0]).toContain("The dump doesn't hold the DaemonSet aws-node");
    expect(lines(compare(addon('v9.0.0-eksbuild.1', OVERWRITE), live()))).toContain(
      'unknown add-on vpc-cni settings of aws-node',
    );
  });

  it('takes over a copy that nobody manages, with the mode of creation', () => {
    const self = live([MADE_BY_KUBECTL], { 'addons.json': { addons: [] } });
    const { 'addon-vpc-cni.json': _addon, ...files } = self;
    expect(lines(compare(addon('v1.12.6-eksbuild.1', 'resolve_conflicts_on_create = "OVERWRITE"'), files))).toEqual([
      'reset add-on vpc-cni env.ENABLE_POD_ENI true → false',
      'reset add-on vpc-cni init.env.DISABLE_TCP_EARLY_DEMUX true → false',
      'created add-on vpc-cni - → v1.12.6-eksbuild.1',
    ]);
  });

  it('counts in CloudFormation, too, where only an update changes anything', () => {
    const template = {
      'template.json': {
        Resources: {
          Cni: {
            Type: 'AWS::EKS::Addon',
            Properties: {
              ClusterName: 'shop',
              AddonName: 'vpc-cni',
              AddonVersion: 'v1.12.6-eksbuild.1',
              ResolveConflicts: 'OVERWRITE',
            },
          },
        },
      },
    };
    const drift = compare(template, live());
    expect(lines(drift)[0]).toBe('reset add-on vpc-cni env.ENABLE_POD_ENI true → false');
    expect(textsOf(drift)).toContain('if it changes the version that was deployed last');
  });
});

describe('code of eksctl', () => {
  it('changes nothing of what is there but by its own commands, and what it fills in is no drift', () => {
    const config = {
      'cluster.yaml':
        'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: { name: shop, region: eu-west-1, version: "1.34" }\nkubernetesNetworkConfig: { ipFamily: ipv6 }\naddons:\n  - name: coredns\n    version: v1.13.2-eksbuild.7\n',
    };
    const files = live([MADE_BY_KUBECTL], {
      'addons.json': { addons: ['vpc-cni', 'coredns'] },
      ...addonAnswer('coredns', 'v1.13.2-eksbuild.4'),
    });
    const drift = compare(config, files);
    expect(lines(drift)).toEqual([
      'changed add-on coredns version v1.13.2-eksbuild.4 → v1.13.2-eksbuild.7',
      'differs cluster shop IP family ipv4 → ipv6',
    ]);
    expect(textsOf(drift)).toContain('eksctl changes nothing of what is there');
  });
});

describe('node groups', () => {
  const code = (...settings: readonly string[]): Files =>
    terraform(
      'resource "aws_eks_node_group" "workers" {',
      '  cluster_name    = aws_eks_cluster.shop.name',
      '  node_group_name = "workers"',
      '  node_role_arn   = "arn:aws:iam::111122223333:role/nodes"',
      '  subnet_ids      = ["subnet-0a2", "subnet-0a1"]',
      ...settings.map((line) => `  ${line}`),
      '}',
    );
  const SAME = [
    'ami_type       = "AL2023_x86_64_STANDARD"',
    'instance_types = ["m6i.large"]',
    'labels         = { tier = "web" }',
    'scaling_config {\n min_size = 2\n max_size = 9\n desired_size = 3\n}',
  ];
  const running = (given: object = {}, others: Files = {}): Files => ({
    ...clusterAnswer('shop'),
    ...emptyLists(),
    'nodegroups.json': { nodegroups: ['workers'] },
    'nodegroup-workers.json': { nodegroup: { ...GROUP, ...given } },
    ...others,
  });

  it('are the same where nothing differs but sizes, which autoscalers change', () => {
    expect(lines(compare(code(...SAME), running()))).toEqual([]);
    expect(lines(compare(code(...SAME), running(), true))).toEqual(['changed node group workers most nodes 4 → 9']);
  });

  it('are replaced for what can not be changed, and changed for the rest', () => {
    const live = running({
      amiType: 'AL2_x86_64',
      labels: { tier: 'web', team: 'a' },
      taints: [{ key: 'x', value: 'y', effect: 'NO_SCHEDULE' }],
    });
    expect(
      lines(compare(code(...SAME, 'taint {\n key = "x"\n value = "z"\n effect = "NO_SCHEDULE"\n}'), live)),
    ).toEqual([
      'replaced node group workers AMI type AL2_x86_64 → AL2023_x86_64_STANDARD',
      'changed node group workers labels {"team":"a","tier":"web"} → {"tier":"web"}',
      'changed node group workers taints ["x=y:NO_SCHEDULE"] → ["x=z:NO_SCHEDULE"]',
    ]);
  });

  it('are not taken back to an older version', () => {
    expect(lines(compare(code(...SAME, 'version = "1.33"'), running()))).toEqual([
      'stops node group workers Kubernetes version 1.34 → 1.33',
    ]);
  });

  it('can not adopt a launch template, nor do without one', () => {
    const template = 'launch_template {\n id = "lt-0a1"\n version = "1"\n}';
    expect(lines(compare(code(...SAME, template), running()))).toEqual([
      'stops node group workers launch template - → lt-0a1',
    ]);
    const live = running({ launchTemplate: { id: 'lt-0a1', name: 'nodes', version: '1' } });
    expect(lines(compare(code(...SAME), live))).toEqual(['stops node group workers launch template nodes → -']);
  });

  it('have launch templates that are compared, and instances that may have started before', () => {
    const own = [
      'resource "aws_launch_template" "nodes" {\n metadata_options {\n http_tokens = "required"\n http_put_response_hop_limit = 2\n }\n user_data = base64encode("#!/bin/bash\\nexport PASSWORD=hunter22\\n")\n}',
    ];
    const files = code(
      ...SAME,
      'launch_template {\n id = aws_launch_template.nodes.id\n version = aws_launch_template.nodes.latest_version\n}',
    );
    const data = {
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      UserData: Buffer.from('#!/bin/bash\nexport PASSWORD=correcthorse\n').toString('base64'),
    };
    const instance = {
      InstanceId: 'i-1',
      State: { Name: 'running' },
      Tags: [
        { Key: 'eks:cluster-name', Value: 'shop' },
        { Key: 'eks:nodegroup-name', Value: 'workers' },
      ],
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
    };
    const live = running(
      { launchTemplate: { id: 'lt-0a1', name: 'nodes', version: '1' } },
      {
        'lt.json': {
          LaunchTemplateVersions: [
            {
              LaunchTemplateId: 'lt-0a1',
              LaunchTemplateName: 'nodes',
              VersionNumber: 1,
              DefaultVersion: true,
              LaunchTemplateData: data,
            },
          ],
        },
        'instances.json': { Reservations: [{ Instances: [instance] }] },
      },
    );
    const drift = compare({ 'main.tf': `${String(files['main.tf'])}\n${own.join('\n')}` }, live);
    expect(lines(drift)).toEqual([
      'changed launch template of node group workers hop limit of instance metadata 1 → 2',
      expect.stringMatching(
        /^changed launch template of node group workers user data 2 lines, \d+ bytes, \w{8} → 2 lines, \d+ bytes, \w{8}$/,
      ),
      'differs node group workers hop limit of instance metadata 2 → 1',
    ]);
    expect(JSON.stringify(lines(drift))).not.toContain('hunter22');
  });

  it('are told where only one of the two has them', () => {
    const other = {
      'nodegroups.json': { nodegroups: ['workers', 'batch'] },
      'b.json': { nodegroup: { ...GROUP, nodegroupName: 'batch' } },
    };
    expect(lines(compare(code(...SAME), running({}, other)))).toEqual(['not in code node group batch']);
    const missing = running({}, { 'nodegroups.json': { nodegroups: [] } });
    const { 'nodegroup-workers.json': _group, ...none } = missing;
    expect(lines(compare(code(...SAME), none))).toEqual(['created node group workers']);
  });

  it('that are not in the dump are not taken for missing', () => {
    const { 'nodegroup-workers.json': _group, ...partly } = running();
    const drift = compare(code(...SAME), partly);
    expect(lines(drift)).toEqual(['unknown node group workers']);
    expect(drift[0]?.unseen[0]).toContain('Not all node groups');
  });

  it('that CloudFormation names are known by how their names begin', () => {
    const template = {
      'template.json': {
        Resources: {
          Cluster: {
            Type: 'AWS::EKS::Cluster',
            Properties: { Name: 'shop', Version: '1.34', RoleArn: arn('iam', 'role/cluster'), ResourcesVpcConfig: {} },
          },
          Workers: {
            Type: 'AWS::EKS::Nodegroup',
            Properties: {
              ClusterName: { Ref: 'Cluster' },
              NodeRole: arn('iam', 'role/nodes'),
              Subnets: ['subnet-0a1', 'subnet-0a2'],
              AmiType: 'AL2_x86_64',
              InstanceTypes: ['m6i.large'],
            },
          },
        },
      },
    };
    const drift = compare(
      template,
      running(
        { nodegroupName: 'Workers-Ab12Cd34Ef56' },
        { 'nodegroups.json': { nodegroups: ['Workers-Ab12Cd34Ef56'] } },
      ),
    );
    expect(lines(drift)).toEqual([
      'differs node group Workers-Ab12Cd34Ef56 AMI type AL2023_x86_64_STANDARD → AL2_x86_64',
    ]);
    expect(textsOf(drift)).toContain('CloudFormation goes by what it deployed last');
  });
});

describe('clusters', () => {
  const cluster = (version: string, others = ''): Files => ({
    'main.tf': CLUSTER.replace('1.34', version).replace('}\n}\n', `}\n${others}}\n`),
  });
  const running = { ...clusterAnswer('shop'), ...emptyLists() };

  it.each([
    ['1.35', 'changed cluster shop Kubernetes version 1.34 → 1.35'],
    ['1.36', 'stops cluster shop Kubernetes version 1.34 → 1.36'],
    ['1.33', 'stops cluster shop Kubernetes version 1.34 → 1.33'],
  ])('go to %s: %s', (version, line) => {
    expect(lines(compare(cluster(version), running))).toEqual([line]);
  });

  it('are replaced for another IP family', () => {
    const ipv6 = 'kubernetes_network_config {\n ip_family = "ipv6"\n}\n';
    expect(lines(compare(cluster('1.34', ipv6), running))).toEqual(['replaced cluster shop IP family ipv4 → ipv6']);
  });

  it('are paired by name, or by being the only ones', () => {
    const unnamed = { 'main.tf': `variable "name" {}\n${CLUSTER.replace('"shop"\n', 'var.name\n')}` };
    expect(compare(unnamed, running).map(({ name }) => name)).toEqual(['shop']);
    const other = { 'main.tf': CLUSTER.replace('= "shop"', '= "bank"') };
    expect(() => compare(other, running)).toThrow(new DriftError('none of the clusters in the code (bank) is shop'));
    expect(() =>
      compare(terraform(), { 'addon.json': addonAnswer('coredns', 'v1.13.2-eksbuild.7')['addon-coredns.json'] }),
    ).toThrow(DriftError);
  });

  it('lose what the VPC CNI may do where the code attaches less', () => {
    const roles = [
      'resource "aws_iam_role" "cni" {\n name = "cni"\n assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Principal = { Service = "pods.eks.amazonaws.com" }, Action = ["sts:AssumeRole", "sts:TagSession"] }] })\n}',
      'resource "aws_iam_role_policy_attachment" "cni" {\n role = aws_iam_role.cni.name\n policy_arn = "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"\n}',
      'resource "aws_eks_pod_identity_association" "cni" {\n cluster_name = aws_eks_cluster.shop.name\n namespace = "kube-system"\n service_account = "aws-node"\n role_arn = aws_iam_role.cni.arn\n}',
    ];
    const association = {
      'pod-identity-associations.json': {
        associations: [{ associationArn: arn('eks', 'podidentityassociation/shop/a-1'), associationId: 'a-1' }],
      },
      'association.json': {
        association: {
          clusterName: 'shop',
          namespace: 'kube-system',
          serviceAccount: 'aws-node',
          roleArn: arn('iam', 'role/cni'),
          associationArn: arn('eks', 'podidentityassociation/shop/a-1'),
          associationId: 'a-1',
        },
      },
      ...roleAnswers('cni', 'pods.eks.amazonaws.com', ['AmazonEKS_CNI_Policy']),
    };
    const drift = compare(terraform(...roles), { ...running, ...association });
    expect(lines(drift)).toEqual(['breaks role cni permissions of the VPC CNI']);
    expect(textsOf(drift)).toContain('ec2:AssignPrivateIpAddresses');
  });
});
