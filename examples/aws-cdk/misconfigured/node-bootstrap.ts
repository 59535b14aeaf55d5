import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import type { Construct } from 'constructs';

/**
 * Nodes of a hardened AL2023 image that start and never join. In the first group the boundary of the user data is closed before the
 * NodeConfig with the cluster, so nodeadm never reads it; the second still calls the bootstrap script of AL2.
 */
export class NodeBootstrapStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', {
      version: eks.KubernetesVersion.V1_35,
      defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
    });
    const closedEarly = [
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="nodes"',
      '',
      '--nodes',
      'Content-Type: text/x-shellscript; charset="us-ascii"',
      '',
      '#!/bin/bash',
      'mkdir -p /var/cache/images',
      '--nodes--',
      'Content-Type: application/node.eks.aws',
      '',
      'apiVersion: node.eks.aws/v1alpha1',
      'kind: NodeConfig',
      'spec:',
      '  cluster:',
      `    name: ${cluster.clusterName}`,
      `    apiServerEndpoint: ${cluster.clusterEndpoint}`,
      `    certificateAuthority: ${cluster.clusterCertificateAuthorityData}`,
      '    cidr: 172.20.0.0/16',
      '--nodes--',
    ];
    this.addNodes(cluster, 'ClosedEarly', closedEarly);
    this.addNodes(cluster, 'BootstrapScript', ['#!/bin/bash', `/etc/eks/bootstrap.sh ${cluster.clusterName}`]);
  }

  private addNodes(cluster: eks.Cluster, id: string, userData: readonly string[]): void {
    const template = new ec2.LaunchTemplate(this, `${id}Template`, {
      machineImage: ec2.MachineImage.fromSsmParameter(
        '/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/recommended/image_id',
      ),
      userData: ec2.UserData.custom(`${userData.join('\n')}\n`),
      requireImdsv2: true,
      httpPutResponseHopLimit: 2,
    });
    new eks.Nodegroup(this, id, {
      cluster,
      instanceTypes: [new ec2.InstanceType('m6i.large')],
      launchTemplateSpec: { id: template.launchTemplateId!, version: template.latestVersionNumber },
      forceUpdate: false,
    });
  }
}
