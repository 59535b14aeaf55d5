import { Fn } from 'aws-cdk-lib';
import type { BootstrapEngine } from '../engine-neutral/node-options';
import { cdkTokens } from './tokens';

/** What CDK and CloudFormation do in their own way for the bootstrap of nodes. */
export const bootstrapEngine: BootstrapEngine = {
  tokens: cdkTokens,
  serviceCidrAdvice:
    'neither the cluster nor CloudFormation tells it; set serviceCidr here, or serviceIpv4Cidr on a new cluster',
  detailsAdvice: 'give clusterEndpoint and clusterCertificateAuthorityData to fromClusterAttributes',
  // CloudFormation computes the address as nodeadm does, from the text of the range, which begins at its boundary.
  dnsAddress: (cidr, ipFamily) => {
    if (ipFamily === 'ipv6') return `${Fn.select(0, Fn.split('/', cidr))}a`;
    const octets = Fn.split('.', cidr);
    return `${[0, 1, 2].map((index) => Fn.select(index, octets)).join('.')}.10`;
  },
};
