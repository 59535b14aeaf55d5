import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AS_OF } from '../../as-of';
import { cpuTime } from '../../cpu-time';
import { answerIn } from '../../../lib/front-ends/live/answers';
import { checkPaths, type CheckResult } from '../../../lib/check';
import { arn, clusterAnswer, emptyLists, objectLists, roleAnswers, type Files } from './dumps';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Checks answers in a folder; texts are written as they are. */
function check(files: Files): CheckResult & { readonly text: string; readonly problems: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-live-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 4));
  }
  const result = checkPaths([folder], { asOf: AS_OF });
  const short = (text: string): string => text.replaceAll(`${folder}/`, '').replaceAll(folder, 'dump');
  return {
    ...result,
    text: result.findings.map(({ rule, verdict, message }) => short(`${verdict} ${rule}: ${message}`)).join('\n'),
    problems: result.diagnostics.map(({ severity, file, line, message }) =>
      short(`${severity} ${file}:${line} ${message}`),
    ),
  };
}

const GROUP = {
  nodegroupName: 'workers',
  nodegroupArn: arn('eks', 'nodegroup/shop/workers/1'),
  clusterName: 'shop',
  version: '1.34',
  releaseVersion: '1.34.2-20260720',
  capacityType: 'ON_DEMAND',
  scalingConfig: { minSize: 2, maxSize: 4, desiredSize: 3 },
  instanceTypes: ['m6i.large'],
  subnets: ['subnet-0a1', 'subnet-0a2'],
  amiType: 'AL2023_x86_64_STANDARD',
  nodeRole: arn('iam', 'role/nodes'),
  updateConfig: { maxUnavailable: 1 },
};

const NODE_POLICIES = ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryPullOnly', 'AmazonEKS_CNI_Policy'];

function withGroup(group: object = {}, others: Files = {}): Files {
  return {
    ...clusterAnswer('shop'),
    ...emptyLists(),
    'nodegroups.json': { nodegroups: ['workers'] },
    'nodegroup-workers.json': { nodegroup: { ...GROUP, ...group } },
    ...roleAnswers('cluster', 'eks.amazonaws.com', ['AmazonEKSClusterPolicy']),
    ...roleAnswers('nodes', 'ec2.amazonaws.com', NODE_POLICIES),
    ...others,
  };
}

function instance(hops: number, tokens = 'required', group = 'workers'): object {
  return {
    Instances: [
      {
        InstanceId: 'i-0a1',
        State: { Code: 16, Name: 'running' },
        Tags: [
          { Key: 'eks:cluster-name', Value: 'shop' },
          { Key: 'eks:nodegroup-name', Value: group },
        ],
        MetadataOptions: { HttpTokens: tokens, HttpPutResponseHopLimit: hops, HttpEndpoint: 'enabled' },
      },
    ],
  };
}

const TEMPLATE = { launchTemplate: { name: 'nodes', id: 'lt-0a1', version: '2' } };
function templateVersion(version: number, data: object): object {
  return {
    LaunchTemplateId: 'lt-0a1',
    LaunchTemplateName: 'nodes',
    VersionNumber: version,
    DefaultVersion: version === 1,
    LaunchTemplateData: data,
  };
}

