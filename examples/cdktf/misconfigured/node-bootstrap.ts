import { DataAwsSsmParameter } from '@cdktf/provider-aws/lib/data-aws-ssm-parameter';
import { EksNodeGroup } from '@cdktf/provider-aws/lib/eks-node-group';
import { LaunchTemplate } from '@cdktf/provider-aws/lib/launch-template';
import { Fn, Token } from 'cdktf';
import type { Construct } from 'constructs';
import { ClusterStack } from '../cluster-stack';

/**
 * Nodes of an image of one's own that start and never join: in the first group the MIME document ends before the part with the cluster; the
 * second calls the bootstrap script of AL2, which AL2023 doesn't have.
 */
export class NodeBootstrapStack extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { name, endpoint, certificateAuthority } = this.cluster;
    this.addNodes('ClosedEarly', [
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=join',
      '',
      '--join',
      'Content-Type: text/x-shellscript',
      '',
      '#!/bin/bash',
      'sysctl -w vm.max_map_count=262144',
      '--join--',
      'Content-Type: application/node.eks.aws',
      '',
      'apiVersion: node.eks.aws/v1alpha1',
      'kind: NodeConfig',
      'spec:',
      '  cluster:',
      `    name: ${name}`,
      `    apiServerEndpoint: ${endpoint}`,
      `    certificateAuthority: ${certificateAuthority.get(0).data}`,
      '    cidr: 172.20.0.0/16',
      '--join--',
    ]);
    this.addNodes('BootstrapScript', ['#!/bin/bash', `/etc/eks/bootstrap.sh ${name}`]);
  }

  private addNodes(id: string, userData: readonly string[]): void {
    const image = new DataAwsSsmParameter(this, `${id}Image`, {
      name: '/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/recommended/image_id',
    });
    const template = new LaunchTemplate(this, `${id}Template`, {
      imageId: image.insecureValue,
      userData: Fn.base64encode(`${userData.join('\n')}\n`),
      metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 },
    });
    new EksNodeGroup(this, id, {
      clusterName: this.cluster.name,
      nodeRoleArn: 'arn:aws:iam::111122223333:role/nodes',
      subnetIds: this.subnetIds,
      scalingConfig: { minSize: 1, maxSize: 3, desiredSize: 1 },
      launchTemplate: { id: template.id, version: Token.asString(template.latestVersion) },
    });
  }
}
