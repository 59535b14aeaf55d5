import { checkFiles, documents, NODE_CLASS } from './manifests';

/** A node class with user data. */
function nodeClass(spec: string, userData?: string): string {
  const data =
    userData === undefined ? '' : `  userData: |\n${userData.replace(/^(?=.)/gm, '    ').replace(/\n*$/, '\n')}`;
  return `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  subnetSelectorTerms: [{tags: {Name: private}}]
  securityGroupSelectorTerms: [{tags: {Name: nodes}}]
  metadataOptions: {httpTokens: required, httpPutResponseHopLimit: 2}
${spec.replace(/^(?=.)/gm, '  ')}
${data}`;
}

const AL2023 = 'amiSelectorTerms: [{alias: al2023@v20260801}]';
const BOTTLEROCKET = 'amiSelectorTerms: [{alias: bottlerocket@latest}]';
const AL2 = 'amiFamily: AL2\namiSelectorTerms: [{id: ami-0123456789abcdef0}]';
const CUSTOM = 'amiFamily: Custom\namiSelectorTerms: [{tags: {Name: own}}]';
const CUSTOM_AL2023 = 'amiFamily: Custom\namiSelectorTerms: [{alias: al2023@v20260801}]';

/** What is said of one, without where it stands. */
function saidOf(spec: string, userData?: string): readonly string[] {
  const { failures, unverifiable } = checkFiles({ 'n.yaml': nodeClass(spec, userData) });
  return [...failures.map((one) => one.replace(' n.yaml:', ' ')), ...unverifiable.map((one) => `unverifiable ${one}`)];
}

const NODE_CONFIG = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      shutdownGracePeriod: 60s
`;
const MIME = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: application/node.eks.aws

${NODE_CONFIG}
--//
Content-Type: text/x-shellscript; charset="us-ascii"

#!/bin/bash
echo hi

--//--
`;

describe('user data of node classes that is right', () => {
  it.each([
    ['a NodeConfig by itself, which EKS would refuse', AL2023, NODE_CONFIG],
    ['a script by itself', AL2023, '#!/bin/bash\necho "Hello, AL2023!"\n'],
    ['MIME', AL2023, MIME],
    [
      'MIME that a blank part begins after the last one, as in the documentation',
      AL2023,
      MIME.replace('--//--', '--//'),
    ],
    ['MIME without the version, which Karpenter writes', AL2023, MIME.replace('MIME-Version: 1.0\n', '')],
    [
      'settings of Bottlerocket without those that a node joins with',
      BOTTLEROCKET,
      '[settings.kubernetes]\nkube-api-qps = 30\n',
    ],
    ['a script on AL2', AL2, '#!/bin/bash\necho hi\n'],
    ['a variable of the shell', AL2023, '#!/bin/bash\nyum install -y ${PACKAGE} $OTHER\n'],
    ['an own AMI that bootstraps itself', CUSTOM, undefined],
    ['nothing', AL2023, undefined],
  ])('%s', (_, spec, userData) => {
    expect(saidOf(spec, userData).filter((one) => !one.startsWith('unverifiable'))).toStrictEqual([]);
  });
});

const CLOUD_CONFIG_IN_MIME = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: text/cloud-config; charset="us-ascii"

#cloud-config
mounts: [[swap, null]]

--//--
`;

describe('MIME that Karpenter takes for one script, beside which it puts its own bootstrap', () => {
  const JOINS = 'puts its own bootstrap beside it: the nodes join, but ';
  it.each([
    [
      'a cloud-config on AL2',
      AL2,
      `#!/bin/bash\n${CLOUD_CONFIG_IN_MIME}`,
      'warning user-data-mime-structure 12',
      `${JOINS}the cloud-config in it is ignored: the shell reads the lines as commands.`,
    ],
    [
      'a NodeConfig on AL2023',
      AL2023,
      `#!/bin/bash\n${MIME}`,
      'error user-data-mime-structure 11',
      `${JOINS}the NodeConfig in it is ignored: the shell reads the lines as commands.`,
    ],
    [
      'scripts alone',
      AL2,
      `#!/bin/bash\n${MIME.replace(/--\/\/\nContent-Type: application[^]*?(?=--\/\/\n)/, '')}`,
      'info user-data-mime-structure 12',
      `${JOINS}the shell reads the boundaries and headers as commands, too.`,
    ],
    [
      'a comment before it',
      AL2023,
      `# nodes\n${MIME}`,
      'error user-data-mime-structure 11',
      `${JOINS}a script that does not begin with \`#!\` is not run, so nothing of it takes effect.`,
    ],
  ])('%s', (_, spec, userData, finding, message) => {
    const { result } = checkFiles({ 'n.yaml': nodeClass(spec, userData) });
    expect(saidOf(spec, userData).filter((one) => !one.startsWith('unverifiable'))).toStrictEqual([finding]);
    const found = result.findings.filter(({ rule }) => rule === 'user-data-mime-structure');
    expect(found.map((one) => [one.message.endsWith(message), one.repairs])).toStrictEqual([[true, undefined]]);
  });

  it('AL2 has no nodeadm: what is broken is a matter of Karpenter', () => {
    const { result } = checkFiles({ 'n.yaml': nodeClass(AL2, MIME.replace('--//--', '')) });
    const [found] = result.findings.filter(({ rule }) => rule === 'user-data-mime-structure');
    expect(found?.message).not.toContain('nodeadm');
    expect(found?.message).toContain('fails, and starts no node with this node class.');
  });
});

