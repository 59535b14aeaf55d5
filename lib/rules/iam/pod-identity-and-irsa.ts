import { defineRule, resourceName, type Judgement } from '../../engine';
import { addonServiceAccounts } from '../../knowledge';
import {
  always,
  casesOf,
  type Addon,
  type ClusterView,
  type EksModel,
  type Plain,
  type PodIdentityAssociation,
  type Reference,
  type Resource,
  type Role,
  type Source,
  type Value,
  type When,
} from '../../eks';
import { isText, type Certainty } from '../../eks/analysis/addon';
import { movedAssociation } from './parts/addon-association';

/*
 * An add-on may have both kinds of identity. Which one its pods then use is decided by something else: whether the Pod Identity agent runs.
 * Sources: Amazon EKS user guide, "IAM roles for Amazon EKS add-ons"; aws/amazon-eks-pod-identity-webhook, pkg/handler/handler.go.
 */

export const podIdentityAndIrsa = defineRule<'both'>({
  id: 'pod-identity-and-irsa',
  subject: 'iam',
  title: 'An add-on has one role, by Pod Identity or by its service account',
  severity: 'warning',
  since: '0.1.0',
  messages: {
    both: {
      text: 'Add-on {{name}} ({{addon}}) has service account role {{irsa}} and, by {{by}}, role {{pods}} for Pod Identity: where the Pod Identity agent runs, its pods use {{pods}} and nothing that {{irsa}} allows. Elsewhere AWS documents the other way round, but its webhook hands out what belongs to Pod Identity alone, with which pods get no credentials.',
      fix: {
        summary:
          'Keep one of them. AWS recommends Pod Identity: remove the service account role once the agent runs on all nodes{{runs}}.',
        summaryIn: {
          eksctl:
            'Keep one of them. AWS recommends Pod Identity: move the association to `podIdentityAssociations` of the add-on, in place of a role or policies that stand there, with ARNs in place of `wellKnownPolicies`, which eksctl refuses there; eksctl makes no role by IRSA beside it.',
        },
        code: {
          cloudformation: '{{inTemplate}}',
          terraform: '{{inTerraform}}',
          eksctl: '{{inEksctl}}',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const addon of model.addons) yield* judge(addon, model.viewOf(addon), model);
  },
});

/** What gives a role by Pod Identity. */
interface Given {
  readonly by: Resource;
  readonly role: Value<Reference<Role>>;
  readonly source: Source;
  readonly when: When;
}

function* judge(addon: Addon, view: ClusterView, model: EksModel): Generator<Judgement<'both'>> {
  const values = { irsa: addon.serviceAccountRole, pods: addon.podIdentityAssociations, name: addon.name };
  for (const { when, values: one } of casesOf(addon, values)) {
    const exists = addon.exists.and(when);
    if (exists === undefined || one.irsa.kind === 'absent') continue;
    const { irsa, pods } = one;
    const own = pods.kind === 'known' ? pods.value : [];
    const beside: readonly Given[] = [
      ...own.map(({ role, source }) => ({ by: addon, role, source, when: exists })),
      ...view.podIdentityAssociations.flatMap((association): readonly Given[] => {
        const both = exists.and(association.exists);
        return both === undefined || !isFor(association, one.name, addon)
          ? []
          : [{ by: association, role: association.role, source: association.source, when: both }];
      }),
    ];
    const common = { resource: addon, source: irsa.source };
    if (irsa.kind === 'unknown') {
      if (beside.length > 0)
        yield {
          ...common,
          verdict: 'unverifiable',
          reason: `it has a role by Pod Identity, and whether it has a service account role too isn't known: ${irsa.reason}`,
          when: exists,
        };
      continue;
    }
    if (pods.kind === 'unknown') {
      yield {
        ...common,
        verdict: 'unverifiable',
        reason: `it has a service account role, and whether it has Pod Identity associations too isn't known: ${pods.reason}`,
        when: exists,
      };
      continue;
    }
    const others = beside.filter(({ role }) => isSame(role, irsa.value) === 'no');
    const [first] = others;
    if (first === undefined) {
      const open = beside.find(({ role }) => isSame(role, irsa.value) === 'maybe');
      yield open === undefined
        ? { ...common, verdict: 'pass', when: exists }
        : {
            ...common,
            verdict: 'unverifiable',
            reason: `whether ${resourceName(open.by)} gives it the same role by Pod Identity isn't known`,
            when: open.when,
          };
      continue;
    }
    yield {
      ...common,
      verdict: 'fail',
      message: 'both',
      data: {
        addon: resourceName(addon),
        name: one.name.kind === 'known' ? one.name.value : 'of a name that is not known',
        irsa: nameOf(irsa),
        pods: nameOf(first.role),
        by: first.by === addon ? 'an association of its own' : resourceName(first.by),
        ...codeWithAgent(view),
        inEksctl: others.length === 1 ? movedTo(addon, first.by, irsa.value, model) : '',
      },
      related: others.map(({ by, role, source }) => ({
        message: `${resourceName(by)} gives role ${nameOf(role)} by Pod Identity`,
        source,
      })),
      when: first.when,
    };
  }
}

/** The one association of a ClusterConfig, in the add-on that the file lists. */
function movedTo(addon: Addon, by: Resource, irsa: Reference<Role>, model: EksModel): string {
  const { name, isImplied } = addon;
  const association = model.podIdentityAssociations.find((one) => one === by);
  if (association === undefined || name.kind !== 'known' || isImplied === true) return '';
  const without = irsa.target?.type === 'addons.role' ? (irsa.target.editing?.madeBy ?? []) : ['serviceAccountRoleARN'];
  return movedAssociation(name.value, association, without, model);
}

/** With the agent as an add-on its pods use Pod Identity already, so that the other role can go without a decision. */
function codeWithAgent({ addons }: ClusterView): Readonly<Record<'runs' | 'inTemplate' | 'inTerraform', string>> {
  const agent = addons.find(
    ({ name, exists }) => isText(name, 'eks-pod-identity-agent') === 'yes' && exists === always,
  );
  return agent === undefined
    ? { runs: '', inTemplate: '', inTerraform: '' }
    : {
        runs: `, as add-on ${resourceName(agent)} sees to`,
        inTemplate: 'ServiceAccountRoleArn: !Ref AWS::NoValue',
        inTerraform: 'service_account_role_arn = null',
      };
}

/** Whether an association is for a service account of the add-on. */
function isFor(association: PodIdentityAssociation, name: Plain<string>, addon: Addon): boolean {
  const known = name.kind === 'known' ? addonServiceAccounts(name.value) : undefined;
  if (known === undefined) return false;
  const place = addon.namespace.kind === 'known' ? addon.namespace.value : known.namespace;
  return (
    isText(association.namespace, place) === 'yes' &&
    known.accounts.some((account) => isText(association.serviceAccount, account) === 'yes')
  );
}

/** With one role for both, pods may do the same either way. */
function isSame(role: Value<Reference<Role>>, irsa: Reference<Role>): Certainty {
  if (role.kind !== 'known') return 'maybe';
  const { target, text } = role.value;
  const same = target === undefined ? irsa.target === undefined && text === irsa.text : target === irsa.target;
  return same ? 'yes' : 'no';
}

function nameOf(role: Value<Reference<Role>>): string {
  if (role.kind !== 'known') return 'of a name that is not known';
  const { target, text } = role.value;
  return target === undefined ? text : resourceName(target);
}
