import { advised } from './advised';

/* Objects of Karpenter of the versions before v1, written anew in the lines in which they stand. */

const RULES = ['karpenter-node-pool', 'karpenter-node-class'];

/** The advice for the objects of a file as outcomes with their code, or words. */
function advices(text: string, beside: Readonly<Record<string, string>> = {}): readonly (readonly [string, string])[] {
  return RULES.flatMap((rule) => advised({ ...beside, 'objects.yaml': text }, rule)).map(
    ({ outcome, why, finding }) => [
      [outcome, why].join(' ').trim(),
      finding.fixCode?.replace(/ of \/\S+\/(?=objects)/, ' of ') ?? finding.fix,
    ],
  );
}

const PROVISIONER = (spec: string): string => `apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata:
  name: main
spec:
${spec}`;

const TEMPLATE = (spec: string): string => `apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata:
  name: main
  namespace: karpenter
  labels: { team: shop }
spec:
${spec}`;

const SELECTORS = `  subnetSelector: { karpenter.sh/discovery: shop }
  securityGroupSelector: { karpenter.sh/discovery: shop }
`;

const BETA = (kind: 'NodePool' | 'EC2NodeClass', spec: string): string => `apiVersion: ${
  kind === 'NodePool' ? 'karpenter.sh' : 'karpenter.k8s.aws'
}/v1beta1
kind: ${kind}
metadata:
  name: main
spec:
${spec}`;

/** A cluster whose Karpenter has v1 alone. */
const CLUSTER = {
  'cluster.yaml': `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: { name: shop, region: eu-west-1, version: "1.34" }
`,
};

