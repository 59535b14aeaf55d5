import { CfnResource, RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { IConstruct } from 'constructs';
import {
  AUTHENTICATION_MODES,
  kubernetesVersionOf as versionOf,
  type AuthenticationMode,
  type IpFamily,
  type NodeCluster,
} from '../engine-neutral/cluster';
import { cdkTokens } from './tokens';

export type { AuthenticationMode, IpFamily } from '../engine-neutral/cluster';

/** A cluster of `aws-cdk-lib/aws-eks` or `aws-cdk-lib/aws-eks-v2`, defined in the app or imported. */
export type ICluster = eks.ICluster | eksv2.ICluster;

/** CloudFormation types of clusters: the native one, and the custom resource of `aws-eks`. */
const NATIVE_CLUSTER = 'AWS::EKS::Cluster';
const CUSTOM_CLUSTER = 'Custom::AWSCDK-EKS-Cluster';

/**
 * What the constructs need of a cluster beyond `ICluster`. Told by the cluster's own resource and not by `instanceof`,
 * so that it works for both modules.
 */
export class ClusterFacts implements NodeCluster {
  private readonly resource: CfnResource | undefined;

  constructor(private readonly cluster: ICluster) {
    this.resource = clusterResource(cluster);
  }

  /** Whether the app defines the cluster, as opposed to importing it. */
  get isDefinedHere(): boolean {
    return this.resource !== undefined;
  }

  /** Kubernetes version, `1.34`; undefined when it isn't known at synthesis. */
  get kubernetesVersion(): string | undefined {
    const version: unknown = 'version' in this.cluster ? this.cluster.version : undefined;
    return isMap(version) ? literal(version.version) : undefined;
  }

  /** CDK documents IPv4 for imported clusters that don't say. */
  get ipFamily(): IpFamily {
    return this.cluster.ipFamily === eks.IpFamily.IP_V6 ? 'ipv6' : 'ipv4';
  }

  /**
   * The service range, or a token for it. Undefined when there is no way to tell: CloudFormation returns only the IPv6
   * range of a cluster, and EKS chooses the IPv4 range by itself when the cluster doesn't set it.
   */
  get serviceCidr(): string | undefined {
    const { resource } = this;
    if (resource === undefined) return undefined;
    if (this.ipFamily === 'ipv6') {
      return resource.cfnResourceType === NATIVE_CLUSTER
        ? Token.asString(resource.getAtt('KubernetesNetworkConfig.ServiceIpv6Cidr'))
        : undefined;
    }
    const network: unknown = Stack.of(resource).resolve(networkConfig(resource));
    const cidr = isMap(network) ? (network.serviceIpv4Cidr ?? network.ServiceIpv4Cidr) : undefined;
    if (typeof cidr === 'string') return cidr;
    return cidr === undefined ? undefined : Token.asString(cidr);
  }

  get clusterName(): string {
    return this.cluster.clusterName;
  }

  get path(): string {
    return this.cluster.node.path;
  }

  get endpoint(): string | undefined {
    return this.attribute('clusterEndpoint');
  }

  get certificateAuthority(): string | undefined {
    return this.attribute('clusterCertificateAuthorityData');
  }

  /** An attribute that imported clusters may not have; CDK throws for it. */
  private attribute(name: 'clusterEndpoint' | 'clusterCertificateAuthorityData'): string | undefined {
    try {
      return this.cluster[name];
    } catch {
      return undefined;
    }
  }

  get vpc(): ec2.IVpc | undefined {
    try {
      return this.cluster.vpc;
    } catch {
      return undefined;
    }
  }

  /** The cluster's role, when the app defines the cluster. */
  get role(): iam.IRole | undefined {
    return 'role' in this.cluster && isRole(this.cluster.role) ? this.cluster.role : undefined;
  }

  /** Who lets nodes in: access entries (`API`), the `aws-auth` ConfigMap, or both. Undefined for imported clusters. */
  get authenticationMode(): AuthenticationMode | undefined {
    const { resource } = this;
    if (resource === undefined) return undefined;
    const access: unknown = 'accessConfig' in resource ? Stack.of(resource).resolve(resource.accessConfig) : undefined;
    const mode =
      resource.cfnResourceType === NATIVE_CLUSTER
        ? isMap(access)
          ? access.authenticationMode
          : undefined
        : 'authenticationMode' in this.cluster
          ? this.cluster.authenticationMode
          : undefined;
    return AUTHENTICATION_MODES.find((known) => known === mode) ?? 'CONFIG_MAP';
  }

  /** Whether EKS Auto Mode brings (Linux) nodes of its own. */
  get hasAutoMode(): boolean {
    const { resource } = this;
    const compute: unknown =
      resource !== undefined && 'computeConfig' in resource
        ? Stack.of(resource).resolve(resource.computeConfig)
        : undefined;
    return isMap(compute) && compute.enabled !== undefined && compute.enabled !== false;
  }

  /** Whether CDK can apply manifests to the cluster. */
  get hasKubectl(): boolean {
    const { cluster } = this;
    if (isLegacy(cluster))
      return (
        this.isDefinedHere ||
        cluster.kubectlProvider !== undefined ||
        (cluster.kubectlRole !== undefined && cluster.kubectlLayer !== undefined)
      );
    return cluster.kubectlProvider !== undefined;
  }

  /**
   * Applies a manifest, over an object of the same name if there is one, and leaves it in the cluster afterwards.
   */
  applyManifest(scope: Construct, id: string, manifest: Record<string, unknown>): IConstruct {
    const applied = this.addManifest(scope, id, manifest, { overwrite: true, prune: false });
    const resource = applied.node.defaultChild;
    if (CfnResource.isCfnResource(resource)) resource.applyRemovalPolicy(RemovalPolicy.RETAIN);
    return applied;
  }

  /** A manifest that comes and goes with its construct. */
  addManifest(
    scope: Construct,
    id: string,
    manifest: Record<string, unknown>,
    options: { overwrite?: boolean; prune?: boolean } = {},
  ): IConstruct {
    const { cluster } = this;
    const props = { manifest: [manifest], ...options };
    return isLegacy(cluster)
      ? new eks.KubernetesManifest(scope, id, { cluster, ...props })
      : new eksv2.KubernetesManifest(scope, id, { cluster, ...props });
  }

  /** The security group that EKS gives the control plane and its nodes; undefined for imported clusters that don't say. */
  get securityGroup(): ec2.ISecurityGroup | undefined {
    try {
      return this.cluster.clusterSecurityGroup;
    } catch {
      return undefined;
    }
  }

  /** Constructs of the cluster that need nodes before they can be deployed, as the Load Balancer Controller of CDK. */
  get albController(): Construct | undefined {
    const controller: unknown = 'albController' in this.cluster ? this.cluster.albController : undefined;
    return controller instanceof Construct ? controller : undefined;
  }

  /**
   * The `aws-auth` ConfigMap of an `aws-eks` cluster that uses it. CDK overwrites the whole ConfigMap, and with it the entry
   * that EKS makes for a managed node group, so node roles must be in it.
   */
  get awsAuth(): eks.AwsAuth | undefined {
    if (!this.isDefinedHere || !('awsAuth' in this.cluster)) return undefined;
    if ('authenticationMode' in this.cluster && this.cluster.authenticationMode === eks.AuthenticationMode.API)
      return undefined;
    const awsAuth: unknown = this.cluster.awsAuth;
    return awsAuth instanceof eks.AwsAuth ? awsAuth : undefined;
  }
}

/** As the common function, with CDK's tokens. */
export function kubernetesVersionOf(
  scope: IConstruct,
  facts: ClusterFacts,
  given: string | undefined,
): string | undefined {
  return versionOf(scope, cdkTokens, facts.kubernetesVersion, given);
}

/** A cluster of `aws-eks`, by a property that those of `aws-eks-v2` don't have. */
function isLegacy(cluster: ICluster): cluster is eks.ICluster {
  return 'clusterHandlerSecurityGroup' in cluster;
}

function clusterResource(cluster: IConstruct): CfnResource | undefined {
  const candidates = [cluster.node.tryFindChild('Resource'), cluster.node.defaultChild];
  for (const candidate of candidates) {
    const found = candidate?.node.findAll().find(isClusterResource);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isClusterResource(construct: IConstruct): construct is CfnResource {
  return (
    CfnResource.isCfnResource(construct) &&
    (construct.cfnResourceType === NATIVE_CLUSTER || construct.cfnResourceType === CUSTOM_CLUSTER)
  );
}

function networkConfig(resource: CfnResource): unknown {
  if ('kubernetesNetworkConfig' in resource) return resource.kubernetesNetworkConfig;
  const properties: unknown = Reflect.get(resource, '_cfnProperties');
  const config = isMap(properties) ? properties.Config : undefined;
  return isMap(config) ? config.kubernetesNetworkConfig : undefined;
}

function isRole(value: unknown): value is iam.IRole {
  return typeof value === 'object' && value !== null && 'roleArn' in value && 'addManagedPolicy' in value;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function literal(value: unknown): string | undefined {
  return typeof value === 'string' && !Token.isUnresolved(value) ? value : undefined;
}
