import type { DataAwsEksCluster } from '@cdktf/provider-aws/lib/data-aws-eks-cluster';
import type { EksCluster } from '@cdktf/provider-aws/lib/eks-cluster';
import { Lazy, TerraformDataSource, TerraformResource, TerraformStack, type TerraformProvider } from 'cdktf';
import type { IConstruct } from 'constructs';
import {
  AUTHENTICATION_MODES,
  type AuthenticationMode,
  type IpFamily,
  type NodeCluster,
} from '../engine-neutral/cluster';
import { ConstructionError } from '../engine-neutral/construction-error';
import { isToken } from './tokens';

export type { AuthenticationMode, IpFamily } from '../engine-neutral/cluster';

/**
 * A cluster that is made elsewhere: by a module, another configuration, or by hand. Values may be tokens, such as outputs of a module.
 * Give the same object to all constructs of a cluster: that is how an add-on and node groups know of each other.
 *
 * @example
 * { clusterName: eks.getString('cluster_name'), kubernetesVersion: '1.34', endpoint: eks.getString('cluster_endpoint') }
 */
export interface ClusterAttributes {
  /** The name of the cluster. */
  readonly clusterName: string;
  /**
   * Kubernetes version, `1.34`.
   *
   * @default - unknown, so that bounds of AMI types and add-on versions go unchecked
   */
  readonly kubernetesVersion?: string;
  /**
   * IP family of pods and services.
   *
   * @default 'ipv4'
   */
  readonly ipFamily?: IpFamily;
  /**
   * The cluster's service CIDR (not the VPC's). Needed for nodes with an AMI of your own.
   *
   * @default - unknown
   */
  readonly serviceCidr?: string;
  /**
   * URL of the API server. Needed for nodes with an AMI of your own.
   *
   * @default - unknown
   */
  readonly endpoint?: string;
  /**
   * The certificate authority of the API server in base64, as EKS gives it. Needed for nodes with an AMI of your own.
   *
   * @default - unknown
   */
  readonly certificateAuthority?: string;
  /**
   * The security group that EKS gives the control plane and its nodes.
   *
   * @default - unknown
   */
  readonly securityGroupId?: string;
  /**
   * The cluster's VPC. Needed for a `LoadBalancerControllerRole`, unless that is given one.
   *
   * @default - unknown
   */
  readonly vpcId?: string;
  /**
   * ARN of the cluster's OpenID Connect provider in IAM. Needed for roles for service accounts (IRSA).
   *
   * @default - unknown
   */
  readonly openIdConnectProviderArn?: string;
  /**
   * Issuer of the cluster's OpenID Connect tokens, with or without `https://`. Needed for roles for service accounts (IRSA).
   *
   * @default - unknown
   */
  readonly openIdConnectIssuer?: string;
  /**
   * The provider configuration for everything that belongs to the cluster, where it isn't the default one: one with an alias for another region or account.
   *
   * @default - the default configuration of the AWS provider
   */
  readonly provider?: TerraformProvider;
}

/**
 * A cluster: the resource `aws_eks_cluster`, the data source of the same name (counts as IPv4; for IPv6 give attributes), or the attributes
 * of a cluster that is made elsewhere.
 */
export type ICluster = EksCluster | DataAwsEksCluster | ClusterAttributes;

/** What the constructs need of a cluster. What is decided at deployment counts as unknown, or is passed on as a token. */
export class ClusterFacts implements NodeCluster {
  /** The cluster's resource, when the app defines it. */
  readonly resource: EksCluster | undefined;
  private readonly data: DataAwsEksCluster | undefined;
  private readonly attributes: ClusterAttributes | undefined;

  /** @param scope the construct that asks; it counts whether its stack has the cluster's provider */
  constructor(
    cluster: ICluster,
    private readonly scope: IConstruct,
  ) {
    this.resource = isResource(cluster) ? cluster : undefined;
    this.data = isDataSource(cluster) ? cluster : undefined;
    this.attributes = isResource(cluster) || isDataSource(cluster) ? undefined : withTokens(cluster);
  }

  /** Whether the app defines the cluster. */
  get isDefinedHere(): boolean {
    return this.resource !== undefined;
  }

  get clusterName(): string {
    return this.resource?.name ?? this.data?.name ?? this.attributes?.clusterName ?? '';
  }

  /** How messages call the cluster. */
  get path(): string {
    return this.resource?.node.path ?? this.data?.node.path ?? 'cluster';
  }

  /** Kubernetes version, `1.34`; undefined when it isn't known at synthesis. */
  get kubernetesVersion(): string | undefined {
    return literal(this.resource === undefined ? this.attributes?.kubernetesVersion : this.resource.versionInput);
  }

  /** @throws ConstructionError for a family that is decided at deployment */
  get ipFamily(): IpFamily {
    const family: unknown =
      this.resource === undefined ? this.attributes?.ipFamily : this.resource.kubernetesNetworkConfigInput?.ipFamily;
    if (isToken(family))
      throw new ConstructionError(
        this.path,
        'ipFamily is a token; the IP family decides on permissions and bootstrap and must be known at synthesis',
      );
    return family === 'ipv6' ? 'ipv6' : 'ipv4';
  }

