import { defineRule, resourceName, type Judgement, type Severity } from '../../engine';
import { alternativesOf, type EksModel, type Resource, type Role, type Source } from '../../eks';
import { mayTrustServiceAccounts, unreadableTrustOf, webIdentitiesOf } from '../../eks/analysis/identity';
import { reviewTrust } from '../../eks/analysis/identity-trust';
import type { TrustDefect } from '../../eks/analysis/trust-defects';
import type { TrustStatement } from '../../eks/iam/trust-statement';
import { providerInCode } from '../../eks/analysis/provider-in-code';
import { associationInConfig, givenBeside } from './parts/addon-association';
import { askedAudiences } from './parts/asked-audiences';
import { issuerBeside } from './parts/issuer-in-template';
import { isIdleRole, NO_SUBJECT, usersOf } from './parts/role-users';
import { trustsPodsByMistake } from './parts/service-roles';
import { patternCode, subjectCode } from './parts/web-identity-code';

/*
 * A trust policy for service accounts is a handful of strings that IAM stores without looking at them; with one character wrong
 * no token ever matches, and with the subject left out every pod of the cluster does.
 * Source: Amazon EKS user guide, "Assign IAM roles to Kubernetes service accounts".
 */

type MessageId = TrustDefect['kind'];

/** Of patterns of subjects in a ClusterConfig. */
const IN_FULL =
  'Name the service account in full: eksctl writes the trust policy from the item of `iam.serviceAccounts`, and `subjectPattern` takes the place of its name.';

const MOVES =
  ' (that of `iam.podIdentityAssociations` for the same service account moves there, as EKS takes no second one)';

const DENIED = '"Not authorized to perform sts:AssumeRoleWithWebIdentity"';

