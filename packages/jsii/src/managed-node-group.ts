import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as eks from 'aws-cdk-lib/aws-eks';
import type * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { BottlerocketSettings, NodeConfig, ManagedNodeGroup as Group, type NodeGroup } from './engine';
import { withoutUndefined } from './given';
import type { ManagedNodeGroupProps } from './managed-node-group-props';

/**
 * A managed node group with a launch template of its own, safe by default: IMDSv2 only with a hop limit that lets pods through, an explicit AMI type of the
 * right architecture, encrypted gp3 volumes, edits of the template that roll out, updates that respect pod disruption budgets, and a node role without
 * more permissions than the nodes need.
 *
 * Options that can't work together on AWS are refused at construction.
 */
export class ManagedNodeGroup extends Construct implements ec2.IConnectable {
  /** The node group itself, for properties that this construct doesn't have. */
  public readonly nodegroup: eks.CfnNodegroup;

  /** Name of the node group. */
  public readonly nodegroupName: string;

  /** ARN of the node group. */
  public readonly nodegroupArn: string;

  /** The launch template of the nodes. */
  public readonly launchTemplate: ec2.LaunchTemplate;

  /** Role of the nodes. */
  public readonly role: iam.IRole;

  /** Undefined with an AMI of your own. */
  public readonly amiType?: string;

  /** The user data of the launch template; undefined if it has none. */
  public readonly userData?: string;

  private readonly group: NodeGroup;

  /**
   * @param scope where it is defined
   * @param id its name there
   * @param props its options; what can't work on AWS is an error at once
   */
  constructor(scope: Construct, id: string, props: ManagedNodeGroupProps) {
    super(scope, id);
    // The name leaves logical ids as they are in apps in TypeScript.
    this.group = new Group(this, 'Default', optionsOf(props) as never);
    this.nodegroup = this.group.nodegroup;
    this.nodegroupName = this.group.nodegroupName;
    this.nodegroupArn = this.group.nodegroupArn;
    this.launchTemplate = this.group.launchTemplate;
    this.role = this.group.role;
    this.amiType = this.group.amiType;
    this.userData = this.group.userData;
  }

  /** Who the nodes may talk to: rules name the group's security groups, and without any the cluster's. */
  public get connections(): ec2.Connections {
    return this.group.connections;
  }
}

/** The options in the words of eks-guardrails. Two of them are keywords of other languages. */
function optionsOf(props: ManagedNodeGroupProps): object {
  const { customAmiId, nodeConfig, bottlerocketSettings, volume, remoteAccess, ...options } = props;
  if (customAmiId !== undefined && options.customAmi !== undefined)
    throw new Error('customAmi and customAmiId both name the AMI: leave one of them out');
  const { volumeType, ...otherwise } = volume ?? {};
  return withoutUndefined({
    ...options,
    customAmi: customAmiId ?? options.customAmi,
    nodeConfig: nodeConfig && new NodeConfig(nodeConfig as never),
    bottlerocketSettings: bottlerocketSettings && new BottlerocketSettings({ settings: bottlerocketSettings } as never),
    volume: volume && withoutUndefined({ ...otherwise, type: volumeType }),
    remoteAccess: remoteAccess && { keyPair: remoteAccess.keyPair, from: remoteAccess.allowedFrom },
  });
}
