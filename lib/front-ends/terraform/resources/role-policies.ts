import { join } from 'node:path';
import { roleName, type AttachedPolicy, type PolicyDocument, type Role } from '../../../eks';
import { awsManagedPolicyPath, managedPolicySummary } from '../../../knowledge';
import { partitionOf } from '../../../knowledge/partition';
import { ComposedText } from '../../../value/composed-text';
import { conditionalItems } from '../../../value/conditional-items';
import { whileExists } from '../../../value/while-exists';
import type { TerraformInstance } from '../../../terraform/instance';
import { asText, type TerraformItem, type TerraformValue } from '../../../terraform/terraform-value';
import { RoleDoubts } from '../../parts/role-doubts';
import { LinkedBlock } from './linked-block';
import { outsidersIn } from './outsiders';
import { policyReader } from './policy-document';
import type { ReferenceScope } from './references';
import type { Registry } from './registry';
import {
  Absent,
  type Alternative,
  alternativesOf,
  choose,
  flatMapValue,
  Known,
  type Plain,
  type Source,
  Unknown,
  type Value,
} from '../../../value';

/** A managed policy by ARN, or its document if the input declares it. @param item the ARN, its references not yet resolved */
export function managedPolicies(
  item: TerraformValue,
  source: Source,
  { registry, stack }: ReferenceScope,
): AttachedPolicy[] {
  const alternatives = alternativesOf(item).map(({ when, value }) => ({
    when,
    value,
    declared: declaredPolicy(value, registry, stack),
  }));
  const result: AttachedPolicy[] = [];
  const others = choose(
    alternatives.map(
      ({ when, value, declared }): Alternative<TerraformItem> => ({
        when,
        value: declared === undefined ? value : new Absent(value.source),
      }),
    ),
  );
  if (alternativesOf(others).some(({ value }) => value.kind !== 'absent')) {
    const arn = flatMapValue(others, (plain) => lookedUpArn(plain, registry) ?? asText(registry.link(plain)));
    result.push({ kind: 'managed', arn, source });
  }
  for (const { when, declared } of alternatives) {
    if (declared === undefined) continue;
    const document = whileExists(
      declared.exists,
      policyReader(registry).document(new LinkedBlock(declared.attributes, registry).raw('policy')),
    );
    result.push({ kind: 'document', name: declared.address, document: whileExists(when, document), source });
  }
  return result;
}

/** The `aws_iam_policy` that an ARN is of. */
function declaredPolicy(value: Plain<TerraformItem>, registry: Registry, stack: string): TerraformInstance | undefined {
  const reference = registry.referenced(value);
  if (reference !== undefined)
    return reference.instance.mode === 'managed' && reference.instance.type === 'aws_iam_policy'
      ? reference.instance
      : undefined;
  const named = value instanceof ComposedText ? policyOfName(value, registry) : undefined;
  if (named !== undefined) return named;
  const text = value.kind === 'known' ? value.value : value.kind === 'unknown' ? value.text : undefined;
  const name =
    typeof text === 'string' ? /^arn:[^:]*:iam::(?!aws:)[^:]*:policy\/(?:.*\/)?([^/]+)$/.exec(text)?.[1] : undefined;
  return name === undefined || name.includes('${') ? undefined : declaredPolicies(registry).get(`${stack}\n${name}`);
}

/** The policy whose name ends an ARN: `arn:aws:iam::111122223333:policy/${aws_iam_policy.x.name}`. */
function policyOfName({ pieces }: ComposedText, registry: Registry): TerraformInstance | undefined {
  const last = pieces.at(-1);
  const reference = last?.kind === 'unknown' ? registry.referenced(last) : undefined;
  const head = pieces.slice(0, -1).map((piece) => (piece.kind === 'known' ? piece.value : '?'));
  return reference?.attribute === 'name' &&
    reference.instance.type === 'aws_iam_policy' &&
    reference.instance.mode === 'managed' &&
    /^arn:[^:]*:iam::[^:]*:policy\/(?:.*\/)?$/.test(head.join(''))
    ? reference.instance
    : undefined;
}

