import { DriftError } from '../../lib/drift/compare';
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

/* What of two that are compared isn't known, stands in one of them only, or is written otherwise and means the same. */

const NAMED = 'cluster_name = aws_eks_cluster.shop.name';

function unseenOf(drift: ReturnType<typeof compare>): string {
  return drift.flatMap(({ unseen }) => unseen).join('\n');
}

describe('add-ons', () => {
  const other = (name: string, ...settings: readonly string[]): string =>
    ['resource "aws_eks_addon" "other" {', NAMED, `addon_name = ${name}`, ...settings, '}'].join('\n');
  const running = (answers: Files, names: readonly string[] = ['coredns']): Files => ({
    ...clusterAnswer('shop'),
    ...emptyLists(),
    'addons.json': { addons: names },
    ...answers,
  });
  const COREDNS = 'addon_version = "v1.13.2-eksbuild.7"';
  const coredns = (given: object = {}, version = 'v1.13.2-eksbuild.7'): Files =>
    running(addonAnswer('coredns', version, given));

  it('of a name that the code leaves open are not compared, and those of the cluster are told', () => {
    const drift = compare(terraform('variable "name" {}', other('var.name')), coredns());
    expect(lines(drift)).toEqual([
      'unknown add-on aws_eks_addon.other',
      'not in code add-on coredns v1.13.2-eksbuild.7 → -',
    ]);
    expect(textsOf(drift)).toContain("Which add-on it is isn't known");
  });

  it('that the cluster has, but does not describe, are neither created nor left over', () => {
    const drift = compare(terraform(other('"coredns"', COREDNS)), running({}));
    expect(lines(drift)).toEqual(['unknown add-on coredns - → v1.13.2-eksbuild.7']);
    expect(textsOf(drift)).toContain("The cluster has it, and the dump doesn't tell how it is");
  });

  it('of a cluster whose list is not there may be there', () => {
    const { 'addons.json': _list, ...unlisted } = running({});
    const drift = compare(terraform(other('"coredns"', COREDNS)), unlisted);
    expect(lines(drift)).toEqual(['unknown add-on coredns - → v1.13.2-eksbuild.7']);
    expect(textsOf(drift)).toContain("aws eks list-addons isn't in the dump");
    expect(unseenOf(drift)).toContain(
      "Whether the cluster has add-ons besides those that the dump describes isn't known",
    );
  });

  it('are created where the list says that they are not there', () => {
    const drift = compare(terraform(other('"coredns"', COREDNS)), running({}, []));
    expect(lines(drift)).toEqual(['created add-on coredns - → v1.13.2-eksbuild.7']);
    expect(textsOf(drift)).toBe('The code has it and the cluster does not: the next apply creates it.');
  });

  it('under a condition are compared as if it held, which is said', () => {
    const code = terraform('variable "dns" {}', other('"coredns"', 'count = var.dns ? 1 : 0', COREDNS));
    const drift = compare(code, coredns({}, 'v1.13.2-eksbuild.4'));
    expect(lines(drift)).toEqual(['changed add-on coredns version v1.13.2-eksbuild.4 → v1.13.2-eksbuild.7']);
    expect(unseenOf(drift)).toMatch(/The code has add-on coredns only when .*dns.*; it is compared as if it did/);
    expect(unseenOf(compare(terraform(other('"coredns"', COREDNS)), coredns()))).not.toContain('only when');
  });

  it.each([
    ['v1.12.4-eksbuild.1', 'v1.13.2-eksbuild.7', 'The next apply updates it.'],
    ['v1.11.4-eksbuild.1', 'v1.13.2-eksbuild.7', /^The next apply updates it\. It skips minor versions/],
    ['v1.13.2-eksbuild.7', 'v1.12.4-eksbuild.1', /^The next apply takes it back\. It is older .* this is a downgrade/],
    ['v1.13.2-eksbuild.7', 'v1.11.4-eksbuild.1', /this is a downgrade.* It skips minor versions/],
  ])('go from %s to %s', (before, after, text) => {
    const drift = compare(terraform(other('"coredns"', `addon_version = "${after}"`)), coredns({}, before));
    expect(lines(drift)).toEqual([`changed add-on coredns version ${before} → ${after}`]);
    if (typeof text === 'string') expect(textsOf(drift)).toBe(text);
    else expect(textsOf(drift)).toMatch(text);
  });

  it('whose version is looked up go to one that nobody knows', () => {
    const lookup =
      'data "aws_eks_addon_version" "dns" {\n addon_name = "coredns"\n kubernetes_version = "1.34"\n most_recent = true\n}';
    const drift = compare(
      terraform(lookup, other('"coredns"', 'addon_version = data.aws_eks_addon_version.dns.version')),
      coredns(),
    );
    expect(lines(drift)).toEqual(['unknown add-on coredns version v1.13.2-eksbuild.7 → -']);
    expect(textsOf(drift)).toContain("doesn't tell to which version it goes");
  });

  it('of which the code names no version keep theirs', () => {
    const drift = compare(terraform(other('"coredns"')), coredns());
    expect([lines(drift), drift[0]?.same]).toEqual([[], expect.arrayContaining(['add-on coredns'])]);
  });

  describe('have configuration values', () => {
    const stored = (values: string): Files => coredns({ configurationValues: values });
    const values = (text: string): Files =>
      terraform('variable "open" {}', other('"coredns"', COREDNS, `configuration_values = ${text}`));

    it('that the code replaces as a whole', () => {
      const drift = compare(values('jsonencode({ replicaCount = 3 })'), stored('{"replicaCount": 2, "a": 1}'));
      expect(lines(drift)).toEqual([
        'changed add-on coredns configuration values {"replicaCount":2,"a":1} → {"replicaCount":3}',
      ]);
      expect(textsOf(drift)).toBe('The next apply replaces those that are stored as a whole.');
    });

    it.each([
      ['in another order', 'jsonencode({ a = 1, b = { c = 2, d = 3 } })', '{"b":{"d":3,"c":2},"a":1}'],
      [
        'in another order within a list',
        'jsonencode({ tolerations = [{ key = "a", operator = "Exists" }] })',
        '{"tolerations":[{"operator":"Exists","key":"a"}]}',
      ],
      ['in YAML', '"replicaCount: 2\\n"', '{"replicaCount":2}'],
    ])('that are the same %s', (_, text, there) => {
      const drift = compare(values(text), stored(there));
      expect([lines(drift), drift[0]?.same]).toEqual([[], expect.arrayContaining(['add-on coredns'])]);
    });

    it('that lists in another order are not', () => {
      const drift = compare(values('jsonencode({ zones = ["a", "b"] })'), stored('{"zones":["b","a"]}'));
      expect(lines(drift)).toHaveLength(1);
    });

    it('that stay where the code writes none, and are unknown where it leaves them open', () => {
      expect(lines(compare(terraform(other('"coredns"', COREDNS)), stored('{"replicaCount":2}')))).toEqual([]);
      const drift = compare(values('var.open'), stored('{"replicaCount":2}'));
      expect(lines(drift)).toEqual(['unknown add-on coredns configuration values']);
      expect(textsOf(drift)).toMatch(/^They can't be compared: .*open/);
    });
  });

  it('get another role for their service account', () => {
    const role = (name: string) => `service_account_role_arn = "arn:aws:iam::111122223333:role/team/${name}"`;
    const has = coredns({ serviceAccountRoleArn: arn('iam', 'role/team/dns') });
    const drift = compare(terraform(other('"coredns"', COREDNS, role('mine'))), has);
    expect(lines(drift)).toEqual(['changed add-on coredns role of its service account dns → mine']);
    expect(textsOf(drift)).toBe('The next apply gives its pods this role.');
    expect(lines(compare(terraform(other('"coredns"', COREDNS, role('dns'))), has))).toEqual([]);
    expect(lines(compare(terraform(other('"coredns"', COREDNS)), has))).toEqual([]);
  });
});

describe('the VPC CNI', () => {
  it.each([
    ['var.mode', /isn't known: .*mode/],
    ['"SOMETIMES"', /isn't known: "SOMETIMES" is none/],
  ])('with %s as conflict mode may reset what kubectl made, or not', (mode, text) => {
    const code = addon('v1.12.6-eksbuild.1', `resolve_conflicts_on_update = ${mode}`);
    const drift = compare({ 'main.tf': `variable "mode" {}\n${String(code['main.tf'])}` }, live());
    expect(lines(drift)).toEqual([
      'unknown add-on vpc-cni conflict mode',
      'changed add-on vpc-cni version v1.11.0-eksbuild.1 → v1.12.6-eksbuild.1',
    ]);
    expect(textsOf(drift)).toMatch(text);
  });

  it('with configuration values that the code leaves open may reset anything', () => {
    const code = addon('v1.12.6-eksbuild.1', OVERWRITE, 'configuration_values = var.values');
    const drift = compare({ 'main.tf': `variable "values" {}\n${String(code['main.tf'])}` }, live());
    expect(lines(drift)).toContain('unknown add-on vpc-cni settings of aws-node');
    expect(textsOf(drift)).toMatch(
      /Which of them an update resets can't be told: its configuration values aren't known/,
    );
  });

  it('that is made anew stops at what kubectl made, also with PRESERVE, which acts like NONE then', () => {
    const { 'addon-vpc-cni.json': _addon, ...files } = live([MADE_BY_KUBECTL], { 'addons.json': { addons: [] } });
    for (const mode of ['PRESERVE', 'NONE'])
      expect(lines(compare(addon('v1.12.6-eksbuild.1', `resolve_conflicts_on_create = "${mode}"`), files))).toEqual([
        'stops add-on vpc-cni env.ENABLE_POD_ENI true → -',
        'stops add-on vpc-cni init.env.DISABLE_TCP_EARLY_DEMUX true → -',
        'created add-on vpc-cni - → v1.12.6-eksbuild.1',
      ]);
    const drift = compare(addon('v1.12.6-eksbuild.1', 'resolve_conflicts_on_create = "NONE"'), files);
    expect(textsOf(drift)).toContain('It takes over the DaemonSet aws-node, which nobody manages so far');
    expect(drift[0]?.items[0]?.inLive?.locate().file.endsWith('kubectl-objects.json')).toBe(true);
  });

  it('that may be there is not said to take over anything', () => {
    const { 'addon-vpc-cni.json': _addon, 'addons.json': _list, ...files } = live([MADE_BY_KUBECTL]);
    const drift = compare(addon('v1.12.6-eksbuild.1', OVERWRITE), files);
    expect(lines(drift)).toEqual(['unknown add-on vpc-cni - → v1.12.6-eksbuild.1']);
    expect(drift[0]?.pin).toBeUndefined();
  });

  it('pins nothing where nothing is reset', () => {
    expect(compare(addon('v1.12.6-eksbuild.1', OVERWRITE), live([AS_WRITTEN]))[0]?.pin).toBeUndefined();
  });

  it('gets its permissions from elsewhere', () => {
    const trust = (principal: string) =>
      `jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Principal = { Service = "${principal}" }, Action = ["sts:AssumeRole", "sts:TagSession"] }] })`;
    const code = terraform(
      `resource "aws_iam_role" "cni" {\n name = "new"\n assume_role_policy = ${trust('pods.eks.amazonaws.com')}\n}`,
      'resource "aws_iam_role_policy_attachment" "cni" {\n role = aws_iam_role.cni.name\n policy_arn = "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"\n}',
      `resource "aws_eks_pod_identity_association" "cni" {\n ${NAMED}\n namespace = "kube-system"\n service_account = "aws-node"\n role_arn = aws_iam_role.cni.arn\n}`,
    );
    const id = arn('eks', 'podidentityassociation/shop/a-1');
    const association = {
      'pod-identity-associations.json': { associations: [{ associationArn: id, associationId: 'a-1' }] },
      'association.json': {
        association: {
          clusterName: 'shop',
          namespace: 'kube-system',
          serviceAccount: 'aws-node',
          roleArn: arn('iam', 'role/old'),
          associationArn: id,
          associationId: 'a-1',
        },
      },
      ...roleAnswers('old', 'pods.eks.amazonaws.com', ['AmazonEKS_CNI_Policy']),
    };
    const drift = compare(code, { ...clusterAnswer('shop'), ...emptyLists(), ...association });
    expect(lines(drift)).toEqual(['changed role old role of the VPC CNI old (Pod Identity) → new (Pod Identity)']);
  });
});

describe('clusters', () => {
  const running = { ...clusterAnswer('shop'), ...emptyLists() };
  const cluster = (from: string, to: string, ...others: readonly string[]): Files => ({
    'main.tf': `${CLUSTER.replace(from, to)}\n${others.join('\n')}\n`,
  });

  it('whose version the code leaves open may go anywhere', () => {
    const drift = compare(cluster('"1.34"', 'var.to', 'variable "to" {}'), running);
    expect(lines(drift)).toEqual(['unknown cluster shop Kubernetes version 1.34 → -']);
    expect(textsOf(drift)).toMatch(/^The code doesn't tell what it will be: /);
  });

  it('whose version depends on a condition go where both cases go, or nobody knows', () => {
    const to = (one: string, other: string): Files =>
      cluster('"1.34"', `var.prod ? "${one}" : "${other}"`, 'variable "prod" {}');
    expect(lines(compare(to('1.35', '1.35'), running))).toEqual([
      'changed cluster shop Kubernetes version 1.34 → 1.35',
    ]);
    const drift = compare(to('1.34', '1.35'), running);
    expect(lines(drift)).toEqual(['unknown cluster shop Kubernetes version 1.34 → -']);
    expect(textsOf(drift)).toMatch(/it depends on whether .*prod/);
  });

  it('of which settings are open on one side are not compared there', () => {
    const family = 'kubernetes_network_config {\n ip_family = var.family\n}\n}\n';
    const open = cluster('}\n}\n', `}\n${family}`, 'variable "family" {}');
    expect(lines(compare(open, running))).toEqual(['unknown cluster shop IP family ipv4 → -']);
  });

  it('that the code does not declare are compared by their parts, if these name them', () => {
    const parts = (name: string): Files => ({
      'main.tf': `resource "aws_eks_addon" "dns" {\n cluster_name = ${name}\n addon_name = "coredns"\n addon_version = "v1.13.2-eksbuild.7"\n}\n`,
    });
    const files = {
      ...running,
      'addons.json': { addons: ['coredns'] },
      ...addonAnswer('coredns', 'v1.13.2-eksbuild.4'),
    };
    expect(lines(compare(parts('"shop"'), files))).toEqual([
      'changed add-on coredns version v1.13.2-eksbuild.4 → v1.13.2-eksbuild.7',
    ]);
    expect(() => compare(parts('"bank"'), files)).toThrow(
      new DriftError('none of the clusters in the code (bank) is shop'),
    );
  });

  it('of which the code has two are not told apart without their names', () => {
    const two = `variable "name" {}\n${CLUSTER.replace('= "shop"', '= var.name')}${CLUSTER.replace('= "shop"', '= var.name').replace('" "shop"', '" "bank"')}`;
    expect(() => compare({ 'main.tf': two }, running)).toThrow(
      /^none of the clusters in the code \(.*shop.*bank.*\) is shop$/,
    );
  });

  it('are not compared with code that declares none, nor any part of one', () => {
    const role = {
      'main.tf':
        'resource "aws_iam_role" "nodes" {\n name = "nodes"\n assume_role_policy = jsonencode({ Statement = [{ Effect = "Allow", Principal = { Service = "ec2.amazonaws.com" }, Action = "sts:AssumeRole" }] })\n}\n',
    };
    expect(() => compare(role, running)).toThrow(/the code declares no cluster, no add-on and no node group/);
  });
});

describe('node groups', () => {
  const group = (name: string, ...settings: readonly string[]): string =>
    [
      'resource "aws_eks_node_group" "workers" {',
      NAMED,
      ...(name === '' ? [] : [name]),
      'node_role_arn = "arn:aws:iam::111122223333:role/nodes"',
      ...(settings.some((one) => one.startsWith('subnet_ids')) ? [] : ['subnet_ids = ["subnet-0a2", "subnet-0a1"]']),
      ...settings,
      ...(settings.some((one) => one.startsWith('scaling_config'))
        ? []
        : ['scaling_config {\n min_size = 2\n max_size = 4\n desired_size = 3\n}']),
      '}',
    ].join('\n');
  const NAME = 'node_group_name = "workers"';
  const running = (...given: readonly object[]): Files => {
    const all = (given.length === 0 ? [{}] : given).map((one) => ({ ...GROUP, ...one }));
    return {
      ...clusterAnswer('shop'),
      ...emptyLists(),
      'nodegroups.json': { nodegroups: all.map(({ nodegroupName }) => nodegroupName) },
      ...Object.fromEntries(all.map((nodegroup, index) => [`nodegroup-${index}.json`, { nodegroup }])),
    };
  };

  it('are found by the prefix of their names, or by being the only ones that are left', () => {
    const two = running({ nodegroupName: 'web-2026' }, { nodegroupName: 'batch-2026' });
    expect(lines(compare(terraform(group('node_group_name_prefix = "web-"', 'ami_type = "AL2_x86_64"')), two))).toEqual(
      [
        'replaced node group web-2026 AMI type AL2023_x86_64_STANDARD → AL2_x86_64',
        'not in code node group batch-2026',
      ],
    );
    const open = terraform('variable "name" {}', group('node_group_name = var.name', 'ami_type = "AL2_x86_64"'));
    expect(lines(compare(open, running({ nodegroupName: 'web' })))).toEqual([
      'replaced node group web AMI type AL2023_x86_64_STANDARD → AL2_x86_64',
    ]);
    expect(lines(compare(open, two))).toEqual([
      'created node group aws_eks_node_group.workers',
      'not in code node group web-2026',
      'not in code node group batch-2026',
    ]);
  });

  it('of the module that makes names of them are found likewise', () => {
    const module = (given: string): Files => ({
      'main.tf': `${CLUSTER}\nmodule "web" {\n source = "terraform-aws-modules/eks/aws//modules/eks-managed-node-group"\n version = "21.19.0"\n name = "web"\n ${NAMED}\n subnet_ids = ["subnet-0a1"]\n ${given}\n}\n`,
    });
    const two = running({ nodegroupName: 'web-20261' }, { nodegroupName: 'web' });
    const left = (given: string) =>
      lines(compare(module(given), two)).filter((line) => /^(?:created|not in)/.test(line));
    expect(left('')).toEqual(['not in code node group web']);
    expect(left('use_name_prefix = false')).toEqual(['not in code node group web-20261']);
  });

  it('of a prefix that two begin with are not guessed', () => {
    const two = running({ nodegroupName: 'web-1' }, { nodegroupName: 'web-2' });
    expect(lines(compare(terraform(group('node_group_name_prefix = "web-"')), two))).toEqual([
      'created node group aws_eks_node_group.workers',
      'not in code node group web-1',
      'not in code node group web-2',
    ]);
  });

  it('under a condition are compared as if it held, which is said', () => {
    const drift = compare(terraform('variable "on" {}', group(NAME, 'count = var.on ? 1 : 0')), running());
    expect([lines(drift), unseenOf(drift)]).toEqual([
      [],
      expect.stringMatching(/The code has node group workers only when .*on.*; it is compared as if it did/),
    ]);
  });

  it('in subnets that the code makes are not compared by them', () => {
    const made = 'resource "aws_subnet" "a" {\n vpc_id = "vpc-1"\n cidr_block = "10.0.0.0/24"\n}';
    expect(lines(compare(terraform(made, group(NAME, 'subnet_ids = [aws_subnet.a.id]')), running()))).toEqual([]);
    expect(lines(compare(terraform(group(NAME, 'subnet_ids = ["subnet-0a1"]')), running()))).toEqual([
      'replaced node group workers subnets ["subnet-0a1","subnet-0a2"] → ["subnet-0a1"]',
    ]);
  });

  it.each([
    ['instance_types = [var.open]', 'instance types ["m6i.large"] → -'],
    ['ami_type = var.open', 'AMI type AL2023_x86_64_STANDARD → -'],
    ['labels = { tier = var.open }', 'labels {"tier":"web"} → -'],
    ['taint {\n key = var.open\n effect = "NO_SCHEDULE"\n}', 'taints'],
  ])('with %s are not compared by it', (setting, line) => {
    const drift = compare(terraform('variable "open" {}', group(NAME, setting)), running());
    expect(lines(drift)).toEqual([`unknown node group workers ${line}`]);
    expect(textsOf(drift)).toMatch(/^The code doesn't tell what it will be: /);
  });

  it.each([
    ['max_unavailable = 2', '1 → 2'],
    ['max_unavailable_percentage = 25', '1 → 25%'],
  ])('update %s at once', (setting, change) => {
    expect(lines(compare(terraform(group(NAME, `update_config {\n ${setting}\n}`)), running()))).toEqual([
      `changed node group workers nodes that an update takes at once ${change}`,
    ]);
  });

  it('of the same update configuration, disk and taints are the same', () => {
    const same = [
      'update_config {\n max_unavailable = 1\n}',
      'disk_size = 20',
      'taint {\n key = "a"\n value = "b"\n effect = "NO_EXECUTE"\n}',
    ];
    const drift = compare(
      terraform(group(NAME, ...same)),
      running({ diskSize: 20, taints: [{ key: 'a', value: 'b', effect: 'NO_EXECUTE' }] }),
    );
    expect(lines(drift)).toEqual([]);
    expect(drift[0]?.same).toEqual(
      expect.arrayContaining(
        ['disk size', 'taints', 'nodes that an update takes at once', 'role', 'subnets'].map(
          (name) => `${name} of node group workers`,
        ),
      ),
    );
  });

  it('that get another role are replaced', () => {
    expect(lines(compare(terraform(group(NAME)), running({ nodeRole: arn('iam', 'role/others') })))).toEqual([
      'replaced node group workers role others → nodes',
    ]);
  });

  it('get a newer release, and are not taken back', () => {
    const to = (version: string) => compare(terraform(group(NAME, `release_version = "${version}"`)), running());
    expect(lines(to('1.34.3-20261001'))).toEqual([
      'changed node group workers AMI release 1.34.2-20260720 → 1.34.3-20261001',
    ]);
    expect(textsOf(to('1.34.3-20261001'))).toBe('The next apply replaces the nodes one by one.');
    expect(lines(to('1.33.9-20261001'))).toEqual([
      'stops node group workers AMI release 1.34.2-20260720 → 1.33.9-20261001',
    ]);
  });

  it('have a size that an autoscaler sets, if the code ignores it', () => {
    const scaling = 'scaling_config {\n min_size = 1\n max_size = 4\n desired_size = 1\n}';
    const ignoring = 'lifecycle {\n ignore_changes = [scaling_config[0].desired_size]\n}';
    expect(lines(compare(terraform(group(NAME, scaling)), running(), true))).toEqual([
      'changed node group workers least nodes 2 → 1',
      'changed node group workers desired nodes 3 → 1',
    ]);
    expect(lines(compare(terraform(group(NAME, scaling, ignoring)), running(), true))).toEqual([
      'changed node group workers least nodes 2 → 1',
    ]);
  });

  describe('have launch templates', () => {
    const USE =
      'launch_template {\n id = aws_launch_template.nodes.id\n version = aws_launch_template.nodes.latest_version\n}';
    const template = (...settings: readonly string[]): Files =>
      terraform(
        'variable "open" {}',
        `resource "aws_launch_template" "nodes" {\n${settings.join('\n')}\n}`,
        group(NAME, USE),
      );
    const withTemplate = (data: object): Files => ({
      ...running({ launchTemplate: { id: 'lt-0a1', name: 'nodes', version: '1' } }),
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
    });
    const of = 'launch template of node group workers';

    it.each([
      ['image_id = "ami-0a2"', { ImageId: 'ami-0a1' }, `changed ${of} AMI ami-0a1 → ami-0a2`],
      ['image_id = "resolve:ssm:/own/image"', { ImageId: 'ami-0a1' }, `unknown ${of} AMI ami-0a1 → -`],
      ['key_name = "new"', { KeyName: 'old' }, `changed ${of} key pair old → new`],
      [
        'instance_type = "m7i.large"',
        { InstanceType: 'm6i.large' },
        `changed ${of} instance type m6i.large → m7i.large`,
      ],
      [
        'metadata_options {\n http_tokens = "optional"\n http_put_response_hop_limit = 2\n}',
        { MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 } },
        `changed ${of} IMDSv2 tokens required → optional`,
      ],
      [
        'user_data = base64encode(var.open)',
        { UserData: 'ZWNobw==' },
        expect.stringMatching(`^unknown ${of} user data 1 lines, .* → -$`),
      ],
    ])('that say %s', (setting, data, line) => {
      expect(lines(compare(template(setting), withTemplate(data)))).toEqual([line]);
    });

    it('that say the same', () => {
      const drift = compare(template('key_name = "own"'), withTemplate({ KeyName: 'own' }));
      expect([lines(drift), drift[0]?.same]).toEqual([[], expect.arrayContaining([`key pair of ${of}`])]);
    });

    it('that nobody can see', () => {
      const { 'lt.json': _template, ...files } = withTemplate({});
      const drift = compare(template('key_name = "own"'), files);
      expect(lines(drift)).toEqual(['unknown launch template workers']);
      expect(textsOf(drift)).toMatch(/^The template of node group workers can't be compared: /);
    });
  });
});
