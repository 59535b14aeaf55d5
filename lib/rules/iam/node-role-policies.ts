import { defineRule, resourceName, type Judgement, type Severity } from '../../engine';
import { attachesManagedPolicy, permissionCases, type MissingPermissions } from '../../eks/iam';
import { managedPoliciesAsOf } from '../../knowledge';
import {
  alternativesOf,
  amiFamilyOf,
  imageOf,
  isCovered,
  launchTemplateOf,
  nodeRoleOf,
  type AnyNodeGroup,
  type ClusterView,
  type EksModel,
  type Plain,
  type Role,
  type Source,
  type UserData,
  type When,
} from '../../eks';
import { listOf } from '../../text/in-words';
import { asMeant } from './parts/misspelt-policy';
import { givenRoles, serviceTrustCases, showsPolicies, withoutIdlePasses } from './parts/given-roles';
import { nodeClassRoles } from './parts/node-class-roles';
import { nodePrincipals } from './parts/service-roles';

/*
 * Nodes work with one role: their bootstrap looks up the instance in EC2, and containerd pulls the images of aws-node and kube-proxy from ECR. Sources:
 * Amazon EKS user guide, "Amazon EKS node IAM role"; awslabs/amazon-eks-ami, nodeadm.
 */

const WORKER_POLICY = 'AmazonEKSWorkerNodePolicy';
const MINIMAL_POLICY = 'AmazonEKSWorkerNodeMinimalPolicy';
const PULL_POLICY = 'AmazonEC2ContainerRegistryPullOnly';
const INSTANCE_ACTIONS = ['ec2:DescribeInstances'];
const PULL_ACTIONS = ['ecr:BatchGetImage', 'ecr:GetAuthorizationToken', 'ecr:GetDownloadUrlForLayer'];

type MessageId = 'trust' | 'cluster-role' | 'instances' | 'images' | 'shared';

/** Code that attaches a policy of AWS. @param name of the attachment in Terraform */
const attaching = (policy: string, name: string) => ({
  cloudformation: `ManagedPolicyArns:\n  - !Sub arn:\${AWS::Partition}:iam::aws:policy/${policy}`,
  'aws-cdk': [
    '// where `role` is the Role that the finding names:',
    `role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('${policy}'));`,
  ].join('\n'),
  terraform: [
    `resource "aws_iam_role_policy_attachment" "${name}" {`,
    '  role       = aws_iam_role.node.name',
    `  policy_arn = "arn:\${data.aws_partition.current.partition}:iam::aws:policy/${policy}"`,
    '}',
  ].join('\n'),
});

