import { resource, read, show } from './reading';

describe('what the AWS CDK writes until it has looked something up', () => {
  const result = read(`
Resources:
  Cni:
    Type: AWS::EKS::Addon
    Properties: {AddonVersion: dummy-value-for-/eks/cni, ConfigurationValues: '{"eniConfig":{"subnets":{"dummy1a":{"id":"subnet-1"}}}}'}
  Subnet:
    Type: AWS::EC2::Subnet
    Properties: {AvailabilityZone: dummy1b}
  Named:
    Type: AWS::EKS::Cluster
    Properties: {Name: dummy1}
  Applied:
    Type: Custom::AWSCDK-EKS-KubernetesResource
    Properties: {ClusterName: main, Manifest: '[{"kind":"ENIConfig","metadata":{"name":"dummy1c"}}]'}
`);
  const addon = resource(result, 'addon', 'Cni');

  it('is unknown', () => {
    expect(show(addon.version)).toBe('?${dummy-value-for-/eks/cni}');
    expect(show(resource(result, 'subnet', 'Subnet').availabilityZone)).toBe('?${dummy1b}');
    expect(resource(result, 'manifest', 'Applied').object).toMatchObject({
      metadata: { name: { kind: 'unknown', text: '${dummy1c}' } },
    });
  });

  it('is unknown as a key', () => {
    expect(addon.configuration).toMatchObject({
      value: { data: { eniConfig: { subnets: { '${dummy1a}': { id: 'subnet-1' } } } } },
    });
  });

  it('is nothing but its own forms', () => {
    expect(show(resource(result, 'cluster', 'Named').name)).toBe('dummy1');
  });
});
