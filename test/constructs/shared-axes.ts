import { CniPermissions } from '../../constructs/engine-neutral/node-group-options';
import { RepairAction, UpdateStrategy, WarmPoolState } from '../../constructs/engine-neutral/node-update-options';
import { PodIdentityAgent, PodIdentityKind } from '../../constructs/engine-neutral/vpc-cni-options';

/* Values of options that the constructs of all engines have. */

/** Of `KarpenterRoles`; the first of each is that of somebody who says nothing. */
export const KARPENTER_AXES = {
  version: { plain: {}, '1.8.0': { version: '1.8.0' } },
  queue: { plain: {}, none: { interruptionQueue: false } },
  accessEntry: { plain: {}, yes: { accessEntry: true }, no: { accessEntry: false } },
  cni: {
    plain: {},
    'node role': { cniPermissions: CniPermissions.NODE_ROLE },
    'own role': { cniPermissions: CniPermissions.OWN_ROLE },
  },
  identity: {
    plain: {},
    'no association': { association: false },
    IRSA: { identity: PodIdentityKind.IRSA },
  },
  agent: {
    plain: {},
    install: { podIdentityAgent: PodIdentityAgent.INSTALL },
    elsewhere: { podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE },
  },
};

/** What `KarpenterRoles` refuses whatever the cluster. */
export const AGENT_WITH_IRSA = {
  of: ({ agent, identity }: Readonly<Record<'agent' | 'identity', string>>): boolean =>
    agent !== 'plain' && identity === 'IRSA',
  words: /podIdentityAgent is INSTALL and identity is IRSA/,
};

/** How EKS updates a managed node group, and repairs its nodes. */
export const UPDATES = [
  {},
  { updateStrategy: UpdateStrategy.MINIMAL, nodeRepair: {} },
  {
    warmPool: { minSize: 1, state: WarmPoolState.RUNNING },
    nodeRepair: {
      maxUnhealthyNodesPercentage: 30,
      overrides: [
        {
          condition: 'AcceleratedHardwareReady',
          reason: 'NvidiaXID64Error',
          waitMinutes: 5,
          action: RepairAction.REBOOT,
        },
      ],
    },
  },
];
