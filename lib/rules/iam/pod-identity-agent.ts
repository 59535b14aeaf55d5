import { defineRule, resourceName, type Judgement, type RelatedPlace } from '../../engine';
import { permissionCases } from '../../iam';
import { alternativesOf, dataAt, type ClusterView, type EksModel, type Role } from '../../model';
import { isAddon, isText, type Certainty } from '../../model/addon';
import { isPureFargate, runsWindows } from '../../model/cni';
import { agreeing } from '../agreeing-cases';

/*
 * An association only says who may have which role; the credentials come from an agent on every node, which is an add-on of its
 * own, and which needs one permission on the node role. Source: Amazon EKS user guide, "Set up the Amazon EKS Pod Identity Agent".
 */

const AGENT = 'eks-pod-identity-agent';
const ACTION = 'eks-auth:AssumeRoleForPodIdentity';

type MessageId = 'no-agent' | 'node-role';

export const podIdentityAgent = defineRule<MessageId>({
  id: 'pod-identity-agent',
  subject: 'iam',
  title: 'A cluster with Pod Identity associations runs the Pod Identity agent',
  severity: 'error',
  since: '0.1.0',
  symptom: [
    'Associations exist and pods are started with `AWS_CONTAINER_CREDENTIALS_FULL_URI`, but nothing answers at 169.254.170.23: SDKs report `Unable to load credentials` or `connection refused` and, where a',
    'node role is reachable, silently take the permissions of the node instead. Without the permission on the node role the agent runs and logs `AccessDeniedException` for `AssumeRoleForPodIdentity`.',
  ].join('\n'),
  why: [
    'The agent is a DaemonSet that EKS ships as add-on `eks-pod-identity-agent`. It exchanges the pod\'s token at the EKS Auth API with the identity of the node, by',
    '`eks-auth:AssumeRoleForPodIdentity`, which `AmazonEKSWorkerNodePolicy` (since November 2023) and `AmazonEKSWorkerNodeMinimalPolicy` contain. EKS Auto Mode has the agent built in.',
  ].join('\n'),
  limits: [
    'The agent is recognised as an add-on, as a Helm chart or as a DaemonSet of its name. For a cluster outside the input the answer is unverifiable. Clusters that only have Fargate profiles are left out:',
    'Pod Identity does not work there at all.',
  ].join('\n'),
  ignore: 'When the agent is installed by something that the input does not show.',
  sources: [
    { title: 'Amazon EKS user guide: set up the Pod Identity agent', url: 'https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html' },
    { title: 'Amazon EKS user guide: how Pod Identity works', url: 'https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html' },
    {
      title: 'AWS managed policy reference: AmazonEKSWorkerNodePolicy',
      url: 'https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AmazonEKSWorkerNodePolicy.html',
    },
  ],
  messages: {
    'no-agent': {
      text: 'Cluster {{cluster}} has Pod Identity associations ({{association}}), but nothing installs the add-on eks-pod-identity-agent: the pods get no credentials, or those of the node.',
      fix: {
        summary: 'Install the add-on `eks-pod-identity-agent`.',
        code: {
          cloudformation: ['PodIdentityAgent:', '  Type: AWS::EKS::Addon', '  Properties:', '    ClusterName: !Ref {{id}}', '    AddonName: eks-pod-identity-agent'].join('\n'),
          'aws-cdk': "new eks.Addon(this, 'PodIdentityAgent', { cluster, addonName: 'eks-pod-identity-agent' });",
          terraform: ['resource "aws_eks_addon" "pod_identity_agent" {', '  cluster_name = aws_eks_cluster.this.name', '  addon_name   = "eks-pod-identity-agent"', '}'].join('\n'),
        },
        safety: 'safe',
      },
    },
    'node-role': {
      text: 'Node role {{role}} lacks eks-auth:AssumeRoleForPodIdentity: on the nodes of {{nodeGroup}} the Pod Identity agent gets AccessDeniedException, and pods with an association ({{association}}) get no credentials.',
      fix: {
        summary: 'Attach `AmazonEKSWorkerNodePolicy`, or allow `eks-auth:AssumeRoleForPodIdentity`.',
        code: {
          cloudformation: 'ManagedPolicyArns:\n  - !Sub arn:${AWS::Partition}:iam::aws:policy/AmazonEKSWorkerNodePolicy',
          'aws-cdk': "nodeRole.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonEKSWorkerNodePolicy'));",
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const view of model.clusterViews) {
      const places = associationsOf(view);
      const [first] = places;
      if (first === undefined || isPureFargate(view)) continue;
      const autoMode = isAutoMode(view);
      if (autoMode === 'yes') continue;
      yield judgeAgent(view, places, first, autoMode);
      yield* judgeNodeRoles(view, first);
    }
  },
});

interface Association extends RelatedPlace {
  readonly name: string;
  readonly resource: Judgement['resource'];
}

function associationsOf(view: ClusterView): Association[] {
  const own = view.podIdentityAssociations.map((association) => ({
    name: resourceName(association),
    message: `${resourceName(association)} needs the agent`,
    source: association.source,
    resource: association,
  }));
  const ofAddons = view.addons.filter((addon) =>
    alternativesOf(addon.podIdentityAssociations).some(({ value }) => value.kind === 'known' && value.value.length > 0),
  );
  return [
    ...own,
    ...ofAddons.map((addon) => ({ name: resourceName(addon), message: `${resourceName(addon)} needs the agent for its association`, source: addon.source, resource: addon })),
  ];
}

function isAutoMode({ cluster }: ClusterView): Certainty {
  if (cluster === undefined) return 'maybe';
  const answers = new Set(alternativesOf(cluster.autoMode).map(({ value }): Certainty => (value.kind === 'unknown' ? 'maybe' : value.kind === 'known' && value.value ? 'yes' : 'no')));
  const [only = 'no'] = answers;
  return answers.size === 1 ? only : 'maybe';
}

function judgeAgent(view: ClusterView, places: readonly Association[], first: Association, autoMode: Certainty): Judgement<MessageId> {
  const { cluster } = view;
  const installed = installsAgent(view);
  const resource = cluster ?? first.resource;
  if (installed === 'yes') return { verdict: 'pass', resource };
  if (installed === 'maybe') return { verdict: 'unverifiable', resource, reason: 'an add-on whose name is not known may be the Pod Identity agent' };
  if (cluster === undefined) {
    return { verdict: 'unverifiable', resource, reason: `cluster ${view.name} is not part of the input, and may have the Pod Identity agent` };
  }
  if (autoMode === 'maybe') return { verdict: 'unverifiable', resource, reason: 'whether the cluster runs in EKS Auto Mode, which has the agent built in, is not known' };
  return {
    verdict: 'fail',
    resource,
    message: 'no-agent',
    data: { cluster: resourceName(cluster), id: cluster.id, association: first.name },
    related: places.map(({ message, source }) => ({ message, source })),
  };
}

function installsAgent(view: ClusterView): Certainty {
  const addons = view.addons.map((addon) => isAddon(addon, AGENT));
  if (addons.includes('yes') || view.helmReleases.some((release) => namesAgent(release.chart) || isText(release.release, AGENT) === 'yes')) return 'yes';
  if (view.manifests.some(({ object }) => dataAt(object, 'kind') === 'DaemonSet' && dataAt(object, 'metadata', 'name') === AGENT)) return 'yes';
  return addons.includes('maybe') ? 'maybe' : 'no';
}

function namesAgent(chart: ClusterView['helmReleases'][number]['chart']): boolean {
  return alternativesOf(chart).some(({ value }) => value.kind === 'known' && value.value.includes(AGENT));
}

function* judgeNodeRoles(view: ClusterView, association: Association): Generator<Judgement<MessageId>> {
  const seen = new Set<Role>();
  for (const nodeGroup of view.nodeGroups) {
    // The agent runs on Linux only.
    if (runsWindows(nodeGroup, view)) continue;
    for (const { when, value } of alternativesOf(nodeGroup.nodeRole)) {
      const role = value.kind === 'known' ? value.value.target : undefined;
      if (role === undefined) {
        const reason = value.kind === 'known' ? `role ${value.value.text} is not part of the input` : value.kind === 'unknown' ? `its node role is not known (${value.reason})` : 'it names no role';
        yield { verdict: 'unverifiable', resource: nodeGroup, source: value.source, reason: `${reason}, so nobody can say whether it has ${ACTION}`, when };
        continue;
      }
      if (seen.has(role)) continue;
      seen.add(role);
      const data = { role: resourceName(role), nodeGroup: resourceName(nodeGroup), association: association.name };
      const related = [
        { message: `${resourceName(nodeGroup)} runs with this role`, source: value.source },
        { message: association.message, source: association.source },
      ];
      yield* agreeing(
        permissionCases(role).flatMap(({ when: permissionWhen, permissions }): Judgement<MessageId>[] => {
          const both = when.and(permissionWhen);
          if (both === undefined) return [];
          const { missing, unknown, reasons } = permissions.missing([ACTION]);
          if (missing.length > 0) return [{ verdict: 'fail', resource: role, message: 'node-role', data, related, when: both }];
          if (unknown.length > 0) return [{ verdict: 'unverifiable', resource: role, reason: `whether it has ${ACTION} is not known (${reasons.join('; ')})`, when: both }];
          return [{ verdict: 'pass', resource: role, when: both }];
        }),
      );
    }
  }
}
