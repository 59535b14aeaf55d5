import type { AccessEntry } from '../../../eks';
import { ACCESS_ENTRY } from '../../../eks/resources/access';
import { Absent, type Value } from '../../../value';
import { byTable } from './by-table';

/** `aws_eks_access_entry`; its policies are resources of their own. */
export class EksAccessEntry extends byTable(ACCESS_ENTRY) implements AccessEntry {
  readonly kind = 'access-entry';

  /** States and plans tell the groups that EKS itself has given to an entry for nodes, once it is made and has its ARN and id. */
  override get groups(): Value<readonly Value<string>[]> {
    const groups = super.groups;
    const isMade = ['access_entry_arn', 'id'].some((name) => this.attributes.text(name).kind === 'known');
    return isMade && isOfNodes(this.entryType) ? new Absent(this.source) : groups;
  }

  get policies(): Absent {
    return new Absent(this.source);
  }
}

function isOfNodes(type: Value<string>): boolean {
  return type.kind === 'known' && type.value !== 'STANDARD';
}
