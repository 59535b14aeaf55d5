import { defineRule } from '../../engine';
import { dataAt, Unknown } from '../../eks';
import { nodeConfigDropIns } from '../../eks/user-data/bootstrap-script';
import type { UserDataDocument } from '../../eks/user-data/document';
import { overriddenByEks } from '../../eks/user-data/node-config';
import { readShell } from '../../eks/user-data/shell';
import { NODES_ROLL } from '../parts/repair-effects';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { correctedIn, judgeNodeConfigs, placeOfMerged, type NodeConfigBoot } from './parts/node-config-judgements';

/*
 * Where EKS brings the bootstrap, it adds a NodeConfig of its own. Of two that set the same field, nodeadm takes the last; but which one that is,
 * sources tell differently, so what hangs on the order is only remarked. `config.maxPods` beats an expression in whatever order.
 * Sources: terraform-aws-modules/terraform-aws-eks, docs/user_data.md, and eksctl, "Node bootstrapping" (EKS appends); eksctl-io/eksctl,
 * integration/tests/crud/creategetdelete_test.go (the user's value counts); awslabs/amazon-eks-ami, issue 1988 (EKS's comes first), and
 * nodeadm/internal/kubelet/config.go.
 */

const CODE = {
  cloudformation: [
    '# a shell part of the user data; AMIs from v20251023 on',
    '#!/bin/bash',
    'mkdir -p /etc/eks/nodeadm.d',
    "cat > /etc/eks/nodeadm.d/50-kubelet.yaml <<'EOF'",
    'apiVersion: node.eks.aws/v1alpha1',
    'kind: NodeConfig',
    'spec:',
    '  kubelet:',
    '    config:',
    '      maxPods: 110',
    'EOF',
  ].join('\n'),
  'aws-cdk': [
    "// ManagedNodeGroup from 'eks-guardrails/aws-cdk' with an AMI of your own writes the whole bootstrap",
    "new ManagedNodeGroup(this, 'Workers', { cluster, customAmi, maxPods: 110 });",
  ].join('\n'),
  terraform: [
    '# the launch template names the AMI, and the NodeConfig the whole cluster',
    'image_id = data.aws_ssm_parameter.eks_ami.value',
  ].join('\n'),
};

const FIX = {
  summary:
    'Look at the nodes with `kubectl get node -o yaml`. To be sure, remove the setting; or write it to a file under `/etc/eks/nodeadm.d` in a shell part; or name an AMI and bring the whole NodeConfig.',
  summaryIn: {
    eksctl:
      'Look at the nodes with `kubectl get node -o yaml`. To be sure, take the setting out; or write it to a file under `/etc/eks/nodeadm.d` in one of `preBootstrapCommands`; or move the group to `nodeGroups`, whose nodes EKS tells nothing; or name an `ami`, and bring the setting in the NodeConfig of `overrideBootstrapCommand`.',
  },
  code: CODE,
  safety: 'needs-decision',
  effect: NODES_ROLL,
  repairs: [{ kind: 'lines', field: 'userData' }],
} as const;