describe('parts of objects, without the kustomization that puts them somewhere,', () => {
  const PLACES = ['patch-class.yaml', 'patches/class.yaml', 'overlays/prod/class.yaml', 'components/class.yaml'];
  const said = (file: string, text: string): readonly string[] => {
    const { failures, unverifiable } = checkFiles({ [file]: text });
    return [...failures, ...unverifiable];
  };

  it.each(PLACES)('may lack what each node class has: %s', (file) => {
    const text = nodeClass('amiFamily: AL2023');
    expect(said(file, text)).toStrictEqual(['karpenter-node-class']);
    expect(said('class.yaml', text)).toStrictEqual(['error karpenter-node-class class.yaml:4']);
    expect(said(file, nodeClass(AL2023))).toStrictEqual([]);
  });

  it.each(PLACES)('may lack what each node pool has: %s', (file) => {
    const pool = (spec: string) =>
      `apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\nspec: {template: {spec: {${spec}}}}\n`;
    expect(said(file, pool('expireAfter: 720h'))).toStrictEqual(['karpenter-node-pool']);
  });

  it('leave the hop limit open, where nothing tells what else there is', () => {
    const SUBNETS = 'subnetSelectorTerms: [{tags: {a: b}}]';
    const part = (spec: string) =>
      `apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: {name: a}\nspec: {${spec}}\n`;
    expect(said('class.yaml', part(SUBNETS))).toStrictEqual(['imds-hop-limit']);
    expect(said('kustomize/class.yaml', part('role: nodes'))).toContain('imds-hop-limit');
    expect(said('class.yaml', part('role: nodes'))).toContain('warning imds-hop-limit class.yaml:4');
    expect(said('class.yaml', part(`${SUBNETS}, metadataOptions: {httpPutResponseHopLimit: 1}`))).toStrictEqual([
      'warning imds-hop-limit class.yaml:4',
    ]);
  });

  it.each(PLACES)('may lack what each SecurityGroupPolicy has: %s', (file) => {
    const policy = (spec: string) =>
      `apiVersion: vpcresources.k8s.aws/v1beta1\nkind: SecurityGroupPolicy\nmetadata: {name: a, namespace: b}\nspec: {${spec}}\n`;
    const groups = 'securityGroups: {groupIds: [sg-0123456789abcdef0]}';
    expect(said(file, policy(groups))).toStrictEqual(['security-group-policy']);
    expect(said(file, policy('podSelector: {}'))).toStrictEqual(['security-group-policy']);
    expect(said(file, policy(`podSelector: {}, ${groups}`))).toStrictEqual([]);
    expect(said('class.yaml', policy(groups))).toStrictEqual(['error security-group-policy class.yaml:4']);
    // What is written is judged all the same.
    expect(said(file, policy('podSelector: {}, securityGroups: {groupIds: []}'))).toContain(
      `error security-group-policy ${file}:4`,
    );
  });
});

it.each(['{{KATA_AMI_ID}}', '{{ .Values.ami }}'])('a place to fill in without quotes is no map: %s', (hole) => {
  const { failures, problems } = checkFiles({
    'n.yaml': nodeClass(`amiFamily: Custom\namiSelectorTerms:\n  - id: ${hole}`),
  });
  expect(failures).toStrictEqual([]);
  expect(problems).toStrictEqual([
    'warning n.yaml:1 templates of manifests are not rendered here, so what they make is not checked: n.yaml; render them first, and check what comes out',
  ]);
});

