import { Fn } from 'cdktf';
import type { BootstrapEngine } from '../engine-neutral/node-options';
import { cdktfTokens } from './tokens';

/** What CDKTF and Terraform do in their own way for the bootstrap of nodes. */
export const bootstrapEngine: BootstrapEngine = {
  tokens: cdktfTokens,
  serviceCidrAdvice: "the cluster's attributes don't tell it; set serviceCidr here or there",
  detailsAdvice: "give endpoint and certificateAuthority in the cluster's attributes",
  dnsAddress: (cidr) => Fn.cidrhost(cidr, 10),
};
