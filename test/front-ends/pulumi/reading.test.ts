import { RESOURCE_TABLES } from '../../../lib/eks/resources';
import { stepsOf, type Setting } from '../../../lib/eks/resources/table';
import { readPulumi } from '../../../lib/front-ends/pulumi/reading';
import { looksLikePulumi } from '../../../lib/front-ends/pulumi/recognition';
import { argumentName, terraformType } from '../../../lib/front-ends/pulumi/names';
import {
  ADDON,
  CLUSTER,
  create,
  GROUP,
  groupWithTemplate,
  judge,
  LAUNCH_TEMPLATE,
  NODE_GROUP,
  previewFile,
  read,
  said,
  SECRET,
  SIGNATURE,
  stateFile,
  stateOf,
  urnOf,
} from './files';
import { propertyName, tokenOf, UNKNOWN } from './preview';

const ONE = { httpPutResponseHopLimit: 1, httpTokens: 'required' };
const messages = (text: string, name?: string) =>
  read(text, name).diagnostics.map(({ severity, message }) => `${severity}: ${message}`);

describe('the names of Pulumi', () => {
  it('are those of the types that Terraform knows', () => {
    const types = RESOURCE_TABLES.flatMap(({ terraform }) => terraform).filter((type) => type.startsWith('aws_'));
    expect(types.map((type) => [type, terraformType(tokenOf(type))])).toEqual(types.map((type) => [type, type]));
    expect(terraformType('aws-native:eks:Nodegroup')).toBe('awscc_eks_nodegroup');
    expect(terraformType('eks:index:VpcCni')).toBe('eks_index_vpc_cni');
    expect(terraformType('aws:ec2transitgateway/routeTable:RouteTable')).toBe('aws_ec2transitgateway_route_table');
  });

  it('are those of every setting that Terraform has', () => {
    const namesIn = (setting: Setting): readonly string[] => [
      ...(setting.terraform === undefined ? [] : stepsOf(setting.terraform)),
      ...('settings' in setting ? Object.values<Setting>(setting.settings).flatMap(namesIn) : []),
    ];
    for (const { terraform, settings } of RESOURCE_TABLES)
      for (const type of terraform)
        for (const name of Object.values<Setting>(settings).flatMap(namesIn))
          expect([type, argumentName(type, propertyName(type, name))]).toEqual([type, name]);
    expect(['taint', 'subnet_ids', 'inline_policy'].map((name) => propertyName('aws_eks_node_group', name))).toEqual([
      'taints',
      'subnetIds',
      'inlinePolicy',
    ]);
    expect(propertyName('aws_iam_role', 'inline_policy')).toBe('inlinePolicies');
  });
});

