import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, NestedStack, Stack, Stage, Validations, type Environment } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eks2 from 'aws-cdk-lib/aws-eks-v2';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { isDataMap, type EksResource, type Value } from '../../../lib/eks';
import { readPaths } from '../../../lib/front-ends/paths';
import type { ReadResult } from '../../../lib/front-ends/reader';
import { show, showData } from '../cloudformation/reading';

const env: Environment = { account: '111122223333', region: 'eu-west-1' };
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Synthesizes an app into a folder of its own, as the CDK CLI would (`cli`) or as a bare `node app.js` does. */
function synthesize(build: (app: App) => void, context: Record<string, unknown> = { cli: true }): string {
  const outdir = mkdtempSync(join(tmpdir(), 'assembly-'));
  folders.push(outdir);
  const cli =
    context.cli === true ? { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true } : {};
  const app = new App({ outdir, context: { ...context, ...cli } });
  build(app);
  app.synth();
  return outdir;
}

function layer(scope: Construct): lambda.ILayerVersion {
  return lambda.LayerVersion.fromLayerVersionArn(
    scope,
    'Layer',
    'arn:aws:lambda:eu-west-1:111122223333:layer:kubectl:1',
  );
}

function clusterV1(stack: Stack): eks.Cluster {
  return new eks.Cluster(stack, 'Cluster', {
    version: eks.KubernetesVersion.V1_33,
    kubectlLayer: layer(stack),
    defaultCapacity: 0,
    ipFamily: eks.IpFamily.IP_V4,
  });
}

function clusterV2(stack: Stack): eks2.Cluster {
  return new eks2.Cluster(stack, 'Cluster', {
    version: eks2.KubernetesVersion.V1_33,
    defaultCapacityType: eks2.DefaultCapacityType.NODEGROUP,
    defaultCapacity: 0,
    kubectlProviderOptions: { kubectlLayer: layer(stack) },
  });
}

/** The only resource of a kind whose construct path contains a text. */
function find<K extends EksResource['kind']>(
  result: ReadResult,
  kind: K,
  path: string,
): Extract<EksResource, { kind: K }> {
  const found = result.resources.filter((one) => one.kind === kind && one.path?.includes(path) === true);
  expect(found.map((one) => one.path)).toHaveLength(1);
  return found[0] as Extract<EksResource, { kind: K }>;
}

function targetOf(value: Value<{ readonly target: object | undefined }>): object | undefined {
  return value.kind === 'known' ? value.value.target : undefined;
}