/** `data.aws_iam_policy` finds a policy of AWS by its name, whatever its path is, and gives the ARN with it. */
function lookedUpArn(value: Plain<TerraformItem>, registry: Registry): Value<string> | undefined {
  const reference = registry.referenced(value);
  if (reference === undefined || reference.instance.mode !== 'data' || reference.instance.type !== 'aws_iam_policy')
    return undefined;
  if (reference.attribute !== 'arn' && reference.attribute !== 'id') return undefined;
  const name = registry.text(reference.instance, 'name');
  if (name.kind !== 'known' || managedPolicySummary(name.value) === undefined) return undefined;
  const { region, address } = reference.instance;
  const partition = region === undefined ? 'aws' : partitionOf(region);
  const path = awsManagedPolicyPath(name.value) ?? '';
  return new Known(`arn:${partition}:iam::aws:policy/${path}${name.value}`, value.source, address);
}

const policies = new WeakMap<Registry, ReadonlyMap<string, TerraformInstance | undefined>>();

/** The policies of the input by stack and name. */
function declaredPolicies(registry: Registry): ReadonlyMap<string, TerraformInstance | undefined> {
  let found = policies.get(registry);
  if (found === undefined) {
    const byName = new Map<string, TerraformInstance | undefined>();
    for (const instance of registry.instancesOf('aws_iam_policy')) {
      const name = registry.text(instance, 'name');
      if (name.kind !== 'known') continue;
      const key = `${instance.stack}\n${name.value}`;
      byName.set(key, byName.has(key) ? undefined : instance);
    }
    policies.set(registry, (found = byName));
  }
  return found;
}

/** A policy that another resource attaches to a role. */
interface Attachment {
  readonly policy: AttachedPolicy;
  /** What the role may list it by, too. */
  readonly arn?: string;
  readonly name?: string;
  /** Name of an inline policy of which something only says that it is there; the role may tell the rest. */
  readonly listed?: string;
}

/** A policy for a role that another root module may have. */
interface Elsewhere {
  readonly stack: string;
  readonly attachment: Attachment;
}

const attachments = new WeakMap<Registry, PolicyAttachments>();

export function policyAttachments(registry: Registry): PolicyAttachments {
  let found = attachments.get(registry);
  if (found === undefined) {
    found = new PolicyAttachments(registry);
    attachments.set(registry, found);
  }
  return found;
}

/** Policies that name their roles instead of being named by them; indexed once for all roles. */
class PolicyAttachments {
  private readonly byRole = new Map<object, Attachment[]>();
  /** Those that name a role which isn't declared, by stack and module. */
  private readonly strays = new Map<string, Attachment[]>();
  /** Those of a loop over what isn't known, which may be for any role that their module knows of. */
  private readonly loops: { readonly instance: TerraformInstance; readonly attachment: Attachment }[] = [];
  /** Those of which nothing tells for which role of their root module they are. */
  private readonly doubts = new RoleDoubts();

  /** Those of other root modules, for what these only get from outside: by the output of a state, or by their folder. */
  private readonly elsewhere = new Map<string, Elsewhere[]>();

  constructor(private readonly registry: Registry) {
    for (const instance of registry.instancesOf('aws_iam_role_policy')) this.addInline(instance);
    for (const instance of registry.instancesOf('aws_iam_role_policy_attachment'))
      this.addManaged(instance, this.rolesNamedBy(instance));
    for (const instance of registry.instancesOf('aws_iam_policy_attachment')) {
      const roles = this.block(instance).list('roles');
      if (alternativesOf(roles).some(({ value }) => value.kind === 'unknown'))
        this.addLoop(instance, `the roles of ${instance.address} aren't known, and this one may be among them`);
      this.addManaged(instance, this.rolesNamedBy(instance));
    }
    // What these list may be attached by the others, too.
    for (const instance of registry.instancesOf('aws_iam_role_policy_attachments_exclusive'))
      this.addExclusive(instance);
    for (const instance of registry.instancesOf('aws_iam_role_policies_exclusive')) this.addNames(instance);
  }

