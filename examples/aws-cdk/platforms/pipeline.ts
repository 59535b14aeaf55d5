import { Stack, Stage, type StackProps, type StageProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import * as pipelines from 'aws-cdk-lib/pipelines';
import { ClusterNetworkAddons, CoreDnsAddon, ManagedNodeGroup } from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from './support';
import { CLUSTER_DEFAULTS } from './cluster-defaults';

/** One environment, in three stacks. The nodes wait for the stack of the add-ons, whose CNI has a role of its own, and CoreDNS comes with the nodes. */
class Environment extends Stage {
  constructor(scope: Construct, id: string, props: StageProps) {
    super(scope, id, props);
    const network = new Stack(this, 'Network');
    const vpc = new ec2.Vpc(network, 'Vpc', { natGateways: 1 });

    const control = new Stack(this, 'Control');
    const cluster = new eks.Cluster(control, 'Cluster', { ...CLUSTER_DEFAULTS, vpc });
    decideSupport(cluster);
    new ClusterNetworkAddons(control, 'Network', { cluster, coreDns: false });

    const nodes = new Stack(this, 'Nodes');
    new ManagedNodeGroup(nodes, 'Workers', { cluster });
    new CoreDnsAddon(nodes, 'CoreDns', { cluster });
  }
}

/** A pipeline that deploys two environments one after the other. */
export class Pipeline extends Stack {
  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const pipeline = new pipelines.CodePipeline(this, 'Pipeline', {
      synth: new pipelines.ShellStep('Synth', {
        input: pipelines.CodePipelineSource.connection('example/platform', 'main', {
          connectionArn: 'arn:aws:codeconnections:eu-central-1:111122223333:connection/0123abcd',
        }),
        commands: ['npm ci', 'npx cdk synth'],
      }),
    });
    for (const name of ['Staging', 'Production'])
      pipeline.addStage(new Environment(this, name, { env: { region: 'eu-central-1', account: '111122223333' } }));
  }
}
