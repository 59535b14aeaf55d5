import { alternativesOf, type Cluster, type ClusterView, type EksModel, type KubernetesManifest } from '../../../eks';
import { EntryHolders } from '../../../eks/analysis/aws-auth';
import { serviceTrustCases } from './given-roles';
import { nodePrincipals } from './service-roles';

/** What the input tells of those that `aws-auth` maps. */
export interface Holders {
  /**
   * Whether an access entry lets them in, one that EKS makes for the nodes of managed groups among them: it goes by that, and not by the ConfigMap.
   * Source: Amazon EKS user guide, "Grant IAM users and roles access to Kubernetes APIs".
   */
  isLetIn(arn: string): boolean;
  /** Whether it is a role that no instance can have. */
  isOfNoNodes(arn: string): boolean;
}

export function holdersOf(view: ClusterView, manifest: KubernetesManifest, model: EksModel): Holders {
  const both = view.cluster !== undefined && goesByBoth(view.cluster);
  // Without a word of the mode, entries of the input show that it takes them.
  const holders = new EntryHolders(both ? view : { ...view, nodeGroups: [], strays: [] }, model.roles);
  return {
    isLetIn: (arn) => holders.lets(arn, manifest) === 'in',
    isOfNoNodes: (arn) => {
      const role = holders.roleOf(arn, manifest);
      return (
        role !== undefined && serviceTrustCases(role, nodePrincipals()).every(({ answer }) => answer === 'refused')
      );
    },
  };
}

function goesByBoth({ authenticationMode }: Cluster): boolean {
  return alternativesOf(authenticationMode).every(
    ({ value }) => value.kind === 'known' && value.value === 'API_AND_CONFIG_MAP',
  );
}