  private addExclusive(instance: TerraformInstance): void {
    const block = this.block(instance);
    for (const raw of conditionalItems(block.rawList('policy_arns')))
      this.addPolicy(instance, [block.item('role_name')], raw, true);
  }

  /** Of inline policies that are listed by their names, those that nothing in the input declares. */
  private addNames(instance: TerraformInstance): void {
    const block = this.block(instance);
    const roles = [block.item('role_name')];
    for (const name of conditionalItems(block.rawList('policy_names'))) {
      const reference = name.kind === 'unknown' ? this.registry.referenced(name) : undefined;
      if (reference?.instance.type === 'aws_iam_role_policy' || name.kind === 'absent') continue;
      const text = name.kind === 'known' && typeof name.value === 'string' ? name.value : undefined;
      const document = new Unknown(
        `inline policy ${text ?? 'of a name that is not known'} is not part of the input`,
        instance.source,
      );
      const policy: AttachedPolicy = {
        kind: 'document',
        name: text ?? instance.address,
        document: documentOf(instance, document),
        source: instance.source,
      };
      this.add(instance, roles, (others) =>
        text !== undefined && others.some((other) => other.name === text)
          ? []
          : [{ policy, ...(text === undefined ? {} : { listed: text }) }],
      );
    }
  }

  /** @param instance the role's own, beside which one may be meant that names a role in vain */
  of(role: Role, instance: TerraformInstance): readonly Attachment[] {
    const loops = this.loops.filter((loop) => isWithin(instance, loop.instance));
    return [
      ...(this.byRole.get(role) ?? []),
      ...(this.strays.get(moduleOf(instance)) ?? []),
      ...loops.map(({ attachment }) => attachment),
      ...this.doubts.of(instance.stack, withoutKey(instance.address), role.name).map((policy) => ({ policy })),
      ...this.byOutsiders(role, instance),
      ...this.fromElsewhere(role, instance),
    ];
  }

  /** Those of another root module that gets the role from a state or a variable, of which nothing tells whose it is. */
  private fromElsewhere({ name }: Role, instance: TerraformInstance): readonly Attachment[] {
    if (this.elsewhere.size === 0) return [];
    const outputs = outsidersIn(this.registry).outputsOf(instance, name.kind === 'known' ? name.value : undefined);
    const keys = [...outputs.map((output) => `output ${output}`), `beside ${join(instance.stack, '..')}`];
    return keys
      .flatMap((key) => this.elsewhere.get(key) ?? [])
      .flatMap(({ stack, attachment }) => (stack === instance.stack ? [] : attachment));
  }

  /** Those that may come from what isn't looked into. */
  private byOutsiders({ name }: Role, instance: TerraformInstance): readonly Attachment[] {
    const outsiders = outsidersIn(this.registry).of(instance, name.kind === 'known' ? name.value : undefined);
    return outsiders.flatMap((outsider): readonly Attachment[] => {
      if (!outsider.may('attach')) return [];
      const { address, who, source } = outsider;
      return [{ policy: mereDoubt(address, new Unknown(`${who} may attach policies to it`, source)) }];
    });
  }

  /** By the argument of either type: what Terraform refuses under the name of the other one is meant all the same. */
  private rolesNamedBy(instance: TerraformInstance): readonly TerraformValue[] {
    const block = this.block(instance);
    return [block.item('role'), ...conditionalItems(block.list('roles'))];
  }

  private block(instance: TerraformInstance): LinkedBlock {
    return new LinkedBlock(instance.attributes, this.registry);
  }

