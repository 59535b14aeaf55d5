import { App as AwsApp, Stack, Validations } from 'aws-cdk-lib';
import { CfnLaunchTemplate } from 'aws-cdk-lib/aws-ec2';
import { CfnAddon, CfnCluster, CfnNodegroup } from 'aws-cdk-lib/aws-eks';
import { EksAddon } from '@cdktf/provider-aws/lib/eks-addon';
import { EksCluster } from '@cdktf/provider-aws/lib/eks-cluster';
import type { App } from 'cdktf';
import { EksGuardrails as AwsCdkPlugin } from '../../../aspects/aws-cdk';
import { EksGuardrails } from '../../../aspects/cdktf';
import { checkPaths } from '../../../lib/check';
import { linesOf, reportOf, synthesize as synthesizeAws } from '../reported';
import { folder, launchTemplate, messages, nodeGroup, stackWithProvider, synthesize, testApp } from './apps';

const ROLE = 'arn:aws:iam::111122223333:role/nodes';
const SUBNETS = ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'];

/** Pitfalls behind a raw override, a reference to another stack, and in plain sight. */
function misconfigured(app: App): App {
  const templates = stackWithProvider(app, 'Templates');
  const overridden = launchTemplate(templates, 'Overridden', 2);
  overridden.addOverride('metadata_options.http_put_response_hop_limit', 1);
  // Leaves the hop limit out, which is only wrong for the AL2023 nodes of the other stack.
  const shared = launchTemplate(templates, 'Shared');
  const nodes = stackWithProvider(app, 'Nodes');
  nodeGroup(nodes, 'Group', shared, { forceUpdateVersion: true });
  nodeGroup(nodes, 'OverriddenGroup', overridden);
  nodeGroup(nodes, 'LocalGroup', launchTemplate(nodes, 'Shared', 2));
  const cluster = stackWithProvider(app, 'Cluster');
  const control = new EksCluster(cluster, 'Cluster', {
    name: 'control',
    roleArn: ROLE,
    version: '1.33',
    vpcConfig: { subnetIds: SUBNETS },
  });
  new EksAddon(cluster, 'VpcCni', {
    clusterName: control.name,
    addonName: 'vpc-cni',
    addonVersion: 'v1.20.4-eksbuild.1',
    resolveConflictsOnUpdate: 'OVERWRITE',
  });
  return app;
}

/** The same in AWS CDK. */
function misconfiguredTwin(): AwsApp {
  const app = new AwsApp({ outdir: folder() });
  const template = (scope: Stack, id: string, hopLimit?: number): CfnLaunchTemplate =>
    new CfnLaunchTemplate(scope, id, {
      launchTemplateData: {
        metadataOptions: {
          httpTokens: 'required',
          ...(hopLimit === undefined ? {} : { httpPutResponseHopLimit: hopLimit }),
        },
      },
    });
  const group = (scope: Stack, id: string, { ref, attrLatestVersionNumber }: CfnLaunchTemplate): CfnNodegroup =>
    new CfnNodegroup(scope, id, {
      clusterName: 'shop',
      nodeRole: ROLE,
      subnets: SUBNETS,
      amiType: 'AL2023_x86_64_STANDARD',
      scalingConfig: { minSize: 1, maxSize: 3, desiredSize: 1 },
      launchTemplate: { id: ref, version: attrLatestVersionNumber },
    });
  const templates = new Stack(app, 'Templates', { env: { region: 'eu-central-1' } });
  const overridden = template(templates, 'Overridden', 2);
  overridden.addPropertyOverride('LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit', 1);
  const shared = template(templates, 'Shared');
  const nodes = new Stack(app, 'Nodes', { env: { region: 'eu-central-1' } });
  group(nodes, 'Group', shared).forceUpdateEnabled = true;
  group(nodes, 'OverriddenGroup', overridden);
  group(nodes, 'LocalGroup', template(nodes, 'Shared', 2));
  const cluster = new Stack(app, 'Cluster', { env: { region: 'eu-central-1' } });
  const control = new CfnCluster(cluster, 'Cluster', {
    name: 'control',
    roleArn: ROLE,
    version: '1.33',
    resourcesVpcConfig: { subnetIds: SUBNETS },
  });
  new CfnAddon(cluster, 'VpcCni', {
    clusterName: control.ref,
    addonName: 'vpc-cni',
    addonVersion: 'v1.20.4-eksbuild.1',
    resolveConflicts: 'OVERWRITE',
  });
  return app;
}

const ERRORS = [
  'error imds-hop-limit Templates/Overridden',
  'error imds-hop-limit Templates/Shared',
  'error vpc-cni-resolve-conflicts Cluster/VpcCni',
];

describe('one misconfigured app', () => {
  /** All findings, with those that can't be judged, which are listed when nothing fails. */
  const app = misconfigured(testApp());
  EksGuardrails.of(app, { failOn: 'never' });
  const found = messages(synthesize(app))
    .map((line) => (ERRORS.includes(line.replace(/^warning/, 'error')) ? line.replace(/^warning/, 'error') : line))
    .sort();

  it('has the pitfalls that it was made for', () => {
    const failing = misconfigured(testApp());
    EksGuardrails.of(failing);
    const failures = messages(synthesize(failing));
    expect(failures.filter((line) => line.startsWith('error'))).toEqual(ERRORS);
    expect(failures).toEqual(found.filter((line) => !line.startsWith('info')));
    expect(failures.filter((line) => line.startsWith('warning')).length).toBeGreaterThan(0);
  });

  it('gets the same findings from the command, of what CDKTF wrote without the door', () => {
    const plain = misconfigured(testApp());
    plain.synth();
    const { findings, diagnostics } = checkPaths([plain.outdir]);
    expect(diagnostics).toEqual([]);
    expect(findings.map(({ rule, resource, severity }) => `${severity} ${rule} ${resource.path ?? ''}`).sort()).toEqual(
      found,
    );
  });

  it('gets the same findings as its twin in AWS CDK from the plugin', () => {
    const twin = misconfiguredTwin();
    Validations.of(twin).addPlugins(new AwsCdkPlugin());
    synthesizeAws(twin);
    const lines = linesOf(reportOf(twin)?.violations ?? []).map((line) =>
      line.replace(/^(\S+) (\S+) (\S+)$/, '$3 $1 $2'),
    );
    expect(lines.sort()).toEqual(found);
  });
});