  /** The service range, or a token for it. */
  get serviceCidr(): string | undefined {
    const { resource, data } = this;
    if (resource !== undefined) {
      const network = resource.kubernetesNetworkConfig;
      return this.ipFamily === 'ipv6'
        ? network.serviceIpv6Cidr
        : (literal(resource.kubernetesNetworkConfigInput?.serviceIpv4Cidr) ?? network.serviceIpv4Cidr);
    }
    return data === undefined ? this.attributes?.serviceCidr : data.kubernetesNetworkConfig.get(0).serviceIpv4Cidr;
  }

  get endpoint(): string | undefined {
    return this.resource?.endpoint ?? this.data?.endpoint ?? this.attributes?.endpoint;
  }

  get certificateAuthority(): string | undefined {
    return (this.resource ?? this.data)?.certificateAuthority.get(0).data ?? this.attributes?.certificateAuthority;
  }

  /** ARN of the cluster's role, a token as a rule; undefined for attributes. */
  get roleArn(): string | undefined {
    return this.resource === undefined ? this.data?.roleArn : (this.resource.roleArnInput ?? this.resource.roleArn);
  }

  /** The security group that EKS gives the control plane and its nodes. */
  get securityGroupId(): string | undefined {
    return (
      this.resource?.vpcConfig.clusterSecurityGroupId ??
      this.data?.vpcConfig.get(0).clusterSecurityGroupId ??
      this.attributes?.securityGroupId
    );
  }

  /** ARN of the cluster, a token as a rule; undefined for attributes. */
  get arn(): string | undefined {
    return (this.resource ?? this.data)?.arn;
  }

  /** VPC of the cluster, a token as a rule; undefined for attributes that don't tell it. */
  get vpcId(): string | undefined {
    return this.resource?.vpcConfig.vpcId ?? this.data?.vpcConfig.get(0).vpcId ?? this.attributes?.vpcId;
  }

  /** Issuer of the cluster's OpenID Connect tokens, with `https://` or without. */
  get openIdConnectIssuer(): string | undefined {
    return (this.resource ?? this.data)?.identity.get(0).oidc.get(0).issuer ?? this.attributes?.openIdConnectIssuer;
  }

  /** ARN of the cluster's OpenID Connect provider; undefined where only the configuration as a whole knows it. */
  get openIdConnectProviderArn(): string | undefined {
    return this.attributes?.openIdConnectProviderArn;
  }

  /** Who lets nodes in; EKS's default is `CONFIG_MAP`. Undefined for clusters that aren't defined here, and for tokens. */
  get authenticationMode(): AuthenticationMode | undefined {
    const { resource } = this;
    if (resource === undefined) return undefined;
    const mode: unknown = resource.accessConfigInput?.authenticationMode;
    if (mode === undefined) return 'CONFIG_MAP';
    return AUTHENTICATION_MODES.find((known) => known === mode);
  }

  /** Whether EKS Auto Mode brings (Linux) nodes of its own; true as well when that is decided at deployment. */
  get hasAutoMode(): boolean {
    const enabled: unknown = this.resource?.computeConfigInput?.enabled;
    return enabled !== undefined && enabled !== false;
  }

  /** The provider configuration of the cluster, which everything of the cluster has to have too. Undefined for the default, and for that of another stack. */
  get provider(): TerraformProvider | undefined {
    const provider = (this.resource ?? this.data)?.provider ?? this.attributes?.provider;
    return provider !== undefined && TerraformStack.of(provider) === TerraformStack.of(this.scope)
      ? provider
      : undefined;
  }

  /** What a resource of the cluster passes to its bindings, so that it comes to stand beside the cluster. */
  get place(): { readonly provider?: TerraformProvider } {
    const { provider } = this;
    return provider === undefined ? {} : { provider };
  }

  /**
   * Puts a regional resource into the region of the cluster, if the cluster has one of its own (AWS provider 6: `region` of a resource).
   * Not for IAM, which has no region.
   */
  putInRegion(resource: TerraformResource): void {
    const { region } = this;
    if (region !== undefined) resource.addOverride('region', region);
  }

  /** The region of the cluster, or a token for it, if the cluster has one of its own. */
  get region(): string | undefined {
    const cluster = this.resource ?? this.data;
    const region: unknown = cluster === undefined ? undefined : Reflect.get(cluster, 'regionInput');
    return typeof region === 'string' ? region : undefined;
  }
}

// By kind and not by class, because an app may have two copies of the bindings.
function isResource(cluster: ICluster): cluster is EksCluster {
  return TerraformResource.isTerraformResource(cluster);
}

function isDataSource(cluster: ICluster): cluster is DataAwsEksCluster {
  return TerraformDataSource.isTerraformDataSource(cluster);
}

function literal(value: unknown): string | undefined {
  return typeof value === 'string' && !isToken(value) && !INTERPOLATION.test(value) ? value : undefined;
}

/** What a user may write instead of a token. */
const INTERPOLATION = /\$\{/;

/** Attributes in which what Terraform is to evaluate is a token. */
function withTokens(attributes: ClusterAttributes): ClusterAttributes {
  const entries = Object.entries(attributes).map(([key, value]: [string, unknown]) => {
    const isWritten = typeof value === 'string' && !isToken(value) && INTERPOLATION.test(value);
    return [key, isWritten ? Lazy.stringValue({ produce: () => value }) : value] as const;
  });
  return { ...attributes, ...Object.fromEntries(entries) };
}
