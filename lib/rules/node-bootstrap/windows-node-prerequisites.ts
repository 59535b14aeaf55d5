import { defineRule, resourceName, type Judgement, type RelatedPlace } from '../../engine';
import {
  alternativesOf,
  always,
  casesOf,
  linuxCapacityOf,
  Unknown,
  type Cluster,
  type ClusterView,
  type EksModel,
  type Resource,
  type When,
  distinct,
  without,
} from '../../eks';
import { listOf } from '../../text/in-words';
import { WindowsAccess, type AccessMessage, type AccessOutcome } from './parts/windows-access';
import { namesOf, windowsGroupsOf, type WindowsGroup } from './parts/windows-groups';

/*
 * What a cluster with Windows nodes needs besides them; the management of their pods' addresses is a rule of its own.
 * Source: Amazon EKS User Guide, "Deploy Windows nodes on EKS clusters".
 */

const OWN_ROLE = {
  cloudformation: 'NodeRole: !GetAtt WindowsNodeRole.Arn # of Windows nodes only',
  'aws-cdk':
    "// from 'eks-guardrails/aws-cdk': has a node role of its own\nnew WindowsNodeGroup(this, 'Windows', { cluster });",
  terraform: 'node_role_arn = aws_iam_role.windows_nodes.arn # of Windows nodes only',
};