describe('a preview', () => {
  it('has the template of a group by what the property comes from, and points at the line', () => {
    const text = previewFile(groupWithTemplate(ONE));
    const [finding, ...others] = judge(text, 'imds-hop-limit');
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      verdict: 'fail',
      severity: 'error',
      resource: { id: `${LAUNCH_TEMPLATE}::nodes` },
    });
    const { line = 0, property } = finding?.source.locate() ?? {};
    expect(text.split('\n')[line - 1]).toContain('"httpPutResponseHopLimit": 1');
    expect(property).toBe('metadataOptions.httpPutResponseHopLimit');
    expect(said(previewFile(groupWithTemplate({ ...ONE, httpPutResponseHopLimit: 2 })), 'imds-hop-limit')).toEqual([]);
  });

  it('leaves a template open that may be one of two', () => {
    const [template, group] = groupWithTemplate(ONE);
    const other = create(stateOf(LAUNCH_TEMPLATE, 'other', {}));
    const both = [urnOf(LAUNCH_TEMPLATE, 'nodes'), urnOf(LAUNCH_TEMPLATE, 'other')];
    const text = JSON.stringify({
      steps: [template, other, group],
      changeSummary: { create: 3 },
    }).replace(JSON.stringify(both.slice(0, 1)), JSON.stringify(both));
    expect(said(text, 'imds-hop-limit')).toEqual([`unverifiable  ${NODE_GROUP}::workers`]);
  });

  it('leaves a value open that comes from what the preview leaves out', () => {
    const [, group] = groupWithTemplate(ONE);
    expect(said(previewFile(group === undefined ? [] : [group]), 'imds-hop-limit')).toEqual([
      `unverifiable  ${NODE_GROUP}::workers`,
    ]);
  });

  it('knows the security group that EKS makes for a cluster, and only that', () => {
    const cluster = (vpcConfig: object) => create(stateOf(CLUSTER, 'shop', { name: 'shop', vpcConfig }));
    const [, group] = groupWithTemplate(ONE);
    const template = create(
      stateOf(
        LAUNCH_TEMPLATE,
        'nodes',
        { vpcSecurityGroupIds: [UNKNOWN] },
        { propertyDependencies: { vpcSecurityGroupIds: [urnOf(CLUSTER, 'shop')] } },
      ),
    );
    const of = (vpcConfig: object) =>
      said(previewFile([cluster(vpcConfig), template, group ?? {}]), 'launch-template-security-groups');
    expect(of({ subnetIds: ['subnet-1'] })).toEqual([]);
    expect(of({ securityGroupIds: [UNKNOWN] })).toEqual([`unverifiable  ${LAUNCH_TEMPLATE}::nodes`]);
  });

  it('knows as many subnets and groups as there are unknown ones', () => {
    const subnets = ['a', 'b'].map((name) => create(stateOf('aws:ec2/subnet:Subnet', name, {})));
    const urns = ['a', 'b'].map((name) => urnOf('aws:ec2/subnet:Subnet', name));
    const cluster = (ids: readonly string[]) =>
      create(
        stateOf(
          CLUSTER,
          'shop',
          { name: 'shop', vpcConfig: { subnetIds: ids } },
          { propertyDependencies: { vpcConfig: urns } },
        ),
      );
    const subnetsOf = (ids: readonly string[]) => {
      const { resources } = read(previewFile([...subnets, cluster(ids)]));
      const found = resources.find(({ kind }) => kind === 'cluster');
      const value = found?.kind === 'cluster' ? found.subnets : undefined;
      return value?.kind === 'known' ? value.value.map((item) => item.kind) : value?.kind;
    };
    expect(subnetsOf([UNKNOWN, UNKNOWN])).toEqual(['known', 'known']);
    expect(subnetsOf([UNKNOWN])).toEqual(['unknown']);
  });

  it('has what is there afterwards: nothing of what goes, and what it becomes of the rest', () => {
    const before = stateOf(NODE_GROUP, 'workers', { amiType: 'AL2_x86_64', clusterName: 'shop', nodeGroupName: 'a' });
    const after = (name: string) => ({
      ...before,
      inputs: { amiType: 'AL2023_x86_64_STANDARD', clusterName: 'shop', nodeGroupName: name },
    });
    const gone = stateOf(NODE_GROUP, 'gone', { clusterName: 'shop' });
    const steps = (name: string) => [
      { op: 'same', urn: urnOf(CLUSTER, 'shop'), newState: stateOf(CLUSTER, 'shop', { name: 'shop' }) },
      {
        op: 'replace',
        urn: before['urn'],
        oldState: before,
        newState: after(name),
        replaceReasons: ['amiType'],
      },
      { op: 'delete-replaced', urn: before['urn'], oldState: before },
      { op: 'delete', urn: gone['urn'], oldState: gone },
    ];
    const groups = (name: string) =>
      read(previewFile(steps(name))).resources.flatMap(({ kind, id, planned }) =>
        kind === 'node-group' ? [[id, planned?.action, planned?.replacedBecause, planned?.isCreatedFirst]] : [],
      );
    expect(groups('b')).toEqual([[`${NODE_GROUP}::workers`, 'replace', ['amiType'], true]]);
    expect(groups('a')).toEqual([[`${NODE_GROUP}::workers`, 'replace', ['amiType'], false]]);
  });

  it('tells no order of a replacement of which it leaves out what was there', () => {
    const newState = stateOf(NODE_GROUP, 'workers', { clusterName: 'shop', nodeGroupName: 'a' });
    const step = { op: 'create-replacement', urn: newState['urn'], newState };
    const [group] = read(previewFile([step])).resources;
    expect(group?.planned).toMatchObject({ action: 'replace', isCreatedFirst: false });
  });

  it('calls resources of one type and name by what they are parts of', () => {
    const of = (parent: string) => {
      const state = { ...stateOf(NODE_GROUP, 'ng', {}), urn: urnOf(NODE_GROUP, 'ng', `${parent}$`) };
      return create(state);
    };
    expect(read(previewFile([of('my:index:A'), of('my:index:B')])).resources.map(({ id }) => id)).toEqual([
      `my:index:A$${NODE_GROUP}::ng`,
      `my:index:B$${NODE_GROUP}::ng`,
    ]);
  });

  it('tells what it lacks', () => {
    expect(messages(previewFile([], { changeSummary: { same: 3, create: 1 } }))).toEqual([
      'warning: the preview leaves out 3 resources that stay as they are: run `pulumi preview --json --show-sames > preview.json`',
    ]);
    expect(messages(previewFile([], { diagnostics: [{ severity: 'error', message: 'no credentials' }] }))).toEqual([
      'warning: Pulumi stopped with an error while it made this preview, so resources may be missing',
    ]);
  });
});

