import type { AccessEntry } from '../../../eks';
import { ACCESS_ENTRY } from '../../../eks/resources/access';
import { Absent } from '../../../value';
import { byTable } from './by-table';

/** `aws_eks_access_entry`; its policies are resources of their own. */
export class EksAccessEntry extends byTable(ACCESS_ENTRY) implements AccessEntry {
  readonly kind = 'access-entry';

  get policies(): Absent {
    return new Absent(this.source);
  }
}
