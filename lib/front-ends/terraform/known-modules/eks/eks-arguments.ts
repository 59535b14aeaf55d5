import {
  alternativesOf,
  flatMapValue,
  Known,
  mapValue,
  type Plain,
  type Source,
  type Value,
  type When,
} from '../../../../value';
import { TerraformMap, type TerraformValue } from '../../../../terraform/terraform-value';
import { entriesOf, withDefault, type Entries } from '../given';
import type { ModuleContext } from '../module-context';
import { nameInV21 } from './eks-names';

/** The arguments of the call by the names that versions up to 20 have. */
export class EksArguments {
  constructor(readonly context: ModuleContext) {}

  /** The name in the version of the call. */
  name(name: string): string {
    return this.context.release[0] >= 21 ? (nameInV21(name) ?? name) : name;
  }

  /** The name by which the call has it. That of another version is refused, which is told; what is meant by it is plain. */
  private written(name: string): string {
    const own = this.name(name);
    const other = own === name ? nameInV21(name) : name;
    const { given } = this.context;
    return other !== undefined && !given.writes(own) && given.writes(other) ? other : own;
  }

  item(name: string): TerraformValue {
    return this.context.given.item(this.written(name));
  }

  or(name: string, standard: TerraformValue): TerraformValue {
    return withDefault(this.item(name), standard);
  }

  flag(name: string, standard: boolean): Value<boolean> {
    return this.context.given.flag(this.written(name), standard);
  }

  place(name: string): Source {
    return this.context.call.argumentPlace(this.written(name));
  }

  /** Whether it is a local cluster on Outposts, which versions from 19 on can make. */
  get onOutposts(): Value<boolean> {
    return flatMapValue(this.item('outpost_config'), (plain): Plain<boolean> => {
      if (plain.kind === 'unknown') return plain;
      return new Known(
        plain.kind === 'known' && plain.value instanceof TerraformMap && plain.value.entries.size > 0,
        plain.source,
      );
    });
  }

  /** Where the cluster is none on Outposts, for which the module makes no managed groups, Fargate profiles, add-ons or OIDC provider. */
  get inRegion(): When | undefined {
    const { context } = this;
    const given = this.onOutposts;
    // What isn't known to be on Outposts hardly ever is.
    if (alternativesOf(given).some(({ value }) => value.kind === 'unknown')) return context.exists;
    return context.where(mapValue(given, (isLocal) => !isLocal));
  }

  /** The entries of a map of what isn't made on Outposts. */
  regionalEntries(name: string): Entries {
    const { inRegion } = this;
    return inRegion === undefined ? { entries: [], unsure: [], more: undefined } : entriesOf(this.item(name), inRegion);
  }
}
