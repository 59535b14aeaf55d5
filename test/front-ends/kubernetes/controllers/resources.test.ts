import { checkFiles, documents } from '../manifests';
import { edited, rulesIn } from '../../edited';

const TRUST = (service: string) =>
  JSON.stringify({ Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }] });
const NODE_POLICIES = ['AmazonEKSWorkerNodePolicy', 'AmazonEKS_CNI_Policy', 'AmazonEC2ContainerRegistryPullOnly'].map(
  (name) => `arn:aws:iam::aws:policy/${name}`,
);

const ack = (kind: string, name: string, spec: string, group = 'eks') => `apiVersion: ${group}.services.k8s.aws/v1alpha1
kind: ${kind}
metadata: {name: ${name}, namespace: infra, annotations: {services.k8s.aws/region: eu-west-1}}
spec:
  name: ${name}
${spec.replace(/^(?=.)/gm, '  ')}
`;
const crossplane = (kind: string, name: string, settings: string, group = 'eks', more = '') =>
  `apiVersion: ${group}.aws.upbound.io/v1beta1
kind: ${kind}
metadata: {name: ${name}, labels: {app: ${name}}}
spec:
${more}  forProvider:
    region: eu-west-1
${settings.replace(/^(?=.)/gm, '    ')}
`;

const ACK_ROLE = ack(
  'Role',
  'nodes',
  `assumeRolePolicyDocument: '${TRUST('ec2.amazonaws.com')}'\npolicies: [${NODE_POLICIES.join(', ')}]`,
  'iam',
);
const ACK_TEMPLATE = ack(
  'LaunchTemplate',
  'workers',
  'data:\n  metadataOptions: {httpTokens: required, httpPutResponseHopLimit: 2}',
  'ec2',
);
const ACK_CLUSTER = ack(
  'Cluster',
  'shop',
  'version: "1.36"\nroleARN: arn:aws:iam::111122223333:role/cluster\nupgradePolicy: {supportType: STANDARD}',
);
const ACK_GROUP = ack(
  'Nodegroup',
  'workers',
  'clusterRef: {from: {name: shop}}\nnodeRoleRef: {from: {name: nodes}}\nsubnets: [subnet-1, subnet-2]\nlaunchTemplate: {name: workers, version: "1"}',
);
const XP_ROLE = crossplane('Role', 'nodes', `assumeRolePolicy: '${TRUST('ec2.amazonaws.com')}'`, 'iam');
const XP_ATTACHMENTS = NODE_POLICIES.map((arn, index) =>
  crossplane(
    'RolePolicyAttachment',
    `nodes-${index}`,
    `policyArn: ${arn}\n${index === 0 ? 'roleRef: {name: nodes}' : 'roleSelector: {matchLabels: {app: nodes}}'}`,
    'iam',
  ),
);
const XP_CLUSTER = crossplane(
  'Cluster',
  'shop',
  'version: "1.36"\nroleArn: arn:aws:iam::111122223333:role/cluster\nupgradePolicy: {supportType: STANDARD}',
);
const XP_TEMPLATE = crossplane(
  'LaunchTemplate',
  'workers',
  'name: workers\nmetadataOptions: [{httpTokens: required, httpPutResponseHopLimit: 2}]',
  'ec2',
);
const XP_GROUP = crossplane(
  'NodeGroup',
  'workers',
  'clusterNameSelector: {matchLabels: {app: shop}}\nnodeRoleArnRef: {name: nodes}\nsubnetIds: [subnet-1, subnet-2]\nlaunchTemplate: [{name: workers, version: "1"}]',
);

