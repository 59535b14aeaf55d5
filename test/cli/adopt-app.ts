/** A CDK app as teams have it, with node groups of every kind; or with what `init --adopt` printed in their place. */
export function appSource(isAdopted: boolean): string {
  const old = (code: string): string => (isAdopted ? '' : code);
  const adopted = (code: string): string => (isAdopted ? code : '');
  return `
import { App, Stack, Stage } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eks2 from 'aws-cdk-lib/aws-eks-v2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
${adopted("import * as adopted from './adopted';")}

const app = new App({ context: { '@aws-cdk/core:defaultCrossStackReferences': 'strong' } });
const env = { region: 'eu-central-1', account: '111122223333' };
const types = (...names: string[]) => names.map((name) => new ec2.InstanceType(name));

const platform = new Stack(app, 'Platform', { env });
const cluster = new eks.Cluster(platform, 'Cluster', {
  version: eks.KubernetesVersion.V1_32,
  kubectlLayer: lambda.LayerVersion.fromLayerVersionArn(platform, 'Kubectl', 'arn:aws:lambda:eu-central-1:111122223333:layer:kubectl:1'),
  ${adopted('defaultCapacity: 0,')}
});
const database = new ec2.SecurityGroup(platform, 'Database', { vpc: cluster.vpc });
${old(`
cluster.addNodegroupCapacity('Workers', {
  instanceTypes: types('m5.large'), minSize: 3, maxSize: 6, desiredSize: 4, diskSize: 50,
  labels: { tier: 'web' }, taints: [{ key: 'dedicated', value: 'web', effect: eks.TaintEffect.NO_SCHEDULE }],
}).role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonSSMManagedInstanceCore'));
const template = new ec2.LaunchTemplate(platform, 'WebTemplate', {
  requireImdsv2: true,
  userData: ec2.UserData.custom('MIME-Version: 1.0\\nContent-Type: multipart/mixed; boundary="B"\\n\\n--B\\nContent-Type: text/x-shellscript; charset="us-ascii"\\n\\n#!/bin/bash\\necho "it\\'s \${HOME}"\\n--B\\nContent-Type: application/node.eks.aws\\n\\napiVersion: node.eks.aws/v1alpha1\\nkind: NodeConfig\\nspec:\\n  kubelet:\\n    config:\\n      shutdownGracePeriod: 30s\\n--B--\\n'),
  securityGroup: database,
  blockDevices: [{ deviceName: '/dev/xvda', volume: ec2.BlockDeviceVolume.ebs(80, { volumeType: ec2.EbsDeviceVolumeType.GP3 }) }],
});
template.addSecurityGroup(cluster.clusterSecurityGroup);
cluster.addNodegroupCapacity('Web', {
  launchTemplateSpec: { id: template.launchTemplateId!, version: template.latestVersionNumber },
  amiType: eks.NodegroupAmiType.AL2023_X86_64_STANDARD, instanceTypes: types('m6i.large'),
  nodegroupName: 'web', tags: { team: 'web' },
});
const legacy = new ec2.LaunchTemplate(platform, 'LegacyTemplate', { launchTemplateName: 'legacy' });
new eks.Nodegroup(platform, 'Legacy', {
  cluster, amiType: eks.NodegroupAmiType.AL2_X86_64, instanceTypes: types('m5.large'),
  launchTemplateSpec: { id: legacy.launchTemplateId!, version: legacy.latestVersionNumber },
});
const stored = new ec2.LaunchTemplate(platform, 'StoreTemplate', {
  requireImdsv2: true, httpPutResponseHopLimit: 3, instanceMetadataTags: true,
  blockDevices: [
    { deviceName: '/dev/xvda', volume: ec2.BlockDeviceVolume.ebs(4, { encrypted: false, volumeType: ec2.EbsDeviceVolumeType.GP2 }) },
    { deviceName: '/dev/xvdb', volume: ec2.BlockDeviceVolume.ebs(80) },
  ],
});
new eks.Nodegroup(platform, 'Store', {
  cluster, amiType: eks.NodegroupAmiType.BOTTLEROCKET_X86_64, instanceTypes: types('m5.large'),
  launchTemplateSpec: { id: stored.launchTemplateId!, version: stored.latestVersionNumber },
});
const boxes = new ec2.CfnLaunchTemplate(platform, 'BoxTemplate', {
  launchTemplateData: { blockDeviceMappings: [{ deviceName: '/dev/xvdb', ebs: { volumeSize: 90, encrypted: false } }] },
});
new eks.CfnNodegroup(platform, 'Box', {
  clusterName: cluster.clusterName, nodeRole: 'arn:aws:iam::111122223333:role/nodes', subnets: cluster.vpc.privateSubnets.map((one) => one.subnetId),
  amiType: 'BOTTLEROCKET_x86_64', instanceTypes: ['m5.large'],
  launchTemplate: { id: boxes.ref, version: boxes.attrLatestVersionNumber },
});
`)}
${adopted('adopted.addPlatformNodeGroups(platform, cluster);')}

const outside = new Stack(app, 'Outside', { env });
${old(`
const elsewhere = {
  clusterName: 'elsewhere', nodeRole: 'arn:aws:iam::111122223333:role/nodes', subnets: ['subnet-0aaaaaaaaaaaaaaa1', 'subnet-0aaaaaaaaaaaaaaa2'],
  scalingConfig: { minSize: 1, maxSize: 2 },
};
new eks.CfnNodegroup(outside, 'Imported', { ...elsewhere, launchTemplate: { id: 'lt-0123456789abcdef0', version: '3' } });
new eks.CfnNodegroup(outside, 'Literal', { ...elsewhere, amiType: 'AL2023_x86_64_STANDARD', instanceTypes: ['m6i.large'] });
`)}
${adopted(`
adopted.addOutsideNodeGroups(outside, eks.Cluster.fromClusterAttributes(outside, 'Elsewhere', {
  clusterName: 'elsewhere', vpc: ec2.Vpc.fromVpcAttributes(outside, 'Vpc', { vpcId: 'vpc-0aaaaaaaaaaaaaaa1', availabilityZones: ['eu-central-1a'] }),
}));
`)}

class Environment extends Stage {
  constructor(name: string) {
    super(app, name, { env });
    const network = new Stack(this, 'Network');
    const vpc = new ec2.Vpc(network, 'Vpc', { maxAzs: 2 });
    const control = new Stack(this, 'Control');
    const second = new eks2.Cluster(control, 'Second', {
      version: eks2.KubernetesVersion.V1_35, vpc, serviceIpv4Cidr: '172.20.0.0/16',
      defaultCapacityType: eks2.DefaultCapacityType.NODEGROUP, defaultCapacity: 0,
    });
    const nodes = new Stack(this, 'Nodes');
    const role = new iam.Role(nodes, 'NodeRole', {
      assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com'),
      managedPolicies: ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryReadOnly', 'AmazonEKS_CNI_Policy'].map((policy) =>
        iam.ManagedPolicy.fromAwsManagedPolicyName(policy)),
    });
    ${old(`
    const raw = new ec2.CfnLaunchTemplate(nodes, 'RawTemplate', {
      launchTemplateName: 'raw',
      launchTemplateData: {
        instanceType: 'm6i.xlarge', keyName: 'operators',
        metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 1 },
        securityGroupIds: [second.clusterSecurityGroupId],
        tagSpecifications: [{ resourceType: 'instance', tags: [{ key: 'cost', value: '1' }] }],
      },
    });
    new eks.CfnNodegroup(nodes, 'Raw', {
      clusterName: second.clusterName, nodeRole: role.roleArn, subnets: [...second.vpc.privateSubnets].reverse().map((one) => one.subnetId),
      launchTemplate: { name: 'raw', version: raw.attrLatestVersionNumber },
      scalingConfig: { minSize: 1, maxSize: 4, desiredSize: 2 }, updateConfig: { maxUnavailablePercentage: 20 },
    }).addDependency(raw);
    new eks2.Nodegroup(nodes, 'Arm', {
      cluster: second, instanceTypes: types('m7g.large'), nodeRole: role, nodegroupName: 'arm', subnets: { subnetType: ec2.SubnetType.PUBLIC },
      remoteAccess: { sshKeyName: 'operators', sourceSecurityGroups: [second.clusterSecurityGroup] },
    });
    const golden = new ec2.LaunchTemplate(nodes, 'GoldenTemplate', {
      machineImage: ec2.MachineImage.fromSsmParameter('/golden/ami'),
      userData: ec2.UserData.custom('---\\napiVersion: node.eks.aws/v1alpha1\\nkind: NodeConfig\\nspec:\\n  cluster:\\n    name: ' + second.clusterName),
    });
    new eks2.Nodegroup(nodes, 'Golden', {
      cluster: second, instanceTypes: types('m6i.large'), nodeRole: role,
      launchTemplateSpec: { id: golden.launchTemplateId!, version: golden.latestVersionNumber },
    });
    const shared = new ec2.LaunchTemplate(nodes, 'Shared', { requireImdsv2: true, detailedMonitoring: true });
    for (const id of ['One', 'Two'])
      new eks2.Nodegroup(nodes, id, {
        cluster: second, instanceTypes: types('m6i.large'), nodeRole: role,
        launchTemplateSpec: { id: shared.launchTemplateId!, version: shared.latestVersionNumber },
      });
    `)}
    ${adopted('adopted.addNodesNodeGroups(nodes, second);')}
  }
}
new Environment('Staging');
new Environment('Production');
app.synth();
`;
}
