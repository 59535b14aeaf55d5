import type { IConstruct } from 'constructs';
import type { MaxPodsMode } from '../../lib/eks/networking';

/** The vpc-cni add-on of a cluster. */
export interface CniMember {
  readonly construct: IConstruct;
  readonly hasOwnRole: boolean;
  /** How it gives addresses to pods. */
  readonly maxPodsMode: MaxPodsMode;
  /** Whether it gives pods security groups of their own; true as well when that is decided at deployment. */
  readonly podSecurityGroups: boolean;
  /** Whether it manages the addresses of Windows nodes. */
  readonly windowsIpam: boolean;
  /** Whether it gives Windows nodes prefixes. */
  readonly windowsPrefixDelegation: boolean;
}
