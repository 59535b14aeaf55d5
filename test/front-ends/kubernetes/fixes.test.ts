import { allRules } from '../../../lib/rules';
import { edited, rulesIn } from '../edited';
import { BUDGET, clusterTemplate, documents, NODE_CLASS, WEB } from './manifests';

const CNI = `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: aws-node
  namespace: kube-system
spec:
  selector: {matchLabels: {k8s-app: aws-node}}
  template:
    metadata: {labels: {k8s-app: aws-node}}
    spec:
      initContainers:
        - name: aws-vpc-cni-init
          image: 602401143452.dkr.ecr.eu-central-1.amazonaws.com/amazon-k8s-cni-init:v1.21.1
      containers:
        - name: aws-node # the agent
          image: 602401143452.dkr.ecr.eu-central-1.amazonaws.com/amazon-k8s-cni:v1.21.1
          env:
            - name: ENABLE_PREFIX_DELEGATION
              value: "true"
            - name: WARM_PREFIX_TARGET
              value: "0" # none
`;
const POD_ENI = CNI.replace('ENABLE_PREFIX_DELEGATION', 'ENABLE_POD_ENI').replace(/ {12}- name: WARM_P[^]*/, '');
const AWS_AUTH = `apiVersion: v1
kind: ConfigMap
metadata:
  name: aws-auth
  namespace: kube-system
data:
  mapRoles: |
    # nodes
    - rolearn: arn:aws:iam::111122223333:role/eks/nodes
      username: system:node:{{EC2PrivateDNSName}}
      groups:
        - system:bootstrappers
        - system:nodes
`;
const USER_DATA = `${NODE_CLASS}  metadataOptions: {httpTokens: required, httpPutResponseHopLimit: 2}
  subnetSelectorTerms: [{tags: {Name: private}}]
  securityGroupSelectorTerms: [{tags: {Name: nodes}}]
  userData: |
    apiVersion: node.eks.aws/v1alpha1
    kind: NodeConfig
    spec:
      instance:
        localstorage:
          strategy: RAID0
`;

const NODE_POOL = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  disruption: {consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: 1m} # as before
  template:
    spec:
      nodeClassRef:
        group: karpenter.k8s.aws # of Karpenter
        kind: EC2NodeClass
        name: default
      requirements: []
`;

const HOPS = '  metadataOptions:\n    httpTokens: required\n    httpPutResponseHopLimit: 2\n';

interface Case {
  readonly rule: string;
  readonly text: string;
  readonly after: string;
}

const CASES: Readonly<Record<string, Case>> = {
  'a node class without metadata options': { rule: 'imds-hop-limit', text: NODE_CLASS, after: NODE_CLASS + HOPS },
  'one among other documents': {
    rule: 'imds-hop-limit',
    text: documents(WEB, `# nodes\n${NODE_CLASS}`, BUDGET),
    after: documents(WEB, `# nodes\n${NODE_CLASS}${HOPS}`, BUDGET),
  },
  'a hop limit of 1': {
    rule: 'imds-hop-limit',
    text: `${NODE_CLASS}  metadataOptions:\n    httpPutResponseHopLimit: 1\n`,
    after: `${NODE_CLASS}  metadataOptions:\n    httpPutResponseHopLimit: 2\n    httpTokens: required\n`,
  },
  'a hop limit that is too wide': {
    rule: 'imds-hop-limit',
    text: `${NODE_CLASS}  metadataOptions: {httpPutResponseHopLimit: 5}\n`,
    after: `${NODE_CLASS}  metadataOptions: {httpPutResponseHopLimit: 2}\n`,
  },
  'tokens that nobody has to have': {
    rule: 'imds-v1',
    text: `${NODE_CLASS}  metadataOptions: {httpTokens: optional, httpPutResponseHopLimit: 2}\n`,
    after: `${NODE_CLASS}  metadataOptions: {httpTokens: required, httpPutResponseHopLimit: 2}\n`,
  },
  'a variable of the DaemonSet': {
    rule: 'prefix-delegation-warm-targets',
    text: CNI,
    after: CNI.replace('"0" # none', '"1" # none'),
  },
  'a variable that the DaemonSet does not have, of a container without any': {
    rule: 'vpc-cni-tcp-early-demux',
    text: POD_ENI,
    after: POD_ENI.replace(
      'init:v1.21.1\n',
      'init:v1.21.1\n          env:\n            - name: DISABLE_TCP_EARLY_DEMUX\n              value: "true"\n',
    ),
  },
  'a variable behind others': {
    rule: 'vpc-cni-tcp-early-demux',
    text: POD_ENI.replace('init:v1.21.1\n', 'init:v1.21.1\n          env:\n          - {name: A, value: b}\n'),
    after: POD_ENI.replace(
      'init:v1.21.1\n',
      'init:v1.21.1\n          env:\n          - {name: A, value: b}\n          - { name: DISABLE_TCP_EARLY_DEMUX, value: "true" }\n',
    ),
  },
  'the path of a role in aws-auth': {
    rule: 'aws-auth-roles',
    text: AWS_AUTH,
    after: AWS_AUTH.replace('role/eks/nodes', 'role/nodes'),
  },
  'the session of a role in aws-auth': {
    rule: 'aws-auth-roles',
    text: AWS_AUTH.replace('iam::111122223333:role/eks/nodes', 'sts::111122223333:assumed-role/nodes/i-1'),
    after: AWS_AUTH.replace('role/eks/nodes', 'role/nodes'),
  },
  'user data of a node class': {
    rule: 'node-config-unknown-field',
    text: documents(WEB, USER_DATA),
    after: documents(WEB, USER_DATA).replace('localstorage', 'localStorage'),
  },
};

