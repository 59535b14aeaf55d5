import { nodeConfigValue } from '../../../lib/rules/node-bootstrap/node-config-value';
import { CLUSTER, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  booting,
  clusterBlock,
  mime,
  nodeConfig,
  nodeConfigPart,
  OWN_AMI,
  SELF_MANAGED,
  shellPart,
  withEksAmi,
  withOwnAmi,
} from './user-data-templates';

function own(...spec: readonly string[]): string {
  return withOwnAmi(mime(nodeConfigPart(clusterBlock(), ...spec)));
}

function strategy(text: string): string {
  return `instance:\n  localStorage: { strategy: ${text} }`;
}

function maxPods(text: string): string {
  return `kubelet:\n  config:\n    maxPods: ${text}`;
}

testRule(nodeConfigValue, {
  valid: [
    { name: 'a strategy in lower case', template: own(strategy('raid0')) },
    { name: 'no strategy, in words', template: own(strategy('none')) },
    { name: 'a strategy where EKS adds the bootstrap', template: withEksAmi(mime(nodeConfigPart(strategy('RAID10')))) },
    { name: 'an empty strategy', template: own(strategy("''")) },
    { name: '110 pods', template: own(maxPods('110')) },
    { name: '250 pods', template: own(maxPods('250')) },
    {
      name: 'mounts and feature gates that nodeadm knows',
      template: own(
        'featureGates: { InstanceIdNodeName: true, FastImagePull: false }',
        'instance:\n  localStorage: { strategy: RAID0, disabledMounts: [Containerd, PodLogs, SOCI] }',
      ),
    },
    {
      name: 'a number that is decided at deployment',
      template: template(
        'Parameters:\n  Pods: { Type: Number }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(nodeConfig(clusterBlock(), maxPods('${Pods}')), OWN_AMI),
      ),
    },
    {
      name: 'a strategy that is decided at deployment',
      template: template(
        'Parameters:\n  Raid: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(nodeConfig(clusterBlock(), strategy('"${Raid}"')), OWN_AMI),
      ),
    },
    {
      name: 'a bad value that a later part overrides',
      template: withOwnAmi(mime(nodeConfigPart(clusterBlock(), strategy('RAID5')), nodeConfigPart(strategy('RAID0')))),
    },
    { name: 'a number of pods that EKS sets anew', template: withEksAmi(mime(nodeConfigPart(maxPods('"110"')))) },
    {
      name: 'feature gates of kubelet are no feature gates of nodeadm',
      template: own('kubelet:\n  config:\n    featureGates: { SomeGate: true }'),
    },
  ],
  invalid: [
    {
      name: 'a strategy that the script does not know',
      template: own(strategy('RAID5')),
      findings: [
        {
          message: 'strategy',
          severity: 'error',
          resource: 'Nodes',
          at: 'strategy:',
          related: ['LaunchTemplate:'],
          says: ['`spec.instance.localStorage.strategy` on line 16', '"RAID5"', 'RAID0, RAID10, Mount', 'never join'],
        },
      ],
      fixed: own(strategy('RAID10')),
    },
    {
      name: 'the same where EKS adds the bootstrap',
      template: withEksAmi(mime(nodeConfigPart(strategy('raid1')))),
      findings: [{ message: 'strategy', severity: 'error', resource: 'Nodes', at: 'strategy:' }],
    },
    {
      name: 'a feature gate in the wrong case',
      template: own('featureGates:\n  instanceIdNodeName: true'),
      findings: [
        {
          message: 'noEffect',
          severity: 'warning',
          resource: 'Nodes',
          at: 'instanceIdNodeName:',
          related: ['LaunchTemplate:'],
          says: ['InstanceIdNodeName, FastImagePull', 'passes over'],
        },
      ],
      fixed: own('featureGates:\n  InstanceIdNodeName: true'),
    },
    {
      name: 'a mount that nodeadm does not know',
      template: own('instance:\n  localStorage:\n    strategy: RAID0\n    disabledMounts:\n      - kubelet'),
      findings: [
        {
          message: 'noEffect',
          severity: 'warning',
          resource: 'Nodes',
          at: 'kubelet',
          says: ['`spec.instance.localStorage.disabledMounts.0`', 'Containerd, PodLogs, SOCI'],
        },
      ],
    },
    {
      name: 'a number of pods in quotation marks',
      template: own(maxPods('"110"')),
      findings: [
        {
          message: 'maxPods',
          severity: 'warning',
          resource: 'Nodes',
          at: 'maxPods:',
          related: ['LaunchTemplate:'],
          says: ['a number is needed'],
        },
      ],
      fixed: own(maxPods('110')),
    },
    {
      name: 'no pods at all',
      template: own(maxPods('0')),
      findings: [
        {
          message: 'maxPods',
          severity: 'warning',
          resource: 'Nodes',
          at: 'maxPods:',
          says: ['is 0; a whole number from 1 on is needed'],
        },
      ],
    },
    {
      name: 'more pods than AWS recommends, on a self-managed group',
      template: resources(CLUSTER, SELF_MANAGED, booting(nodeConfig(clusterBlock(), maxPods('500')), OWN_AMI)),
      findings: [
        {
          message: 'maxPods',
          severity: 'warning',
          resource: 'Nodes',
          at: 'maxPods:',
          says: ['500', 'no more than 250'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    { name: 'a NodeConfig that can not be read', template: withOwnAmi(mime(nodeConfigPart('\tcluster:'))) },
    { name: 'a script', template: withEksAmi(mime(shellPart('echo'))) },
  ],
});