export const nodeConfigOverridden = defineRule<Message>({
  id: 'node-config-overridden',
  subject: 'node-bootstrap',
  title: 'A NodeConfig sets nothing that the NodeConfig of EKS or Karpenter sets, too',
  severity: 'warning',
  since: '0.1.0',
  messages: {
    overridden: {
      text: "{{where}} sets {{what}}, but names no AMI, so EKS adds a NodeConfig with `maxPods`, which nodeadm prefers to an expression. The nodes run with EKS's value.",
      fix: FIX,
    },
    mayBeOverridden: {
      text: "{{where}} sets {{what}}, but names no AMI, so EKS adds a NodeConfig that sets it, too. Of the two the last one counts, and AWS doesn't document which that is: the nodes may run with EKS's value.",
      fix: FIX,
    },
    nodeClass: {
      text: "{{where}} sets `{{path}}` in its user data (line {{line}}), but Karpenter's own NodeConfig comes later and sets it again. The nodes run with Karpenter's value.",
      fix: {
        summary:
          'Set `{{key}}` in `spec.kubelet` of the EC2NodeClass, which Karpenter also counts with, and take it out of the user data.',
        code: { kubernetes: '# in the spec of the EC2NodeClass:\nkubelet:\n  {{key}}: {{value}}' },
        safety: 'needs-decision',
      },
    },
    flag: {
      text: "{{where}} passes `--max-pods` to kubelet (line {{line}} of the user data), besides the number that EKS sets. nodeadm lets the flag win over whatever NodeConfigs say; what EKS makes of it isn't documented.",
      fix: {
        summary:
          'Compare `kubectl get node -o yaml` with the flag; the documented way is an AMI of your own with the whole NodeConfig.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeNodeConfigs(model, judge);
  },
});

type Message = 'overridden' | 'mayBeOverridden' | 'nodeClass' | 'flag';

function judge({ boot, document, configs, isMerged }: NodeConfigBoot): readonly LaunchOutcome<Message>[] {
  const { when } = boot;
  if (!isMerged) return passing(when);
  const { merged } = configs;
  const all = overriddenByEks(merged);
  const concerned = boot.bootstrapBy === 'karpenter' ? all.filter(({ path }) => BY_KARPENTER.has(path)) : all;
  const overridden = concerned.filter(({ decides }) => decides !== 'unknown');
  if (overridden.length === 0)
    return concerned.length === 0 && merged.unknown === undefined && merged.unreadable.length === 0
      ? passing(when)
      : [];
  if (writesDropIn(document)) return passing(when);
  return overridden.map(({ path, decides }): LaunchOutcome<Message> => {
    const { source, line } = placeOfMerged(configs, path);
    if (boot.bootstrapBy === 'karpenter') {
      const key = path.slice(path.lastIndexOf('.') + 1);
      const written = dataAt(merged.data, ...path.split('.'));
      const value = written instanceof Unknown ? '…' : JSON.stringify(written);
      return { verdict: 'fail', message: 'nodeClass', source, data: { line, path, key, value }, about: path, when };
    }
    if (decides === 'flag') return { verdict: 'fail', message: 'flag', severity: 'info', source, data: { line }, when };
    const reading = merged.origin(path)?.reading;
    const corrected = reading === undefined ? {} : correctedIn(reading, reading.without(path));
    const key = MADE_BY_EKSCTL.exec(source.locate().property ?? '')?.[0];
    const what =
      key === undefined
        ? `\`${path}\` (line ${line} of the user data)`
        : `\`${key}\`, of which eksctl makes a NodeConfig with \`${path}\``;
    const level =
      decides === 'order'
        ? ({ message: 'mayBeOverridden', severity: 'info' } as const)
        : { message: 'overridden' as const };
    return { verdict: 'fail', ...level, source, data: { what }, about: path, ...corrected, when };
  });
}

/** The setting of a group in a ClusterConfig that becomes a NodeConfig. Source: eksctl, nodebootstrap/al2023.go. */
const MADE_BY_EKSCTL = /^maxPodsPerNode$|(?<=\.)maxPodsPerNode$/;

/**
 * What Karpenter's NodeConfig sets in any case.
 * Source: aws/karpenter-provider-aws, pkg/providers/amifamily/resolver.go and bootstrap/nodeadm.go; website, "NodeClasses", spec.userData.
 */
const BY_KARPENTER: ReadonlySet<string> = new Set(['spec.kubelet.config.maxPods', 'spec.kubelet.config.clusterDNS']);

function writesDropIn({ parts }: UserDataDocument): boolean {
  return parts.some(
    (part) =>
      part.readByCloudInit &&
      (part.kind === 'shell-script' || part.kind === 'boothook') &&
      nodeConfigDropIns(readShell(part.body)).length > 0,
  );
}