describe('a Provisioner', () => {
  it('requires what Karpenter did by itself, and keeps what it does with nodes that nobody needs', () => {
    const [[outcome, code] = ['', '']] = advices(
      PROVISIONER(`  providerRef: { name: main }
  labels: { team: shop }
  limits: { resources: { cpu: 100 } }
  ttlSecondsAfterEmpty: 30
  ttlSecondsUntilExpired: 2592000
  taints:
    - { key: team, value: "yes", effect: NoSchedule }
`),
    );
    expect(outcome).toBe('works');
    expect(code).toBe(`# in place of lines 1 to 12 of objects.yaml:
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: main
spec:
  template:
    metadata:
      labels:
        team: shop
    spec:
      nodeClassRef:
        group: karpenter.k8s.aws
        kind: EC2NodeClass
        name: main
      requirements:
        - key: kubernetes.io/os
          operator: In
          values:
            - linux
        - key: kubernetes.io/arch
          operator: In
          values:
            - amd64
        - key: karpenter.sh/capacity-type
          operator: In
          values:
            - on-demand
        - key: karpenter.k8s.aws/instance-category
          operator: In
          values:
            - c
            - m
            - r
        - key: karpenter.k8s.aws/instance-generation
          operator: Gt
          values:
            - "2"
      taints:
        - key: team
          value: "yes"
          effect: NoSchedule
      expireAfter: 2592000s
  disruption:
    consolidationPolicy: WhenEmpty
    consolidateAfter: 30s
  limits:
    cpu: 100`);
  });

  it('requires nothing beside what is required, or what its label says', () => {
    const [[outcome, code] = ['', '']] = advices(
      PROVISIONER(`  providerRef: { name: main }
  consolidation: { enabled: true }
  labels: { karpenter.sh/capacity-type: spot }
  requirements:
    - { key: kubernetes.io/os, operator: In, values: [linux] }
    - { key: kubernetes.io/arch, operator: In, values: [arm64] }
    - { key: karpenter.k8s.aws/instance-family, operator: In, values: [m7g] }
`),
    );
    expect(outcome).toBe('works');
    expect(code).not.toMatch(/on-demand|instance-category/);
    expect(code).toContain('    consolidationPolicy: WhenEmptyOrUnderutilized\n    consolidateAfter: 0s');
    expect(code).toContain('expireAfter: Never');
  });

  it('brings its class along where it says by itself what nodes are like', () => {
    const provider = `  provider:
    instanceProfile: nodes
    subnetSelector: { karpenter.sh/discovery: shop }
    securityGroupSelector: { aws-ids: "sg-1,sg-2" }
`;
    const [[outcome, code] = ['', '']] = advices(`---\n# nodes\n${PROVISIONER(provider)}`);
    expect(outcome).toBe('works');
    expect(code).toMatch(/^# in place of lines 3 to 11 of objects\.yaml:\n/);
    expect(code).toContain('\n---\napiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata:\n  name: main\n');
    expect(code).toContain('  securityGroupSelectorTerms:\n    - id: sg-1\n    - id: sg-2\n');
  });

  it('refers to the only class of its file where it names none', () => {
    const [[outcome, code] = ['', '']] = advices(
      `${PROVISIONER('  consolidation: { enabled: true }\n')}---\n${TEMPLATE(SELECTORS).replace('name: main', 'name: other')}`,
    );
    expect(outcome).toBe('works');
    expect(code).toContain('kind: EC2NodeClass\n        name: other\n');
  });

  it.each([
    ['whose class nobody knows', '  consolidation: { enabled: true }\n'],
    [
      'with settings of the kubelet, which go elsewhere',
      '  providerRef: { name: main }\n  kubeletConfiguration: { maxPods: 20 }\n',
    ],
    [
      'that requires the label of Provisioners',
      '  providerRef: { name: main }\n  requirements: [{ key: karpenter.sh/provisioner-name, operator: Exists }]\n',
    ],
    ['with a launch template', '  provider: { launchTemplate: nodes, subnetSelector: { a: b } }\n'],
  ])('is told in words %s', (_, spec) => {
    expect(advices(PROVISIONER(spec))).toEqual([['prose', expect.stringContaining('Write it as a NodePool')]]);
  });
});

describe('an AWSNodeTemplate', () => {
  const codeOf = (spec: string): string => {
    const [[outcome, code] = ['', '']] = advices(TEMPLATE(spec));
    expect(outcome).toBe('works');
    return code;
  };

  it('keeps the metadata options that Karpenter had, and tells where the profile is found that its nodes have', () => {
    expect(codeOf(SELECTORS)).toBe(`# in place of lines 1 to 9 of objects.yaml:
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: main
  labels:
    team: shop
spec:
  amiSelectorTerms:
    - alias: al2023@latest
  instanceProfile: KarpenterNodeInstanceProfile-shop # what kubectl -n karpenter get configmap karpenter-global-settings -o jsonpath='{.data.aws\\.defaultInstanceProfile}' tells
  subnetSelectorTerms:
    - tags:
        karpenter.sh/discovery: shop
  securityGroupSelectorTerms:
    - tags:
        karpenter.sh/discovery: shop
  metadataOptions:
    httpEndpoint: enabled
    httpProtocolIPv6: disabled
    httpPutResponseHopLimit: 2
    httpTokens: required`);
  });

  it('selects the same AMIs, subnets and security groups', () => {
    const code = codeOf(`  amiFamily: Bottlerocket
  instanceProfile: nodes
  amiSelector: { "aws::name": my-ami, "aws::owners": "self,111122223333" }
  subnetSelector: { Name: "a,b", team: shop }
  securityGroupSelector: { "aws::ids": sg-1 }
`);
    expect(code).toContain(`  amiFamily: Bottlerocket
  amiSelectorTerms:
    - name: my-ami
      owner: self
    - name: my-ami
      owner: "111122223333"
  instanceProfile: nodes
  subnetSelectorTerms:
    - tags:
        Name: a
        team: shop
    - tags:
        Name: b
        team: shop
  securityGroupSelectorTerms:
    - id: sg-1
`);
  });

  it('leaves out the tags that Karpenter sets by itself, which v1 refuses', () => {
    const code = codeOf(`  tags: { kubernetes.io/cluster/shop: owned, team: shop }\n${SELECTORS}`);
    expect(code).toContain('  tags:\n    team: shop\n');
    expect(code).not.toContain('kubernetes.io/cluster');
  });

  it.each([
    ['with a key that is there twice', `  tags: { a: b }\n  tags: { c: d }\n${SELECTORS}`, 'karpenter-convert'],
    ['with a launch template', '  launchTemplate: nodes\n  subnetSelector: { a: b }\n', 'takes no launch template'],
    ['of Ubuntu, which v1 has not', `  amiFamily: Ubuntu\n${SELECTORS}`, 'karpenter-convert'],
    [
      'whose user data is of Amazon Linux 2',
      `  userData: |\n    /etc/eks/bootstrap.sh shop\n${SELECTORS}`,
      'karpenter-convert',
    ],
    [
      'with two lists of values',
      `  subnetSelector: { a: "b,c", d: "e,f" }\n  securityGroupSelector: { a: b }\n`,
      'karpenter-convert',
    ],
  ])('is told in words %s', (_, spec, words) => {
    expect(advices(TEMPLATE(spec))).toEqual([['prose', expect.stringContaining(words)]]);
  });
});

describe('an object of v1beta1, which the Karpenter of a newer cluster does not have', () => {
  const POOL = `  template:
    spec:
      nodeClassRef: { apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: main }
      requirements: [{ key: kubernetes.io/arch, operator: In, values: [amd64] }]
`;

  it('is a pool with other names for the same', () => {
    const disruption =
      '  disruption: { consolidationPolicy: WhenUnderutilized, expireAfter: 720h, budgets: [{ nodes: "1" }] }\n';
    const [[outcome, code] = ['', '']] = advices(BETA('NodePool', POOL + disruption), CLUSTER);
    expect(outcome).toBe('works');
    expect(code).toContain(`      nodeClassRef:
        group: karpenter.k8s.aws
        kind: EC2NodeClass
        name: main
`);
    expect(code).toMatch(
      /\n {6}expireAfter: 720h\n {2}disruption:\n {4}consolidationPolicy: WhenEmptyOrUnderutilized\n {4}consolidateAfter: 0s\n/,
    );
  });

  it('is a class whose AMIs an alias tells', () => {
    const spec = `  amiFamily: AL2023
  role: nodes
  subnetSelectorTerms: [{ tags: { a: "\${CLUSTER}" } }]
  securityGroupSelectorTerms: [{ tags: { a: "\${CLUSTER}" } }]
`;
    const [[outcome, code] = ['', '']] = advices(BETA('EC2NodeClass', spec), CLUSTER);
    expect(outcome).toBe('works');
    expect(code).toContain('  amiSelectorTerms:\n    - alias: al2023@latest\n  role: nodes\n');
    expect(code).toContain('a: ${CLUSTER}');
    expect(code).not.toContain('amiFamily');
  });

  it.each([
    [
      'with settings of the kubelet',
      'NodePool',
      POOL.replace('    spec:\n', '    spec:\n      kubelet: { maxPods: 20 }\n'),
    ],
    ['of the nodes of Auto Mode', 'NodePool', POOL.replace('kind: EC2NodeClass', 'kind: NodeClass')],
    ['without a family', 'EC2NodeClass', '  role: nodes\n  amiSelectorTerms: [{ id: ami-1 }]\n'],
  ] as const)('is told in words %s', (_, kind, spec) => {
    expect(advices(BETA(kind, spec), CLUSTER)).toEqual([['prose', expect.stringContaining('Write it in `v1`')]]);
  });
});

it('an AWSNodeTemplate of v1beta1, which never was, becomes what it was meant as', () => {
  const text = TEMPLATE(SELECTORS).replace('v1alpha1', 'v1beta1');
  expect(advices(text).map(([outcome]) => outcome)).toEqual(['works']);
});

describe('what stands in a list of an object of v1', () => {
  const CLASS = (terms: string): string => `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: main
spec:
  role: nodes
  amiSelectorTerms: [{ alias: al2023@latest }]
  subnetSelectorTerms:
${terms}  securityGroupSelectorTerms: [{ tags: { a: b } }]
  metadataOptions: { httpTokens: required, httpPutResponseHopLimit: 2 }
`;

  it('is put in quotes with all that is beside it', () => {
    const [[outcome, code] = ['', '']] = advices(CLASS('    - tags: { ours: true, team: shop }\n    - id: subnet-1\n'));
    expect(outcome).toBe('works');
    expect(code).toBe(`# in the spec of the EC2NodeClass:
subnetSelectorTerms:
  - tags:
      ours: "true"
      team: shop
  - id: subnet-1`);
  });

  it('is a budget like the others, with what it lacks', () => {
    const pool = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: main }
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }
      requirements: [{ key: kubernetes.io/arch, operator: In, values: [amd64] }]
  disruption:
    consolidateAfter: 0s
    budgets:
      - nodes: 10%
      - { nodes: "0", schedule: "@daily" }
`;
    const [[outcome, code] = ['', '']] = advices(pool);
    expect(outcome).toBe('works');
    expect(code).toContain('# in the spec.disruption of the NodePool:\nbudgets:\n  - nodes: 10%\n');
    expect(code).toMatch(/schedule: "@daily"\n {4}duration: 8h$/);
  });
});

it('a name that no object may have is another one in its metadata', () => {
  const pool = BETA(
    'NodePool',
    '  template: { spec: { nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }, requirements: [] } }\n',
  );
  const [[, code] = ['', '']] = advices(pool.replace('v1beta1', 'v1').replace('name: main', 'name: Main_Pool'));
  expect(code).toBe('# in the metadata of the NodePool:\nname: main-pool');
});

it.each([
  ['calls the script of Amazon Linux 2', '#!/bin/bash\n    /etc/eks/bootstrap.sh shop', 'AL2 '],
  ['has settings of Bottlerocket', '[settings.kubernetes]\n    max-pods = 20', 'Bottlerocket '],
  ['is of Windows', '<powershell>\n    </powershell>', 'Windows2022 '],
  ['is a script', '#!/bin/bash\n    echo', 'AL2023 '],
])('the family of AMIs is the one whose user data %s', (_, script, family) => {
  const spec = `  role: nodes
  amiSelectorTerms: [{ id: ami-1 }]
  subnetSelectorTerms: [{ tags: { a: b } }]
  securityGroupSelectorTerms: [{ tags: { a: b } }]
  metadataOptions: { httpTokens: required, httpPutResponseHopLimit: 2 }
  userData: |
    ${script}
`;
  const codes = advices(BETA('EC2NodeClass', spec).replace('v1beta1', 'v1')).map(([, code]) => code);
  expect(codes).toContainEqual(expect.stringMatching(new RegExp(`\\namiFamily: ${family}#`)));
});

describe('a newer version of the cluster takes its objects along', () => {
  const CLASS = BETA(
    'EC2NodeClass',
    `  amiFamily: AL2
  role: nodes
  subnetSelectorTerms: [{ tags: { a: b } }]
  securityGroupSelectorTerms: [{ tags: { a: b } }]
`,
  );
  const POOL = BETA(
    'NodePool',
    '  template: { spec: { nodeClassRef: { name: main }, requirements: [{ key: kubernetes.io/arch, operator: In, values: [amd64] }] } }\n',
  );

  it.each([
    ['eksctl', { 'cluster.yaml': CLUSTER['cluster.yaml'].replace('1.34', '1.30') }],
    [
      'CloudFormation',
      {
        'cluster.yaml':
          "Resources:\n  Main:\n    Type: AWS::EKS::Cluster\n    Properties:\n      Name: shop\n      Version: '1.30'\n      RoleArn: arn:aws:iam::111122223333:role/cluster\n      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }\n",
      },
    ],
    [
      'Terraform',
      {
        'main.tf':
          'resource "aws_eks_cluster" "main" {\n  name     = "shop"\n  version  = "1.30"\n  role_arn = "arn:aws:iam::111122223333:role/cluster"\n  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }\n}\n',
      },
    ],
  ])('from a cluster of %s', (_, files) => {
    const [advice] = advised({ ...files, 'nodes.yaml': `${CLASS}---\n${POOL}` }, 'cluster-version-support');
    expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
    expect(advice?.finding.fixCode).toMatch(
      /\n# in place of lines 11 to \d+ of \S+nodes\.yaml:\n[^]*\n# in place of lines 1 to 9 of /,
    );
    expect(advice?.finding.fixCode).toContain('- alias: al2023@latest');
  });

  it('unless somebody has to decide on one of them, or they are too many lines', () => {
    const ubuntu = CLASS.replace('amiFamily: AL2', 'amiFamily: Ubuntu');
    const older = {
      ...CLUSTER,
      'karpenter.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: karpenter, namespace: karpenter }\nspec: { selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: controller, image: "public.ecr.aws/karpenter/controller:v0.37.0" }] } } }\n',
    };
    expect(
      advised(
        { ...older, 'cluster.yaml': CLUSTER['cluster.yaml'].replace('1.34', '1.30'), 'nodes.yaml': POOL },
        'cluster-version-support',
      )[0]?.finding.fixCode,
    ).not.toContain('in place of');
    const many = Array.from({ length: 20 }, (_, index) => CLASS.replace('name: main', `name: main-${index}`));
    for (const objects of [[ubuntu, POOL], many]) {
      const files = {
        'cluster.yaml': CLUSTER['cluster.yaml'].replace('1.34', '1.30'),
        'nodes.yaml': objects.join('---\n'),
      };
      const [advice] = advised(files, 'cluster-version-support');
      expect(advice?.finding.fixCode).not.toContain('in place of');
      expect(advice?.finding.fix).toContain(
        objects === many ? 'EC2NodeClass "main-19"' : 'EC2NodeClass "main" and NodePool "main"',
      );
    }
  });
});
