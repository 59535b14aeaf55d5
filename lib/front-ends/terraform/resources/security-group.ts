import type { SecurityGroup, SecurityGroupRule } from '../../../eks';
import { sourceOf } from '../../../value';
import { referenceValue } from './registry';
import { peersOf, trafficOf } from './security-group-peers';
import { separateRules } from './security-group-rules';
import { TerraformResource } from './terraform-resource';

type Direction = SecurityGroupRule['direction'];

const DIRECTIONS: readonly Direction[] = ['ingress', 'egress'];

/** `aws_security_group`. Rules are read when somebody asks: a large input holds many groups of no interest. */
export class Ec2SecurityGroup extends TerraformResource implements SecurityGroup {
  readonly kind = 'security-group';
  declare private rulesMemo: readonly SecurityGroupRule[] | undefined;

  get rules(): readonly SecurityGroupRule[] {
    return (this.rulesMemo ??= [
      ...DIRECTIONS.flatMap((direction) => this.inline(direction)),
      ...separateRules(this.registry).of(this),
    ]);
  }

  private inline(direction: Direction): SecurityGroupRule[] {
    return this.attributes.allBlocks(direction).flatMap((block) => {
      const source = sourceOf(block.value);
      const self = referenceValue(this, 'id', `\${${this.id}.id}`, source);
      return peersOf(block, self, this.scope).map(
        (peer): SecurityGroupRule => ({
          direction,
          peer,
          ...trafficOf(block),
          source,
        }),
      );
    });
  }
}
