import { App, Stack } from 'aws-cdk-lib';
import * as autoscaling from 'aws-cdk-lib/aws-autoscaling';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as oldEks from 'aws-cdk-lib/aws-eks';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { runRules, type Finding } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';

const SSM = '/aws/service/eks/optimized-ami/1.33';
const AL2023 = ec2.MachineImage.fromSsmParameter(`${SSM}/amazon-linux-2023/x86_64/standard/recommended/image_id`);

/** The self-managed groups of a cluster that the CDK renders, and what the rules on bootstraps say of them. */
function findingsOf(define: (stack: Stack, cluster: eks.Cluster, vpc: ec2.IVpc) => void): {
  groups: number;
  findings: Finding[];
} {
  const app = new App();
  const stack = new Stack(app, 'Shop', { env: { account: '111122223333', region: 'eu-west-1' } });
  const vpc = new ec2.Vpc(stack, 'Vpc', { availabilityZones: ['eu-west-1a', 'eu-west-1b'] });
  const cluster = new eks.Cluster(stack, 'Cluster', {
    vpc,
    version: eks.KubernetesVersion.V1_33,
    defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
    defaultCapacity: 0,
  });
  define(stack, cluster, vpc);
  const text = JSON.stringify(app.synth().getStackByName('Shop').template, undefined, 1);
  const { resources, diagnostics } = readTemplates([{ file: 'Shop.template.json', text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const model = new EksModel(resources);
  const bootstrap = /^(?:node-user-data-|user-data-|nodeadm-init)/;
  return {
    groups: model.selfManagedNodeGroups.length,
    findings: runRules(model, allRules).filter(({ rule }) => bootstrap.test(rule)),
  };
}

function summary({ rule, verdict, severity, messageId, resource }: Finding): string {
  return `${rule} ${verdict} ${severity} ${messageId ?? ''} ${resource.id}`;
}

describe('self-managed nodes of the AWS CDK', () => {
  it('with an AL2023 image get the call of bootstrap.sh, which is told', () => {
    const { groups, findings } = findingsOf((stack, cluster, vpc) => {
      const group = new autoscaling.AutoScalingGroup(stack, 'Nodes', {
        vpc,
        instanceType: new ec2.InstanceType('m5.large'),
        machineImage: AL2023,
      });
      cluster.connectAutoScalingGroupCapacity(group, {});
    });
    expect(groups).toBe(1);
    expect(findings.map(summary)).toEqual([expect.stringMatching(/^user-data-ami-family fail error al2023 Nodes/)]);
    expect(findings[0]?.message).toContain('calls `/etc/eks/bootstrap.sh` (line ');
    expect(findings[0]?.message).toContain('stub');
  });

  it('with an AL2023 image get it from the older module too', () => {
    const { groups, findings } = findingsOf((stack, _, vpc) => {
      const kubectlLayer = lambda.LayerVersion.fromLayerVersionArn(
        stack,
        'Kubectl',
        'arn:aws:lambda:eu-west-1:111122223333:layer:kubectl:1',
      );
      const cluster = new oldEks.Cluster(stack, 'Old', {
        vpc,
        version: oldEks.KubernetesVersion.V1_33,
        defaultCapacity: 0,
        kubectlLayer,
      });
      const group = new autoscaling.AutoScalingGroup(stack, 'Nodes', {
        vpc,
        instanceType: new ec2.InstanceType('m5.large'),
        machineImage: AL2023,
      });
      cluster.connectAutoScalingGroupCapacity(group, {});
    });
    expect(groups).toBe(1);
    expect(findings.map(summary)).toEqual([expect.stringMatching(/^user-data-ami-family fail error al2023 Nodes/)]);
  });

  it('with an AL2 image are right', () => {
    const { groups, findings } = findingsOf((stack, cluster, vpc) => {
      const machineImage = ec2.MachineImage.fromSsmParameter(
        `${SSM.replace('1.33', '1.32')}/amazon-linux-2/recommended/image_id`,
      );
      cluster.connectAutoScalingGroupCapacity(
        new autoscaling.AutoScalingGroup(stack, 'Nodes', {
          vpc,
          instanceType: new ec2.InstanceType('m5.large'),
          machineImage,
        }),
        {},
      );
    });
    expect(groups).toBe(1);
    expect(findings.map(summary)).toEqual([]);
  });

  it('of Bottlerocket are right', () => {
    const { groups, findings } = findingsOf((_, cluster) => {
      cluster.addAutoScalingGroupCapacity('Nodes', {
        instanceType: new ec2.InstanceType('m5.large'),
        machineImageType: eks.MachineImageType.BOTTLEROCKET,
      });
    });
    expect(groups).toBe(1);
    expect(findings.map(summary)).toEqual([]);
  });

  it('without bootstrap get none, which is told', () => {
    const { groups, findings } = findingsOf((stack, cluster, vpc) => {
      const group = new autoscaling.AutoScalingGroup(stack, 'Nodes', {
        vpc,
        instanceType: new ec2.InstanceType('m5.large'),
        machineImage: AL2023,
      });
      cluster.connectAutoScalingGroupCapacity(group, { bootstrapEnabled: false });
    });
    expect(groups).toBe(1);
    expect(findings.map(summary)).toEqual([
      expect.stringMatching(/^node-user-data-missing-bootstrap fail error al2023 Nodes/),
    ]);
  });

  it('with a NodeConfig and bootstrapEnabled: false are right', () => {
    const { findings } = findingsOf((stack, cluster, vpc) => {
      const userData = new ec2.MultipartUserData();
      const nodeConfig = {
        apiVersion: 'node.eks.aws/v1alpha1',
        kind: 'NodeConfig',
        spec: {
          cluster: {
            name: cluster.clusterName,
            apiServerEndpoint: cluster.clusterEndpoint,
            certificateAuthority: cluster.clusterCertificateAuthorityData,
            cidr: '172.20.0.0/16',
          },
        },
      };
      userData.addPart(
        ec2.MultipartBody.fromRawBody({
          contentType: 'application/node.eks.aws',
          body: stack.toJsonString(nodeConfig),
        }),
      );
      const group = new autoscaling.AutoScalingGroup(stack, 'Nodes', {
        vpc,
        instanceType: new ec2.InstanceType('m5.large'),
        machineImage: AL2023,
        userData,
      });
      cluster.connectAutoScalingGroupCapacity(group, { bootstrapEnabled: false });
    });
    expect(findings.map(summary)).toEqual([]);
  });
});
