import { Known, nowhere, type ClusterPlace, type Resource } from '../../../lib/value';
import { codeInApp, codeInConfiguration } from '../../../lib/front-ends/terraform/fix-code';

const made = (more: Partial<Resource>): Resource =>
  ({ type: 'aws_eks_addon', id: 'aws_eks_addon.cni', path: undefined, stack: 'main', ...more }) as Resource;
const cluster = (id: string, more: Partial<Resource> = {}) => made({ type: 'aws_eks_cluster', id, ...more });
const place = (of: Resource | undefined, name?: string) => (): ClusterPlace => ({
  cluster: of,
  name,
  has: (id) => id.startsWith('aws_eks_cluster.') || id.startsWith('data.'),
});

describe('a reference to the cluster', () => {
  const code = 'a = aws_eks_cluster.main.name\nb = "x-${aws_eks_cluster.main.endpoint}"';
  const outputs = new Map([
    ['name', 'cluster_name'],
    ['endpoint', 'cluster_endpoint'],
  ]);
  const called = cluster('module.eks.aws_eks_cluster.this[0]', {
    moduleInputs: new Map(),
    moduleInputsAt: 'module.eks',
    moduleOutputs: outputs,
  });

  it.each<[string, Partial<Resource>, Resource | undefined, string | undefined, string | undefined]>([
    [
      'has its name in the same module',
      { id: 'module.a.aws_eks_addon.cni' },
      cluster('module.a.aws_eks_cluster.this[0]'),
      undefined,
      'a = aws_eks_cluster.this[0].name\nb = "x-${aws_eks_cluster.this[0].endpoint}"',
    ],
    [
      'is an output of the module that is called there',
      {},
      called,
      undefined,
      'a = module.eks.cluster_name\nb = "x-${module.eks.cluster_endpoint}"',
    ],
    [
      'has its name where the module is called that the code goes into',
      {
        id: 'module.addons.aws_eks_addon.cni',
        moduleInputs: new Map(['a', 'b'].map((name) => [name, name])),
        moduleInputsAt: 'module.addons',
      },
      cluster('aws_eks_cluster.this[0]'),
      undefined,
      'a = aws_eks_cluster.this[0].name\nb = "x-${aws_eks_cluster.this[0].endpoint}"',
    ],
    [
      'is looked up where it is in another module',
      {},
      cluster('module.a.aws_eks_cluster.this'),
      'var.name',
      'a = var.name\nb = "x-${data.aws_eks_cluster.this.endpoint}"\n\ndata "aws_eks_cluster" "this" {\n  name = var.name\n}',
    ],
    [
      'is looked up where the input does not have it',
      {},
      undefined,
      '"prod"',
      'a = "prod"\nb = "x-${data.aws_eks_cluster.this.endpoint}"\n\ndata "aws_eks_cluster" "this" {\n  name = "prod"\n}',
    ],
    ['leaves no code where nothing tells the cluster', {}, undefined, undefined, undefined],
    [
      'leaves no code in the call that makes the cluster',
      { moduleInputs: new Map([['a', 'a']]), moduleInputsAt: 'module.eks' },
      called,
      'var.name',
      undefined,
    ],
  ])('%s', (_, more, of, name, expected) => {
    expect(codeInConfiguration(code, made(more), place(of, name))).toBe(expected);
  });

  describe('to the role', () => {
    const everything = (): ClusterPlace => ({ ...place(undefined)(), has: () => true });
    const inCode = (id: string, repeatedBy?: 'count' | 'for_each') =>
      codeInConfiguration(
        'role = aws_iam_role.controller.name',
        made({ type: 'aws_iam_role', id, editing: { repeatedBy } }),
        everything,
      );

    it('is to the first of those whose count is not known', () => {
      expect(inCode('module.a.aws_iam_role.lbc[*]', 'count')).toBe('role = aws_iam_role.lbc[0].name');
      expect(inCode('aws_iam_role.lbc[1]', 'count')).toBe('role = aws_iam_role.lbc[1].name');
    });

    it('is to the one of a key, and leaves no code where the key is not known', () => {
      expect(inCode('module.a["x"].aws_iam_role.lbc["a"]', 'for_each')).toBe('role = aws_iam_role.lbc["a"].name');
      expect(inCode('module.a[*].aws_iam_role.lbc["a"]', 'for_each')).toBe('role = aws_iam_role.lbc["a"].name');
      expect(inCode('module.a.aws_iam_role.lbc[*]', 'for_each')).toBeUndefined();
      expect(inCode('aws_iam_role.lbc["${var.name}"]', 'for_each')).toBeUndefined();
      expect(inCode('aws_iam_role.lbc[*]')).toBeUndefined();
    });
  });

  it('leaves no code that belongs elsewhere, or says so of a part', () => {
    const code = (text: string) => codeInConfiguration(text, made({}), place(undefined));
    expect(code('# as the cluster has it\na = 1')).toBe('# as the cluster has it\na = 1');
    expect(code('# in the launch template:\na = 1')).toBeUndefined();
    expect(code('a = 1\n# remove the other one')).toBeUndefined();
  });

  it('is the name itself within a text', () => {
    expect(codeInConfiguration('a = "x-${aws_eks_cluster.main.name}"', made({}), place(undefined, '"prod"'))).toBe(
      'a = "x-prod"',
    );
  });
});

