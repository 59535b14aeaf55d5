import { App, NestedStack, Stack, Stage, type AppProps } from 'aws-cdk-lib';
import { CfnLaunchTemplate } from 'aws-cdk-lib/aws-ec2';
import { CfnAddon, CfnCluster, CfnNodegroup } from 'aws-cdk-lib/aws-eks';
import { Construct } from 'constructs';

const ROLE = 'arn:aws:iam::123456789012:role/nodes';
const SUBNETS = ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'];

/** A launch template that says all that nodes need; a hop limit of 1 keeps pods from it. */
export function launchTemplate(scope: Construct, id: string, hopLimit?: number): CfnLaunchTemplate {
  return new CfnLaunchTemplate(scope, id, {
    launchTemplateData: {
      metadataOptions: {
        httpTokens: 'required',
        ...(hopLimit === undefined ? {} : { httpPutResponseHopLimit: hopLimit }),
      },
    },
  });
}

/** Managed nodes of AL2023, with the latest version of a launch template. */
export function nodeGroup(
  scope: Construct,
  id: string,
  template: CfnLaunchTemplate,
  clusterName = 'shop',
): CfnNodegroup {
  return new CfnNodegroup(scope, id, {
    clusterName,
    nodeRole: ROLE,
    subnets: SUBNETS,
    amiType: 'AL2023_x86_64_STANDARD',
    launchTemplate: { id: template.ref, version: template.attrLatestVersionNumber },
  });
}

/** A construct of the user's own that holds a launch template and its nodes. */
export class Workers extends Construct {
  readonly template: CfnLaunchTemplate;
  readonly nodes: CfnNodegroup;

  constructor(scope: Construct, id: string, hopLimit?: number) {
    super(scope, id);
    this.template = launchTemplate(this, 'Template', hopLimit);
    this.nodes = nodeGroup(this, 'Nodes', this.template);
  }
}

/**
 * Pitfalls in places that are easy to miss: behind a raw override, a reference to another stack, in a nested stack and in a
 * nested stage.
 */
export function misconfiguredApp(props: AppProps = {}): App {
  const app = new App(props);

  // The raw override is what makes it wrong.
  const templates = new Stack(app, 'Templates');
  const overridden = launchTemplate(templates, 'Overridden', 2);
  overridden.addPropertyOverride('LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit', 1);

  // Leaves the hop limit out, which is only wrong for the AL2023 nodes of the other stack.
  const shared = launchTemplate(templates, 'Shared');
  const nodes = new Stack(app, 'Nodes');
  nodeGroup(nodes, 'Group', shared).forceUpdateEnabled = true;
  nodeGroup(nodes, 'OverriddenGroup', overridden);
  // The same logical id as in the other stack: a lookup by name would find this one.
  nodeGroup(nodes, 'LocalGroup', launchTemplate(nodes, 'Shared', 2));

  const inner = new NestedStack(nodes, 'Inner');
  nodeGroup(inner, 'InnerGroup', launchTemplate(inner, 'InnerTemplate', 1));
  const parentTemplate = launchTemplate(nodes, 'FromParent');
  nodeGroup(inner, 'ParentTemplateGroup', parentTemplate);

  const production = new Stage(app, 'Prod');
  const workers = new Stack(production, 'Workers');
  new Workers(workers, 'Pool', 1).nodes.forceUpdateEnabled = true;
  const cluster = new Stack(production, 'Cluster');
  const control = new CfnCluster(cluster, 'Cluster', {
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

/** What the misconfigured app must be told, whatever the door: rule, construct path, severity. */
export const MISCONFIGURED_ERRORS = [
  'imds-hop-limit Nodes/FromParent error',
  'imds-hop-limit Nodes/Inner/InnerTemplate error',
  'imds-hop-limit Prod/Workers/Pool/Template error',
  'imds-hop-limit Templates/Overridden error',
  'imds-hop-limit Templates/Shared error',
  'vpc-cni-resolve-conflicts Prod/Cluster/VpcCni error',
];