export const nodeRolePolicies = defineRule<MessageId>({
  id: 'node-role-policies',
  subject: 'iam',
  title: 'The role of nodes can be assumed by EC2, lets them join and lets them pull images',
  severity: 'error',
  since: '0.1.0',
  messages: {
    trust: {
      text: 'Node role {{role}} trusts {{found}} and not ec2.amazonaws.com: no instance of {{nodeGroup}} can assume it, and {{effect}}.',
      fix: {
        summary: 'Trust the service `ec2.amazonaws.com`.',
        code: {
          cloudformation: [
            'AssumeRolePolicyDocument:',
            "  Version: '2012-10-17'",
            '  Statement:',
            '    - Effect: Allow',
            '      Principal:',
            '        Service: ec2.amazonaws.com',
            '      Action: sts:AssumeRole',
          ].join('\n'),
          'aws-cdk': "assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com'),",
          terraform: [
            'assume_role_policy = jsonencode({',
            '  Version = "2012-10-17"',
            '  Statement = [{',
            '    Effect    = "Allow"',
            '    Action    = "sts:AssumeRole"',
            '    Principal = { Service = "ec2.amazonaws.com" }',
            '  }]',
            '})',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    'cluster-role': {
      text: 'Node group {{nodeGroup}} {{names}} {{role}}, which is the role of cluster {{cluster}} and trusts {{found}} alone: no instance can assume it, and {{effect}}.',
      fix: {
        summary:
          'Name the role of the nodes instead{{such}}: one that trusts `ec2.amazonaws.com`, with `AmazonEKSWorkerNodePolicy` and `AmazonEC2ContainerRegistryPullOnly`. Leave that of the cluster as it is.',
        safety: 'needs-decision',
      },
    },
    instances: {
      text: 'Node role {{role}} lacks {{missing}}, with which the bootstrap of a node looks up its own name: the nodes of {{nodeGroup}} {{effect}}.',
      fix: {
        summary: `Attach \`${WORKER_POLICY}\`.`,
        summaryIn: {
          eksctl:
            'Add the ARN of `AmazonEKSWorkerNodePolicy` to `iam.attachPolicyARNs`, of which a list takes the place of all that eksctl attaches by itself; or give the policies of your own by `attachPolicy`, which leaves those in place.',
        },
        code: attaching(WORKER_POLICY, 'node_worker'),
        safety: 'needs-decision',
      },
    },
    images: {
      text: 'Node role {{role}} lacks {{missing}}: the nodes of {{nodeGroup}} can\'t pull the images of aws-node and kube-proxy from Amazon ECR ("no basic auth credentials"), and {{effect}}.',
      fix: {
        summary: `Attach \`${PULL_POLICY}\`.`,
        summaryIn: {
          eksctl:
            'Add the ARN of `AmazonEC2ContainerRegistryPullOnly` to `iam.attachPolicyARNs`, of which a list takes the place of all that eksctl attaches by itself.',
        },
        code: attaching(PULL_POLICY, 'node_images'),
        safety: 'needs-decision',
      },
    },
    shared: {
      text: 'Role {{role}} is that of {{nodeGroup}} and that of cluster {{cluster}}: every pod that reaches the instance metadata may do what the role may, and AWS asks for two roles, of which that of the nodes lacks the permissions of the control plane.',
      fix: {
        summary:
          'Give the nodes a role of their own, with `AmazonEKSWorkerNodePolicy` and `AmazonEC2ContainerRegistryPullOnly`.',
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    const uses = new Map<Role, Use[]>();
    for (const nodeGroup of [...model.nodeGroups, ...model.selfManagedNodeGroups]) {
      const view = model.viewOf(nodeGroup);
      const given = nodeRoleOf(nodeGroup);
      // Nothing tells the role of what has no instance profile in the input.
      if (nodeGroup.kind === 'self-managed-node-group' && given.kind === 'absent') continue;
      const seems =
        nodeGroup.kind === 'self-managed-node-group' && view.cluster === undefined ? seemsOfEks(nodeGroup) : 'yes';
      if (seems === 'no') continue;
      for (const { role, doubt, source, when } of givenRoles(given, nodeGroup.exists)) {
        if (role === undefined) {
          yield { verdict: 'unverifiable', resource: nodeGroup, source, reason: doubt, when };
          continue;
        }
        if (seems === 'maybe') {
          const reason = `whether ${resourceName(nodeGroup)} has nodes of EKS isn't known: every Kubernetes on AWS has the tag by which they seem so`;
          yield { verdict: 'unverifiable', resource: role, reason, when };
          continue;
        }
        const list = uses.get(role) ?? [];
        uses.set(role, list);
        list.push({ nodeGroup, view, source, when, ...needsOf(nodeGroup, view) });
      }
    }
    for (const [role, list] of uses) yield* withoutIdlePasses(judge(role, list, model));
    for (const { role, name, source, when } of nodeClassRoles(model))
      if (!uses.has(role))
        yield* judgeTrust(role, { nodeGroup: name, effect: 'they never join the cluster', source, when });
  },
});

/** A group of nodes that runs with a role. */
interface Use {
  readonly nodeGroup: AnyNodeGroup;
  readonly view: ClusterView;
  readonly source: Source;
  readonly when: When;
  /** Whether the bootstrap surely asks EC2 for the instance; undefined where it surely doesn't. */
  readonly asksForInstance: boolean | undefined;
  /** Whether the image is one of EKS, so that what nodes run comes from EKS's repositories. */
  readonly hasEksImage: boolean;
}

/** nodeadm names a node by its id instead, and asks nobody. */
const NAMED_BY_ID = 'InstanceIdNodeName';

/**
 * Whether nodes without a cluster in the input may be those of EKS: every Kubernetes on AWS has the tag of a cluster (kubernetes/cloud-provider-aws,
 * pkg/providers/v1/tags.go), so that an image of EKS or its bootstrap has to show it, or what isn't known.
 */
function seemsOfEks(nodeGroup: AnyNodeGroup): 'yes' | 'no' | 'maybe' {
  const hasImage = alternativesOf(imageOf(nodeGroup)).some(
    ({ value }) => value.kind === 'known' && (value.value.isPublished === true || value.value.family !== undefined),
  );
  if (hasImage) return 'yes';
  const answers = alternativesOf(launchTemplateOf(nodeGroup)).flatMap(({ value: template }) => {
    if (template.kind === 'unknown') return ['maybe'] as const;
    return template.kind === 'known'
      ? alternativesOf(template.value.userData).map(({ value }) => startsForEks(value))
      : [];
  });
  return answers.find((one) => one === 'yes') ?? answers.find((one) => one === 'maybe') ?? 'no';
}

function startsForEks(userData: Plain<UserData>): 'yes' | 'no' | 'maybe' {
  if (userData.kind === 'absent') return 'no';
  if (userData.kind === 'unknown') return BOOTSTRAP_OF_EKS.test(userData.text ?? '') ? 'yes' : 'maybe';
  const { text } = userData.value;
  if (BOOTSTRAP_OF_EKS.test(text.text)) return 'yes';
  return text.isKnown ? 'no' : 'maybe';
}

const BOOTSTRAP_OF_EKS = /eks|nodeadm|settings\.kubernetes/i;

function needsOf(nodeGroup: AnyNodeGroup, view: ClusterView): Pick<Use, 'asksForInstance' | 'hasEksImage'> {
  const isManaged = nodeGroup.kind === 'node-group';
  const hasEksImage = alternativesOf(imageOf(nodeGroup)).every(({ value }) =>
    value.kind === 'known' ? !isManaged && value.value.isPublished === true : isManaged && value.kind === 'absent',
  );
  const isLinux = alternativesOf(amiFamilyOf(nodeGroup, view)).every(
    ({ value }) => value.kind === 'known' && value.value !== 'WINDOWS',
  );
  const isNamedById = alternativesOf(launchTemplateOf(nodeGroup)).some(
    ({ value: template }) =>
      template.kind === 'known' &&
      alternativesOf(template.value.userData).some(
        ({ value }) => value.kind === 'known' && value.value.text.text.includes(NAMED_BY_ID),
      ),
  );
  return { hasEksImage, asksForInstance: isNamedById ? undefined : hasEksImage && isLinux };
}

function judge(role: Role, all: readonly Use[], model: EksModel): readonly Judgement<MessageId>[] {
  const taken = new Map(all.map((use) => [use, judgeTaken(role, use, model)]));
  const uses = all.filter(
    (use) =>
      !isCovered(
        use.when,
        (taken.get(use) ?? []).flatMap(({ when }) => when ?? []),
      ),
  );
  const judgements = [
    ...[...taken.values()].flat(),
    ...once(
      uses,
      () => 0,
      ({ nodeGroup, source, when }) =>
        judgeTrust(role, { nodeGroup: resourceName(nodeGroup), effect: withoutCredentials(nodeGroup), source, when }),
    ),
    ...once(uses, weightOfInstance, (use) => judgeInstances(role, use)),
    ...once(
      uses,
      ({ hasEksImage }) => Number(hasEksImage),
      (use) => judgeImages(role, use),
    ),
  ];
  return judgements.some(({ verdict }) => verdict === 'fail')
    ? judgements
    : [...judgements, ...judgeShared(role, uses)];
}

function weightOfInstance({ asksForInstance }: Use): number {
  return asksForInstance === undefined ? 0 : asksForInstance ? 2 : 1;
}

/** One judgement per assumption, for the group of which most is asked: the groups of a cluster mostly share a role. */
function once(
  uses: readonly Use[],
  weight: (use: Use) => number,
  judgeOne: (use: Use) => readonly Judgement<MessageId>[],
): readonly Judgement<MessageId>[] {
  const judged: When[] = [];
  return [...uses]
    .sort((one, other) => weight(other) - weight(one))
    .flatMap((use) => {
      if (isCovered(use.when, judged)) return [];
      judged.push(use.when);
      return judgeOne(use);
    });
}

/** The role of the cluster, named by mistake: what it lacks as one of nodes isn't what is wrong. */
function judgeTaken(
  role: Role,
  { nodeGroup, view: { cluster }, source, when: used }: Use,
  model: EksModel,
): readonly Judgement<MessageId>[] {
  if (cluster === undefined) return [];
  return givenRoles(cluster.role, cluster.exists).flatMap((own) => {
    const both = own.role === role ? used.and(own.when) : undefined;
    if (both === undefined) return [];
    return serviceTrustCases(role, nodePrincipals()).flatMap((trust): readonly Judgement<MessageId>[] => {
      const when = both.and(trust.when);
      if (when === undefined || trust.answer === 'trusted' || trust.answer === 'unknown') return [];
      return [
        {
          verdict: 'fail',
          resource: nodeGroup,
          message: 'cluster-role',
          source,
          data: {
            role: resourceName(role),
            found: trust.found,
            names: nodeGroup.kind === 'node-group' ? 'names' : 'runs with',
            effect: withoutCredentials(nodeGroup),
            nodeGroup: resourceName(nodeGroup),
            cluster: resourceName(cluster),
            such: suchAs(model),
          },
          related: [{ message: `role of cluster ${resourceName(cluster)}`, source: own.source }],
          when,
        },
      ];
    });
  });
}

const meant = new WeakMap<EksModel, string>();

/** The role of the input that is meant, if there is one only that fits; looked for once. */
function suchAs(model: EksModel): string {
  let found = meant.get(model);
  if (found === undefined) meant.set(model, (found = onlyNodeRole(model)));
  return found;
}

function onlyNodeRole(model: EksModel): string {
  const fitting = model.roles.filter(
    (role) =>
      attachesManagedPolicy(role, WORKER_POLICY, role.exists) === 'yes' &&
      serviceTrustCases(role, nodePrincipals()).every(({ answer }) => answer === 'trusted'),
  );
  const [first, ...others] = fitting;
  return first === undefined || others.length > 0 ? '' : `, ${resourceName(first)}`;
}

/** EKS looks at the role of a group that it manages; instances of others start without credentials. */
function withoutCredentials({ kind }: AnyNodeGroup): string {
  return kind === 'node-group' ? 'EKS does not create the group' : 'they never join the cluster';
}

/** Who runs with a role, in words. */
interface Runs {
  readonly nodeGroup: string;
  readonly effect: string;
  readonly source: Source;
  readonly when: When;
}

function judgeTrust(
  role: Role,
  { nodeGroup, effect, source: named, when: used }: Runs,
): readonly Judgement<MessageId>[] {
  return serviceTrustCases(role, nodePrincipals()).flatMap(
    ({ when: trusted, answer, reason, source, found }): readonly Judgement<MessageId>[] => {
      const when = used.and(trusted);
      if (when === undefined || answer === 'trusted') return [];
      if (answer === 'unknown') return [{ verdict: 'unverifiable', resource: role, source, reason, when }];
      return [
        {
          verdict: 'fail',
          resource: role,
          message: 'trust',
          source,
          data: { role: resourceName(role), found, nodeGroup, effect },
          related: [{ message: `${nodeGroup} runs with this role`, source: named }],
          when,
        },
      ];
    },
  );
}

function judgeInstances(role: Role, use: Use): readonly Judgement<MessageId>[] {
  if (use.asksForInstance === undefined) return [];
  // AWS made that policy for nodes of Auto Mode, which do without.
  const isMinimal = attachesManagedPolicy(role, MINIMAL_POLICY, use.when) !== 'no';
  const isSure = use.asksForInstance && !isMinimal && showsPolicies(role);
  return judgePermissions(
    role,
    use,
    INSTANCE_ACTIONS,
    'instances',
    isSure ? 'error' : 'warning',
    isSure ? 'never join the cluster' : 'may never join the cluster',
  );
}

function judgeImages(role: Role, use: Use): readonly Judgement<MessageId>[] {
  return judgePermissions(
    role,
    use,
    PULL_ACTIONS,
    'images',
    use.hasEksImage ? 'error' : 'warning',
    use.hasEksImage ? 'stay NotReady' : 'stay NotReady unless their AMI holds them',
  );
}

function judgePermissions(
  role: Role,
  { nodeGroup, source, when: used }: Use,
  actions: readonly string[],
  message: 'instances' | 'images',
  severity: Severity,
  effect: string,
): readonly Judgement<MessageId>[] {
  const failing = (missing: readonly string[], degree: Severity, end: string, when: When): Judgement<MessageId> => ({
    verdict: 'fail',
    resource: role,
    message,
    severity: degree,
    data: { role: resourceName(role), nodeGroup: resourceName(nodeGroup), missing: listOf(missing), effect: end },
    related: [{ message: `${resourceName(nodeGroup)} runs with this role`, source }],
    when,
  });
  return permissionCases(role).flatMap(({ when: given, permissions }): readonly Judgement<MessageId>[] => {
    const when = used.and(given);
    if (when === undefined) return [];
    const lack = permissions.missing(actions);
    if (lack.missing.length > 0)
      return [failing(lack.missing, showsPolicies(role) ? severity : 'warning', effect, when)];
    const meant = lack.unknown.length > 0 ? asMeant(role) : undefined;
    if (meant !== undefined) {
      const others = permissionCases(meant.role).filter((one) => when.and(one.when) !== undefined);
      const lacks = others.map((one) => one.permissions.missing(actions));
      // What a policy would allow whose name is written wrongly is told with it.
      if (lacks.every(({ missing, unknown }) => missing.length + unknown.length === 0)) return [];
      const [first] = lacks;
      if (first !== undefined && lacks.every(({ missing }) => missing.length > 0)) {
        const unless =
          meant.dropped.length === 0
            ? ''
            : `, unless ${listOf(meant.dropped)}, which AWS didn't have on ${managedPoliciesAsOf()}, allows it`;
        return [failing(first.missing, 'warning', `${effect}${unless}`, when)];
      }
    }
    return lack.unknown.length > 0
      ? [{ verdict: 'unverifiable', resource: role, reason: unknownText(lack), when }]
      : [{ verdict: 'pass', resource: role, when }];
  });
}

function unknownText({ unknown, reasons }: MissingPermissions): string {
  return `whether it has ${listOf(unknown)} isn't known: ${reasons.join('; ')}`;
}

function judgeShared(role: Role, uses: readonly Use[]): readonly Judgement<MessageId>[] {
  return once(
    uses,
    () => 0,
    ({ nodeGroup, view: { cluster }, source, when: used }) =>
      cluster === undefined
        ? []
        : givenRoles(cluster.role, cluster.exists).flatMap((own): readonly Judgement<MessageId>[] => {
            const when = used.and(own.when);
            if (own.role !== role || when === undefined) return [];
            return [
              {
                verdict: 'fail',
                resource: role,
                message: 'shared',
                severity: 'warning',
                data: {
                  role: resourceName(role),
                  nodeGroup: resourceName(nodeGroup),
                  cluster: resourceName(cluster),
                },
                related: [
                  { message: `${resourceName(nodeGroup)} runs with this role`, source },
                  { message: `role of cluster ${resourceName(cluster)}`, source: own.source },
                ],
                when,
              },
            ];
          }),
  );
}
