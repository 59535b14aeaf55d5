import { lazyTable, type Table } from './table';

/** Who assumes which role in EKS, and how. */
export interface ServicePrincipals {
  /** Action of IAM roles for service accounts. */
  readonly irsaAction: string;
  /** Audience of the tokens that EKS gives to pods. */
  readonly irsaAudience: string;
  readonly podIdentityPrincipal: string;
  /** A Pod Identity trust policy must allow both. */
  readonly podIdentityActions: readonly string[];
  /** Of these the one that isn't needed where the association disables session tags. */
  readonly podIdentityTagAction: string;
  readonly clusterPrincipal: string;
  /** EC2's service principal by partition, as AWS's own tools write it; `ec2.amazonaws.com` is accepted in all of them. */
  readonly nodePrincipal: Readonly<Record<string, string>>;
  readonly fargatePrincipal: string;
  /** What the cluster role's trust policy must allow besides `sts:AssumeRole` in EKS Auto Mode. */
  readonly autoModeExtraClusterAction: string;
}

const load = lazyTable('service-principals.json', (table: ServicePrincipals & Table) => ({ principals: table }));

export function servicePrincipals(): ServicePrincipals {
  return load().principals;
}