describe('code in the call of a module', () => {
  const inCall = (code: string, inputs: readonly string[], at = 'module.eks') =>
    codeInConfiguration(
      code,
      made({ moduleInputs: new Map(inputs.map((name) => [name, name])), moduleInputsAt: at }),
      place(undefined),
    );

  it('says in which map of the call it goes, by the name that the call has in its file', () => {
    expect(inCall('preserve = true', ['preserve'], 'module.a[0].module.eks["x"].addons["vpc-cni"]')).toBe(
      '# in module.eks.addons["vpc-cni"]:\npreserve = true',
    );
  });

  it('has a map with keys for devices, and what stands beside', () => {
    expect(
      inCall(
        'block_device_mappings {\n  device_name = "/dev/xvda"\n  ebs {\n    volume_size = 20 # GiB\n  }\n}\nresource "aws_a" "b" {\n  c = 1\n}',
        ['block_device_mappings'],
      ),
    ).toBe(
      'resource "aws_a" "b" {\n  c = 1\n}\n\n# in module.eks:\nblock_device_mappings = {\n  xvda = {\n    device_name = "/dev/xvda"\n    ebs = {\n      volume_size = 20 # GiB\n    }\n  }\n}',
    );
  });

  it('has the key that the device is called by, whatever a comment says of it', () => {
    expect(
      inCall('block_device_mappings {\n  device_name = "/dev/xvdb" # instead of /dev/xvda, with its ebs\n}', [
        'block_device_mappings',
      ]),
    ).toContain('  xvdb = {\n    device_name = "/dev/xvdb" # instead of /dev/xvda, with its ebs\n  }');
  });

  it('has no block around settings that stand by themselves', () => {
    expect(
      codeInConfiguration(
        'scaling_config {\n  min_size = 1\n  max_size = 2\n}',
        made({ moduleInputs: new Map([['scaling_config', '']]), moduleInputsAt: 'module.eks' }),
        place(undefined),
      ),
    ).toBe('min_size = 1\nmax_size = 2');
  });
});

it('metadata options have what the user sets besides, whatever other blocks stand before them', () => {
  const written = new Map([['http_protocol_ipv6', '"enabled"']]);
  const template = made({
    kind: 'launch-template',
    type: 'aws_launch_template',
    editing: { metadataOptions: written },
  } as Partial<Resource>);
  const monitoring = 'monitoring {\n  enabled = true\n}\n';
  expect(codeInConfiguration(`${monitoring}metadata_options {\n  a = 1\n}`, template, place(undefined))).toBe(
    `${monitoring}metadata_options {\n  a                  = 1\n  http_protocol_ipv6 = "enabled"\n}`,
  );
});

describe('code in an app of CDKTF', () => {
  const own = cluster('aws_eks_cluster.main_C0FFEE', { path: 'Prod/main' });
  const inApp = (code: string, of: Resource | undefined = own) =>
    codeInApp(code, made({ type: 'aws_launch_template', path: 'Prod/nodes' }), place(of), 'cdktf');

  it.each<[string, string, string | undefined]>([
    [
      'blocks as objects, and as lists where there may be several',
      'metadata_options {\n  http_tokens = "required"\n}\nblock_device_mappings {\n  ebs {\n    volume_size = 20\n  }\n}',
      "// in the properties of the LaunchTemplate Prod/nodes:\nmetadataOptions: {\n  httpTokens: 'required',\n},\nblockDeviceMappings: [{\n  ebs: {\n    volumeSize: 20,\n  },\n}],",
    ],
    [
      'new constructs with their imports, and the cluster by its path',
      'resource "aws_eks_addon" "agent" {\n  cluster_name = aws_eks_cluster.main.name\n  preserve     = true # at the end\n}',
      "import { EksAddon } from '@cdktf/provider-aws/lib/eks-addon';\n// cluster: the EksCluster Prod/main\n\nnew EksAddon(this, 'agent', {\n  clusterName: cluster.name,\n  preserve: true, // at the end\n});",
    ],
    [
      'data as JSON',
      'policy = jsonencode({ env = { A = "it\'s" }, "b-c" = ["${aws_eks_cluster.main.certificate_authority[0].data}!", null] })',
      "// cluster: the EksCluster Prod/main\n\n// in the properties of the LaunchTemplate Prod/nodes:\npolicy: JSON.stringify({ env: { A: 'it\\'s' }, 'b-c': [`${cluster.certificateAuthority.get(0).data}!`, null] }),",
    ],
    ['nothing for functions that an app has otherwise', 'user_data = base64encode("a")', undefined],
    ['nothing for references to what only the app names', 'a = aws_iam_role.nodes.arn', undefined],
    ['nothing for other places than its own', '# in aws_launch_template.other:\na = 1', undefined],
    ['nothing for what is no configuration', 'spec: { a: 1 }', undefined],
  ])('has %s', (_, code, expected) => {
    expect(inApp(code)).toBe(expected);
  });
});

describe('what a fix writes into the configuration values of an add-on', () => {
  const beside = (own: object, code: string) =>
    codeInConfiguration(
      `configuration_values = jsonencode(${code})`,
      made({
        configuration: new Known({ kind: 'data', data: own }, nowhere),
      } as Partial<Resource>),
      place(undefined),
    );

  it.each([
    ['under a plain key', '{ env = { A = "1" } }'],
    ['under a key in quotes', '{ "env" = { "A" = "1" } }'],
    ['as an entry', '{ env : { A : "1" } }'],
  ])('stands beside what is there: %s', (_, code) => {
    expect(beside({ env: { B: 'x' }, more: [1, true] }, code)).toBe(
      'configuration_values = jsonencode({ env = { B = "x", A = "1" }, more = [1, true] })',
    );
  });

  it('is left as it is where it is no plain data', () => {
    const code = '{ env = { A = var.a } }';
    expect(beside({ env: { B: 'x' } }, code)).toBe(`configuration_values = jsonencode(${code})`);
  });
});
