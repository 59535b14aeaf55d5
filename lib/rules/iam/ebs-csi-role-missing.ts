import { defineRule, resourceName, type Judgement } from '../../engine';
import {
  casesOf,
  dataAt,
  except,
  type Addon,
  type AddonConfiguration,
  type AddonPodIdentity,
  type ClusterView,
  type EksModel,
  type Plain,
  type Reference,
  type Role,
  type When,
} from '../../eks';
import { isAddon, isText } from '../../eks/analysis/addon';
import { isPureAutoMode } from '../../eks/analysis/cni';
import { outsiderFor } from '../../eks/analysis/unseen';
import { undecided, unverifiable } from '../parts/case-judgements';
import { nodesMayDo, otherRoles, othersNodes, placesOf } from './parts/node-permissions';
import { roleElsewhere, type Caller } from './parts/role-elsewhere';

/*
 * The controller of the EBS CSI driver makes and attaches volumes by calls to EC2. Without a role of its own it has what the node under it may do, and no policy that
 * nodes need allows that. Sources: Amazon EKS user guide, "Use Kubernetes volume storage with Amazon EBS"; kubernetes-sigs/aws-ebs-csi-driver, docs/install.md.
 */

const DRIVER = 'aws-ebs-csi-driver';
const CONTROLLER: Caller = { addon: DRIVER, namespace: 'kube-system', name: 'ebs-csi-controller-sa' };
const ACTION = 'ec2:CreateVolume';
const POLICY = 'service-role/AmazonEBSCSIDriverPolicy';