describe('a state', () => {
  const cluster = stateOf(
    CLUSTER,
    'shop',
    { name: 'shop', vpcConfig: { subnetIds: ['subnet-1'] } },
    {
      id: 'shop',
      outputs: {
        name: 'shop',
        version: '1.35',
        vpcConfig: { clusterSecurityGroupId: 'sg-1', subnetIds: ['subnet-1'] },
      },
    },
  );

  it('tells what the program wrote from what AWS has answered', () => {
    expect(said(stateFile([cluster]), 'cluster-version-pinned')).toEqual([`fail notPinned ${CLUSTER}::shop`]);
    const [read1] = read(stateFile([cluster])).resources;
    expect(read1?.kind === 'cluster' ? read1.version : undefined).toMatchObject({ kind: 'known', value: '1.35' });
  });

  it('has nothing of what the next update deletes, and what it only looks at is somebody else’s', () => {
    const text = stateFile([
      { ...cluster, delete: true },
      { ...stateOf(NODE_GROUP, 'a', { clusterName: 'b' }), external: true },
      { ...stateOf('eks:index:Cluster', 'component', {}), custom: false },
      stateOf(ADDON, 'cni', { addonName: 'vpc-cni', clusterName: 'shop' }),
    ]);
    const { resources, inputs } = read(text, 'state.json');
    expect(resources.map(({ id }) => id)).toEqual([`${ADDON}::cni`]);
    expect(inputs).toEqual([{ path: 'state.json', kind: 'pulumi-state', resources: 1 }]);
  });

  it('is read from a checkpoint, too', () => {
    const text = JSON.stringify({ version: 3, checkpoint: { stack: 'prod', latest: { resources: [cluster] } } });
    expect(read(text).resources).toHaveLength(1);
  });

  it('keeps secrets to itself, and those in the clear from every report', () => {
    const secret = (more: object) => ({ [SIGNATURE]: SECRET, ...more });
    const text = stateFile([
      stateOf(ADDON, 'cni', {
        addonName: 'vpc-cni',
        clusterName: 'shop',
        configurationValues: secret({ plaintext: JSON.stringify('{"env":{"TOKEN":"hunter2"}}') }),
        addonVersion: secret({ ciphertext: 'v1:abc' }),
      }),
      stateOf(NODE_GROUP, 'a', {
        clusterName: '[secret]',
        nodeGroupName: secret({ plaintext: '["one", 2, {"a":"two"}]' }),
      }),
    ]);
    const { resources, secrets } = read(text);
    const [addon, group] = resources;
    expect(addon?.kind === 'addon' ? [addon.configuration.kind, addon.version.kind] : []).toEqual([
      'unknown',
      'unknown',
    ]);
    expect(group?.kind === 'node-group' ? group.cluster : undefined).toMatchObject({
      kind: 'unknown',
      reason: 'it is secret, so it is not looked at',
    });
    expect([...(secrets ?? [])].sort()).toEqual(['2', 'one', 'two', 'v1:abc', '{"env":{"TOKEN":"hunter2"}}']);
  });

  it('has a region by its provider', () => {
    const provider = stateOf('pulumi:providers:aws', 'default', { region: 'eu-central-1' });
    const own = { ...cluster, provider: `${urnOf('pulumi:providers:aws', 'default')}::1a2b` };
    const [found] = read(stateFile([provider, own])).resources;
    expect(found?.kind === 'cluster' ? found.environment.region : undefined).toBe('eu-central-1');
  });

  it('has a region by its ARN, where no provider tells one', () => {
    const outputs = { arn: 'arn:aws:eks:eu-north-1:111122223333:cluster/shop' };
    const [found] = read(stateFile([{ ...cluster, outputs }])).resources;
    expect(found?.kind === 'cluster' ? found.environment.region : undefined).toBe('eu-north-1');
  });

  it('has of a block that the program leaves out what AWS has answered', () => {
    const networkOf = (kubernetesNetworkConfig: object) => {
      const [found] = read(stateFile([{ ...cluster, outputs: { kubernetesNetworkConfig } }])).resources;
      return found?.kind === 'cluster' ? found.ipFamily : undefined;
    };
    expect(networkOf({ ipFamily: 'ipv6' })).toMatchObject({ kind: 'known', value: 'ipv6' });
    expect(networkOf({ ipFamily: '' })?.kind).toBe('absent');
  });

  it('has of a list that the program leaves out what AWS has answered', () => {
    const group = stateOf(NODE_GROUP, 'a', { clusterName: 'shop' }, { outputs: { instanceTypes: ['t3.medium'] } });
    const [found] = read(stateFile([group])).resources;
    const types = found?.kind === 'node-group' ? found.instanceTypes : undefined;
    expect(types?.kind === 'known' ? types.value : []).toMatchObject([{ kind: 'known', value: 't3.medium' }]);
  });

  it('is read without the version around it, as `jq .deployment` cuts it out', () => {
    const text = JSON.stringify({ manifest: {}, resources: [cluster] });
    const { resources, inputs, diagnostics } = read(text, 'state.json');
    expect(resources.map(({ id }) => id)).toEqual([`${CLUSTER}::shop`]);
    expect(inputs).toEqual([{ path: 'state.json', kind: 'pulumi-state', resources: 1 }]);
    expect(diagnostics).toEqual([]);
  });

  it('is read of its resources alone, as `jq .deployment.resources` cuts them out', () => {
    const text = JSON.stringify([cluster, stateOf(ADDON, 'cni', { addonName: 'vpc-cni' })], undefined, 2);
    const { resources, inputs, diagnostics } = read(text, 'state.json');
    expect(resources.map(({ id }) => id)).toEqual([`${CLUSTER}::shop`, `${ADDON}::cni`]);
    expect(resources[1]?.source.locate().line).toBe(text.split('\n').findIndex((line) => line.includes('::cni"')));
    expect(inputs).toEqual([{ path: 'state.json', kind: 'pulumi-state', resources: 2 }]);
    expect(diagnostics).toEqual([]);
    const other = read('[{"urn": "elsewhere"}]', 'state.json').inputs.map(({ kind }) => kind);
    expect(other).not.toContain('pulumi-state');
  });

  it('keeps what its secrets are encrypted with from every report', () => {
    const provider = (state: object) => ({ secrets_providers: { type: 'passphrase', state } });
    expect(read(stateFile([cluster], provider({ salt: 'v1:abc=:v1:def' }))).secrets).toEqual(['v1:abc=:v1:def']);
    expect(read(stateFile([cluster], provider({ encryptedkey: 'AQIC', salt: null }))).secrets).toEqual(['AQIC']);
  });

  it('tells what it lacks', () => {
    expect(messages(stateFile([], { pending_operations: [{}] }))).toEqual([
      'warning: the last update was interrupted, so resources may be missing: run `pulumi refresh` first',
    ]);
    expect(messages('{"version": 9, "deployment": {"resources": []}}')).toEqual([
      'warning: deployment version 9 is newer than what is known here (4); it is read as if it were that',
    ]);
    expect(messages('{"version": 2, "deployment": {"manifest": {}}}')).toEqual([
      'error: deployment version 2 is older than what is read (3 and 4): export it with a newer Pulumi',
    ]);
    expect(messages('{"version": "3", "deployment": {"resources": []}}')).toEqual([
      'error: the `version` of this deployment is no number: `pulumi stack export > state.json` writes one',
    ]);
    expect(messages('{"version": 3, "deployment": "prod"}')).toEqual([
      expect.stringMatching(/^error: this is neither a preview nor a state of Pulumi: /),
    ]);
  });
});