export const windowsNodePrerequisites = defineRule<Message>({
  id: 'windows-node-prerequisites',
  subject: 'node-bootstrap',
  title: 'A cluster with Windows nodes has IPv4, Linux nodes, and lets kube-proxy of Windows in',
  severity: 'error',
  since: '0.1.0',
  messages: {
    ipv6: {
      text: 'Cluster "{{cluster}}" has IPv6 and Windows node groups: {{groups}}. EKS supports Windows with IPv4 only, so pods on these nodes get no addresses.',
      fix: {
        summary: "Put the Windows nodes into a cluster with IPv4; the IP family of a cluster can't be changed.",
        code: {
          terraform: 'kubernetes_network_config {\n  ip_family = "ipv4"\n}',
        },
        safety: 'needs-decision',
      },
    },
    linuxNodes: {
      text: 'Cluster "{{cluster}}" has Windows node groups ({{groups}}) and, as far as the input shows, nothing that runs Linux. CoreDNS and other add-ons stay pending without Linux nodes, so no name resolves in the cluster.',
      fix: {
        summary: 'Add a Linux node group, a Fargate profile or Auto Mode.',
        summaryIn: { eksctl: 'Add a group with Linux to `managedNodeGroups`, or a profile to `fargateProfiles`.' },
        code: {
          cloudformation: [
            'LinuxNodes:',
            '  Type: AWS::EKS::Nodegroup',
            '  Properties:',
            '    ClusterName: !Ref Cluster',
            '    NodeRole: !GetAtt LinuxNodeRole.Arn # not that of the Windows nodes',
            '    Subnets: [!Ref PrivateSubnetA, !Ref PrivateSubnetB]',
            '    AmiType: AL2023_x86_64_STANDARD',
            '    ScalingConfig: { MinSize: 2, MaxSize: 4 }',
          ].join('\n'),
          'aws-cdk':
            "import { ManagedNodeGroup } from 'eks-guardrails/aws-cdk';\n// behind the cluster:\nnew ManagedNodeGroup(this, 'Linux', { cluster });",
          terraform: [
            'resource "aws_eks_node_group" "linux" {',
            '  cluster_name  = aws_eks_cluster.main.name',
            '  node_role_arn = aws_iam_role.linux_nodes.arn # not that of the Windows nodes',
            '  subnet_ids    = var.private_subnet_ids',
            '  ami_type      = "AL2023_x86_64_STANDARD"',
            '  scaling_config {',
            '    desired_size = 2',
            '    min_size     = 2',
            '    max_size     = 4',
            '  }',
            '}',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    awsAuth: {
      text: '`aws-auth` maps the role {{role}} of Windows node groups ({{groups}}) without the Kubernetes group `eks:kube-proxy-windows`. {{effect}}',
      fix: {
        summary:
          'Give the role the group, beside `system:bootstrappers` and `system:nodes`; or let access entries decide (authentication mode API).',
        code: {
          terraform: [
            '# in mapRoles',
            'groups = ["system:bootstrappers", "system:nodes", "eks:kube-proxy-windows"]',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    accessEntry: {
      text: 'The access entry of the role {{role}}, which Windows node groups have ({{groups}}), has {{type}}. {{effect}}',
      fix: {
        summary:
          'Make it one of type EC2_WINDOWS; if Linux nodes have the same role, give the Windows nodes a role of their own.',
        code: {
          cloudformation: 'Type: EC2_WINDOWS',
          'aws-cdk': 'accessEntryType: eks.AccessEntryType.EC2_WINDOWS,',
          terraform:
            'resource "aws_eks_access_entry" "windows_nodes" {\n  cluster_name  = aws_eks_cluster.main.name\n  principal_arn = aws_iam_role.windows_nodes.arn\n  type          = "EC2_WINDOWS"\n}',
        },
        safety: 'needs-decision',
      },
    },
    sharedRole: {
      text: 'Windows node group {{groups}} has the role {{role}}, and so has the Linux node group "{{other}}". The access entry of a role is for Linux or for Windows nodes, so one of the two groups doesn\'t get the access that it needs.',
      fix: {
        summary: 'Give the Windows nodes a role of their own.',
        summaryIn: {
          eksctl: 'Take `iam.instanceRoleARN` out of the Windows group: eksctl then makes a role for it alone.',
        },
        code: OWN_ROLE,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) {
      const windows = windowsGroupsOf(view);
      if (windows.length === 0) continue;
      if (view.cluster !== undefined) yield* judgeCluster(view.cluster, view, windows, model);
      yield* judgeAccess(view, windows, model);
    }
  },
});

type Message = 'ipv6' | 'linuxNodes' | AccessMessage;

function* judgeCluster(
  cluster: Cluster,
  view: ClusterView,
  windows: readonly WindowsGroup[],
  model: EksModel,
): Generator<Judgement<Message>> {
  const judgements = [...judgeIpFamily(cluster, windows), ...judgeLinux(cluster, view, windows, model)];
  if (judgements.length === 0) yield { verdict: 'pass', resource: cluster };
  else yield* judgements;
}

function judgeIpFamily(cluster: Cluster, windows: readonly WindowsGroup[]): readonly Judgement<Message>[] {
  return casesOf(cluster, { family: cluster.ipFamily }).flatMap(
    ({ when, values: { family } }): readonly Judgement<Message>[] => {
      if (family.kind === 'absent' || (family.kind === 'known' && family.value !== 'ipv6')) return [];
      const concerned = windows.flatMap(({ group, when: own }) => {
        const both = own.and(when);
        return both === undefined ? [] : [{ group, when: both }];
      });
      const { source } = family;
      if (family.kind === 'unknown') {
        return concerned.length === 0
          ? []
          : [
              {
                verdict: 'unverifiable',
                resource: cluster,
                reason: `it has Windows nodes, and whether it has IPv6 isn't known: ${family.reason}`,
                source,
              },
            ];
      }
      const data = { cluster: resourceName(cluster), groups: listOf(namesOf(concerned.map(({ group }) => group))) };
      const related = relatedTo(concerned.map(({ group }) => group));
      return concerned.map((one) => ({
        verdict: 'fail',
        message: 'ipv6',
        resource: cluster,
        source,
        data,
        related,
        when: one.when,
      }));
    },
  );
}

function judgeLinux(
  cluster: Cluster,
  view: ClusterView,
  windows: readonly WindowsGroup[],
  model: EksModel,
): readonly Judgement<Message>[] {
  const capacity = linuxCapacityOf(view, model);
  let rest: readonly When[] | undefined = distinct(windows.map(({ when }) => when));
  rest = without(
    rest,
    capacity.filter(({ doubt }) => doubt === undefined).map(({ when }) => when),
  );
  if (rest?.length === 0) return [];
  const unverifiable = (reason: string): readonly Judgement<Message>[] => [
    {
      verdict: 'unverifiable',
      resource: cluster,
      reason: `it has Windows nodes, and whether it has Linux nodes isn't known: ${reason}`,
    },
  ];
  if (rest === undefined) return unverifiable('that depends on too many conditions at once');
  const doubtful = capacity.find(
    ({ doubt, when }) => doubt !== undefined && rest.some((one) => one.and(when) !== undefined),
  );
  if (doubtful?.doubt !== undefined) return unverifiable(doubtful.doubt);
  const elsewhere = windows.find(({ group }) => group.stack !== cluster.stack);
  if (elsewhere !== undefined)
    return unverifiable(
      `${resourceName(elsewhere.group)} stands in another stack than its cluster, and so may Linux nodes that the input doesn't hold`,
    );
  return rest.map((when) => {
    const groups = windows.filter((one) => one.when.and(when) !== undefined).map(({ group }) => group);
    const data = { cluster: resourceName(cluster), groups: listOf(namesOf(groups)) };
    return {
      verdict: 'fail',
      message: 'linuxNodes',
      severity: 'warning',
      resource: cluster,
      data,
      related: relatedTo(groups),
      when,
    };
  });
}

/** The most places that a finding relates to. */
const MOST_PLACES = 6;

function relatedTo(groups: readonly Resource[]): readonly RelatedPlace[] {
  return [...new Set(groups)]
    .slice(0, MOST_PLACES)
    .map((group) => ({ message: `Windows node group "${resourceName(group)}"`, source: group.source }));
}

type Failure = Extract<AccessOutcome, { readonly verdict: 'fail' }>;

/** Failures at one place, of however many groups. */
interface Finding {
  readonly failure: Failure;
  readonly when: When;
  readonly groups: Resource[];
}

function* judgeAccess(
  view: ClusterView,
  windows: readonly WindowsGroup[],
  model: EksModel,
): Generator<Judgement<Message>> {
  const { cluster } = view;
  const access = new WindowsAccess(view, model);
  const findings = new Map<Resource, Map<string, Finding>>();
  for (const one of windows) {
    const { group } = one;
    let hasFailed = false;
    const mode =
      cluster?.authenticationMode ?? new Unknown(`cluster ${view.name} is not part of the input`, group.source);
    for (const alternative of alternativesOf(mode)) {
      const when = one.when.and(alternative.when);
      const outcomes = when === undefined ? [] : access.judge(one, alternative.value, when);
      for (const outcome of outcomes) {
        if (outcome.verdict === 'fail') {
          hasFailed = true;
          note(findings, outcome, outcome.when ?? when ?? always, group);
        } else if (cluster !== undefined) yield { ...outcome, resource: group };
      }
    }
    // One thing that can't be told instead of several; none if something is wrong anyway.
    if (cluster === undefined && !hasFailed) {
      yield {
        verdict: 'unverifiable',
        resource: group,
        reason: `its nodes are Windows, and cluster ${view.name} is not part of the input: its IP family, its Linux nodes and the access of its nodes aren't known`,
      };
    }
  }
  for (const [resource, ofResource] of findings) {
    for (const { failure, when, groups } of ofResource.values()) {
      const { data, related = resource === groups[0] ? [] : relatedTo(groups) } = failure;
      yield { ...failure, data: { ...data, groups: listOf(namesOf(groups)) }, related, when };
    }
  }
}

function note(findings: Map<Resource, Map<string, Finding>>, failure: Failure, when: When, group: Resource): void {
  const { resource, message, severity, data } = failure;
  const ofResource = findings.get(resource) ?? new Map<string, Finding>();
  findings.set(resource, ofResource);
  const key = JSON.stringify([message, severity, data, when.text]);
  const found = ofResource.get(key);
  if (found === undefined) ofResource.set(key, { failure, when, groups: [group] });
  else found.groups.push(group);
}
