/*
 * What repairs that need a decision do to what runs, as the command tells it before it writes them.
 */

/** Of a setting in a launch template. */
export const NODES_ROLL =
  'makes a new version of the launch template: groups that follow it replace all their nodes, which evicts the pods';

/** Of what a node group can't change while it exists. */
export const GROUP_REPLACED = 'replaces the node group with all its nodes, which evicts the pods';

/** Of a setting of a node group that tells how updates go. */
export const LATER_UPDATES = 'changes nothing that runs, only how later updates go';

/** Of the configuration of an add-on, or of the DaemonSet that somebody installs himself. */
export const ADDON_ROLLS = 'changes the settings of the add-on or DaemonSet, which restarts its pods on every node';

/** Of the version of an add-on. */
export const ADDON_VERSION = 'updates the add-on to that version, if it runs with another one';

/** Of a role. */
export const WIDENED = 'gives the role more permissions, with the next deployment';

/** Of a trust policy. */
export const TRUSTED = 'lets pods of one more service account use the role, with the next deployment';
