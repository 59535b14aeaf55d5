import type { AttachedPolicy, PolicyDocument, Role } from '../../../eks';
import { sourceOf, type Value } from '../../../value';
import { conditionalItems } from '../../../value/conditional-items';
import { policyReader } from './policy-document';
import { managedPolicies, policyAttachments } from './role-policies';
import { TerraformResource } from './terraform-resource';

/** `aws_iam_role`. Policies are read when somebody asks: a large input holds many roles of no interest. */
export class IamRole extends TerraformResource implements Role {
  readonly kind = 'role';
  declare private policiesMemo: readonly AttachedPolicy[] | undefined;
  declare private trustMemo: Value<PolicyDocument> | undefined;

  get name(): Value<string> {
    return this.attributes.text('name');
  }

  get trust(): Value<PolicyDocument> {
    return (this.trustMemo ??= policyReader(this.registry).document(this.attributes.raw('assume_role_policy')));
  }

  get policies(): readonly AttachedPolicy[] {
    return (this.policiesMemo ??= this.read());
  }

  get boundary(): readonly AttachedPolicy[] {
    const item = this.attributes.raw('permissions_boundary');
    const isNone = item.kind === 'known' && item.value === '';
    return isNone ? [] : managedPolicies(item, sourceOf(item), this.scope);
  }

  get isUnmentioned(): boolean | undefined {
    return this.instance.isUnmentioned;
  }

  get repeatedTrustKeys(): readonly string[] | undefined {
    return this.instance.repeatedKeysIn?.('assume_role_policy');
  }

  /** A plan of a role that exists lists what is attached to it once more in the role itself. */
  private read(): readonly AttachedPolicy[] {
    const attached = policyAttachments(this.registry).of(this, this.instance);
    const arns = new Set(attached.flatMap(({ arn }) => arn ?? []));
    const names = new Set(attached.flatMap(({ name }) => name ?? []));
    const written = this.inline();
    const inline = written.filter(({ name }) => !names.has(name));
    const told = attached.filter(({ listed }) => listed === undefined || !written.some(({ name }) => name === listed));
    const managed = conditionalItems(this.attributes.rawList('managed_policy_arns')).filter(
      (item) => item.kind !== 'known' || typeof item.value !== 'string' || !arns.has(item.value),
    );
    return [
      ...inline,
      ...managed.flatMap((item) => managedPolicies(item, sourceOf(item), this.scope)),
      ...told.map(({ policy }) => policy),
    ];
  }

  /** An empty block says that there is none. */
  private inline(): (AttachedPolicy & { readonly name: string })[] {
    return this.attributes.allBlocks('inline_policy').flatMap((block) => {
      const [name, text] = [block.text('name'), block.raw('policy')];
      if (text.kind === 'absent' || (text.kind === 'known' && text.value === '')) return [];
      return [
        {
          kind: 'document' as const,
          name: name.kind === 'known' ? name.value : 'inline policy',
          document: policyReader(this.registry).document(text),
          source: sourceOf(block.value),
        },
      ];
    });
  }
}