describe('answers about a cluster that runs', () => {
  it('are one input by folder, of resources with their ARNs’ types', () => {
    const { inputs, model, problems } = check(withGroup());
    expect(inputs.map(({ kind, resources }) => [kind, resources])).toEqual([['live-cluster', 4]]);
    expect(model.resources.map(({ type, id }) => `${type} ${id}`)).toEqual([
      'eks:cluster shop',
      'eks:nodegroup workers',
      'iam:role cluster',
      'iam:role nodes',
    ]);
    expect(problems).toEqual([]);
  });

  it('are known by what is in them, whatever the files are called', () => {
    const { inputs, model } = check({
      'a.json': clusterAnswer('shop')['cluster.json'],
      'b.json': { nodegroup: GROUP },
    });
    expect(inputs).toHaveLength(1);
    expect(model.nodeGroups.map(({ id }) => id)).toContain('workers');
    expect(model.clusterViews.map(({ name }) => name)).toEqual(['shop']);
  });

  it('are not other JSON that has one of their keys', () => {
    const { inputs, problems } = check({
      'package.json': { addons: ['a11y', { name: 'docs' }] },
      'nodes.json': { cluster: { name: 'elasticsearch' } },
      'roles.json': { Role: 'admin' },
    });
    expect(inputs).toEqual([]);
    expect(problems).toHaveLength(1);
  });

  it('are of the cluster of the run where AWS has answered nothing', () => {
    const { inputs, text } = check({
      'cluster.yaml':
        'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: { name: shop, region: eu-west-1, version: "1.35" }\nmanagedNodeGroups: [{ name: workers }]\n',
      'objects.json': {
        apiVersion: 'v1',
        kind: 'List',
        metadata: { resourceVersion: '' },
        items: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { name: 'web', namespace: 'shop', uid: '0b1c' },
            spec: {
              replicas: 1,
              selector: { matchLabels: { app: 'web' } },
              template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
            },
          },
          {
            apiVersion: 'policy/v1',
            kind: 'PodDisruptionBudget',
            metadata: { name: 'web', namespace: 'shop', uid: '0b1d' },
            spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
          },
        ],
      },
    });
    expect(inputs.map(({ kind }) => kind)).toEqual(['eksctl-config', 'kubernetes-manifest']);
    expect(text).toMatch(/^fail drain-blocked: .*node group "workers"/m);
  });

  it('are not manifests, which have no identity yet', () => {
    const { inputs } = check({
      'deployment.json': { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } },
    });
    expect(inputs.map(({ kind }) => kind)).toEqual(['kubernetes-manifest']);
  });

  it('say nothing that is about code alone', () => {
    const { text } = check(
      withGroup(TEMPLATE, {
        'template.json': {
          LaunchTemplateVersions: [
            templateVersion(2, { MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 } }),
          ],
        },
        'addons.json': { addons: ['vpc-cni'] },
        'addon-vpc-cni.json': {
          addon: {
            addonName: 'vpc-cni',
            clusterName: 'shop',
            addonVersion: 'v1.21.1-eksbuild.5',
            addonArn: arn('eks', 'addon/shop/vpc-cni/1'),
            configurationValues: '{"env":{"WARM_ENI_TARGET":"1"}}',
          },
        },
        ...objectLists([]),
      }),
    );
    for (const rule of [
      'vpc-cni-resolve-conflicts',
      'addon-preserve-on-delete',
      'launch-template-version',
      'node-group-force-update',
      'cluster-version-pinned',
      'addon-create-conflict',
    ])
      expect(text).not.toContain(rule);
  });

  describe('instance metadata', () => {
    it('of a group without launch template is what its instances have, if that is enough', () => {
      expect(check(withGroup()).text).toContain('fail imds-hop-limit: Node group "workers" has no launch template');
      expect(check(withGroup({}, { 'instances.json': { Reservations: [instance(2)] } })).text).not.toContain(
        'imds-hop-limit',
      );
    });

    it('of instances that differ, or of another group, tells nothing', () => {
      const differing = { 'instances.json': { Reservations: [instance(2), instance(1)] } };
      expect(check(withGroup({}, differing)).text).toContain('fail imds-hop-limit');
      const others = { 'instances.json': { Reservations: [instance(2, 'required', 'other')] } };
      expect(check(withGroup({}, others)).text).toContain('fail imds-hop-limit');
    });

    it('of a template counts where it is written, of the version that the group uses', () => {
      const versions = [
        templateVersion(1, { MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 } }),
        templateVersion(2, { MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 } }),
      ];
      const result = check(
        withGroup(TEMPLATE, {
          't.json': { LaunchTemplateVersions: versions },
          'i.json': { Reservations: [instance(2)] },
        }),
      );
      expect(result.text).toContain(
        'fail imds-hop-limit: Launch template "nodes" of node group "workers" sets the hop limit',
      );
      const [finding] = result.findings.filter(({ rule }) => rule === 'imds-hop-limit');
      expect(finding?.fixCode).toBe(
        [
          'aws ec2 create-launch-template-version \\',
          '  --launch-template-id lt-0a1 \\',
          '  --source-version 2 \\',
          `  --launch-template-data '{"MetadataOptions":{"HttpTokens":"required","HttpPutResponseHopLimit":2}}'`,
          '# and then each node group that uses it, with the number that this prints: aws eks update-nodegroup-version --launch-template',
        ].join('\n'),
      );
    });

    it('of a template that is not in the dump is not known', () => {
      expect(check(withGroup(TEMPLATE)).text).toContain("unverifiable imds-hop-limit: Can't tell");
    });
  });

  describe('the VPC CNI', () => {
    const addon = (given: object = {}): Files => ({
      'addons.json': { addons: ['vpc-cni'] },
      'addon-vpc-cni.json': {
        addon: {
          addonName: 'vpc-cni',
          clusterName: 'shop',
          addonVersion: 'v1.21.1-eksbuild.5',
          addonArn: arn('eks', 'addon/shop/vpc-cni/1'),
          ...given,
        },
      },
    });
    const daemonSet = (env: Readonly<Record<string, string>>, init: Readonly<Record<string, string>> = {}): object => ({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'aws-node', namespace: 'kube-system', uid: '1', resourceVersion: '1' },
      spec: {
        template: {
          spec: {
            containers: [{ name: 'aws-node', env: Object.entries(env).map(([name, value]) => ({ name, value })) }],
            initContainers: [
              { name: 'aws-vpc-cni-init', env: Object.entries(init).map(([name, value]) => ({ name, value })) },
            ],
          },
        },
      },
    });
    const RENDERED = { ENABLE_POD_ENI: 'false', WARM_ENI_TARGET: '1', WARM_PREFIX_TARGET: '1' };

    it('has the settings that kubectl made, and the finding says who made them', () => {
      const { text } = check(
        withGroup({}, { ...addon(), ...objectLists([daemonSet({ ...RENDERED, WARM_IP_TARGET: '5' })]) }),
      );
      expect(text).toContain('Add-on vpc-cni sets WARM_IP_TARGET to 5');
      expect(text).toContain('The value is set by kubectl, where the configuration values of the add-on say nothing.');
    });

    it('has its defaults where nobody changed them', () => {
      const { text } = check(withGroup({}, { ...addon(), ...objectLists([daemonSet(RENDERED)]) }));
      expect(text).not.toMatch(/Add-on vpc-cni (?:sets|has)|vpc-cni-warm-targets|vpc-cni-env-values/);
    });

    it('has settings that nobody has seen where its DaemonSet is not in the dump', () => {
      const values = { configurationValues: '{"env":{"ENABLE_POD_ENI":"true"}}' };
      const { text } = check(withGroup({}, addon(values)));
      expect(text).toContain(
        "unverifiable vpc-cni-tcp-early-demux: Can't tell whether vpc-cni follows vpc-cni-tcp-early-demux",
      );
      expect(text).toContain("the dump doesn't hold the DaemonSet aws-node, whose settings kubectl may have changed");
    });

    it('is told in commands that keep what is stored', () => {
      const values = { configurationValues: '{"env":{"WARM_IP_TARGET":"5"},"nodeAgent":{"enabled":true}}' };
      const { findings } = check(
        withGroup({}, { ...addon(values), ...objectLists([daemonSet({ ...RENDERED, WARM_IP_TARGET: '5' })]) }),
      );
      expect(findings.find(({ rule }) => rule === 'vpc-cni-warm-targets')?.fixCode).toBe(
        [
          'aws eks update-addon \\',
          '  --cluster-name shop \\',
          '  --addon-name vpc-cni \\',
          `  --configuration-values '{"env":{"WARM_IP_TARGET":"5","MINIMUM_IP_TARGET":"10"},"nodeAgent":{"enabled":true}}' \\`,
          '  --resolve-conflicts PRESERVE',
        ].join('\n'),
      );
    });
  });

  describe('what is not there', () => {
    it('is told, and is no pass', () => {
      const { text, problems } = check({ ...clusterAnswer('shop'), 'nodegroup.json': { nodegroup: GROUP } });
      expect(problems).toEqual([
        "warning cluster.json:1 not known, because it isn't in dump: aws eks list-nodegroups, aws eks list-addons, aws eks list-pod-identity-associations, aws eks list-access-entries, aws eks list-fargate-profiles and 2 more; eks-guardrails collect asks for all of it",
      ]);
      expect(text).toContain('unverifiable node-role-policies');
      expect(text).toContain('unverifiable vpc-cni-role-missing');
    });

    it('is an add-on that is listed and not described', () => {
      const { text, problems } = check(
        withGroup({}, { 'addons.json': { addons: ['eks-pod-identity-agent', 'vpc-cni'] } }),
      );
      expect(problems).toEqual([
        "warning cluster.json:1 not known, because it isn't in dump: aws eks describe-addon of eks-pod-identity-agent, aws eks describe-addon of vpc-cni; eks-guardrails collect asks for all of it",
      ]);
      expect(text).not.toContain('fail vpc-cni');
    });

    it('is what comes behind a page', () => {
      const { problems } = check(withGroup({}, { 'addons.json': { addons: [], nextToken: 'AAAA' } }));
      expect(problems[0]).toContain('the rest of aws eks list-addons');
    });

    it('is the rest of a list that the command line cut, as with --max-items', () => {
      const { problems } = check(withGroup({}, { 'addons.json': { addons: [], NextToken: 'eyJ' } }));
      expect(problems[0]).toContain('the rest of aws eks list-addons');
      const policies = { AttachedPolicies: [], NextToken: 'eyJ' };
      const { text } = check(withGroup({}, { 'role-nodes.attached-policies.json': policies }));
      expect(text).toContain("the list of the policies attached to role nodes isn't in dump");
    });

    it('is an answer that a line of kubectl has spoilt, or that is gone', () => {
      const objects = objectLists([]);
      const spoilt = `Warning: v1 Endpoints is deprecated\n${JSON.stringify(objects['kubectl-objects.json'])}`;
      const { problems, model } = check(withGroup({}, { ...objects, 'kubectl-objects.json': spoilt }));
      expect(problems[0]).toMatch(
        /^warning eks-guardrails-dump\.json:\d+ kubectl-objects\.json, .*: not in dump, or not as/,
      );
      const ids = (of: typeof model): readonly string[] => of.resources.map(({ id }) => id);
      expect(ids(model)).toContain('unseen objects');
      expect(ids(check(withGroup()).model)).not.toContain('unseen objects');
    });

    it('is the policies of a role, of which one list is missing', () => {
      const { 'role-nodes.attached-policies.json': _list, ...files } = withGroup();
      const { text } = check(files);
      expect(text).toContain("the list of the policies attached to role nodes isn't in dump");
      expect(text).not.toContain('fail node-role-policies');
    });

    it('is what a call was to give that failed', () => {
      const { problems } = check(
        withGroup(
          {},
          {
            'eks-guardrails-dump.json': {
              eksGuardrailsDump: 1,
              cluster: 'shop',
              region: 'eu-west-1',
              at: '2026-08-24T05:12:09Z',
              calls: [
                {
                  file: 'instances.json',
                  call: 'aws ec2 describe-instances',
                  failed: 'An error occurred (UnauthorizedOperation) when calling the DescribeInstances operation',
                },
              ],
            },
          },
        ),
      );
      expect(problems).toContain(
        'warning eks-guardrails-dump.json:10 aws ec2 describe-instances failed: An error occurred (UnauthorizedOperation) when calling the DescribeInstances operation',
      );
    });
  });

  describe('what cannot be read', () => {
    const only = (files: Files): readonly string[] =>
      check(files).problems.filter((problem) => problem.startsWith('error'));

    it('is an answer that is cut off', () => {
      const text = JSON.stringify(clusterAnswer('shop')['cluster.json'], undefined, 4);
      const [problem, ...others] = only({ 'cluster.json': text.slice(0, text.length - 30) });
      expect(problem).toMatch(/^error cluster\.json:\d+ /);
      expect(others).toEqual([]);
    });

    it.each([
      'An error occurred (AccessDeniedException) when calling the DescribeCluster operation: User is not authorized',
      'Unable to locate credentials. You can configure credentials by running "aws configure".',
      'Error from server (Forbidden): daemonsets.apps is forbidden',
      'Error when retrieving token from sso: Token has expired and refresh failed',
      'Connect timeout on endpoint URL: "https://eks.eu-west-1.amazonaws.com/clusters/shop"',
      'error: current-context is not set',
      `E0824 05:12:09.123456    1234 memcache.go:265] couldn't get current server API group list`,
      'bash: aws: command not found',
      'collect.sh: 12: kubectl: not found',
    ])('is a failure in place of an answer: %s', (failure) => {
      expect(only({ 'cluster.json': `\n${failure}\n` })).toEqual([
        `error cluster.json:1 the call failed whose answer this file was to hold: ${failure}`,
      ]);
    });

    it('is two clusters in one folder, and none in two', () => {
      const two = { ...clusterAnswer('shop'), 'other.json': clusterAnswer('bank')['cluster.json'] };
      expect(only(two)).toEqual([
        'error cluster.json:1 these answers are about several clusters (shop, bank); give each a folder of its own',
      ]);
      const apart = {
        'a/cluster.json': clusterAnswer('shop')['cluster.json'],
        'b/cluster.json': clusterAnswer('bank')['cluster.json'],
      };
      expect(only(apart)).toEqual([]);
    });

    it('is answers of two accounts', () => {
      const files = withGroup({ nodegroupArn: 'arn:aws:eks:eu-west-1:444455556666:nodegroup/shop/workers/1' });
      expect(only(files)).toEqual([
        "error cluster.json:1 these answers are of several accounts (111122223333 in arn:aws:eks:eu-west-1:111122223333:cluster/shop, 444455556666 in arn:aws:eks:eu-west-1:444455556666:nodegroup/shop/workers/1), so that they can't be of one cluster",
      ]);
    });

    it('is a list of policies of which nothing tells whose they are', () => {
      const { problems } = check(
        withGroup(
          {},
          { 'policies.json': { AttachedPolicies: [{ PolicyName: 'a', PolicyArn: 'arn:aws:iam::aws:policy/a' }] } },
        ),
      );
      expect(problems).toEqual([expect.stringContaining('role-NAME.attached-policies.json')]);
    });
  });

  it('have documents as texts, too, as the API itself gives them', () => {
    const trust = {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    };
    const role = {
      Role: {
        RoleName: 'nodes',
        Arn: arn('iam', 'role/nodes'),
        AssumeRolePolicyDocument: encodeURIComponent(JSON.stringify(trust)),
      },
    };
    expect(check(withGroup({}, { 'role-nodes.json': role })).text).toContain(
      'fail node-role-policies: Node role nodes trusts lambda.amazonaws.com and not ec2.amazonaws.com',
    );
  });

  it('show neither Secrets nor variables of containers', () => {
    const pod = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'api', namespace: 'shop', uid: '2', resourceVersion: '1' },
      spec: {
        template: { spec: { containers: [{ name: 'api', env: [{ name: 'DSN', value: 'gossip-in-a-variable' }] }] } },
      },
    };
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'shop', uid: '3', resourceVersion: '1' },
      data: { key: Buffer.from('told-in-confidence').toString('base64') },
    };
    const { secrets } = check(withGroup({}, objectLists([pod, secret])));
    const hidden = secrets?.hide(`gossip-in-a-variable told-in-confidence ${secret.data.key} eu-west-1`) ?? '';
    expect(hidden).toBe(`${'*'.repeat(20)} ${'*'.repeat(18)} ${'*'.repeat(24)} eu-west-1`);
  });
});

it('tells what an answer is in time that grows with its length', () => {
  const time = (count: number) => {
    const text = JSON.stringify({ PolicyDocument: Array.from({ length: count }, () => 'RoleName') });
    const passed = cpuTime();
    expect(answerIn(text)).toBeUndefined();
    return passed();
  };
  time(5_000);
  expect(time(20_000)).toBeLessThan(8 * time(5_000) + 200);
  const names = (...keys: string[]) => `{"PolicyDocument": {}, ${keys.map((key) => `"${key}": "a"`).join(', ')}}`;
  expect([names('RoleName', 'PolicyName'), names('PolicyName', 'RoleName')].map(answerIn)).toEqual([
    'PolicyDocument',
    'PolicyDocument',
  ]);
});