  private addInline(instance: TerraformInstance): void {
    const block = this.block(instance);
    const name = block.text('name');
    this.add(instance, [block.item('role')], () => [
      {
        policy: {
          kind: 'document',
          name: instance.address,
          document: documentOf(instance, policyReader(this.registry).document(block.raw('policy'))),
          source: instance.source,
        },
        ...(name.kind === 'known' ? { name: name.value } : {}),
      },
    ]);
  }

  private addManaged(instance: TerraformInstance, roles: readonly TerraformValue[]): void {
    this.addPolicy(instance, roles, this.block(instance).raw('policy_arn'), false);
  }

  /** @param isAgain whether others may attach the policy, too */
  private addPolicy(
    instance: TerraformInstance,
    roles: readonly TerraformValue[],
    raw: TerraformValue,
    isAgain: boolean,
  ): void {
    const arn = raw.kind === 'known' && typeof raw.value === 'string' ? raw.value : undefined;
    this.add(instance, roles, (others) => {
      if (isAgain && arn !== undefined && others.some((other) => other.arn === arn)) return [];
      return managedPolicies(raw, instance.source, { registry: this.registry, stack: instance.stack }).map(
        (policy) => ({
          policy:
            policy.kind === 'document'
              ? { ...policy, document: documentOf(instance, policy.document) }
              : { ...policy, arn: whileExists(instance.exists, policy.arn) },
          ...(arn === undefined ? {} : { arn }),
        }),
      );
    });
  }

  private add(
    instance: TerraformInstance,
    roles: readonly TerraformValue[],
    read: (others: readonly Attachment[]) => readonly Attachment[],
  ): void {
    const found = new Set(roles.flatMap((role) => this.rolesOf(asText(role), instance)));
    const stray = found.size > 0 ? undefined : roles.map(undeclaredIn).find((name) => name !== undefined);
    if (stray !== undefined) this.addStray(instance, stray);
    else if (found.size === 0 && roles.some(isOfLoop)) this.addLoop(instance);
    else if (found.size === 0) {
      this.addDoubts(instance, roles);
      this.addElsewhere(instance, roles);
    }
    for (const role of found) {
      const list = this.byRole.get(role);
      if (list === undefined) this.byRole.set(role, [...read([])]);
      else list.push(...read(list));
    }
  }

  private addStray(instance: TerraformInstance, role: string): void {
    const { address: name, source } = instance;
    const document = new Unknown(`${name} is for ${role}, which is not declared, and may be meant for it`, source);
    const stray: Attachment = { policy: { kind: 'document', name, document, source } };
    const key = moduleOf(instance);
    const list = this.strays.get(key);
    if (list === undefined) this.strays.set(key, [stray]);
    else list.push(stray);
  }

  private addLoop(instance: TerraformInstance, doubt?: string): void {
    const { address: name, source } = instance;
    if (doubt !== undefined) {
      this.loops.push({ instance, attachment: { policy: mereDoubt(name, new Unknown(doubt, source)) } });
      return;
    }
    const document = new Unknown(
      `${name} is for the roles of a loop over what isn't known, this one among them, perhaps`,
      source,
    );
    this.loops.push({ instance, attachment: { policy: { kind: 'document', name, document, source } } });
  }

  private addDoubts(
    { address, source, stack, isNotEnabled }: TerraformInstance,
    roles: readonly TerraformValue[],
  ): void {
    if (isNotEnabled === true) return;
    for (const role of roles)
      for (const { value } of alternativesOf(role)) {
        if (value.kind !== 'unknown') continue;
        const { text = '' } = value;
        const own = text.match(ROLE_ADDRESS) ?? [];
        for (const one of own) this.doubts.addFor(stack, withoutKey(one), { name: address, source });
        if (own.length === 0 && !FROM_OUTSIDE.test(text)) this.doubts.add(stack, value, { name: address, source });
      }
  }