describe('objects of Kubernetes', () => {
  it('are judged with the cluster of the stack', () => {
    const text = previewFile([
      create(stateOf(CLUSTER, 'shop', { name: 'shop', version: '1.35' })),
      create(
        stateOf('kubernetes:policy/v1:PodDisruptionBudget', 'web', {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'web', namespace: 'shop' },
          spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } },
        }),
      ),
    ]);
    expect(said(text, 'drain-blocked')).toEqual(['fail none-allowed kubernetes:policy/v1:PodDisruptionBudget::web']);
  });

  it('are read of releases and patches, but for values of files', () => {
    const release = (more: object) =>
      stateOf('kubernetes:helm.sh/v3:Release', 'cni', { chart: 'aws-vpc-cni', values: { env: { A: 'b' } }, ...more });
    const asset = { [SIGNATURE]: 'c44067f5952c0a294b673a41bacd8c17', hash: '1', path: 'values.yaml' };
    const patch = stateOf('kubernetes:apps/v1:DaemonSetPatch', 'node', {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'aws-node', namespace: 'kube-system' },
      spec: { template: {} },
    });
    const of = (more: object) => read(stateFile([release(more), patch])).resources;
    const [chart, patched] = of({});
    expect(chart?.kind === 'helm-release' ? chart.values : undefined).toEqual({ env: { A: 'b' } });
    expect(patched?.kind === 'kubernetes-patch' ? patched.target : undefined).toMatchObject({
      value: 'daemonset/aws-node',
    });
    const [mixed] = of({ valueYamlFiles: [asset] });
    expect(mixed?.kind === 'helm-release' ? mixed.values : undefined).toMatchObject({ kind: 'unknown' });
  });
});

