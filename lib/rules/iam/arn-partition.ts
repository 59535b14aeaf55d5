import { defineRule, resourceName, type Judgement } from '../../engine';
import {
  alternativesOf,
  textOf,
  type AttachedPolicy,
  type EksModel,
  type PolicyStatement,
  type Reference,
  type Resource,
  type Role,
  type Source,
  type Value,
  type When,
} from '../../eks';
import { webIdentitiesOf } from '../../eks/analysis/identity';
import { partitionOfStack } from '../../eks/analysis/partition';
import { givenRoles } from './parts/given-roles';
import { policyListCode } from './parts/policy-list';

/*
 * `arn:aws:` is the partition of the commercial regions; those of China, GovCloud and others have their own, and IAM takes none of another one.
 * Source: IAM user guide, "Identify AWS resources with Amazon Resource Names (ARNs)".
 */

type MessageId = 'policy' | 'mixed' | 'between' | 'reference' | 'access';

const SUMMARY =
  'Write `{{right}}`{{likewise}}, or let the engine fill in the partition: `${AWS::Partition}` in CloudFormation, `Aws.PARTITION` in the AWS CDK, `data.aws_partition` in Terraform.';
const SUMMARY_IN = {
  eksctl: 'Write `{{right}}`{{likewise}}.',
  cloudformation: 'Write `{{right}}`{{likewise}}, or let CloudFormation fill in the partition: `${AWS::Partition}`.',
  'aws-cdk': 'Write `{{right}}`{{likewise}}, or let the CDK fill in the partition: `Aws.PARTITION`.',
  terraform: 'Write `{{right}}`{{likewise}}, or let the provider fill in the partition: `data.aws_partition`.',
  cdktf: 'Write `{{right}}`{{likewise}}, or let the provider fill in the partition: `DataAwsPartition`.',
};