  private addElsewhere(instance: TerraformInstance, roles: readonly TerraformValue[]): void {
    const { address, stack, source, isNotEnabled } = instance;
    if (isNotEnabled === true) return;
    for (const role of roles)
      for (const { value } of alternativesOf(role)) {
        const key = value.kind === 'unknown' ? keyOfElsewhere(value.text ?? '', stack) : undefined;
        if (key === undefined) continue;
        const reason = `whether ${address} (${source.locate().file}) is for it isn't known`;
        const attachment = { policy: mereDoubt(address, new Unknown(reason, source)) };
        const list = this.elsewhere.get(key);
        if (list === undefined) this.elsewhere.set(key, [{ stack, attachment }]);
        // One of a root module is doubt enough.
        else if (list.at(-1)?.stack !== stack) list.push({ stack, attachment });
      }
  }

  private rolesOf(value: Value<string>, { stack, module }: TerraformInstance): object[] {
    const like = this.registry.roleCalledLike(value, stack);
    if (like !== undefined) return [like];
    return alternativesOf(value).flatMap(({ value: plain }) => {
      if (plain.kind === 'unknown' && plain.reference !== undefined) return [plain.reference.resource];
      const text = plain.kind === 'known' ? plain.value : plain.kind === 'unknown' ? plain.text : undefined;
      const name = text === undefined ? undefined : roleName(text);
      const role = name === undefined ? undefined : this.registry.roleNamed(name, stack, module);
      return role === undefined ? [] : [role];
    });
  }
}

/** The addresses of roles that a name is made of. */
const ROLE_ADDRESS = /(?<![\w.-])(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*aws_iam_role\.[\w-]+/g;

/** What another configuration tells of its roles, or a module that isn't here of its own. */
const FROM_OUTSIDE = /\bmodule\.|\bdata\.(?:terraform_remote_state|tfe_outputs)\./;

function withoutKey(address: string): string {
  return address.endsWith(']') ? address.slice(0, address.lastIndexOf('[')) : address;
}

/** A policy that perhaps isn't there. */
function mereDoubt(name: string, document: Unknown): AttachedPolicy {
  return { kind: 'document', name, document, source: document.source, isDoubt: true };
}

/** By what another root module may be told of a role: the output of a state, or a variable of a root module that lies beside it, as layers do. */
function keyOfElsewhere(text: string, stack: string): string | undefined {
  const output = OF_STATE.exec(text)?.[1];
  if (output !== undefined) return `output ${output}`;
  return /^\$\{var\.[\w-]+\}$/.test(text) ? `beside ${join(stack, '..')}` : undefined;
}

const OF_STATE =
  /^\$\{data\.(?:terraform_remote_state\.[\w-]+(?:\[[^\]]*\])?\.outputs|tfe_outputs\.[\w-]+\.(?:nonsensitive_)?values)\.([\w-]+)\}$/;

function moduleOf({ stack, module }: TerraformInstance): string {
  return `${stack}\n${module}`;
}

/** Whether a resource is in the module of another one, or in one that this calls. */
function isWithin(resource: TerraformInstance, { stack, module }: TerraformInstance): boolean {
  return (
    resource.stack === stack &&
    (module === '' || resource.module === module || resource.module.startsWith(`${module}.`))
  );
}

/** Whether a value is what a loop goes over, of which nothing is known. */
function isOfLoop(value: TerraformValue): boolean {
  return (
    value.kind === 'unknown' && value.reference === undefined && /^\$\{each\.(?:key|value)\b/.test(value.text ?? '')
  );
}

/** The role that a value refers to and nothing declares, which Terraform refuses: a slip of the pen. */
function undeclaredIn(value: TerraformValue): string | undefined {
  return value.kind === 'unknown' && value.reference === undefined
    ? /^\$\{(aws_iam_role\.[\w-]+)\.(?:name|id|arn)\}$/.exec(value.text ?? '')?.[1]
    : undefined;
}

/** A policy grants something only while the resource that attaches it exists. */
function documentOf({ exists }: TerraformInstance, document: Value<PolicyDocument>): Value<PolicyDocument> {
  return whileExists(exists, document);
}
