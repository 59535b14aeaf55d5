import type { Environment } from '../../../eks';
import type { Dialect, EditingFacts, PlannedChange, Resource, Source, Suppression, Value, When } from '../../../value';
import { partitionOf } from '../../../knowledge/partition';
import type { TerraformInstance } from '../../../terraform/instance';
import { DIALECT_OF } from '../dialects';
import { LinkedBlock } from './linked-block';
import type { ReferenceScope } from './references';
import type { Registry } from './registry';

const NONE: readonly Suppression[] = [];

/** A resource of a plan or configuration. Attributes are read when asked for: most of a large input is never asked for twice. */
export abstract class TerraformResource implements Resource {
  constructor(
    protected readonly instance: TerraformInstance,
    protected readonly registry: Registry,
  ) {}

  get type(): string {
    return this.instance.type;
  }

  get id(): string {
    return this.instance.address;
  }

  get path(): string | undefined {
    return this.instance.path;
  }

  get stack(): string {
    return this.instance.stack;
  }

  get frontEnd(): Dialect['name'] {
    return this.dialect.name;
  }

  get dialect(): Dialect {
    return DIALECT_OF[this.instance.frontEnd];
  }

  get source(): Source {
    return this.instance.source;
  }

  get exists(): When {
    return this.instance.exists;
  }

  get isNotEnabled(): boolean | undefined {
    return this.instance.isNotEnabled;
  }

  get suppressions(): readonly Suppression[] {
    return this.registry.acknowledgements?.of(this.path, this.source) ?? NONE;
  }

  get moduleInputs(): ReadonlyMap<string, string> | undefined {
    return this.instance.moduleInputs;
  }

  get moduleInputsAt(): string | undefined {
    return this.instance.moduleInputsAt;
  }

  get moduleInputsIn(): Resource['moduleInputsIn'] {
    return this.instance.moduleInputsIn;
  }

  get moduleOutputs(): ReadonlyMap<string, string> | undefined {
    return this.instance.moduleOutputs;
  }

  get editing(): EditingFacts {
    return new ResourceEditing(this.instance);
  }

  get planned(): PlannedChange | undefined {
    return (this.plannedMemo ??= { change: this.readPlanned() }).change;
  }

  private readPlanned(): PlannedChange | undefined {
    const { planned } = this.instance;
    return planned === undefined
      ? undefined
      : { ...planned, before: planned.before === undefined ? undefined : this.registry.readPrior(planned.before) };
  }

  /** Where it is deployed to: from version 6 of the AWS provider on, a resource may name another region than its provider does. */
  get environment(): Environment {
    const own: Value<string> = this.attributes.text('region');
    const region = own.kind === 'known' ? own.value : own.kind === 'absent' ? this.instance.region : undefined;
    return { region, partition: region === undefined ? undefined : partitionOf(region) };
  }

  protected get scope(): ReferenceScope {
    return { registry: this.registry, stack: this.stack, module: this.instance.module };
  }

  protected get attributes(): LinkedBlock {
    return (this.attributesMemo ??= new LinkedBlock(this.instance.attributes, this.registry));
  }

  declare private attributesMemo: LinkedBlock | undefined;
  declare private plannedMemo: { readonly change: PlannedChange | undefined } | undefined;
}

/** What an instance tells of its text. */
export class ResourceEditing implements EditingFacts {
  constructor(protected readonly instance: TerraformInstance) {}

  get providerVersions(): readonly string[] {
    return this.instance.providerVersions ?? [];
  }

  get repeatedBy(): EditingFacts['repeatedBy'] {
    return this.instance.repeatedBy;
  }

  get repeatedOver(): string | undefined {
    return this.instance.repeatedOver;
  }

  get nameAnew(): string | undefined {
    return this.instance.anew?.('node_group_name');
  }
}
