import { beyondLimit, Unknown, type Source, type When } from '../../value';
import { evaluateBody } from '../evaluation/body';
import { whereHolds } from '../evaluation/where-holds';
import type { HandedOut, TerraformInstance } from '../instance';
import { TerraformBlock } from '../block';
import type { TerraformValue } from '../terraform-value';
import { anotherText } from './created-first';
import { whatBothSay } from './declared-twice';
import { ignoredChanges } from './ignored-changes';
import { withArchitectures } from './instance-type-data';
import type { DeclaredResource } from './module-configuration';
import type { ModuleInstance } from './module-instance';
import { ModuleScope } from './module-scope';
import { providerVersions } from './provider-versions';
import { repeatedKeys } from './repeated-keys';
import { StateOutputs, withOutputs } from './remote-state';
import { isUnmentioned } from './mentions';
import type { Repetition } from './expansion';
import { dependsOn } from './waits-for';

/** An instance of a resource or data source. What it says is evaluated when somebody asks: most have nothing to do with EKS. */
export class ConfiguredInstance implements TerraformInstance {
  readonly source: Source;
  private read: TerraformValue | undefined;
  private isBeingRead = false;

  constructor(
    private readonly owner: ModuleInstance,
    private readonly declared: DeclaredResource,
    private readonly repetition: Repetition,
    readonly exists: When,
  ) {
    this.source = declared.file.place(declared.block.headRange);
  }

  get address(): string {
    return `${this.owner.prefix}${this.declaredAddress}${this.repetition.suffix}`;
  }

  get mode(): 'managed' | 'data' {
    return this.declared.mode;
  }

  get type(): string {
    return this.declared.type;
  }

  get module(): string {
    return this.owner.address;
  }

  get stack(): string {
    return this.owner.run.stack;
  }

  get frontEnd(): TerraformInstance['frontEnd'] {
    return this.owner.run.frontEnd;
  }

  get path(): string | undefined {
    return this.declared.file.constructPaths?.get(this.declaredAddress);
  }

  get region(): string | undefined {
    return this.owner.providerOf(this.declared)?.region;
  }

  get provider(): string | undefined {
    return this.owner.providerOf(this.declared)?.id;
  }

  get isNotEnabled(): boolean {
    return this.owner.isNotEnabled;
  }

  get providerVersions(): readonly string[] {
    return providerVersions(this.owner, this.declared);
  }

  get ignoredChanges(): readonly string[] {
    return ignoredChanges(this.declared.block.body);
  }

  readonly anew = (argument: string): string | undefined => anotherText(this.declared, argument);

  get runsCommands(): boolean {
    return this.declared.block.body.blocks.some(({ type }) => type === 'provisioner');
  }

  get commands(): TerraformValue | undefined {
    if (!this.runsCommands) return undefined;
    const { block, file } = this.declared;
    const blocks = block.body.blocks.filter(({ type }) => type === 'provisioner');
    const scope = new ModuleScope(this.owner, file, this.repetition.names);
    return evaluateBody({ attributes: [], blocks, range: block.body.range }, scope, { source: this.source });
  }

  get repeatedBy(): TerraformInstance['repeatedBy'] {
    const { attributes } = this.declared.block.body;
    return (['count', 'for_each'] as const).find((argument) => attributes.some(({ name }) => name === argument));
  }

  get repeatedOver(): string | undefined {
    const { block, file } = this.declared;
    const argument = block.body.attributes.find(({ name }) => name === this.repeatedBy);
    return argument === undefined ? undefined : file.textOf?.(argument.value.range);
  }

  get waitsFor(): readonly string[] {
    return dependsOn(this.declared.block.body).map((name) => this.owner.prefix + name);
  }

  get isUnmentioned(): boolean {
    return isUnmentioned(this.declaredAddress, this.owner.configuration);
  }

  readonly repeatedKeysIn = (attribute: string): readonly string[] => {
    const { attributes } = this.declared.block.body;
    return attributes.flatMap(({ name, value }) => (name === attribute ? repeatedKeys(value) : []));
  };

  get handedOut(): readonly HandedOut[] {
    return this.owner.handedOutOfRoot;
  }

  get attributes(): TerraformValue {
    if (this.read !== undefined) return this.read;
    const { run } = this.owner;
    const { file, block } = this.declared;
    const step = { name: this.address, file, range: block.headRange };
    if (this.isBeingRead) {
      run.standsOnItself(step);
      return new Unknown(`${this.address} refers to itself`, this.source);
    }
    this.isBeingRead = true;
    const read = run.step(
      step,
      // What a condition chooses depends on it no more where the instance exists under it.
      () => whereHolds(this.exists, this.evaluate()),
      () => beyondLimit('it is nested too deeply', this.source),
    );
    this.isBeingRead = false;
    return (this.read = read);
  }

  private get declaredAddress(): string {
    const { mode, type, name } = this.declared;
    return `${mode === 'data' ? 'data.' : ''}${type}.${name}`;
  }

  private evaluate(): TerraformValue {
    const { block, file, mode, type, name, again } = this.declared;
    const scope = new ModuleScope(this.owner, file, this.repetition.names);
    const written = evaluateBody(block.body, scope, { source: this.source, isResource: true });
    const attributes = again === undefined ? written : whatBothSay(written, this.declared, again, this.source);
    if (mode === 'data' && type === 'aws_ec2_instance_type') return withArchitectures(attributes, this.source);
    if (type !== 'terraform_remote_state') return attributes;
    const asked = new TerraformBlock(attributes);
    const backend = asked.string('backend');
    const workspace = asked.string('workspace');
    const { run } = this.owner;
    const request = {
      name,
      backend: backend.kind === 'known' ? backend.value : undefined,
      config: asked.block('config').value,
      workspace: workspace.kind === 'known' ? workspace.value : undefined,
    };
    const find = run.shared.remoteState(request, run);
    return find === undefined
      ? attributes
      : withOutputs(attributes, new StateOutputs(find, this.address, this.source), this.source);
  }
}