export const arnPartition = defineRule<MessageId>({
  id: 'arn-partition',
  subject: 'iam',
  title: 'ARNs of roles and policies of a cluster are of its own partition',
  severity: 'error',
  since: '0.1.0',
  messages: {
    policy: {
      text: 'Role {{role}} names {{found}}{{more}}, but it is deployed to partition {{partition}}: IAM refuses the ARN (Partition "{{wrong}}" is not valid), and {{user}} is left without the role.',
      fix: {
        summary: SUMMARY,
        summaryIn: SUMMARY_IN,
        code: { cloudformation: '{{listInTemplate}}', 'aws-cdk': '{{listInCdk}}', terraform: '{{listInTerraform}}' },
        safety: 'needs-decision',
      },
    },
    mixed: {
      text: 'Role {{role}} names {{found}} and {{other}}, which are of two partitions: wherever it is deployed to, IAM refuses one of them (Partition "…" is not valid), and {{user}} is left without the role.',
      fix: {
        summary:
          'Write both with the partition that it is deployed to, or let the engine fill that in: `${AWS::Partition}` in CloudFormation, `Aws.PARTITION` in the AWS CDK, `data.aws_partition` in Terraform.',
        safety: 'needs-decision',
      },
    },
    between: {
      text: 'Role {{role}} names {{found}}, and role {{otherRole}} of the same template {{other}}, which are of two partitions: wherever it is deployed to, IAM refuses one of them (Partition "…" is not valid).',
      fix: {
        summary:
          'Write both with the partition that it is deployed to, or let the engine fill that in: `${AWS::Partition}` in CloudFormation, `Aws.PARTITION` in the AWS CDK.',
        safety: 'needs-decision',
      },
    },
    reference: {
      text: '{{user}} names {{what}} {{found}}, but it is deployed to partition {{partition}}, where there is no such {{what}}: the deployment is refused.',
      fix: {
        summary: SUMMARY,
        summaryIn: SUMMARY_IN,
        code: { cloudformation: '{{inTemplate}}', 'aws-cdk': '{{inCdk}}', terraform: '{{inTerraform}}' },
        safety: 'needs-decision',
      },
    },
    access: {
      text: '{{user}} gives access policy {{found}}, but it is deployed to partition {{partition}}, where EKS has no policy of that ARN: the deployment is refused.',
      fix: {
        summary: SUMMARY,
        summaryIn: SUMMARY_IN,
        code: { cloudformation: '{{inTemplate}}', 'aws-cdk': '{{inCdk}}', terraform: '{{inTerraform}}' },
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    const users = new Map<Role, { readonly user: Resource; readonly when: When }>();
    for (const { user, role: value } of referencesIn(model)) {
      for (const { role, when } of givenRoles(value, user.exists))
        if (role !== undefined && !users.has(role)) users.set(role, { user, when });
      yield* judgeReference(user, value, model);
    }
    for (const entry of model.resources)
      if (entry.kind === 'access-entry' || entry.kind === 'access-policy-association')
        yield* judgeReference(entry, entry.principal, model);
    for (const role of model.roles)
      if (!users.has(role) && webIdentitiesOf(role).length > 0) users.set(role, { user: role, when: role.exists });
    for (const [role, { user, when }] of users) yield* judgeRole(role, user, when, model);
    yield* judgeBetween(users, model);
    for (const { user, policy, when } of accessPolicies(model)) yield* judgeAccess(user, policy, when, model);
  },
});

function* referencesIn(model: EksModel): Generator<{ readonly user: Resource; readonly role: Value<Reference<Role>> }> {
  for (const cluster of model.clusters) yield { user: cluster, role: cluster.role };
  for (const nodeGroup of model.nodeGroups) yield { user: nodeGroup, role: nodeGroup.nodeRole };
  for (const addon of model.addons) {
    yield { user: addon, role: addon.serviceAccountRole };
    for (const { value } of alternativesOf(addon.podIdentityAssociations))
      if (value.kind === 'known') for (const { role } of value.value) yield { user: addon, role };
  }
  for (const association of model.podIdentityAssociations) yield { user: association, role: association.role };
}

function* judgeReference(
  user: Resource,
  role: Value<Reference<Role>>,
  model: EksModel,
): Generator<Judgement<MessageId>> {
  const partition = partitionOfStack(user, model);
  if (partition === undefined) return;
  for (const { when: given, value } of alternativesOf(role)) {
    const when = user.exists.and(given);
    if (when === undefined || value.kind !== 'known' || value.value.target !== undefined) continue;
    const { text } = value.value;
    const wrong = partitionIn(text);
    const common = { resource: user, source: value.source, when };
    if (wrong === undefined || wrong === partition) yield { ...common, verdict: 'pass' };
    else
      yield {
        ...common,
        verdict: 'fail',
        message: 'reference',
        data: {
          ...dataOf(text, partition, wrong),
          ...codeFor(user, value.source, inPartition(text, partition)),
          what: /^arn:[^:]*:iam::[^:]*:user\//.test(text) ? 'user' : 'role',
          // An entry of a ClusterConfig is called after its principal.
          user: resourceName(user) === text ? 'An access entry' : resourceName(user),
          likewise: '',
        },
        about: text,
      };
  }
}

/** What a resource lets the holders of an access entry do. */
interface GivenAccess {
  readonly user: Resource;
  readonly policy: Value<string>;
  readonly when: When;
}

function accessPolicies({ resources }: EksModel): readonly GivenAccess[] {
  return resources.flatMap((user): readonly GivenAccess[] => {
    if (user.kind === 'access-policy-association') return [{ user, policy: user.policy, when: user.exists }];
    if (user.kind !== 'access-entry') return [];
    return alternativesOf(user.policies).flatMap(({ when: given, value }) => {
      const when = user.exists.and(given);
      return when === undefined || value.kind !== 'known'
        ? []
        : value.value.map(({ policy }) => ({ user, policy, when }));
    });
  });
}

function* judgeAccess(
  user: Resource,
  policy: Value<string>,
  outer: When,
  model: EksModel,
): Generator<Judgement<MessageId>> {
  const partition = partitionOfStack(user, model);
  if (partition === undefined) return;
  for (const { text, source, when } of arnsIn(policy, outer)) {
    const wrong = partitionIn(text);
    if (wrong === undefined || wrong === partition) yield { resource: user, verdict: 'pass', source, when };
    else
      yield {
        resource: user,
        verdict: 'fail',
        message: 'access',
        source,
        when,
        data: {
          ...dataOf(text, partition, wrong),
          ...codeFor(user, source, inPartition(text, partition)),
          user: resourceName(user),
          likewise: '',
        },
        about: text,
      };
  }
}

/** An ARN, where it stands, and where it holds. */
interface Arn {
  readonly text: string;
  readonly source: Source;
  readonly when: When;
}

function* judgeRole(role: Role, user: Resource, used: When, model: EksModel): Generator<Judgement<MessageId>> {
  const partition = partitionOfStack(role, model);
  if (partition === undefined) {
    yield* judgeMixed(role, user, used);
    return;
  }
  const wrong = [...arnsOf(role)].flatMap((arn) => {
    const when = used.and(arn.when);
    const other = partitionIn(arn.text);
    return when === undefined || other === undefined || other === partition ? [] : [{ ...arn, when, other }];
  });
  const [first] = wrong;
  if (first === undefined) {
    yield { verdict: 'pass', resource: role, when: used };
    return;
  }
  const others = wrong.filter(({ text }) => text !== first.text);
  yield {
    verdict: 'fail',
    resource: role,
    message: 'policy',
    source: first.source,
    data: {
      ...dataOf(first.text, partition, first.other),
      ...policyListCode(role, first.source, (arn) => inPartition(arn, partition)),
      role: resourceName(role),
      user: user === role ? 'whatever is to assume it' : resourceName(user),
      likewise: others.length === 0 ? '' : ', and the others with this partition likewise',
      more:
        others.length === 0
          ? ''
          : ` and ${others.length} more ${others.length === 1 ? 'ARN' : 'ARNs'} of another partition`,
    },
    related: others
      .slice(0, 5)
      .map(({ text, source }) => ({ message: `${text} is of another partition, too`, source })),
    when: first.when,
  };
}

/** Where nothing tells the partition: ARNs of two are wrong in either. */
function* judgeMixed(role: Role, user: Resource, used: When): Generator<Judgement<MessageId>> {
  const arns = [...arnsOf(role)].filter(({ text }) => partitionIn(text) !== undefined);
  for (const [index, one] of arns.entries()) {
    const other = arns.slice(0, index).find(({ text }) => partitionIn(text) !== partitionIn(one.text));
    const when = other === undefined ? undefined : used.and(one.when)?.and(other.when);
    if (other === undefined || when === undefined) continue;
    yield {
      verdict: 'fail',
      resource: role,
      message: 'mixed',
      source: one.source,
      data: {
        role: resourceName(role),
        found: one.text,
        other: other.text,
        user: user === role ? 'whatever is to assume it' : resourceName(user),
      },
      related: [{ message: `${other.text} is of another partition`, source: other.source }],
      when,
    };
    return;
  }
}

/** More than these ARNs of a template aren't compared with each other. */
const MOST_ARNS = 8;

/** Where nothing tells the partition of a template, which is deployed to one: two roles with ARNs of two. Modules of Terraform may have two providers. */
function* judgeBetween(
  users: ReadonlyMap<Role, { readonly when: When }>,
  model: EksModel,
): Generator<Judgement<MessageId>> {
  const seen = new Map<string, (Arn & { readonly role: Role })[]>();
  for (const [role, { when: used }] of users) {
    if (role.dialect.deployedBy !== 'CloudFormation' || partitionOfStack(role, model) !== undefined) continue;
    const arns = [...arnsOf(role)].flatMap((arn) => {
      const when = used.and(role.exists)?.and(arn.when);
      return when === undefined || partitionIn(arn.text) === undefined ? [] : [{ ...arn, when, role }];
    });
    // One role with both is told by itself.
    if (new Set(arns.map(({ text }) => partitionIn(text))).size !== 1) continue;
    const place = `${role.stack}\n${role.source.locate().file.replace(/(?<![^\\/])[^\\/]*$/, '')}`;
    const before = seen.get(place) ?? [];
    seen.set(place, [...before, ...arns].slice(0, MOST_ARNS));
    for (const one of arns.slice(0, MOST_ARNS)) {
      const other = before.find(
        ({ text, when }) => partitionIn(text) !== partitionIn(one.text) && when.and(one.when) !== undefined,
      );
      const when = other?.when.and(one.when);
      if (other === undefined || when === undefined) continue;
      yield {
        verdict: 'fail',
        resource: role,
        message: 'between',
        source: one.source,
        data: {
          role: resourceName(role),
          found: one.text,
          otherRole: resourceName(other.role),
          other: other.text,
        },
        related: [{ message: `${other.text} is of another partition`, source: other.source }],
        when,
      };
      break;
    }
  }
}

/** Code for a setting of the resource itself; what stands in a list or block is for words. */
function codeFor(
  user: Resource,
  source: Source,
  right: string,
): Record<'inTemplate' | 'inTerraform' | 'inCdk', string> {
  const [, name] = /^(?:Properties\.)?(\w+)$/.exec(source.locate().property ?? '') ?? [];
  if (name === undefined) return { inTemplate: '', inTerraform: '', inCdk: '' };
  // A construct takes the role itself.
  const isL1 = user.dialect.fixes.isByConstruct?.(user) === false;
  return {
    inTemplate: `${name}: ${right}`,
    inTerraform: `${name} = "${right}"`,
    inCdk: isL1 ? `${name.charAt(0).toLowerCase()}${name.slice(1)}: '${right}',` : '',
  };
}

function dataOf(found: string, partition: string, wrong: string): Record<string, string> {
  return { found, partition, wrong, right: inPartition(found, partition) };
}

function inPartition(arn: string, partition: string): string {
  return arn.replace(/^arn:aws(?:-[a-z]+)*:/, () => `arn:${partition}:`);
}

/** The partition that an ARN is of; undefined if it isn't written out. */
function partitionIn(text: string): string | undefined {
  return /^arn:(aws(?:-[a-z]+)*):/.exec(text)?.[1];
}

function* arnsOf(role: Role): Generator<Arn> {
  for (const { when, value } of alternativesOf(role.trust)) {
    if (value.kind !== 'known') continue;
    for (const { principals } of value.value.statements) for (const { id } of principals) yield* arnsIn(id, when);
  }
  for (const policy of role.policies) yield* arnsOfPolicy(policy);
}

function* arnsOfPolicy(policy: AttachedPolicy): Generator<Arn> {
  if (policy.kind === 'managed') {
    for (const arn of arnsIn(policy.arn)) yield arn;
    return;
  }
  for (const { when, value } of alternativesOf(policy.document)) {
    if (value.kind !== 'known') continue;
    for (const statement of value.value.statements) {
      if (isAboutTags(statement)) continue;
      for (const resource of [...statement.resources, ...statement.notResources]) yield* arnsIn(resource, when);
    }
  }
}

/** What the CNI may tag is for vpc-cni-role-tags-scope to say. */
function isAboutTags({ actions, resources }: PolicyStatement): boolean {
  return (
    actions.length === 1 &&
    actions.every((action) => textIn(action)?.toLowerCase() === 'ec2:createtags') &&
    resources.every((resource) => textIn(resource)?.endsWith(':network-interface/*') === true)
  );
}

function* arnsIn(value: Value<string>, outer?: When): Generator<Arn> {
  for (const { when: inner, value: plain } of alternativesOf(value)) {
    const when = outer === undefined ? inner : outer.and(inner);
    const text = textOf(plain);
    if (when !== undefined && text !== undefined) yield { text, source: plain.source, when };
  }
}

/** The text of a value without alternatives. */
function textIn(value: Value<string>): string | undefined {
  return value.kind === 'choice' ? undefined : textOf(value);
}
