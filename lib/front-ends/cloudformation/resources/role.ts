import { roleName, type AttachedPolicy, type PolicyDocument, type Role } from '../../../eks';
import {
  Absent,
  type Alternative,
  alternativesOf,
  always,
  choose,
  type Plain,
  sourceOf,
  Unknown,
  type Value,
} from '../../../value';
import { assume } from '../../../cloudformation/conditions';
import { Block } from '../../../cloudformation/block';
import { member, type Cursor } from '../../../cloudformation/cursor';
import { asText, type Item } from '../../../cloudformation/item';
import type { Template } from '../../../cloudformation/template';
import type { TemplateSet } from '../../../cloudformation/template-set';
import { ResourceAttribute } from '../../../cloudformation/unknown-values';
import { roleCalledLike, roleNamed } from './by-name';
import { CloudFormationResource } from './cloudformation-resource';
import { conditionalItems } from '../../../value/conditional-items';
import { outsidersOf } from './outsiders';
import { RoleDoubts, type Doubtful } from '../../parts/role-doubts';
import { partsIn } from './parts';
import { PolicyReader } from './policy-document';
import { Ambiguous } from '../../parts/references';

/** `AWS::IAM::Role`. Policies are read when somebody asks: a large template holds many roles of no interest. */
export class IamRole extends CloudFormationResource implements Role {
  readonly kind = 'role';
  declare private policiesMemo: readonly AttachedPolicy[] | undefined;
  declare private trustMemo: Value<PolicyDocument> | undefined;

  get name(): Value<string> {
    return this.properties.string('RoleName');
  }

  get trust(): Value<PolicyDocument> {
    return (this.trustMemo ??= new PolicyReader(this.evaluator).document(
      this.properties.item('AssumeRolePolicyDocument'),
    ));
  }

  get policies(): readonly AttachedPolicy[] {
    return (this.policiesMemo ??= [
      ...this.inline(),
      ...this.managed(),
      ...policyAttachments(this.template.set).of(this, this.template),
      ...this.byOutsiders(),
    ]);
  }

  get boundary(): readonly AttachedPolicy[] {
    return managedPolicies(this.properties.item('PermissionsBoundary'), this.template.set);
  }

  private inline(): AttachedPolicy[] {
    return conditionalItems(this.properties.list('Policies')).map((item): AttachedPolicy => {
      const block = Block.of(item, this.evaluator);
      const name = block.string('PolicyName');
      return {
        kind: 'document',
        name: name.kind === 'known' ? name.value : 'inline policy',
        document: new PolicyReader(this.evaluator).document(block.item('PolicyDocument')),
        source: sourceOf(item),
      };
    });
  }

  /** Those that may come from what isn't looked into. */
  private byOutsiders(): AttachedPolicy[] {
    const name = member(member(this.raw, 'Properties'), 'RoleName');
    return outsidersOf(this.template, this.id, name).flatMap((outsider): AttachedPolicy[] => {
      if (!outsider.may('attach')) return [];
      const { id, who, source } = outsider;
      return [
        {
          kind: 'document',
          name: id,
          document: new Unknown(`${who} may attach policies to it`, source),
          source,
          isDoubt: true,
        },
      ];
    });
  }

  private managed(): AttachedPolicy[] {
    return conditionalItems(this.properties.list('ManagedPolicyArns')).flatMap((item) =>
      managedPolicies(item, this.template.set),
    );
  }
}

/** A managed policy by ARN, or its document if the input declares it. */
function managedPolicies(item: Value<Item>, set: TemplateSet): AttachedPolicy[] {
  const arn = asText(item);
  const source = sourceOf(arn);
  const declared = alternativesOf(arn).map(({ value }) => declaredPolicy(value));
  const result: AttachedPolicy[] = [];
  if (declared.includes(undefined)) {
    const others = replace(arn, (value, index) => (declared[index] === undefined ? value : new Absent(value.source)));
    if (alternativesOf(others).some(({ value }) => value.kind !== 'absent'))
      result.push({ kind: 'managed', arn: others, source });
  }
  for (const [position, policy] of declared.entries()) {
    if (policy === undefined) continue;
    const document = new PolicyReader(set.evaluator).document(
      Block.at(policy, set.evaluator).block('Properties').item('PolicyDocument'),
    );
    const alternatives = alternativesOf(arn).flatMap(({ when, value }, index): Alternative<PolicyDocument>[] => {
      if (index !== position) return [{ when, value: new Absent(value.source) }];
      return alternativesOf(document).flatMap((inner) => {
        const both = when.and(inner.when);
        return both === undefined ? [] : [{ when: both, value: inner.value }];
      });
    });
    result.push({ kind: 'document', name: String(policy.key), document: choose(alternatives), source });
  }
  return result;
}

function declaredPolicy(value: Plain<string>): Cursor | undefined {
  if (!(value instanceof ResourceAttribute)) return undefined;
  return member(value.declaration.raw, 'Type') === 'AWS::IAM::ManagedPolicy' ? value.declaration : undefined;
}

function replace(value: Value<string>, fn: (plain: Plain<string>, index: number) => Plain<string>): Value<string> {
  return choose(alternativesOf(value).map(({ when, value: plain }, index) => ({ when, value: fn(plain, index) })));
}

