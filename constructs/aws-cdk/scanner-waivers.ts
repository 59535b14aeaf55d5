import type { IConstruct } from 'constructs';
import { HOP_LIMIT_NOTE } from '../engine-neutral/managed-node-group';
import { acknowledgeForNag } from './acknowledgements';

/** Context in which `false` leaves the waivers out, such as in cdk.json. */
const SWITCH = 'eks-guardrails:scannerWaivers';

/**
 * The control CT.EC2.PR.2 of AWS Control Tower asks for a hop limit of 1. Its rule in cfn-guard looks for no waiver in the template; in synthesis, the CDK takes
 * acknowledged findings of any plugin out of its report. Source: cdklabs/cdk-validator-cfnguard, rules/control-tower/cfn-guard/ec2/ct-ec2-pr-2.guard, src/plugin.ts.
 */
const HOP_LIMIT_OF_CFN_GUARD = 'cdk-validator-cfnguard::ec2_launch_template_token_hop_limit_check';

/** Tells other tools why a launch template has a hop limit of 2. */
export function waiveHopLimit(template: IConstruct): void {
  if (template.node.tryGetContext(SWITCH) === false) return;
  acknowledgeForNag(template, { id: HOP_LIMIT_OF_CFN_GUARD, reason: HOP_LIMIT_NOTE });
}
