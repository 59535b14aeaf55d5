import { defineRule, resourceName, type Judgement } from '../../engine';
import { casesOf, textOf, type AccessEntry, type Known, type Plain, type Value, type When } from '../../eks';
import { listOf } from '../../text/in-words';
import { undecided } from '../parts/case-judgements';
import { entryCode } from './parts/entry-code';

/*
 * EKS keeps the groups of Kubernetes itself for itself: an access entry can't name one, as `aws-auth` can.
 * Sources: terraform-aws-modules/terraform-aws-eks, issue 2915, with what the API says; EKS user guide, "Create access entries".
 */

type Message = 'masters' | 'nodes' | 'typed' | 'reserved';

const RESERVED = 'system:';
const ADMINISTRATORS = 'system:masters';
/** What `aws-auth` gives to nodes. */
const OF_NODES: ReadonlySet<string> = new Set(['system:bootstrappers', 'system:nodes', 'system:node-proxier']);

const REFUSED =
  'EKS refuses Kubernetes groups whose names begin with `system:` ("it cannot start with system:"), so the entry isn\'t made and nobody gets in by it.';

const CODE = {
  cloudformation: '{{inTemplate}}',
  'aws-cdk': '{{inCdk}}',
  terraform: '{{inTerraform}}',
  'terraform-module': '{{inModule}}',
  eksctl: '{{inEksctl}}',
};

export const accessEntryGroups = defineRule<Message>({
  id: 'access-entry-groups',
  subject: 'iam',
  title: 'Access entries leave out the groups that Kubernetes has for itself',
  severity: 'error',
  since: '0.1.0',
  isAboutCode: true,
  messages: {
    masters: {
      text: `Access entry {{entry}} has the group {{found}}. ${REFUSED}`,
      fix: {
        summary:
          'Leave the group out, and give the entry the access policy `AmazonEKSClusterAdminPolicy` for the whole cluster: its holders may do the same.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
    nodes: {
      text: `Access entry {{entry}} has the groups of nodes: {{found}}. ${REFUSED}`,
      fix: {
        summary:
          'Leave the groups out, and make the entry one of type `EC2_LINUX` (`EC2_WINDOWS` for nodes with Windows): EKS then gives nodes with the role what they need. For managed node groups and Fargate profiles EKS makes the entry itself.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
    typed: {
      text: `Access entry {{entry}} of type {{type}} has {{found}}. ${REFUSED}`,
      fix: {
        summary: 'Leave the groups out: EKS gives the holders of an entry of this type the groups that they need.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
    reserved: {
      text: `Access entry {{entry}} has {{found}}. ${REFUSED}`,
      fix: {
        summary:
          "Take a name of your own, and bind it by a RoleBinding or ClusterRoleBinding to the role that its holders need. What everybody has who signs in, such as `system:authenticated`, needn't be given.",
        code: CODE,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const entry of model.clusterViews.flatMap(({ accessEntries }) => accessEntries)) {
      const { entryType, groups } = entry;
      for (const { when, values } of casesOf(entry, { type: entryType, groups })) {
        const { type, groups: list } = values;
        if (list.kind === 'unknown')
          yield { resource: entry, when, ...undecided("its Kubernetes groups aren't known", list) };
        // eksctl refuses groups there whatever they are called, which a rule of its own tells.
        else if (list.kind === 'absent' || (entry.dialect.name === 'eksctl' && isOfNodes(type)))
          yield { resource: entry, when, verdict: 'pass' };
        else yield* judge(entry, type, list, when);
      }
    }
  },
});

/** The groups of one case, each of which may be a choice. */
function* judge(
  entry: AccessEntry,
  type: Plain<string>,
  { value: items, source }: Known<readonly Value<string>[]>,
  given: When,
): Generator<Judgement<Message>> {
  const each = Object.fromEntries(items.map((item, index) => [String(index), item]));
  for (const { when, values } of casesOf(entry, each, given)) {
    const names = Object.values(values).flatMap((value) => (value.kind === 'absent' ? [] : [value]));
    const reserved = names.filter((name) => textOf(name)?.startsWith(RESERVED) === true);
    const [first] = reserved;
    if (first !== undefined) {
      const texts = [...new Set(reserved.map((name) => textOf(name) ?? ''))];
      const others = names.filter((name) => !reserved.includes(name)).map((name) => textOf(name));
      const message = messageOf(type, texts);
      yield {
        ...{ resource: entry, when, verdict: 'fail', message, source: first.source, about: texts.join(' ') },
        data: {
          entry: resourceName(entry),
          type: textOf(type) ?? '',
          found: listOf(texts.map((text) => `\`${text}\``)),
          ...entryCode(message, entry, texts, others),
        },
      };
      continue;
    }
    const unknown = names.find((name) => name.kind === 'unknown');
    yield unknown?.kind === 'unknown'
      ? { resource: entry, when, ...undecided("one of its Kubernetes groups isn't known", unknown) }
      : { resource: entry, when, source, verdict: 'pass' };
  }
}

/** Whether an entry is surely for nodes or what else AWS has a type for. */
function isOfNodes(type: Plain<string>): boolean {
  return type.kind === 'known' && type.value !== '' && type.value.toUpperCase() !== 'STANDARD';
}

function messageOf(type: Plain<string>, reserved: readonly string[]): Message {
  if (isOfNodes(type)) return 'typed';
  if (reserved.includes(ADMINISTRATORS)) return 'masters';
  return reserved.every((name) => OF_NODES.has(name)) ? 'nodes' : 'reserved';
}