export const irsaTrustPolicy = defineRule<MessageId>({
  id: 'irsa-trust-policy',
  subject: 'iam',
  title: 'The trust policy of a service account role matches its tokens, and only those',
  severity: 'error',
  since: '0.1.0',
  messages: {
    action: {
      text: `Role {{role}} allows {{found}} to the OIDC provider of a cluster instead of sts:AssumeRoleWithWebIdentity: pods get ${DENIED}.`,
      fix: {
        summary: 'Write `sts:AssumeRoleWithWebIdentity` as the action of this statement.',
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
    principal: {
      text: `Role {{role}} trusts the principal {{found}} for tokens of a cluster, but {{why}}: {{effect}}.`,
      fix: {
        summary:
          'Use the ARN of the IAM OIDC provider, `arn:<partition>:iam::<account>:oidc-provider/<issuer without https://>`.',
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
    'function-key': {
      text: 'Role {{role}} builds the condition key {{key}} with {{call}}: CloudFormation takes no functions in keys ("map keys must be strings") and refuses the template.',
      fix: {
        summary: 'Give the whole trust policy as the text of one `Fn::Sub`, in which the keys are text too.',
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
    'key-scheme': {
      text: `Role {{role}} has the condition key {{key}}: with {{before}} it names a claim that no token has, so pods get ${DENIED}.`,
      fix: { summary: 'Write the issuer alone: `{{correct}}`.', code: subjectCode, safety: 'needs-decision' },
    },
    'foreign-claims': {
      text: `Role {{role}} checks claims of {{inKey}}, whose tokens are not those of a cluster, but trusts {{found}}, the provider of a cluster: nobody's tokens fit, and who is to use the role gets ${DENIED}.`,
      fix: {
        summary:
          'Trust the IAM OIDC provider of {{inKey}}, `arn:<partition>:iam::<account>:oidc-provider/{{inKey}}`, and leave the conditions as they are: a subject of the cluster in their place would hand the role to a pod.',
        safety: 'needs-decision',
      },
    },
    'other-issuer': {
      text: `Role {{role}} checks claims of issuer {{inKey}} but trusts the provider of {{inPrincipal}}: tokens of neither cluster match, and pods get ${DENIED}.`,
      fix: {
        summary: 'Use the issuer of the one cluster in the principal and in every condition key.',
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
    'no-subject': {
      text: 'Role {{role}} trusts the OIDC provider of a cluster without a condition on `:sub`{{twice}}: every pod of the cluster, in any namespace, can assume it{{idle}}.',
      fix: {
        summary:
          'Add a condition `<issuer>:sub` with `system:serviceaccount:<namespace>:<service account>`.{{inModule}}',
        summaryIn: {
          eksctl:
            'eksctl writes this policy itself, and knows the service account of vpc-cni alone. Give the add-on `podIdentityAssociations` in place of its policies{{already}}, with `eks-pod-identity-agent` among `addons`; or make the role in `iam.serviceAccounts`, with `roleOnly: true` and a `roleName`, and name it in `serviceAccountRoleARN`.',
        },
        code: { ...subjectCode, eksctl: '{{inEksctl}}' },
        safety: 'needs-decision',
      },
    },
    placeholder: {
      text: `Role {{role}} {{where}} {{found}}, a placeholder of documentation, while {{other}}: no token matches both, and pods get ${DENIED}.`,
      fix: {
        summary: 'Take principal and condition keys from the one OIDC provider of the cluster.',
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
    'no-audience': {
      text: "Role {{role}} trusts the OIDC provider of a cluster without a condition on `:aud`{{twice}}: only the provider's list of client ids then limits for which audience a token must be made, and that list {{clients}}.",
      fix: {
        summary: 'Add the condition `<issuer>:aud` with `sts.amazonaws.com`, as the user guide does.{{inModule}}',
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
    audience: {
      text: `Role {{role}} demands the audience {{found}}, while the tokens that EKS mounts have sts.amazonaws.com, in every partition: pods get ${DENIED}.`,
      fix: {
        summary: 'Write `sts.amazonaws.com`, unless the pod asks for another audience in its token volume.',
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
    'literal-wildcard': {
      text: `Role {{role}} compares the subject with {{found}} by {{operator}}, which takes the wildcard literally: no token matches, and pods get ${DENIED}.`,
      fix: {
        summary: 'Name the service account in full{{orPattern}}.{{inModule}}',
        code: patternCode,
        safety: 'needs-decision',
      },
    },
    'subject-form': {
      text: `Role {{role}} expects the subject {{found}}, which no token has: EKS writes system:serviceaccount:<namespace>:<service account>, so pods get ${DENIED}.`,
      fix: {
        summary: 'Write the subject as `system:serviceaccount:<namespace>:<service account>`.{{inModule}}',
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
    'foreign-subject': {
      text: `Role {{role}} expects the subject {{found}}, as GitHub and GitLab write theirs, of the provider of a cluster: no token of a cluster has it, and who is to use the role gets ${DENIED}.`,
      fix: {
        summary:
          'Trust the IAM OIDC provider of `token.actions.githubusercontent.com`, or that of GitLab, in the principal and in the keys of the conditions: a subject of the cluster in place of this one would hand the role to a pod.',
        safety: 'needs-decision',
      },
    },
    'dead-value': {
      text: 'Role {{role}} lists {{found}} among its subjects under {{operator}}, but no token has this subject ({{operator}} takes wildcards literally, if there are any): only the other values admit anyone.',
      fix: {
        summary: 'Remove this value, or name the service account in full.',
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
    'any-namespace': {
      text: 'Role {{role}} accepts the subjects {{found}}: service accounts of every namespace of the cluster can assume it{{idle}}.',
      fix: {
        summary: 'Name the namespace and the service account.',
        summaryIn: { eksctl: IN_FULL },
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
    'name-anywhere': {
      text: 'Role {{role}} accepts the subjects {{found}}: the service accounts of this name in every namespace can assume it, and whoever may create one in any namespace gets what the role may do.',
      fix: {
        summary: 'Name the namespace, or list one subject for each of several.',
        summaryIn: { eksctl: IN_FULL },
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
    'some-namespaces': {
      text: 'Role {{role}} accepts the subjects {{found}}: whoever may create a namespace with a fitting name can assume it.',
      fix: {
        summary: 'Name the namespaces in full.',
        summaryIn: { eksctl: IN_FULL },
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
    'any-account': {
      text: 'Role {{role}} accepts the subjects {{found}}: every pod of this namespace can assume it.',
      fix: {
        summary: 'Name the service account, unless the whole namespace shall share the role.',
        summaryIn: { eksctl: IN_FULL },
        code: subjectCode,
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const role of model.roles) {
      if (trustsPodsByMistake(role, model)) continue;
      const judgements = [...judge(role, model)];
      if (judgements.length > 0) yield* judgements;
    }
  },
});

const WARNINGS: ReadonlySet<MessageId> = new Set([
  'audience',
  'dead-value',
  'name-anywhere',
  'some-namespaces',
  'any-account',
]);

/** Defects that let every pod of the cluster in. */
const OPEN: ReadonlySet<MessageId> = new Set(['no-subject', 'any-namespace']);

/** What a tool writes of its own accord is nobody's mistake, and works. */
function severityOf(kind: MessageId, { isModuleDefault }: Source, isIdle: boolean): Severity {
  if (kind === 'no-audience' || (isIdle && OPEN.has(kind))) return 'info';
  return WARNINGS.has(kind) || (kind === 'no-subject' && isModuleDefault === 'yes') ? 'warning' : 'error';
}

/** Whether a trust policy surely holds one statement, which trusts nobody but identity providers: EC2 may stand there, for nodes that have the role. */
function isAlone({ trust }: Role): boolean {
  return alternativesOf(trust).every(
    ({ value }) =>
      value.kind === 'known' &&
      value.value.statements.length <= 1 &&
      value.value.statements.every(({ principals }) => principals.every(({ type }) => type === 'Federated')),
  );
}

/** The operator that somebody wrote for each claim anew: HCL keeps the last object of a key, and what the others hold isn't there. */
function repeatedOperator(role: Role): string {
  const operator = isAlone(role) ? role.repeatedTrustKeys?.find((key) => /^(?:For\w+:)?String/i.test(key)) : undefined;
  return operator === undefined
    ? ''
    : ` (\`${operator}\` is written more than once in one object, of which Terraform keeps the last: all keys belong into one)`;
}

function* judge(role: Role, model: EksModel): Generator<Judgement<MessageId>> {
  const { oidcProviders: providers } = model;
  for (const { when: assumed, statement } of webIdentitiesOf(role)) {
    const when = role.exists.and(assumed);
    if (when === undefined) continue;
    const { defects: all, doubts } = reviewTrust(statement, providers);
    const defects = all.filter((defect) => defect.kind !== 'audience' || !askedAudiences(model).has(defect.found));
    const code = providerInCode(role, [statement], providers);
    const isIdle = isIdleRole(role, model);
    for (const defect of defects) {
      const both = defect.when === undefined ? when : when.and(defect.when);
      if (both === undefined) continue;
      // Code for the whole policy would take what else is in it away.
      const subject = isAlone(role) ? subjectOf(statement, role, model) : NO_SUBJECT;
      const pattern = narrowPatternOf(defect);
      yield {
        verdict: 'fail',
        resource: role,
        message: defect.kind,
        severity: severityOf(defect.kind, statement.source, isIdle),
        data: {
          ...textsOf(defect),
          effect: effectOf(defect),
          twice: repeatedOperator(role),
          idle: isIdle ? '. So far that gives them nothing: no policy is attached to it, and nothing here uses it' : '',
          role: resourceName(role),
          provider: code.arn,
          issuer: code.issuer,
          ...issuerBeside(role, statement, model),
          inModule: inModule(role, defect),
          inEksctl: associationInConfig(role, model),
          already: givenBeside(role, model) === undefined ? '' : MOVES,
          subject,
          orPattern: pattern === undefined ? '' : ', or use `StringLike` for a pattern',
          pattern: subject === NO_SUBJECT && isAlone(role) ? (pattern ?? subject) : subject,
        },
        source: defect.source,
        about: aboutOf(textsOf(defect)),
        when: both,
        ...related(statement.federated.flatMap(({ target }) => target ?? [])),
      };
    }
    if (doubts.length > 0)
      yield { verdict: 'unverifiable', resource: role, source: statement.source, reason: doubts.join('; '), when };
    else if (defects.length === 0) yield { verdict: 'pass', resource: role, when };
  }
  for (const { when, statement } of mayTrustServiceAccounts(role)) {
    yield {
      verdict: 'unverifiable',
      resource: role,
      source: statement.source,
      reason: 'whether the identity provider that it trusts is that of a cluster is not known',
      when,
    };
  }
  for (const { when, reason, source } of unreadableTrustOf(role)) {
    yield {
      verdict: 'unverifiable',
      resource: role,
      source,
      reason: `its trust policy can't be read (${reason ?? 'not known'})`,
      when,
    };
  }
}

const PREFIX = 'system:serviceaccount:';

/** A subject with a wildcard that is worth comparing as a pattern: in one that fits every namespace or account, it would be the next defect. */
function narrowPatternOf(defect: TrustDefect): string | undefined {
  const found = defect.kind === 'literal-wildcard' ? defect.found : '';
  const [, name = ''] = /^system:serviceaccount:[a-z\d.-]+:([a-z\d.*?-]+)$/.exec(found) ?? [];
  return /[a-z\d]/.test(name) ? found : undefined;
}

/** What it is called in the call of a module, which takes the service accounts alone and writes what is before them itself; nothing elsewhere. */
function inModule({ moduleInputs }: Role, defect: TrustDefect): string {
  const audiences = moduleInputs?.get('audiences');
  if (defect.kind === 'no-audience')
    return audiences === undefined
      ? ''
      : ` In the call of the module that is \`${audiences} = ["sts.amazonaws.com"]\`.`;
  const subjects = moduleInputs?.get('subjects');
  if (defect.kind === 'no-subject' && subjects !== undefined) return ` The module takes it in \`${subjects}\`.`;
  const accounts = moduleInputs?.get('service_accounts');
  const test = moduleInputs?.get('subject_test');
  if (accounts === undefined || test === undefined) return '';
  if (defect.kind === 'literal-wildcard')
    return narrowPatternOf(defect) === undefined ? '' : ` The module has \`${test} = "StringLike"\` for that.`;
  const account = defect.kind === 'subject-form' ? accountIn(defect.found) : '<namespace>:<service account>';
  return ` In \`${accounts}\` that is \`"${account}"\`: the module adds \`${PREFIX}\` itself.`;
}

/** The service account that somebody meant, as a module takes it: without the prefix, which many write although the module does, and in two parts. */
function accountIn(subject: string): string {
  const given = subject.slice(PREFIX.length);
  const [namespace = '', name = '', ...more] = (given.startsWith(PREFIX) ? given.slice(PREFIX.length) : given).split(
    /[:/]/,
  );
  const part = (text: string, instead: string): string => (/^[a-z\d][a-z\d.-]*$/.test(text) ? text : instead);
  return more.length > 0
    ? '<namespace>:<service account>'
    : `${part(namespace, '<namespace>')}:${part(name, '<service account>')}`;
}

/** The one service account that the statement names, which stays, or else the one that uses the role. */
function subjectOf({ subjects }: TrustStatement, role: Role, model: EksModel): string {
  const values = subjects.flatMap((one) => one.values);
  const [value] = values;
  const text = values.length === 1 && value?.kind === 'known' ? value.value : '';
  // A template composes it of parameters, in a text in which they are the same.
  const written = value === undefined || value.kind === 'choice' ? undefined : value.source.expression;
  const [, composed] = /^!Sub ["']?(system:serviceaccount:[\w:${}.-]+)["']?$/.exec(written ?? '') ?? [];
  if (/^system:serviceaccount:[a-z\d.-]+:[a-z\d.-]+$/.test(text)) return composed ?? text;
  const [used, ...others] = usersOf(model).get(role) ?? [];
  return used === undefined || others.length > 0 ? NO_SUBJECT : used;
}

/** What comes of a principal. Source: terraform-aws-modules/terraform-aws-eks, issue 2594; terraform-aws-modules/terraform-aws-iam, issue 202. */
function effectOf(defect: TrustDefect): string {
  return defect.kind === 'principal' && !defect.isArn
    ? `IAM refuses to make the role ("MalformedPolicyDocument: Federated principals must be valid domain names or SAML metadata ARNs"), or its pods get ${DENIED}`
    : `pods get ${DENIED}`;
}

/** Which of the conditions and principals of the policy it is. */
function aboutOf({ found = '', key = '', inKey = '' }: Readonly<Record<string, string>>): string {
  return [found, key, inKey].filter((text) => text !== '').join(' ');
}

function textsOf(defect: TrustDefect): Record<string, string> {
  return Object.fromEntries(
    Object.entries(defect).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function related(targets: readonly Resource[]): Pick<Judgement, 'related'> {
  return targets.length === 0
    ? {}
    : {
        related: targets.map((target) => ({
          message: `${target.id} is the identity provider that it trusts`,
          source: target.source,
        })),
      };
}
