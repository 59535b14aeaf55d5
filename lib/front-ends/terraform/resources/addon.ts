import type { Addon, AddonConfiguration, AddonVersionLookup } from '../../../eks';
import { Absent, flatMapValue, Known, type Plain, type Resource, type Value } from '../../../value';
import { expressionsIn, parseEmbedded } from '../../../value/embedded-text';
import { firstOf } from '../../../value/first-of';
import type { TerraformInstance } from '../../../terraform/instance';
import { asText, type TerraformItem } from '../../../terraform/terraform-value';
import { LinkedBlock } from './linked-block';
import type { Registry } from './registry';
import { ADDON } from '../../../eks/resources/addon';
import { byTable } from './by-table';
import { waitsFor } from './waits-for';

/** `aws_eks_addon`. */
export class EksAddon extends byTable(ADDON) implements Addon {
  readonly kind = 'addon';
  declare private parsed: Value<AddonConfiguration> | undefined;
  declare private lookup: Value<AddonVersionLookup> | undefined;

  get version(): Value<string> {
    const looked = this.versionLookup;
    return looked.kind === 'absent'
      ? this.attributes.text('addon_version')
      : flatMapValue(this.attributes.raw('addon_version'), (plain): Value<string> => this.versionIn(plain));
  }

  private versionIn(plain: Plain<TerraformItem>): Value<string> {
    return lookedUpBy(plain, this.registry) === undefined
      ? asText(this.registry.link(plain))
      : new Absent(plain.source);
  }

  get versionLookup(): Value<AddonVersionLookup> {
    return (this.lookup ??= flatMapValue(this.attributes.raw('addon_version'), (plain): Value<AddonVersionLookup> => {
      const found = lookedUpBy(plain, this.registry) ?? foundInPlan(plain, this.instance, this.registry);
      if (found === undefined) return new Absent(plain.source);
      const isModuleDefault =
        plain.source.isModuleDefault === 'yes' ||
        (this.instance.moduleInputs !== undefined && found.module === this.instance.module);
      return flatMapValue(
        new LinkedBlock(found.attributes, this.registry).boolean('most_recent'),
        (newest): Plain<AddonVersionLookup> => {
          if (newest.kind === 'unknown') return newest.at(plain.source);
          const isNewest = newest.kind === 'known' && newest.value;
          return new Known(
            {
              wanted: isNewest ? 'newest' : 'default',
              isModuleDefault,
              source: isNewest ? newest.source : found.source,
            },
            plain.source,
          );
        },
      );
    }));
  }

  /** `resolve_conflicts` is for both occasions; version 6 of the provider has no more of it. */
  get resolveConflictsOnCreate(): Value<string> {
    return firstOf(this.attributes.text('resolve_conflicts'), () =>
      this.attributes.text('resolve_conflicts_on_create'),
    );
  }

  get resolveConflictsOnUpdate(): Value<string> {
    return firstOf(this.attributes.text('resolve_conflicts'), () =>
      this.attributes.text('resolve_conflicts_on_update'),
    );
  }

  /** Of what a module declares, the module has its own way with it. */
  get hasOldConflictMode(): true | undefined {
    return this.instance.moduleInputs === undefined && this.attributes.text('resolve_conflicts').kind !== 'absent'
      ? true
      : undefined;
  }

  get configuration(): Value<AddonConfiguration> {
    return (this.parsed ??= flatMapValue(this.attributes.text('configuration_values'), readConfiguration));
  }

  waitsFor({ id }: Resource): boolean | 'unknown' {
    return waitsFor(this.instance, id);
  }
}

const LOOKUP = 'aws_eks_addon_version';

/** The data source whose answer a version is, and nothing else. */
function lookedUpBy(plain: Plain<TerraformItem>, registry: Registry): TerraformInstance | undefined {
  const { instance, attribute } = registry.referenced(plain) ?? {};
  return instance?.mode === 'data' && instance.type === LOOKUP && attribute === 'version' ? instance : undefined;
}

/** The same where a plan tells the answer already: the data source that the version's expression names, unless somebody may have written the version. */
function foundInPlan(
  { kind, source }: Plain<TerraformItem>,
  { module, address, expressionOf }: TerraformInstance,
  registry: Registry,
): TerraformInstance | undefined {
  const references = kind === 'known' ? (expressionOf?.('addon_version') ?? []) : [];
  const name = references
    .map((reference) => /^data\.aws_eks_addon_version\.([\w-]+)/.exec(reference)?.[1])
    .find((one) => one !== undefined);
  if (name === undefined) return undefined;
  const others = references.filter((reference) => !reference.startsWith(`data.${LOOKUP}.`) && reference !== 'each.key');
  if (others.length > 0 && source.isModuleDefault !== 'yes') return undefined;
  const key = /\[[^[\]]*\]$/.exec(address)?.[0] ?? '';
  const prefix = module === '' ? '' : `${module}.`;
  const all = registry.instancesOf(`data.${LOOKUP}`);
  return (
    all.find((one) => one.address === `${prefix}data.${LOOKUP}.${name}${key}`) ??
    all.find((one) => one.address === `${prefix}data.${LOOKUP}.${name}`)
  );
}

function readConfiguration(plain: Plain<string>): Plain<AddonConfiguration> {
  if (plain.kind === 'absent') return plain;
  const parsed = parseEmbedded(plain);
  if (parsed.kind === 'unknown') return parsed.unknown;
  const expressionOf = (path: string): string | undefined => expressionsIn(plain).get(path);
  const content = parsed.kind === 'parsed' ? { ...parsed, expressionOf } : parsed;
  return new Known<AddonConfiguration>(content, plain.source, plain.kind === 'known' ? plain.note : undefined);
}
