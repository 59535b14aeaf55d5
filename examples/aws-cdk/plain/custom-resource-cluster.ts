import { Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** A cluster of `aws-eks`: its default capacity, and nodes that EKS doesn't manage. */
export class CustomResourceClusterStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const kubectl = 'arn:aws:lambda:eu-central-1:111122223333:layer:kubectl:1';
    const cluster = new eks.Cluster(this, 'Cluster', {
      version: eks.KubernetesVersion.V1_35,
      kubectlLayer: lambda.LayerVersion.fromLayerVersionArn(this, 'Kubectl', kubectl),
    });
    cluster.addAutoScalingGroupCapacity('Own', {
      instanceType: new ec2.InstanceType('m6i.large'),
      machineImageType: eks.MachineImageType.BOTTLEROCKET,
    });
  }
}