/** What nobody has to decide. */
const SAFE: Readonly<Record<string, Case>> = {
  'a hop limit that no API takes': {
    rule: 'imds-hop-limit',
    text: `${NODE_CLASS}  metadataOptions: {httpPutResponseHopLimit: 65}\n`,
    after: `${NODE_CLASS}  metadataOptions: {httpPutResponseHopLimit: 2}\n`,
  },
  'the policy of a node pool before v1': {
    rule: 'karpenter-node-pool',
    text: documents(NODE_CLASS, NODE_POOL.replace('WhenEmptyOr', 'When')),
    after: documents(NODE_CLASS, NODE_POOL),
  },
  'the group of a node class with its version': {
    rule: 'karpenter-node-pool',
    text: NODE_POOL.replace('k8s.aws', 'k8s.aws/v1beta1'),
    after: NODE_POOL,
  },
  'the group of a node class of Auto Mode with its version': {
    rule: 'karpenter-node-pool',
    text: NODE_POOL.replace('karpenter.k8s.aws', 'eks.amazonaws.com/v1').replace('EC2NodeClass', 'NodeClass'),
    after: NODE_POOL.replace('karpenter.k8s.aws', 'eks.amazonaws.com').replace('EC2NodeClass', 'NodeClass'),
  },
};

const TRIED = [...Object.values({ ...CASES, ...SAFE }).map(({ rule }) => rule), 'removed-api'];

describe('--fix --unsafe', () => {
  it.each(Object.entries(CASES))('%s', async (_, { rule, text, after }) => {
    const made = await edited(text, { unsafe: true, rule });
    expect(rulesIn(made.before)).toContain(rule);
    expect([made.text, made.notes]).toEqual([after, made.notes]);
    expect(rulesIn(made.after)).not.toContain(rule);
    expect(made.notes[0]).toMatch(/^fixed 1 finding in 1 file/);
  });

  it('leaves a hop limit that a comment may explain', async () => {
    const text = `${NODE_CLASS}  metadataOptions:\n    httpPutResponseHopLimit: 1 # as the CIS says\n`;
    const made = await edited(text, { unsafe: true, rule: 'imds-hop-limit' });
    expect([made.text, made.notes[0]]).toEqual([text, 'fixed nothing']);
    expect(made.notes[1]).toContain('a comment beside it may say that it is meant');
  });

  it('makes without --unsafe only what nobody has to decide', async () => {
    for (const { rule, text } of Object.values(CASES)) expect((await edited(text, { rule })).text).toBe(text);
  });

  it.each(Object.entries(SAFE))("isn't needed for %s", async (_, { rule, text, after }) => {
    const made = await edited(text, { rule });
    expect(rulesIn(made.before)).toContain(rule);
    expect([made.text, made.notes]).toEqual([after, made.notes]);
    expect(rulesIn(made.after)).not.toContain(rule);
  });

  it('writes the API version that the cluster beside a manifest serves', async () => {
    const old = BUDGET.replace('policy/v1', 'policy/v1beta1 # as it was').replace('minAvailable', 'maxUnavailable');
    const beside = { 'cluster.json': clusterTemplate() };
    const made = await edited(documents(WEB, old), { rule: 'removed-api' }, beside);
    expect(made.before.findings).toContainEqual(
      // Nothing but the folder says that the file is for this cluster.
      expect.objectContaining({ rule: 'removed-api', verdict: 'fail', severity: 'warning' }),
    );
    expect(made.text).toBe(documents(WEB, old.replace('policy/v1beta1', '"policy/v1"')));
    expect(rulesIn(made.after)).not.toContain('removed-api');
    const empty = old.replace('{matchLabels: {app: web}}', '{}');
    expect((await edited(empty, { rule: 'removed-api' }, beside)).text).toBe(empty);
  });

  it('has a case for each repair of manifests alone', () => {
    const own = allRules.filter(({ messages }) =>
      Object.values(messages).some(({ fix }) => fix.repairsIn?.kubernetes !== undefined),
    );
    expect(own.map(({ id }) => id).filter((id) => !TRIED.includes(id))).toEqual([]);
  });

  it('keeps line breaks, the mark in front and the indentation', async () => {
    const text = `\uFEFF${documents(WEB, NODE_CLASS)}`.replaceAll('\n', '\r\n');
    const made = await edited(text, { unsafe: true, rule: 'imds-hop-limit' });
    expect(made.text).toBe(text + HOPS.replaceAll('\n', '\r\n'));
    const deep = NODE_CLASS.replace(/spec:\n[^]*/, (spec) => spec.replaceAll(/^ {2}/gm, '    '));
    const wide = await edited(deep, { unsafe: true, rule: 'imds-hop-limit' });
    expect(wide.text).toBe(
      `${deep}    metadataOptions:\n        httpTokens: required\n        httpPutResponseHopLimit: 2\n`,
    );
  });

  it('reaches objects in lists, and in JSON', async () => {
    const item = NODE_CLASS.replace(/\n$/, '').replaceAll('\n', '\n    ');
    const list = `apiVersion: v1\nkind: List\nitems:\n  - ${item}\n`;
    const made = await edited(list, { unsafe: true, rule: 'imds-hop-limit' });
    expect(made.text).toBe(list + HOPS.replaceAll(/^/gm, '    ').trimEnd() + '\n');
    const json = JSON.stringify(
      {
        apiVersion: 'v1',
        kind: 'List',
        items: [
          {
            apiVersion: 'karpenter.k8s.aws/v1',
            kind: 'EC2NodeClass',
            metadata: { name: 'default' },
            spec: { role: 'nodes' },
          },
        ],
      },
      undefined,
      2,
    );
    const other = await edited(json, { unsafe: true, rule: 'imds-hop-limit' });
    expect(JSON.parse(other.text)).toMatchObject({
      items: [{ spec: { role: 'nodes', metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 } } }],
    });
  });

  it.each([
    ['what Helm renders', `# Source: karpenter/templates/nodes.yaml\n${NODE_CLASS}`, /Helm renders this file/],
    [
      'what a program writes',
      `# This file is generated. DO NOT EDIT.\n${NODE_CLASS}`,
      /something else writes this file/,
    ],
    [
      'what is filled in',
      `${NODE_CLASS}  metadataOptions: {httpTokens: optional, httpPutResponseHopLimit: 2}\n`.replace(
        'name: default',
        'name: "${NAME}"',
      ),
      /isn't written as an object of its own/,
    ],
  ])('leaves %s alone', async (_, text, reason) => {
    const made = await edited(text, { unsafe: true });
    expect(made.text).toBe(text);
    expect(made.notes.join('\n')).toMatch(reason);
  });

  it('leaves alone what another object gives', async () => {
    const given = CNI.replace('value: "0" # none', 'value: "0"\n              valueFrom: null');
    const made = await edited(given, { unsafe: true, rule: 'prefix-delegation-warm-targets' });
    expect(made.notes.join('\n')).toMatch(/another object gives it/);
  });
});

