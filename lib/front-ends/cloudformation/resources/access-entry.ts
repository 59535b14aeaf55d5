import type { AccessEntry } from '../../../eks';
import { ACCESS_ENTRY } from '../../../eks/resources/access';
import { byTable } from './by-table';

/** `AWS::EKS::AccessEntry`. */
export class EksAccessEntry extends byTable(ACCESS_ENTRY) implements AccessEntry {
  readonly kind = 'access-entry';
}
