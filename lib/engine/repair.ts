import type { CorrectedLines } from '../eks/user-data/correction';

/** A setting of a resource, as the model calls it. What it is called in an input is for `lib/fixes` to know. */
type RepairField =
  | 'amiType'
  | 'apiVersion'
  | 'capacityType'
  | 'configuration'
  | 'consolidationPolicy'
  | 'diskSize'
  | 'forceUpdate'
  | 'hibernation'
  | 'instanceProfile'
  | 'instanceType'
  | 'instanceTypes'
  | 'launchTemplate'
  | 'launchTemplate.name'
  | 'launchTemplate.version'
  | 'managedPolicies'
  | 'mapRoles'
  | 'metadata.hopLimit'
  | 'metadata.httpEndpoint'
  | 'metadata.httpTokens'
  | 'metadata.instanceTags'
  | 'networkInterfaces.subnet'
  | 'nodeClassGroup'
  | 'preserveOnDelete'
  | 'releaseVersion'
  | 'remoteAccess'
  | 'resolveConflictsOnUpdate'
  | 'shutdownBehavior'
  | 'supportType'
  | 'trustPolicy'
  | 'type'
  | 'updateConfig.maxUnavailable'
  | 'updateConfig.maxUnavailablePercentage'
  | 'updateConfig.strategy'
  | 'userData'
  | 'version';

/** A change of the finding's resource that a machine can make. Texts may hold `{{placeholders}}` like the message. */
export type Repair =
  /** `unlessSet`: what is written there already stays. `unlessExplained`: it stays where a comment beside it may say why. */
  | {
      readonly kind: 'set';
      readonly field: RepairField;
      readonly to: string | number | boolean;
      readonly unlessSet?: boolean;
      readonly unlessExplained?: boolean;
    }
  /** A list of texts in a template, which is JSON here, takes the place of the one that is there, item by item. Without it there is no repair. */
  | { readonly kind: 'setList'; readonly field: RepairField; readonly to: string }
  /** `ifSet`: what isn't there needn't go. */
  | { readonly kind: 'remove'; readonly field: RepairField; readonly ifSet?: boolean }
  /**
   * The setting becomes an attribute of another resource, which stands in the same template or module.
   * `cloudFormation` is `<logical id>.<attribute>`, `terraform` an expression; what is empty can't be written there.
   */
  | { readonly kind: 'refer'; readonly field: RepairField; readonly cloudFormation: string; readonly terraform: string }
  /** What is written there gets around it what makes Base64 of it. */
  | { readonly kind: 'encode'; readonly field: RepairField }
  /** A node group without launch template gets one beside it, which requires tokens and has a hop limit of 2. */
  | { readonly kind: 'newTemplate'; readonly field: 'launchTemplate' }
  /** Of a setting that holds JSON: the value at a path (`env.WARM_IP_TARGET`) becomes `to`, which is JSON too. Without it there is no repair. */
  | { readonly kind: 'setData'; readonly field: RepairField; readonly at: string; readonly to: string }
  /** Of a setting that holds a text: lines of the file become what the judgement says. Without that there is no repair. */
  | { readonly kind: 'lines'; readonly field: RepairField; readonly lines?: CorrectedLines }
  /** Of a setting that holds JSON: the value at a path moves to another. */
  | { readonly kind: 'moveData'; readonly field: RepairField; readonly at: string; readonly to: string }
  /** Of a setting that holds JSON: the last key of a path becomes `to`, whatever it holds. Without that there is no repair. */
  | { readonly kind: 'renameData'; readonly field: RepairField; readonly at: string; readonly to: string }
  /** Of a setting that holds JSON: what is at a path goes. */
  | { readonly kind: 'removeData'; readonly field: RepairField; readonly at: string }
  /** A role of a template gets a policy of AWS. */
  | { readonly kind: 'attachPolicy'; readonly field: 'managedPolicies'; readonly policy: string }
  /** Where the trust policy of a role in a template has one text, it has another one, too. */
  | { readonly kind: 'trustToo'; readonly field: 'trustPolicy'; readonly beside: string; readonly text: string };

/** A change of a setting that holds JSON. */
export type DataRepair = Extract<Repair, { kind: 'setData' | 'moveData' | 'renameData' | 'removeData' }>;

/** A repair with its placeholders filled; undefined if the value that it would write isn't known. */
export function filledRepair(
  repair: Repair,
  fill: (template: string) => string,
  corrected?: CorrectedLines,
): Repair | undefined {
  switch (repair.kind) {
    case 'remove':
    case 'encode':
    case 'newTemplate':
    case 'attachPolicy':
      return repair;
    case 'removeData':
      return { ...repair, at: fill(repair.at) };
    case 'trustToo': {
      const filled = { ...repair, beside: fill(repair.beside), text: fill(repair.text) };
      return filled.beside === '' || filled.text === '' ? undefined : filled;
    }
    case 'lines':
      return corrected === undefined ? undefined : { ...repair, lines: corrected };
    case 'refer': {
      const filled = { ...repair, cloudFormation: fill(repair.cloudFormation), terraform: fill(repair.terraform) };
      return filled.terraform === '' && filled.cloudFormation === '' ? undefined : filled;
    }
    case 'setList': {
      const to = fill(repair.to);
      return to === '' ? undefined : { ...repair, to };
    }
    case 'set': {
      const to = typeof repair.to === 'string' ? fill(repair.to) : repair.to;
      return to === '' ? undefined : { ...repair, to };
    }
    case 'setData':
    case 'moveData':
    case 'renameData': {
      const filled = { ...repair, at: fill(repair.at), to: fill(repair.to) };
      return filled.to === '' ? undefined : filled;
    }
  }
}
