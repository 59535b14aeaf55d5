import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { BottlerocketDocument, type BottlerocketSettingsProps } from '../engine-neutral/bottlerocket-settings';
import { cdkTokens } from './tokens';

export type { BottlerocketHostContainer, BottlerocketSettingsProps } from '../engine-neutral/bottlerocket-settings';

/**
 * Settings of Bottlerocket nodes, checked when they are made.
 *
 * Bottlerocket stops booting at user data that it can't read. Labels and taints belong to the node group, which knows who has to write
 * them. Values may hold CDK tokens.
 *
 * @example
 * new BottlerocketSettings({ hostContainers: { admin: { enabled: true } }, sysctl: { 'vm.max_map_count': '262144' } });
 */
export class BottlerocketSettings extends BottlerocketDocument {
  /** @throws ConstructionError listing every setting at which Bottlerocket stops, and every one that is set twice */
  constructor(props: BottlerocketSettingsProps) {
    super(props, cdkTokens);
  }

  /** The settings as user data of their own, for launch templates that aren't made by `ManagedNodeGroup`. */
  toUserData(): ec2.UserData {
    return ec2.UserData.custom(this.toToml());
  }
}