describe('an assembly of aws-eks', () => {
  let result: ReadResult;
  beforeAll(() => {
    const folder = synthesize((app) => {
      const stack = new Stack(app, 'Platform', { env });
      const cluster = clusterV1(stack);
      const nodes = cluster.addNodegroupCapacity('workers', { instanceTypes: [new ec2.InstanceType('m5.large')] });
      const account = cluster.addServiceAccount('Account', { name: 'reader', namespace: 'apps' });
      cluster.addManifest(
        'Config',
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'a' },
          data: { role: account.role.roleArn, fixed: 'x' },
        },
        { kind: 'Second' },
      );
      cluster.addHelmChart('Chart', {
        chart: 'aws-load-balancer-controller',
        values: { clusterName: cluster.clusterName, replicas: 2 },
      });
      new eks.KubernetesPatch(stack, 'Patch', {
        cluster,
        resourceName: 'daemonset/aws-node',
        resourceNamespace: 'kube-system',
        applyPatch: { spec: { a: 1 } },
        restorePatch: {},
      });
      Validations.of(nodes).acknowledge({ id: 'EksGuardrails::imds-hop-limit', reason: 'all pods have a role' });
      Validations.of(nodes).acknowledge({ id: 'Other::imds-v1', reason: 'somebody else' });
    });
    result = readPaths([folder]);
  });

  it('is read without a complaint', () => {
    expect(result.diagnostics).toEqual([]);
    expect(result.inputs).toMatchObject([{ kind: 'cdk-assembly' }]);
    expect(result.inputs[0]?.resources).toBeGreaterThan(50);
  });

  it('has its cluster, in its region', () => {
    const cluster = find(result, 'cluster', 'Platform/Cluster/');
    expect([cluster.type, show(cluster.version), show(cluster.ipFamily), cluster.frontEnd, cluster.stack]).toEqual([
      'Custom::AWSCDK-EKS-Cluster',
      '1.33',
      'ipv4',
      'aws-cdk',
      'Platform',
    ]);
    expect(cluster.environment).toEqual({ region: 'eu-west-1', partition: 'aws' });
    expect(targetOf(cluster.role)).toBe(find(result, 'role', 'Platform/Cluster/Role/'));
  });

  it('has the node group with its cluster and role', () => {
    const nodes = find(result, 'node-group', 'workers');
    expect(targetOf(nodes.cluster)).toBe(find(result, 'cluster', 'Platform/Cluster/'));
    const role = find(result, 'role', 'NodeGroupRole');
    expect(targetOf(nodes.nodeRole)).toBe(role);
    expect(role.policies.map((policy) => policy.kind === 'managed' && show(policy.arn))).toContain(
      'arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy',
    );
  });

  it('has acknowledgements as suppressions of the resources below the construct, of our rules alone', () => {
    const nodes = find(result, 'node-group', 'workers');
    expect(nodes.suppressions.map(({ rule, reason }) => [rule, reason])).toEqual([
      ['imds-hop-limit', 'all pods have a role'],
    ]);
    const { file, line } = nodes.suppressions[0]?.source.locate() ?? { file: '', line: 0 };
    expect(readFileSync(file, 'utf8').split('\n')[line - 1]).toContain('EksGuardrails::imds-hop-limit');
    expect(find(result, 'cluster', 'Platform/Cluster/').suppressions).toEqual([]);
    // One decision is one object, however many resources it covers.
    expect(find(result, 'role', 'NodeGroupRole').suppressions[0]).toBe(nodes.suppressions[0]);
  });

  it('has the conditions of a service account, which stand behind a custom resource', () => {
    const { trust } = find(result, 'role', 'Account/Role');
    const [statement] = trust.kind === 'known' ? trust.value.statements : [];
    expect(statement?.principals[0]).toMatchObject({ type: 'Federated', target: { kind: 'oidc-provider' } });
    expect(statement?.conditions).toMatchObject([
      {
        operator: 'StringEquals',
        key: expect.stringMatching(/\}:aud$/) as string,
        values: [{ value: 'sts.amazonaws.com' }],
      },
      {
        operator: 'StringEquals',
        key: expect.stringMatching(/\}:sub$/) as string,
        values: [{ value: 'system:serviceaccount:apps:reader' }],
      },
    ]);
  });

  it('has manifests, a chart and a patch', () => {
    const manifests = result.resources.filter(
      (one) => one.kind === 'manifest' && one.path?.includes('manifest-Config') === true,
    );
    expect(manifests.map((one) => one.kind === 'manifest' && isDataMap(one.object) && one.object.kind)).toEqual([
      'ConfigMap',
      'Second',
    ]);
    const data =
      manifests[0]?.kind === 'manifest' && isDataMap(manifests[0].object) ? manifests[0].object.data : undefined;
    expect(data).toMatchObject({ role: { kind: 'unknown', reference: { attribute: 'Arn' } }, fixed: 'x' });
    const chart = find(result, 'helm-release', 'chart-Chart');
    expect([show(chart.chart), showData(chart.values)]).toEqual([
      'aws-load-balancer-controller',
      { clusterName: expect.stringMatching(/^\?\$\{Cluster/) as string, replicas: 2 },
    ]);
    expect(showData(find(result, 'kubernetes-patch', 'Patch').patch)).toEqual({ spec: { a: 1 } });
  });
});