describe('what is not read', () => {
  it('is told, and costs nothing where it has nothing to do with EKS', () => {
    const text = stateFile([
      stateOf('eks:index:VpcCni', 'cni', { kubeconfig: '{}' }),
      stateOf('aws-native:eks:Nodegroup', 'native', {}),
      stateOf('aws-native:s3:Bucket', 'files', {}),
      stateOf('gcp:container/cluster:Cluster', 'other', {}),
      stateOf('eks:index:RandomSuffix', 'suffix', {}),
    ]);
    expect(messages(text)).toEqual([
      "warning: resources aren't read, so what they declare isn't checked: eks:index:VpcCni::cni, aws-native:eks:Nodegroup::native",
    ]);
    expect(read(text).resources).toEqual([]);
  });

  it('passes for something else in a folder, where other tools have such keys', () => {
    expect(readPulumi('{"version": 3, "deployment": "prod"}', 'other.json').isOther).toBe(true);
    expect(looksLikePulumi('{"steps": [{"run": "make"}], "name": "build"}')).toBe(false);
    expect(looksLikePulumi('{"changeSummary": {"create": 1}, "name": "build"}')).toBe(false);
    expect(looksLikePulumi('{"changeSummary": {"create": 1}, "duration": 1}')).toBe(true);
  });

  it('is refused with what to give in its place', () => {
    expect(messages('Previewing update (prod):\n     Type                 Name       Plan\n')).toEqual([
      'error: this is what Pulumi prints for people, which is not read; check what it is about to do: pulumi preview --json --show-sames > preview.json && npx eks-guardrails check preview.json',
    ]);
    expect(messages('{"manifest": {}, "resourcePlans": {}}')).toEqual([
      'error: this is an update plan of Pulumi, which holds goals and no states: run `pulumi preview --json --show-sames > preview.json`',
    ]);
    expect(messages('{"config": {"aws:region": "eu-west-1"}, "diagnostics": [{"severity": "error"}]}')).toEqual([
      'error: this is a preview of Pulumi that failed before its first resource: its `diagnostics` say why',
    ]);
    expect(messages('{"diagnostics": [], "valid": true, "format_version": "1.0"}')).toEqual([
      'error: there are no Resources, so this is no CloudFormation template',
    ]);
    expect(messages('{"sequence":1,"timestamp":2,"preludeEvent":{}}\n{"sequence":2}')).toEqual([
      "error: this is a stream of Pulumi's events, not a preview: without PULUMI_ENABLE_STREAMING_JSON_PREVIEW, run `pulumi preview --json --show-sames > preview.json`",
    ]);
  });

  it.each([
    ['keeps security groups apart that a property takes from two resources', 'aws:ec2/vpc:Vpc', true, undefined],
    [
      'knows the security group that a property takes through a component',
      'my:index:Network',
      false,
      { attribute: 'id' },
    ],
  ])('%s', (_, type, custom, expected) => {
    const text = previewFile([
      create(stateOf(GROUP, 'a', {})),
      create(stateOf(type, 'v', {}, { custom })),
      create(
        stateOf(
          LAUNCH_TEMPLATE,
          'nodes',
          { vpcSecurityGroupIds: [UNKNOWN] },
          { propertyDependencies: { vpcSecurityGroupIds: [urnOf(GROUP, 'a'), urnOf(type, 'v')] } },
        ),
      ),
    ]);
    const template = read(text).resources.find(({ kind }) => kind === 'launch-template');
    const groups = template?.kind === 'launch-template' ? template.securityGroups : undefined;
    expect(groups?.kind === 'known' ? groups.value : []).toMatchObject([{ kind: 'unknown', reference: expected }]);
  });
});