describe('--suppress', () => {
  const COMMENT = '# eks-guardrails:ignore imds-hop-limit -- it is on purpose (until 2027-06-30)\n';

  it.each([
    ['the object', NODE_CLASS, COMMENT + NODE_CLASS],
    [
      'one among others, below what is said of it',
      documents(WEB, `# nodes\n${NODE_CLASS}`, BUDGET),
      documents(WEB, `# nodes\n${COMMENT}${NODE_CLASS}`, BUDGET),
    ],
    [
      'an item of a list',
      `apiVersion: v1\nkind: List\nitems:\n  - ${NODE_CLASS.trimEnd().replaceAll('\n', '\n    ')}\n`,
      `apiVersion: v1\nkind: List\nitems:\n  ${COMMENT}  - ${NODE_CLASS.trimEnd().replaceAll('\n', '\n    ')}\n`,
    ],
    [
      'lines that end as on Windows',
      `\uFEFF${NODE_CLASS}`.replaceAll('\n', '\r\n'),
      `\uFEFF${COMMENT}${NODE_CLASS}`.replaceAll('\n', '\r\n'),
    ],
  ])('%s', async (_, text, after) => {
    const made = await edited(text, { suppress: true, rule: 'imds-hop-limit' });
    expect([made.text, made.notes]).toEqual([after, made.notes]);
    expect(rulesIn(made.after)).not.toContain('imds-hop-limit');
    expect(made.after.findings.filter(({ suppressed }) => suppressed !== undefined)).toMatchObject([
      { rule: 'imds-hop-limit', suppressed: { reason: 'it is on purpose', until: '2027-06-30' } },
    ]);
  });

  it('writes an annotation where there are no comments', async () => {
    const object = {
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: 'default' },
      spec: { role: 'nodes' },
    };
    const made = await edited(JSON.stringify(object, undefined, 2), { suppress: true, rule: 'imds-hop-limit' });
    expect(JSON.parse(made.text)).toEqual({
      ...object,
      metadata: {
        name: 'default',
        annotations: { 'eks-guardrails/ignore': 'imds-hop-limit -- it is on purpose (until 2027-06-30)' },
      },
    });
    expect(rulesIn(made.after)).not.toContain('imds-hop-limit');
    const again = {
      ...object,
      metadata: { name: 'default', annotations: { 'eks-guardrails/ignore': 'imds-v1 -- a' } },
    };
    expect((await edited(JSON.stringify(again), { suppress: true, rule: 'imds-hop-limit' })).notes.join()).toMatch(
      /a decision stands there already/,
    );
  });
});
