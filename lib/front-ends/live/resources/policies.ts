import { basename } from 'node:path';
import type { AttachedPolicy, Role } from '../../../eks';
import { Unknown, type Plain, type Source } from '../../../value';
import { parseDocument } from '../../../languages';
import { documentPolicies } from '../../parts/document-policies';
import { AnswerNode } from '../answer-node';
import type { Dump } from '../dump';

/** Answers are all known. The API has documents as texts with `%` escapes, which the command line makes JSON of. */
const policyDocument = documentPolicies<AnswerNode>((text, { document, file, path }) => {
  const { root } = parseDocument(decoded(text), file, false);
  return typeof root === 'object' && root !== null ? new AnswerNode(document, file, path, root) : undefined;
});

function decoded(text: string): string {
  try {
    return text.startsWith('%') ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}

/** Names of files that `collect` gives answers which don't say what they are of; guide "live clusters" has them. */
const ATTACHED = /^role-(.+)\.attached-policies\.json$/;
const INLINE = /^role-(.+)\.inline-policies\.json$/;
const DOCUMENT = /^policy-(.+)\.json$/;

/** The roles of a dump, with what is attached to them. */
export function rolesOf(dump: Dump): ReadonlyMap<string, Role> {
  const policies = new Policies(dump);
  return new Map(
    dump.all('Role').map((node): [string, Role] => {
      const role = node.asResource();
      const name = role.child('RoleName').label;
      return [
        name,
        {
          ...dump.resource('iam:role', name, role),
          kind: 'role',
          name: role.child('RoleName').text,
          trust: policyDocument(role.child('AssumeRolePolicyDocument')),
          policies: policies.of(name, role),
        },
      ];
    }),
  );
}

class Policies {
  private readonly attached: ReadonlyMap<string, readonly AnswerNode[]>;
  private readonly inlineNames: ReadonlyMap<string, readonly string[]>;
  private readonly inline = new Map<string, Map<string, AnswerNode>>();
  private readonly documents: ReadonlyMap<string, AnswerNode>;

  constructor(private readonly dump: Dump) {
    this.attached = byName(dump, 'AttachedPolicies', ATTACHED, ({ items }) => items);
    this.inlineNames = byName(dump, 'PolicyNames', INLINE, ({ items }) => items.map(({ label }) => label));
    this.documents = byName(dump, 'PolicyVersion', DOCUMENT, (node) => node.child('Document'));
    for (const { root } of dump.answersOf('PolicyDocument')) {
      const role = root.child('RoleName').label;
      const documents = this.inline.get(role) ?? new Map<string, AnswerNode>();
      this.inline.set(role, documents);
      documents.set(root.child('PolicyName').label, root.child('PolicyDocument'));
    }
  }

  of(role: string, source: Source): readonly AttachedPolicy[] {
    return [...this.inlineOf(role, source), ...this.attachedTo(role, source)];
  }

  private inlineOf(role: string, source: Source): readonly AttachedPolicy[] {
    const documents = this.inline.get(role) ?? new Map<string, AnswerNode>();
    const names = this.inlineNames.get(role);
    const missing = (names ?? []).filter((name) => !documents.has(name));
    return [
      ...[...documents].map(
        ([name, node]): AttachedPolicy => ({
          kind: 'document',
          name,
          document: policyDocument(node),
          source: node,
        }),
      ),
      ...(names === undefined
        ? [this.unseen('inline policies', `the names of the inline policies of role ${role}`, source)]
        : missing.map((name) => this.unseen(name, `inline policy ${name} of role ${role}`, source))),
    ];
  }

  private attachedTo(role: string, source: Source): readonly AttachedPolicy[] {
    const list = this.attached.get(role);
    if (list === undefined)
      return [this.unseen('attached policies', `the list of the policies attached to role ${role}`, source)];
    return list.map((item): AttachedPolicy => {
      const arn = item.child('PolicyArn').text;
      const document = isOfAws(arn) ? undefined : this.documents.get(item.child('PolicyName').label);
      return document === undefined
        ? { kind: 'managed', arn, source: item }
        : { kind: 'document', name: item.child('PolicyName').label, document: policyDocument(document), source: item };
    });
  }

  private unseen(name: string, what: string, source: Source): AttachedPolicy {
    return { kind: 'document', name, document: new Unknown(`${what} isn't in ${this.dump.folder}`, source), source };
  }
}

function isOfAws(arn: Plain<string>): boolean {
  return arn.kind === 'known' && /^arn:[\w-]+:iam::aws:/.test(arn.value);
}

/** What answers hold that don't say what they are of, by the names of their files. */
function byName<T>(
  dump: Dump,
  key: 'AttachedPolicies' | 'PolicyNames' | 'PolicyVersion',
  pattern: RegExp,
  content: (node: AnswerNode) => T,
): ReadonlyMap<string, T> {
  return new Map(
    dump.answersOf(key).flatMap((answer): [string, T][] => {
      const { file, root } = answer;
      const name = pattern.exec(basename(file))?.[1];
      // A list that goes on elsewhere is no list.
      return name === undefined || !dump.isWhole(answer) ? [] : [[name, content(root.child(key))]];
    }),
  );
}

/** Files whose names don't tell what they are of. */
export function namelessPolicies(dump: Dump): readonly string[] {
  return (['AttachedPolicies', 'PolicyNames', 'PolicyVersion'] as const).flatMap((key) => {
    const pattern = { AttachedPolicies: ATTACHED, PolicyNames: INLINE, PolicyVersion: DOCUMENT }[key];
    return dump.answersOf(key).flatMap(({ file }) => (pattern.test(basename(file)) ? [] : [file]));
  });
}
