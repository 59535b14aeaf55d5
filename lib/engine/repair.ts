/** A setting of a resource, as the model calls it. What it is called in an input is for `lib/fix` to know. */
type RepairField =
  | 'amiType'
  | 'configuration'
  | 'hibernation'
  | 'instanceProfile'
  | 'launchTemplate.name'
  | 'metadata.hopLimit'
  | 'metadata.httpEndpoint'
  | 'metadata.httpTokens'
  | 'networkInterfaces.subnet'
  | 'preserveOnDelete'
  | 'resolveConflictsOnUpdate'
  | 'shutdownBehavior';

/** A change of the finding's resource that a machine can make. Texts may hold `{{placeholders}}` like the message. */
export type Repair =
  /** `unlessSet`: what is written there already stays. */
  | {
      readonly kind: 'set';
      readonly field: RepairField;
      readonly to: string | number | boolean;
      readonly unlessSet?: boolean;
    }
  | { readonly kind: 'remove'; readonly field: RepairField }
  /** Of a setting that holds JSON: the value at a path (`env.WARM_IP_TARGET`) becomes `to`, which is JSON too. Without it there is no repair. */
  | { readonly kind: 'setData'; readonly field: RepairField; readonly at: string; readonly to: string }
  /** Of a setting that holds JSON: the value at a path moves to another. */
  | { readonly kind: 'moveData'; readonly field: RepairField; readonly at: string; readonly to: string };

/** A repair with its placeholders filled; undefined if the value that it would write isn't known. */
export function filledRepair(repair: Repair, fill: (template: string) => string): Repair | undefined {
  switch (repair.kind) {
    case 'remove':
      return repair;
    case 'set':
      return typeof repair.to === 'string' ? { ...repair, to: fill(repair.to) } : repair;
    case 'setData':
    case 'moveData': {
      const filled = { ...repair, at: fill(repair.at), to: fill(repair.to) };
      return filled.to === '' ? undefined : filled;
    }
  }
}