type DocumentPolicy = Extract<AttachedPolicy, { kind: 'document' }>;

const attachments = new WeakMap<TemplateSet, PolicyAttachments>();

function policyAttachments(set: TemplateSet): PolicyAttachments {
  let found = attachments.get(set);
  if (found === undefined) {
    found = new PolicyAttachments(set);
    attachments.set(set, found);
  }
  return found;
}

/** Policies that name their roles instead of being named by them; indexed once for all roles. */
class PolicyAttachments {
  private readonly byRole = new Map<object, AttachedPolicy[]>();
  /** Those of which nothing tells for which role of the templates of their folder they are. */
  private readonly doubts = new RoleDoubts();

  constructor(private readonly set: TemplateSet) {
    for (const template of set.templates) {
      for (const id of partsIn(template).policies) this.add(template, id);
    }
  }

  of(role: Role, template: Template): readonly AttachedPolicy[] {
    return [...(this.byRole.get(role) ?? []), ...this.doubts.of(placeOf(template), role.id, role.name)];
  }

  private add(template: Template, id: string): void {
    const { evaluator } = this.set;
    const cursor = template.named('Resources', id);
    if (cursor === undefined) return;
    const properties = Block.at(cursor, evaluator).block('Properties');
    const listed = properties.list('Roles');
    const roles =
      template.typeOf(id) === 'AWS::IAM::RolePolicy' ? [properties.item('RoleName')] : conditionalItems(listed);
    for (const { value } of alternativesOf(listed))
      if (value.kind === 'unknown') this.doubts.add(placeOf(template), value, { name: id, source: cursor });
    const found = roles.flatMap((item) => this.rolesOf(asText(item), template));
    if (found.length === 0)
      for (const item of roles) this.addDoubts(asText(item), template, { name: id, source: cursor });
    for (const { role, doubt } of found) {
      const policy = new DeclaredPolicy(template, id, cursor, properties, doubt);
      const list = this.byRole.get(role);
      if (list === undefined) this.byRole.set(role, [policy]);
      else list.push(policy);
    }
  }

  private addDoubts(role: Value<string>, template: Template, policy: Doubtful): void {
    for (const { value } of alternativesOf(role))
      if (value.kind === 'unknown' && !OF_NESTED_STACK.test(value.text ?? ''))
        this.doubts.add(placeOf(template), value, policy);
  }

  /** Each role that a name may be that of, with why it may be another one's. */
  private rolesOf(value: Value<string>, template: Template): { readonly role: object; readonly doubt?: string }[] {
    const like = roleCalledLike(value, template);
    if (like !== undefined) return [{ role: like }];
    return alternativesOf(value).flatMap(({ value: plain }) => {
      if (plain.kind === 'unknown' && plain.reference !== undefined) return [{ role: plain.reference.resource }];
      const text = plain.kind === 'known' ? plain.value : plain.kind === 'unknown' ? plain.text : undefined;
      const name = text === undefined ? undefined : roleName(text);
      const role = name === undefined ? undefined : roleNamed(name, template);
      if (role instanceof Ambiguous)
        return role.candidates.map((one) => ({
          role: one,
          doubt: `whether it is a policy of this role: ${role.reason}`,
        }));
      return role === undefined ? [] : [{ role }];
    });
  }
}

/** What another stack that isn't here tells of its own roles. */
const OF_NESTED_STACK = /\.Outputs\./;

/** The folder of a template: what is in one is often deployed together. */
function placeOf({ file }: Template): string {
  return file.replace(/(?<![^\\/])[^\\/]*$/, '');
}

/** A policy of its own that names its roles. It is read when somebody asks, too. */
class DeclaredPolicy implements DocumentPolicy {
  readonly kind = 'document';
  private documentMemo: Value<PolicyDocument> | undefined;

  constructor(
    private readonly template: Template,
    readonly name: string,
    readonly source: Cursor,
    private readonly properties: Block,
    /** Why it may be another role's. */
    private readonly doubt: string | undefined,
  ) {}

  get document(): Value<PolicyDocument> {
    return (this.documentMemo ??= this.read());
  }

  private read(): Value<PolicyDocument> {
    const { template, name, properties, doubt } = this;
    if (doubt !== undefined) return new Unknown(doubt, this.source);
    return whileExists(
      template,
      name,
      new PolicyReader(template.set.evaluator).document(properties.item('PolicyDocument')),
    );
  }
}

/** A policy resource under a condition grants something only while the condition holds. */
function whileExists(template: Template, id: string, document: Value<PolicyDocument>): Value<PolicyDocument> {
  const name = member(template.named('Resources', id)?.raw, 'Condition');
  if (typeof name !== 'string') return document;
  const condition = template.condition(name);
  const [exists, missing] = [assume(condition, true), assume(condition, false)];
  const source = sourceOf(document);
  if (exists === undefined) return new Absent(source);
  if (missing === undefined || exists === always) return document;
  const existing = alternativesOf(document).flatMap(({ when, value }): Alternative<PolicyDocument>[] => {
    const both = exists.and(when);
    return both === undefined ? [] : [{ when: both, value }];
  });
  return choose([...existing, { when: missing, value: new Absent(source) }]);
}
