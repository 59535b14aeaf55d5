import { App, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Template } from 'aws-cdk-lib/assertions';
import type { Construct } from 'constructs';

export const SERVICE_CIDR = '10.100.0.0/16';

export function newStack(region?: string): Stack {
  return new Stack(new App(), 'Test', region === undefined ? {} : { env: { region, account: '123456789012' } });
}

export interface ClusterOptions {
  readonly version?: string;
  readonly ipFamily?: 'ipv4' | 'ipv6';
  readonly serviceIpv4Cidr?: string;
  readonly vpc?: ec2.IVpc;
  readonly authenticationMode?: eks.AuthenticationMode;
  /** With a kubectl provider; clusters of `aws-eks` always have one. */
  readonly kubectl?: boolean;
}

/** A cluster of `aws-eks-v2`: a native CloudFormation resource. */
export function nativeCluster(scope: Construct, options: ClusterOptions = {}, id = 'Cluster'): eksv2.Cluster {
  return new eksv2.Cluster(scope, id, {
    version: eksv2.KubernetesVersion.of(options.version ?? '1.34'),
    defaultCapacityType: eksv2.DefaultCapacityType.NODEGROUP,
    defaultCapacity: 0,
    ipFamily: options.ipFamily === 'ipv6' ? eksv2.IpFamily.IP_V6 : eksv2.IpFamily.IP_V4,
    ...(options.serviceIpv4Cidr === undefined ? {} : { serviceIpv4Cidr: options.serviceIpv4Cidr }),
    ...(options.vpc === undefined ? {} : { vpc: options.vpc }),
    ...(options.kubectl === true ? { kubectlProviderOptions: { kubectlLayer: kubectlLayer(scope, id) } } : {}),
  });
}

function kubectlLayer(scope: Construct, id: string): lambda.ILayerVersion {
  return lambda.LayerVersion.fromLayerVersionArn(
    scope,
    `${id}Kubectl`,
    'arn:aws:lambda:eu-west-1:123456789012:layer:kubectl:1',
  );
}

/** A cluster of `aws-eks`: a custom resource. */
export function customCluster(scope: Construct, options: ClusterOptions = {}, id = 'Cluster'): eks.Cluster {
  return new eks.Cluster(scope, id, {
    version: eks.KubernetesVersion.of(options.version ?? '1.34'),
    defaultCapacity: 0,
    kubectlLayer: kubectlLayer(scope, id),
    ipFamily: options.ipFamily === 'ipv6' ? eks.IpFamily.IP_V6 : eks.IpFamily.IP_V4,
    ...(options.serviceIpv4Cidr === undefined ? {} : { serviceIpv4Cidr: options.serviceIpv4Cidr }),
    ...(options.vpc === undefined ? {} : { vpc: options.vpc }),
    ...(options.authenticationMode === undefined ? {} : { authenticationMode: options.authenticationMode }),
  });
}

export const OIDC_PROVIDER_ARN =
  'arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF';

export interface ImportOptions {
  readonly complete?: boolean;
  readonly clusterName?: string;
  readonly vpc?: ec2.IVpc;
}

/** An imported cluster, with everything that can be said about it or with its name alone. */
export function importedCluster(
  scope: Construct,
  module: 'aws-eks' | 'aws-eks-v2',
  options: ImportOptions = {},
  id = 'Imported',
): eks.ICluster | eksv2.ICluster {
  const attributes = {
    clusterName: options.clusterName ?? 'production',
    ...(options.vpc === undefined ? {} : { vpc: options.vpc }),
    ...(options.complete === true
      ? {
          clusterEndpoint: 'https://0123456789ABCDEF.gr7.eu-west-1.eks.amazonaws.com',
          clusterCertificateAuthorityData: Buffer.from(
            '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
          ).toString('base64'),
          openIdConnectProvider: iam.OpenIdConnectProvider.fromOpenIdConnectProviderArn(
            scope,
            `${id}Provider`,
            OIDC_PROVIDER_ARN,
          ),
        }
      : {}),
  };
  return module === 'aws-eks'
    ? eks.Cluster.fromClusterAttributes(scope, id, attributes)
    : eksv2.Cluster.fromClusterAttributes(scope, id, attributes);
}

export function importedVpc(scope: Construct): ec2.IVpc {
  return ec2.Vpc.fromVpcAttributes(scope, 'Vpc', {
    vpcId: 'vpc-0123456789abcdef0',
    availabilityZones: ['eu-west-1a', 'eu-west-1b'],
    privateSubnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
    publicSubnetIds: ['subnet-0123456789abcdef2', 'subnet-0123456789abcdef3'],
  });
}

/** A resource of a template. */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: readonly string[];
}

export function resourcesOf(stack: Stack, type: string): TemplateResource[] {
  return Object.values(Template.fromStack(stack).findResources(type)) as unknown as TemplateResource[];
}

/** The one resource of a type. */
export function resourceOf(stack: Stack, type: string): TemplateResource {
  const [resource, ...others] = resourcesOf(stack, type);
  if (resource === undefined || others.length > 0)
    throw new Error(`${others.length + (resource === undefined ? 0 : 1)} resources of type ${type}`);
  return resource;
}

export function launchTemplateData(stack: Stack): Readonly<Record<string, unknown>> {
  return resourceOf(stack, 'AWS::EC2::LaunchTemplate').Properties.LaunchTemplateData as Readonly<
    Record<string, unknown>
  >;
}

/** Names of the managed policies of a role: the last path segment of an ARN, or the logical id of a policy of the template. */
export function policyNames(role: TemplateResource): string[] {
  return ((role.Properties.ManagedPolicyArns ?? []) as unknown[]).map(
    (arn) => /policy\/([^"]+)"/.exec(JSON.stringify(arn))?.[1] ?? JSON.stringify(arn),
  );
}

/** The text of a value in a template, with `${LogicalId.Attribute}` for references. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const map = value as Readonly<Record<string, unknown>>;
  if ('Fn::Base64' in map) return textOf(map['Fn::Base64']);
  if ('Ref' in map) return `\${${String(map.Ref)}}`;
  if ('Fn::GetAtt' in map) return `\${${(map['Fn::GetAtt'] as string[]).join('.')}}`;
  if ('Fn::Join' in map) {
    const [separator, items] = map['Fn::Join'] as [string, unknown[]];
    return items.map(textOf).join(separator);
  }
  throw new Error(`no text: ${JSON.stringify(value)}`);
}