describe('an assembly of aws-eks-v2', () => {
  const build = (app: App) => {
    const stage = new Stage(app, 'Prod');
    const stack = new Stack(stage, 'Platform', { stackName: 'platform' });
    const cluster = clusterV2(stack);
    cluster.addServiceAccount('Account', {
      name: 'reader',
      namespace: 'apps',
      identityType: eks2.IdentityType.POD_IDENTITY,
    });
    new eks2.Addon(stack, 'Cni', {
      cluster,
      addonName: 'vpc-cni',
      configurationValues: { env: { NAME: cluster.clusterName, MODE: 'strict' } },
    });
    const nested = new NestedStack(stack, 'Nested');
    new eks2.Addon(nested, 'Dns', { cluster, addonName: 'coredns' });
    Validations.of(nested).acknowledge({ id: 'EksGuardrails::addon-version', reason: 'nested' });
  };

  it.each([
    ['by the CLI', { cli: true }],
    ['without the CLI, which leaves out paths', {}],
  ])('in a stage with a nested stack, synthesized %s', (_, context) => {
    const result = readPaths([synthesize(build, context)]);
    expect(result.diagnostics).toEqual([]);
    const cluster = find(result, 'cluster', 'Prod/Platform/Cluster/');
    expect([cluster.type, cluster.stack, show(cluster.version), cluster.environment]).toEqual([
      'AWS::EKS::Cluster',
      'platform',
      '1.33',
      { region: undefined, partition: undefined },
    ]);
    const cni = find(result, 'addon', 'Prod/Platform/Cni');
    expect(
      cni.configuration.kind === 'known' &&
        cni.configuration.value.kind === 'parsed' &&
        showData(cni.configuration.value.data),
    ).toEqual({
      env: { NAME: expect.stringMatching(/^\?\$\{Cluster/) as string, MODE: 'strict' },
    });
    const dns = find(result, 'addon', 'Prod/Platform/Nested/Dns');
    expect(targetOf(dns.cluster)).toBe(cluster);
    expect(dns.suppressions.map(({ rule }) => rule)).toEqual(['addon-version']);
    expect(dns.source.locate().file).toMatch(/nested\.template\.json$/);
    expect(targetOf(find(result, 'pod-identity-association', 'Account').role)).toBe(
      find(result, 'role', 'Account/Role'),
    );
  });
});

describe('several stacks of an assembly', () => {
  it.each([['strong'], ['both'], ['weak']])('are linked by %s references', (strength) => {
    const folder = synthesize(
      (app) => {
        const producer = new Stack(app, 'Producer', { env });
        const template = new ec2.CfnLaunchTemplate(producer, 'Template', { launchTemplateData: {} });
        const consumer = new Stack(app, 'Consumer', { env });
        new eks.CfnNodegroup(consumer, 'Nodes', {
          clusterName: 'c',
          nodeRole: 'r',
          subnets: [],
          launchTemplate: { id: template.ref, version: template.attrLatestVersionNumber },
        });
      },
      { cli: true, '@aws-cdk/core:defaultCrossStackReferences': strength },
    );
    const result = readPaths([folder]);
    expect(result.diagnostics).toEqual([]);
    const { launchTemplate } = find(result, 'node-group', 'Consumer/Nodes');
    expect(launchTemplate).toMatchObject({
      value: { template: { target: { id: 'Template' } }, version: { value: { tracks: 'latest' } } },
    });
  });

  it('that hold nothing are read too', () => {
    const result = readPaths([
      synthesize((app) => {
        Validations.of(new Stack(app, 'Empty')).acknowledge({
          id: 'CloudFormation-Validate::F0001',
          reason: 'empty on purpose',
        });
      }),
    ]);
    expect(result).toMatchObject({ diagnostics: [], resources: [], inputs: [{ kind: 'cdk-assembly', resources: 0 }] });
  });
});

describe('an assembly with a defect', () => {
  const simple = () =>
    synthesize((app) => {
      new eks.CfnAddon(new Stack(app, 'A'), 'Cni', { clusterName: 'c', addonName: 'vpc-cni' });
    });
  const change = (folder: string, file: string, edit: (text: string) => string) => {
    writeFileSync(join(folder, file), edit(readFileSync(join(folder, file), 'utf8')));
    const result = readPaths([folder]);
    return {
      ids: result.resources.map(({ id }) => id),
      problems: result.diagnostics.map(
        ({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`,
      ),
    };
  };

  it('of a newer schema: told, and what can be read is read', () => {
    expect(
      change(simple(), 'manifest.json', (text) => text.replace(/"version": "\d+\.0\.0"/, '"version": "999.0.0"')),
    ).toEqual({
      ids: ['Cni'],
      problems: [
        'error 2:3 the assembly has manifest version 999.0.0, newer than 55, the newest that is understood; what could be read was checked',
      ],
    });
  });

  it('of no version', () => {
    expect(change(simple(), 'manifest.json', (text) => text.replace('"version"', '"edition"')).problems).toEqual([
      'error 1:1 the manifest has no version, so it is no manifest of a CDK assembly',
    ]);
  });

  it('that is cut off', () => {
    expect(change(simple(), 'manifest.json', (text) => text.slice(0, 200)).problems).toHaveLength(1);
  });

  it.each([
    [
      'a template that is missing',
      '"templateFile": "A.template.json"',
      '"templateFile": "gone.json"',
      'error 1:1 there is no such file or folder',
    ],
    ['no template', '"templateFile"', '"template"', 'stack A names no template file'],
  ])('with %s', (_, from, to, problem) => {
    expect(change(simple(), 'manifest.json', (text) => text.replace(from, to)).problems).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  it('with an environment that is no text', () => {
    expect(
      change(simple(), 'manifest.json', (text) =>
        text.replace(/"environment": "[^"]*"/, '"environment": {"toString": "x"}'),
      ),
    ).toEqual({ ids: ['Cni'], problems: [] });
  });

  it('with artifacts that are a list', () => {
    expect(change(simple(), 'manifest.json', () => '{"version": "55.0.0", "artifacts": []}').problems).toEqual([
      'error 1:23 the artifacts of the assembly are no map',
    ]);
  });

  it('with a stage that contains itself: an end, not a loop', () => {
    const text =
      '{"version": "55.0.0", "artifacts": {"s": {"type": "cdk:cloud-assembly", "properties": {"directoryName": "."}}}}';
    expect(change(simple(), 'manifest.json', () => text)).toEqual({ ids: ['Cni'], problems: [] });
  });
});
