import type { Addon, AddonConfiguration } from '../../../eks';
import { flatMapValue, Known, type Plain, type Resource, type Value } from '../../../value';
import { Block } from '../../../cloudformation/block';
import { parseEmbedded } from '../../../value/embedded-text';
import { ADDON } from '../../../eks/resources/addon';
import { byTable } from './by-table';

/** `AWS::EKS::Addon`. */
export class EksAddon extends byTable(ADDON) implements Addon {
  readonly kind = 'addon';
  private parsed: Value<AddonConfiguration> | undefined;

  get configuration(): Value<AddonConfiguration> {
    return (this.parsed ??= flatMapValue(this.properties.string('ConfigurationValues'), readConfiguration));
  }

  /** What CloudFormation itself leaves alone when the resource goes is not deleted by EKS either. */
  get preserveOnDelete(): Value<boolean> {
    return flatMapValue(Block.at(this.cursor, this.evaluator).string('DeletionPolicy'), (policy): Value<boolean> => {
      const isRetained = policy.kind === 'known' && policy.value.startsWith('Retain');
      return isRetained
        ? new Known(true, policy.source, 'DeletionPolicy')
        : this.properties.boolean('PreserveOnDelete');
    });
  }

  waitsFor({ id, stack }: Resource): boolean {
    return stack === this.stack && [this.raw.DependsOn].flat().includes(id);
  }
}

function readConfiguration(plain: Plain<string>): Plain<AddonConfiguration> {
  if (plain.kind === 'absent') return plain;
  const parsed = parseEmbedded(plain);
  if (parsed.kind === 'unknown') return parsed.unknown;
  return new Known<AddonConfiguration>(parsed, plain.source, plain.kind === 'known' ? plain.note : undefined);
}