export const ebsCsiRoleMissing = defineRule<'missing'>({
  id: 'ebs-csi-role-missing',
  subject: 'iam',
  title: 'The EBS CSI driver has permissions, by a role of its own or by the node role',
  severity: 'warning',
  since: '0.1.0',
  messages: {
    missing: {
      text: 'Add-on {{addon}} has no role of its own, and node role {{role}} may not call ec2:CreateVolume{{others}}: the driver can make no volume, and claims for one stay Pending ("UnauthorizedOperation").',
      fix: {
        summary:
          'Attach `AmazonEBSCSIDriverPolicy` to the node role, or, better, give the add-on a role with it for the service account `ebs-csi-controller-sa`.',
        summaryIn: {
          eksctl:
            'Give the add-on `wellKnownPolicies: { ebsCSIController: true }` where `iam.withOIDC` is set, or set `iam.withAddonPolicies.ebs: true` on the groups of nodes.',
        },
        code: {
          cloudformation: `ManagedPolicyArns:\n  - !Sub arn:\${AWS::Partition}:iam::aws:policy/${POLICY}`,
          'aws-cdk': [
            '// where `role` is the Role that the finding names:',
            `role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('${POLICY}'));`,
          ].join('\n'),
          terraform: [
            'resource "aws_iam_role_policy_attachment" "ebs_csi" {',
            '  role       = aws_iam_role.node.name',
            `  policy_arn = "arn:\${data.aws_partition.current.partition}:iam::aws:policy/${POLICY}"`,
            '}',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) {
      if (isPureAutoMode(view)) continue;
      for (const addon of view.addons) if (isAddon(addon, DRIVER) === 'yes') yield* judgeAddon(addon, view, model);
    }
  },
});

function* judgeAddon(addon: Addon, view: ClusterView, model: EksModel): Generator<Judgement<'missing'>> {
  const settings = {
    pods: addon.podIdentityAssociations,
    irsa: addon.serviceAccountRole,
    configuration: addon.configuration,
    namespace: addon.namespace,
  };
  for (const { when, values } of casesOf(addon, settings))
    for (const outcome of judgeCase(addon, values, view, model, when)) yield { when, resource: addon, ...outcome };
}

type Outcome = Omit<Judgement<'missing'>, 'resource'> & Partial<Pick<Judgement<'missing'>, 'resource'>>;

interface Settings {
  readonly pods: Plain<readonly AddonPodIdentity[]>;
  readonly irsa: Plain<Reference<Role>>;
  readonly configuration: Plain<AddonConfiguration>;
  readonly namespace: Plain<string>;
}

function judgeCase(
  addon: Addon,
  { pods, irsa, configuration, namespace }: Settings,
  view: ClusterView,
  model: EksModel,
  when: When,
): readonly Outcome[] {
  if (pods.kind === 'unknown') return [undecided("its Pod Identity associations aren't known", pods)];
  if (irsa.kind === 'unknown') return [undecided("its service account role isn't known", irsa)];
  const isGiven =
    irsa.kind === 'known' ||
    (pods.kind === 'known' && pods.value.some((one) => isText(one.serviceAccount, CONTROLLER.name) !== 'no'));
  if (isGiven) return [{ verdict: 'pass' }];
  if (namespace.kind === 'unknown') return [undecided("its namespace isn't known", namespace)];
  const controller = { ...CONTROLLER, ...(namespace.kind === 'known' ? { namespace: namespace.value } : {}) };
  return judgeBeside(addon, controller, configuration, view, model, when);
}

/** What isn't said of an add-on without a role in its own declaration. */
function judgeBeside(
  addon: Addon,
  controller: Caller,
  configuration: Plain<AddonConfiguration>,
  view: ClusterView,
  model: EksModel,
  exists: When,
): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  let rest: readonly When[] = [exists];
  for (const one of view.podIdentityAssociations) {
    const answers = [isText(one.namespace, controller.namespace), isText(one.serviceAccount, controller.name)];
    if (answers.includes('no')) continue;
    const outcome = answers.includes('maybe')
      ? unverifiable(`${resourceName(one)} may be for its service account`)
      : ({ verdict: 'pass' } as const);
    outcomes.push(...rest.flatMap((when) => also(when.and(one.exists), outcome)));
    rest = except(rest, one.exists);
  }
  const doubt = doubtOf(controller, configuration, view, model);
  for (const when of rest)
    outcomes.push(...(doubt === undefined ? judgeNodes(addon, view, when) : [{ ...unverifiable(doubt), when }]));
  return outcomes;
}

function also(when: When | undefined, outcome: Outcome): readonly Outcome[] {
  return when === undefined ? [] : [{ ...outcome, when }];
}

/** Why the controller may have a role that the add-on doesn't name, or run where other roles count. */
function doubtOf(
  controller: Caller,
  configuration: Plain<AddonConfiguration>,
  view: ClusterView,
  model: EksModel,
): string | undefined {
  if (configuration.kind === 'unknown') return `its configuration values aren't known: ${configuration.reason}`;
  if (
    configuration.kind === 'known' &&
    (configuration.value.kind === 'malformed' || dataAt(configuration.value.data, 'controller') !== undefined)
  )
    return 'its configuration values may give the controller other credentials';
  const elsewhere = roleElsewhere(controller, view, model);
  if (elsewhere !== undefined) return elsewhere;
  const outsider = outsiderFor(view, 'associate');
  if (outsider !== undefined) return `${outsider} may give its service account a role`;
  return othersNodes(view);
}

/** The driver does without a role where the nodes that its controller may run on have what it needs. */
function judgeNodes(addon: Addon, view: ClusterView, exists: When): readonly Outcome[] {
  const nodes = nodesMayDo(ACTION, view, exists);
  if (nodes.answer === 'no-nodes') return [];
  if (nodes.answer === 'allowed') return [{ verdict: 'pass', when: exists }];
  if (nodes.answer === 'unknown') return [{ ...unverifiable(nodes.reason), when: exists }];
  const [role] = nodes.roles.keys();
  if (role === undefined) return [];
  return [
    {
      verdict: 'fail',
      message: 'missing',
      when: exists,
      resource: role,
      data: { addon: resourceName(addon), role: resourceName(role), others: otherRoles(nodes.roles) },
      related: [
        {
          message: `${resourceName(addon)} names neither a service account role nor a Pod Identity association`,
          source: addon.source,
        },
        ...placesOf(nodes.roles),
      ],
    },
  ];
}
