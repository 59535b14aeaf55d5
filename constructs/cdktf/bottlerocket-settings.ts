import { BottlerocketDocument, type BottlerocketSettingsProps } from '../engine-neutral/bottlerocket-settings';
import { cdktfTokens } from './tokens';
import { userDataInBase64 } from './user-data-text';

export type { BottlerocketHostContainer, BottlerocketSettingsProps } from '../engine-neutral/bottlerocket-settings';

/**
 * Settings of Bottlerocket nodes, checked when they are made.
 *
 * Bottlerocket stops booting at user data that it can't read. Labels and taints belong to the node group, which knows who has to write
 * them. Values may hold CDKTF tokens.
 *
 * @example
 * new BottlerocketSettings({ hostContainers: { admin: { enabled: true } }, sysctl: { 'vm.max_map_count': '262144' } });
 */
export class BottlerocketSettings extends BottlerocketDocument {
  /** @throws ConstructionError listing every setting at which Bottlerocket stops, and every one that is set twice */
  constructor(props: BottlerocketSettingsProps) {
    super(props, cdktfTokens);
  }

  /** The settings in base64, as `userData` of a launch template takes them. For launch templates that aren't made by `ManagedNodeGroup`. */
  toUserData(): string {
    return userDataInBase64(this.toToml());
  }
}
