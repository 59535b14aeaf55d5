import type * as eks from 'aws-cdk-lib/aws-eks';
import type * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { VpcCniAddon as Addon } from './engine';
import { withoutUndefined } from './given';
import type { VpcCniAddonProps } from './vpc-cni-addon-props';

/**
 * The managed add-on of the Amazon VPC CNI, safe by default: updates keep what was changed in the cluster, the version is pinned, every setting stands in the
 * configuration values and fits that version's schema, deleting the stack leaves the CNI in the cluster, and the CNI has a role of its own.
 */
export class VpcCniAddon extends Construct {
  /** The add-on itself, for properties that this construct doesn't have. */
  public readonly addon: eks.CfnAddon;

  /** The CNI's role; undefined with `useNodeRole`. */
  public readonly role?: iam.IRole;

  /** Version of the add-on. */
  public readonly version: string;

  /** What the add-on is configured with, before it is written as JSON. */
  public readonly configuration: { [name: string]: any };

  /**
   * @param scope where it is defined
   * @param id its name there
   * @param props its options; what can't work on AWS, and keys that the version's schema doesn't have, are errors at once
   */
  constructor(scope: Construct, id: string, props: VpcCniAddonProps) {
    super(scope, id);
    // The name leaves logical ids as they are in apps in TypeScript.
    const { addon, role, version, configuration } = new Addon(this, 'Default', withoutUndefined(props) as never);
    this.addon = addon;
    this.role = role;
    this.version = version;
    this.configuration = { ...configuration };
  }
}
