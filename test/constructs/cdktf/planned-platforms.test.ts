import { VpcEndpoint } from '@cdktf/provider-aws/lib/vpc-endpoint';
import { Testing, type TerraformStack } from 'cdktf';
import { ClusterNetworkAddons, ManagedNodeGroup, SelfManagedNodeGroup } from '../../../constructs/cdktf';
import { AMI, subnets } from './node-groups';
import { itPlans, planned } from './planned';
import { ipv6, newCluster, newStack } from './stacks';

/** Platforms as a team writes them, planned by Terraform itself. */
function planOf(stack: TerraformStack): ReturnType<typeof planned> {
  const configuration = JSON.parse(Testing.synth(stack, true)) as { terraform: Record<string, unknown> };
  configuration.terraform = { required_providers: { aws: { source: 'hashicorp/aws', version: '5.100.0' } } };
  return planned(JSON.stringify(configuration));
}

const api = { accessConfig: { authenticationMode: 'API' } };

describe('Terraform plans', () => {
  itPlans('a private IPv6 cluster with the network around its CNI, and the endpoints that this needs', () => {
    const stack = newStack();
    const cluster = newCluster(stack, {
      ...ipv6,
      ...api,
      bootstrapSelfManagedAddons: false,
      vpcConfig: { subnetIds: subnets, endpointPrivateAccess: true, endpointPublicAccess: false },
    });
    const addons = new ClusterNetworkAddons(stack, 'Network', { cluster });
    for (const service of addons.interfaceEndpoints)
      new VpcEndpoint(stack, `Endpoint-${service}`, {
        vpcId: 'vpc-0123456789abcdef0',
        vpcEndpointType: 'Interface',
        serviceName: `com.amazonaws.eu-west-1.${service}`,
        subnetIds: subnets,
        privateDnsEnabled: true,
      });
    new ManagedNodeGroup(stack, 'Workers', { cluster, subnets, instanceTypes: ['m7g.large'] });
    const { resources, failures } = planOf(stack);
    const valuesOf = (type: string) => resources.filter((one) => one.type === type).map(({ values }) => values);
    expect(
      valuesOf('aws_eks_addon')
        .map(({ addon_name }) => addon_name)
        .sort(),
    ).toEqual(['coredns', 'eks-pod-identity-agent', 'kube-proxy', 'vpc-cni']);
    expect(
      valuesOf('aws_vpc_endpoint')
        .map(({ service_name }) => service_name)
        .sort(),
    ).toEqual(['ec2', 'ecr.api', 'ecr.dkr', 'eks-auth'].map((service) => `com.amazonaws.eu-west-1.${service}`));
    expect(valuesOf('aws_eks_node_group')).toEqual([
      expect.objectContaining({ ami_type: 'AL2023_ARM_64_STANDARD', instance_types: ['m7g.large'] }),
    ]);
    expect(failures().map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([]);
  });

  itPlans('nodes of several types and markets that EKS does not manage, beside a system group', () => {
    const stack = newStack();
    const cluster = newCluster(stack, {
      ...api,
      bootstrapSelfManagedAddons: false,
      kubernetesNetworkConfig: { serviceIpv4Cidr: '10.100.0.0/16' },
    });
    new ClusterNetworkAddons(stack, 'Network', { cluster, vpcCni: { prefixDelegation: {} } });
    new ManagedNodeGroup(stack, 'System', { cluster, subnets });
    new SelfManagedNodeGroup(stack, 'Batch', {
      cluster,
      subnets,
      customAmi: AMI,
      instanceTypes: ['m6i.large', 'm5.large', 'm6a.large'],
      capacityType: 'SPOT',
      minSize: 0,
      maxSize: 20,
      labels: { tier: 'batch' },
      taints: [{ key: 'dedicated', value: 'batch', effect: 'NO_SCHEDULE' }],
      tags: { team: 'batch' },
    });
    const { resources, failures } = planOf(stack);
    const group = resources.find(({ type }) => type === 'aws_autoscaling_group');
    expect(group?.values).toMatchObject({
      min_size: 0,
      max_size: 20,
      mixed_instances_policy: [
        {
          launch_template: [
            {
              override: [{ instance_type: 'm6i.large' }, { instance_type: 'm5.large' }, { instance_type: 'm6a.large' }],
            },
          ],
        },
      ],
    });
    expect(resources.filter(({ type }) => type === 'aws_eks_access_entry').map(({ values }) => values['type'])).toEqual(
      ['EC2_LINUX'],
    );
    expect(failures().map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([]);
  });
});