it('a file that is called a patch may leave to the object that it is put to whom a policy selects; a whole node class is judged there, too', () => {
  const policy =
    'apiVersion: vpcresources.k8s.aws/v1beta1\nkind: SecurityGroupPolicy\nmetadata: {name: web, namespace: shop}\n';
  const text = documents(NODE_CLASS, `${policy}spec: {securityGroups: {groupIds: [sg-0123456789abcdef0]}}\n`);
  expect(checkFiles({ 'patch-objects.yaml': text }).failures).toStrictEqual([
    'warning imds-hop-limit patch-objects.yaml:4',
  ]);
  expect(checkFiles({ 'objects.yaml': text }).failures).toStrictEqual([
    'warning imds-hop-limit objects.yaml:4',
    expect.stringMatching(/^error security-group-policy objects\.yaml:/),
  ]);
  const wide = NODE_CLASS.replace(
    '  role: nodes\n',
    '  role: nodes\n  metadataOptions: {httpPutResponseHopLimit: 1}\n',
  );
  expect(checkFiles({ 'patch-objects.yaml': wide }).failures).toStrictEqual([
    expect.stringMatching(/^warning imds-hop-limit patch-objects\.yaml:/),
  ]);
});

describe('user data of node classes that is wrong', () => {
  it.each([
    [
      'bootstrap.sh on AL2023',
      AL2023,
      '#!/bin/bash\nset -e\n/etc/eks/bootstrap.sh c\necho more\n',
      ['error user-data-ami-family 13'],
    ],
    [
      'a cloud-config, which Karpenter takes for a NodeConfig',
      AL2023,
      '#cloud-config\nruncmd: [ls]\n',
      ['error user-data-ami-family 11'],
    ],
    ['a script that reads as YAML', AL2023, '#!/bin/bash\necho "a: b"\n', ['error user-data-ami-family 11']],
    [
      'settings of Bottlerocket on AL2023',
      AL2023,
      '[settings.kubernetes]\nmax-pods = 58\n',
      ['warning user-data-ami-family 11'],
    ],
    ['a script on Bottlerocket', BOTTLEROCKET, '#!/bin/bash\necho hi\n', ['error user-data-ami-family 11']],
    ['a NodeConfig on AL2', AL2, NODE_CONFIG, ['warning user-data-ami-family 12']],
    ['broken TOML', BOTTLEROCKET, '[settings.kubernetes]\nmax-pods = = 1\n', ['error bottlerocket-settings 12']],
    ['a script without #!', AL2023, '\necho hi\n', ['warning user-data-shebang 12']],
    [
      'MIME that is closed early',
      AL2023,
      MIME.replace('\n--//\nContent-Type: text', '\n--//--\n--//\nContent-Type: text'),
      ['error user-data-mime-structure 24'],
    ],
    ['MIME that is never closed', AL2023, MIME.replace('--//--', ''), ['error user-data-mime-structure 28']],
    [
      'a NodeConfig that nodeadm cannot decode',
      AL2023,
      NODE_CONFIG.replace('config:', 'flags: maxPods\n    config:'),
      ['error node-config-decoding 15'],
    ],
    [
      'a field that nodeadm does not know',
      AL2023,
      NODE_CONFIG.replace('kubelet:', 'kubeletConfig:'),
      ['warning node-config-unknown-field 14'],
    ],
    [
      'pods that Karpenter sets anew',
      AL2023,
      NODE_CONFIG.replace('shutdownGracePeriod: 60s', 'maxPods: 42'),
      ['warning node-config-overridden 16'],
    ],
    ['an own NodeConfig without the cluster', CUSTOM_AL2023, NODE_CONFIG, ['error node-config-cluster 14']],
    ['nodeadm in a script', AL2023, '#!/bin/bash\nnodeadm init\n', ['warning nodeadm-init-in-user-data 12']],
  ])('%s', (_, spec, userData, expected) => {
    expect(saidOf(spec, userData)).toStrictEqual(expected);
  });
});

it('a value that is filled in as `{{name}}` is no map', () => {
  const text = nodeClass('amiFamily: Custom\namiSelectorTerms:\n  - id: {{AMI_ID}}');
  const { failures, problems } = checkFiles({ 'class.yaml': text });
  expect(failures).toStrictEqual([]);
  expect(problems).toStrictEqual([
    expect.stringMatching(/^warning class\.yaml:1 templates of manifests are not rendered here/),
  ]);
});