describe.each([
  ['AWS Controllers for Kubernetes', [ACK_ROLE, ACK_TEMPLATE, ACK_CLUSTER, ACK_GROUP]],
  ['Crossplane', [XP_ROLE, ...XP_ATTACHMENTS, XP_TEMPLATE, XP_CLUSTER, XP_GROUP]],
])('objects of %s', (_, all) => {
  it('are joined by the objects that they refer to', () => {
    const { failures, problems, result } = checkFiles({ 'a.yaml': documents(...all) });
    expect([failures, problems]).toEqual([[], []]);
    const [view] = result.model.clusterViews;
    expect(view?.name).toBe('shop');
    expect(view?.nodeGroups.map(({ nodeRole, launchTemplate }) => [nodeRole, launchTemplate])).toMatchObject([
      [{ value: { target: { id: 'nodes' } } }, { value: { template: { target: { id: 'workers' } } } }],
    ]);
  });

  it('are joined across the files of a folder, and are no manifests of a cluster', () => {
    const files = Object.fromEntries(all.map((text, index) => [`${index}.yaml`, text]));
    const { failures, objects, inputs } = checkFiles(files);
    expect([failures, objects]).toEqual([[], []]);
    expect(inputs).toHaveLength(all.length);
  });

  it('leave open what they refer to and nothing has', () => {
    const { failures, unverifiable } = checkFiles({ 'a.yaml': all.at(-1) ?? '' });
    expect(failures).toEqual([]);
    expect(unverifiable).toContain('node-role-policies');
  });
});

describe('a policy of Crossplane for the role of the same controller', () => {
  const attachments = XP_ATTACHMENTS.map((text) =>
    text.replace(/role(?:Ref|Selector): .*/, 'roleSelector: {matchControllerRef: true}'),
  );
  const ownedBy = (name: string, text: string) =>
    text.replace('labels:', `ownerReferences: [{kind: XCluster, name: ${name}, controller: true}], labels:`);
  const check = (role: string, policies: readonly string[]) =>
    checkFiles({ 'a.yaml': documents(role, ...policies, XP_TEMPLATE, XP_CLUSTER, XP_GROUP) });

  it('may be for it', () => {
    const { failures, unverifiable } = check(XP_ROLE, attachments);
    expect(failures).toEqual([]);
    expect(unverifiable).toContain('node-role-policies');
    const owned = check(
      ownedBy('a', XP_ROLE),
      attachments.map((text) => ownedBy('a', text)),
    );
    expect(owned.failures).toEqual([]);
  });

  it('is not for that of another one', () => {
    const { failures } = check(
      ownedBy('a', XP_ROLE),
      attachments.map((text) => ownedBy('b', text)),
    );
    expect(failures.join('\n')).toContain('node-role-policies');
  });
});

const annotated = (text: string, annotation: string): string =>
  text.replace('services.k8s.aws/region: eu-west-1', `services.k8s.aws/${annotation}`);

it.each([
  [
    'Crossplane',
    crossplane('NodeGroup', 'a', '', 'eks', '  managementPolicies: [Observe]\n'),
    crossplane('Cluster', 'b', '', 'eks', '  managementPolicies: [Observe, LateInitialize]\n'),
    'NodeGroup a, Cluster b',
  ],
  [
    'ACK',
    annotated(ACK_GROUP, 'read-only: "true"'),
    annotated(ACK_CLUSTER, 'read-only: "True"'),
    'Nodegroup workers, Cluster shop',
  ],
])('objects of %s that only observe are not judged, which is told once', (_, one, other, names) => {
  const alone = checkFiles({ 'a.yaml': one });
  expect(alone).toMatchObject({ failures: [], unverifiable: [] });
  expect(alone.problems).toEqual([expect.stringMatching(/^warning a\.yaml:1 an object only observes what/)]);
  const both = checkFiles({ 'a.yaml': one, 'b.yaml': other });
  expect(both).toMatchObject({ failures: [], unverifiable: [] });
  expect(both.problems).toEqual([
    `warning a.yaml:1 2 objects only observe what something else makes, so what they say is not checked: ${names}; check what makes it`,
  ]);
  expect(both.result.diagnostics[0]?.skipped).toEqual({ what: 'resource', count: 2 });
});

