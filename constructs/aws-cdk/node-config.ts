import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { renderMime, type MimePart } from '../../lib/eks/user-data/mime/render';
import type { NodeConfigSpec } from '../../lib/eks/user-data/node-config';
import { NodeConfigDocument } from '../engine-neutral/node-config';
import { cdkTokens } from './tokens';

/**
 * Configuration of nodeadm, the bootstrap of Amazon Linux 2023 nodes, checked against its schema when it is made.
 *
 * nodeadm itself drops fields that it doesn't know without a word, and throws all configuration away when one value has the
 * wrong type. Values may hold CDK tokens.
 *
 * @example
 * new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '60s' }, flags: ['--node-labels=tier=web'] } });
 */
export class NodeConfig extends NodeConfigDocument {
  /** @throws ConstructionError listing every field that nodeadm would drop or choke on */
  constructor(spec: NodeConfigSpec) {
    super(spec, cdkTokens);
  }

  /**
   * The NodeConfig as user data of its own, in MIME multipart: what EKS demands of launch templates without an AMI, and what
   * nodeadm and cloud-init both read. For launch templates that aren't made by `ManagedNodeGroup`.
   * @param others parts to put behind it, such as `{ type: 'text/x-shellscript', body: '#!/bin/bash\n…' }`
   */
  toUserData(...others: readonly MimePart[]): ec2.UserData {
    return ec2.UserData.custom(renderMime([this.toMimePart(), ...others]));
  }
}
