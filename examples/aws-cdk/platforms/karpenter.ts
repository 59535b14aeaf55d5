import { Stack, type StackProps } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { ClusterNetworkAddons, KarpenterRoles, ManagedNodeGroup } from 'eks-guardrails/aws-cdk';
import type { Construct } from 'constructs';
import { decideSupport } from './support';
import { CLUSTER_DEFAULTS } from './cluster-defaults';

/** A small group for Karpenter and CoreDNS, which tolerate its taint; Karpenter makes the nodes for everything else. */
export class Karpenter extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', {
      ...CLUSTER_DEFAULTS,
      // Or the layer of a package such as @aws-cdk/lambda-layer-kubectl-v35.
      kubectlProviderOptions: {
        kubectlLayer: lambda.LayerVersion.fromLayerVersionArn(
          this,
          'Kubectl',
          'arn:aws:lambda:eu-central-1:111122223333:layer:kubectl:1',
        ),
      },
    });
    decideSupport(cluster);
    new ClusterNetworkAddons(this, 'Network', { cluster });
    const system = new ManagedNodeGroup(this, 'System', {
      cluster,
      taints: [{ key: 'CriticalAddonsOnly', value: 'true', effect: 'NO_SCHEDULE' }],
    });

    const karpenter = new KarpenterRoles(this, 'Karpenter', { cluster, version: '1.14.1' });
    const chart = cluster.addHelmChart('KarpenterChart', {
      repository: 'oci://public.ecr.aws/karpenter/karpenter',
      chart: 'karpenter',
      release: 'karpenter',
      version: karpenter.version,
      namespace: karpenter.namespace,
      values: karpenter.helmValues,
    });
    chart.node.addDependency(karpenter, system);
    cluster
      .addManifest(
        'Nodes',
        karpenter.nodeClass({ amiAlias: 'al2023@v20260813' }),
        karpenter.nodePool({ limits: { cpu: 200 } }),
      )
      .node.addDependency(chart);
  }
}
