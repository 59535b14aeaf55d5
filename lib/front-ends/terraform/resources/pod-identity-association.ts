import type { PodIdentityAssociation } from '../../../eks';
import { POD_IDENTITY_ASSOCIATION } from '../../../eks/resources/access';
import { byTable } from './by-table';

/** `aws_eks_pod_identity_association`. */
export class EksPodIdentityAssociation extends byTable(POD_IDENTITY_ASSOCIATION) implements PodIdentityAssociation {
  readonly kind = 'pod-identity-association';
}