describe('objects of ACK that take over what exists', () => {
  const adopts = (text: string, more = ''): string => annotated(text, `adoption-policy: adopt${more}`);

  it('are judged by what they say, which the controller makes of what it took over', () => {
    const old = ACK_TEMPLATE.replace('required', 'optional');
    for (const template of [adopts(old), annotated(old, 'adoption-policy: adopt-or-create')])
      expect(checkFiles({ 'a.yaml': documents(ACK_CLUSTER, ACK_ROLE, template, ACK_GROUP) })).toMatchObject({
        failures: [expect.stringContaining('warning imds-v1 a.yaml')],
        problems: [],
      });
    expect(
      checkFiles({ 'a.yaml': documents(ACK_CLUSTER, ACK_ROLE, ACK_TEMPLATE, adopts(ACK_GROUP)) }).failures,
    ).toEqual([]);
  });

  it('leave open what they do not say', () => {
    const all = ['Cluster', 'Nodegroup', 'Addon', 'PodIdentityAssociation', 'AccessEntry', 'FargateProfile'].map(
      (kind) => adopts(ack(kind, kind.toLowerCase(), '')),
    );
    const { failures, problems, result } = checkFiles({
      'a.yaml': documents(
        ...all,
        adopts(ack('Role', 'nodes', '', 'iam')),
        adopts(ack('LaunchTemplate', 'workers', '', 'ec2')),
        ACK_GROUP,
      ),
    });
    expect([failures, problems]).toEqual([[], []]);
    expect(result.summary.unverifiable).toBeGreaterThan(0);
  });

  it('are not judged where they only read it afterwards', () => {
    const text = adopts(ACK_TEMPLATE.replace('required', 'optional'), ', services.k8s.aws/read-only: "true"');
    expect(checkFiles({ 'a.yaml': text })).toMatchObject({
      failures: [],
      problems: [expect.stringContaining('an object only observes')],
    });
  });
});

it('settings for the creation count where there are no others', () => {
  const group = XP_GROUP.replace(
    'spec:\n',
    'spec:\n  initProvider:\n    scalingConfig: {minSize: 1, maxSize: 2, desiredSize: 5}\n',
  );
  const { failures } = checkFiles({ 'a.yaml': documents(XP_ROLE, ...XP_ATTACHMENTS, XP_TEMPLATE, XP_CLUSTER, group) });
  expect(failures.map((one) => one.replace(/:\d+$/, ''))).toEqual(['error node-group-scaling a.yaml']);
});

it.each([
  [
    'imds-hop-limit',
    documents(ACK_CLUSTER, ACK_ROLE, ACK_TEMPLATE.replace('HopLimit: 2', 'HopLimit: 1'), ACK_GROUP),
    'HopLimit: 1',
    'HopLimit: 2',
  ],
  [
    'addon-version',
    documents(
      XP_CLUSTER,
      crossplane(
        'Addon',
        'cni',
        'addonName: vpc-cni\nclusterNameRef: {name: shop}\naddonVersion: v1.15.5-eksbuild.1\nresolveConflictsOnUpdate: PRESERVE\npreserve: true',
      ),
    ),
    'v1.15.5-eksbuild.1',
    /v1\.\d+\.\d+-eksbuild\.\d+/,
  ],
])('--fix writes what %s asks for into the spec', async (rule, text, wrong, right) => {
  const { before, after, text: written } = await edited(text, { unsafe: true, rule });
  expect([rulesIn(before).includes(rule), rulesIn(after).includes(rule)]).toEqual([true, false]);
  const [head = '', tail = ''] = text.split(wrong);
  expect(written.startsWith(head) && written.endsWith(tail)).toBe(true);
  expect(written.slice(head.length, written.length - tail.length)).toMatch(right);
});

it('fixes are shown as the spec has them', () => {
  const text = documents(ACK_CLUSTER, ACK_ROLE, ACK_TEMPLATE.replace('HopLimit: 2', 'HopLimit: 1'), ACK_GROUP);
  const { result } = checkFiles({ 'a.yaml': text });
  expect(result.findings.filter(({ verdict }) => verdict === 'fail')).toMatchObject([
    {
      rule: 'imds-hop-limit',
      fixCode: 'spec:\n  data:\n    metadataOptions:\n      httpTokens: required\n      httpPutResponseHopLimit: 2',
    },
  ]);
});

it('--suppress writes a comment above the object', async () => {
  const text = documents(ACK_CLUSTER, ACK_ROLE, ACK_TEMPLATE.replace('HopLimit: 2', 'HopLimit: 1'), ACK_GROUP);
  const { after, text: written } = await edited(text, { suppress: true, rule: 'imds-hop-limit' });
  expect(written).toContain(
    '---\n# eks-guardrails:ignore imds-hop-limit -- it is on purpose (until 2027-06-30)\napiVersion: ec2.services',
  );
  expect(rulesIn(after)).not.toContain('imds-hop-limit');
});
