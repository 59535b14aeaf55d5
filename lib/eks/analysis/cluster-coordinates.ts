import { alternativesOf, type Resource } from '../../value';
import type { Cluster } from '../model/resources';
import type { SourceText } from '../user-data/source-text';

/** What the bootstrap of a node is told of its cluster, as the input's own code names it: `${Cluster.Endpoint}`. */
export interface ClusterCoordinates {
  readonly name: string;
  readonly apiServerEndpoint: string;
  readonly certificateAuthority: string;
  /** Service range; undefined where EKS chooses it and no attribute tells. */
  readonly cidr: string | undefined;
}

/**
 * How code beside a resource names its cluster, inside a text with `${…}`: undefined where the cluster is declared elsewhere, in another module, or
 * several times by the same text.
 */
export function clusterCoordinates(cluster: Cluster | undefined, beside: Resource): ClusterCoordinates | undefined {
  if (cluster === undefined || cluster.stack !== beside.stack || cluster.moduleInputs !== undefined) return undefined;
  const { type, id } = cluster;
  const cidr = ownServiceRange(cluster);
  if (type === 'AWS::EKS::Cluster')
    return {
      name: `\${${id}}`,
      apiServerEndpoint: `\${${id}.Endpoint}`,
      certificateAuthority: `\${${id}.CertificateAuthorityData}`,
      cidr: cidr ?? (ipFamilyOf(cluster) === 'ipv6' ? `\${${id}.KubernetesNetworkConfig.ServiceIpv6Cidr}` : undefined),
    };
  const module = /^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*/.exec(id)?.[0] ?? '';
  const address = id.slice(module.length);
  if (type !== 'aws_eks_cluster' || /\[["*]/.test(address) || !beside.id.startsWith(`${module}${beside.type}.`))
    return undefined;
  return {
    name: `\${${address}.name}`,
    apiServerEndpoint: `\${${address}.endpoint}`,
    certificateAuthority: `\${${address}.certificate_authority[0].data}`,
    cidr: cidr ?? `\${${address}.kubernetes_network_config[0].service_${ipFamilyOf(cluster) ?? 'ipv4'}_cidr}`,
  };
}

/**
 * What a template is told by parameters of a cluster that stands elsewhere. `ClusterName` is what AWS's own template for nodes calls it
 * (amazon-eks-nodegroup.yaml); the others are called after what they hold in a NodeConfig. Source: awslabs/amazon-eks-ami, nodeadm/doc/api.md.
 */
export const OF_PARAMETERS: ClusterCoordinates & { readonly cidr: string } = {
  name: '${ClusterName}',
  apiServerEndpoint: '${ApiServerEndpoint}',
  certificateAuthority: '${CertificateAuthorityData}',
  cidr: '${ServiceCidr}',
};

/** These parameters, with the names that `aws eks describe-cluster` has for their values. */
export const TOLD_BY_DESCRIBE: ReadonlyMap<string, string> = new Map([
  ['ClusterName', 'name'],
  ['ApiServerEndpoint', 'endpoint'],
  ['CertificateAuthorityData', 'certificateAuthority.data'],
  ['ServiceCidr', 'kubernetesNetworkConfig.serviceIpv4Cidr'],
]);

/** The IPv4 service range that a cluster is given, where it is the same in every case. */
export function ownServiceRange(cluster: Cluster): string | undefined {
  const [first, ...others] = alternativesOf(cluster.serviceIpv4Cidr);
  return others.length === 0 && first?.value.kind === 'known' ? first.value.value : undefined;
}

function ipFamilyOf({ ipFamily }: Cluster): string | undefined {
  const [first, ...others] = alternativesOf(ipFamily);
  return others.length === 0 && first?.value.kind === 'known' ? first.value.value : undefined;
}

/** Whether user data stands in the file of a template, which can fill references into all of it. */
export function isOfTemplate(text: SourceText, beside: Resource): boolean {
  return (
    beside.dialect.name === 'cloudformation' &&
    text.text !== '' &&
    text.sourceAt(0).locate().file === beside.source.locate().file
  );
}

/**
 * Whether `${…}` in new lines of user data is filled in: in a text of Terraform in the module of the resource, but not in a file for `templatefile()`,
 * and in a template of CloudFormation below `Fn::Sub`, which shows by what is filled in already.
 */
export function fillsReferences(text: SourceText, beside: Resource): boolean {
  if (text.text === '') return false;
  const { file } = text.sourceAt(0).locate();
  const own = beside.source.locate().file;
  const isOfModule = /\.(?:tf|tofu)$/.test(file) && folderOf(file) === folderOf(own);
  if (file !== own && !(beside.dialect.name === 'terraform' && isOfModule)) return false;
  return beside.dialect.name === 'terraform' || text.unknownParts.some(({ unknown }) => unknown.text?.startsWith('${'));
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
}
