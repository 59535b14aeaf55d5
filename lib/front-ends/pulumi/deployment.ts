import { always, Known, Unknown, type Source, type When } from '../../value';
import type { PlannedInstance, TerraformInstance } from '../../terraform/instance';
import { memberOf, textOf } from '../../terraform/json-tree';
import type { PlanFile, PlanPlace } from '../../terraform/plan/place';
import { TerraformList, TerraformMap, type TerraformValue } from '../../terraform/terraform-value';
import { propertyOf } from '../terraform/pulumi-names';
import { argumentName } from './names';
import { sourcesOf, type Origin } from './origins';
import { plainValue, Properties } from './properties';
import type { PulumiResource } from './resources';

/** Types of Kubernetes that say how a chart is installed. Objects of charts that Pulumi renders itself stand beside them. */
const RELEASE = /^kubernetes:helm\.sh\/v\d+:Release$/;

/** Parts of objects that are applied onto those of others. */
const PATCH = /^kubernetes:.*Patch$/;

/** What Pulumi keeps for itself, and the numbers by which `@pulumi/eks` makes names. */
const IS_NOTHING = /^pulumi:|^eks:index:RandomSuffix$/;

/** The resources of one file. */
export class Deployment {
  readonly instances: readonly TerraformInstance[];
  private readonly byUrn = new Map<string, PulumiResource>();
  private readonly byResource = new Map<PulumiResource, PulumiInstance>();
  private readonly addresses = new Map<string, string>();

  constructor(
    readonly file: PlanFile,
    resources: readonly PulumiResource[],
    /** What previews have. */
    private readonly configuredRegion: string | undefined,
  ) {
    for (const resource of resources) this.byUrn.set(resource.urn, resource);
    this.nameAll(resources);
    const read = resources.filter(({ token, isComponent }) => !isComponent && !IS_NOTHING.test(token));
    for (const resource of read) this.byResource.set(resource, new PulumiInstance(resource, this));
    this.instances = [...this.byResource.values()];
  }

  /** As users know it: its type and name. Where several have both in common, the types of what they are parts of tell them apart. */
  private nameAll(resources: readonly PulumiResource[]): void {
    const count = new Map<string, number>();
    for (const resource of resources) count.set(shortName(resource), (count.get(shortName(resource)) ?? 0) + 1);
    for (const resource of resources) {
      const short = shortName(resource);
      this.addresses.set(resource.urn, count.get(short) === 1 ? short : resource.urn.split('::').slice(2).join('::'));
    }
  }

  get name(): string {
    return this.file.file.replace(/(?!^)\.json$/i, '');
  }

  addressOf({ urn }: PulumiResource): string {
    return this.addresses.get(urn) ?? urn;
  }

  addressesOf(urns: readonly string[]): readonly string[] {
    return urns.flatMap((urn) => this.addresses.get(urn) ?? []);
  }

  from(resource: PulumiResource, property: string): readonly PulumiResource[] {
    return sourcesOf(resource, property, (urn) => this.byUrn.get(urn)) ?? [];
  }

  reference({ resource, attribute }: Origin, reason: string, place: PlanPlace): Unknown {
    const instance = this.byResource.get(resource);
    if (instance === undefined) return new Unknown(reason, place);
    const text = `\${${this.addressOf(resource)}.${propertyOf(attribute)}}`;
    return new Unknown(reason, place, text, `${this.name} ${resource.urn} ${text}`, { resource: instance, attribute });
  }

  /** Region of a resource: that of its provider, or the one that its ARN names. */
  regionOf({ provider, outputs }: PulumiResource): string | undefined {
    const own = this.byUrn.get(provider.split('::').slice(0, 4).join('::'));
    return (
      textOf(memberOf(own?.inputs, 'region')) ??
      this.configuredRegion ??
      /^arn:[\w-]+:[\w-]+:([a-z]{2}[\w-]+):/.exec(textOf(memberOf(outputs, 'arn')) ?? '')?.[1]
    );
  }
}

function shortName({ token, name }: PulumiResource): string {
  return `${token}::${name}`;
}

/** A release as Terraform's has it, with a list of values: those of files, which are assets, before the ones of the program. */
function withValues(release: TerraformValue): TerraformValue {
  if (release.kind !== 'known' || !(release.value instanceof TerraformMap)) return release;
  const { entries } = release.value;
  const { values, valueYamlFiles } = Object.fromEntries(entries);
  const files =
    valueYamlFiles?.kind === 'known' && valueYamlFiles.value instanceof TerraformList ? valueYamlFiles.value.items : [];
  const all = new TerraformList([...files, ...(values === undefined ? [] : [values])]);
  return new Known(new TerraformMap(new Map([...entries, ['values', new Known(all, release.source)]])), release.source);
}

/** Properties are read when somebody asks: most resources of a large stack have nothing to do with EKS. */
class PulumiInstance implements TerraformInstance {
  readonly exists: When = always;
  readonly frontEnd = 'pulumi';
  readonly path = undefined;
  readonly module = '';
  readonly source: Source;
  private readValue: TerraformValue | undefined;

  constructor(
    private readonly resource: PulumiResource,
    private readonly deployment: Deployment,
  ) {
    this.source = deployment.file.place(resource.path, []);
  }

  get address(): string {
    return this.deployment.addressOf(this.resource);
  }

  get mode(): 'managed' | 'data' {
    return this.resource.isExternal ? 'data' : 'managed';
  }

  get type(): string {
    const { token, type } = this.resource;
    if (!token.startsWith('kubernetes:')) return type;
    return RELEASE.test(token) ? 'helm_release' : PATCH.test(token) ? 'kubernetes_object_patch' : 'kubernetes_object';
  }

  get stack(): string {
    return this.deployment.name;
  }

  get region(): string | undefined {
    return this.deployment.regionOf(this.resource);
  }

  get waitsFor(): readonly string[] {
    return this.deployment.addressesOf(this.resource.dependencies);
  }

  get ignoredChanges(): readonly string[] {
    const { type, ignoredChanges } = this.resource;
    return ignoredChanges.map((path) => (path === '*' ? 'all' : argumentName(type, /^\w*/.exec(path)?.[0] ?? '')));
  }

  get attributes(): TerraformValue {
    return (this.readValue ??= this.read());
  }

  private read(): TerraformValue {
    const { resource, deployment } = this;
    const place = (...path: readonly string[]): PlanPlace => deployment.file.place(resource.path, path);
    if (!resource.token.startsWith('kubernetes:'))
      return new Properties(resource, {
        from: (property) => deployment.from(resource, property),
        reference: (origin, reason, at) => deployment.reference(origin, reason, at),
      }).read(place('inputs'), place('outputs'), place().child('id'));
    const object = plainValue(resource.inputs, place('inputs'));
    return RELEASE.test(resource.token)
      ? withValues(object)
      : new Known(new TerraformMap(new Map([['manifest', object]])), place('inputs'));
  }

  get planned(): PlannedInstance | undefined {
    const { change } = this.resource;
    if (change === undefined || this.mode === 'data') return undefined;
    const { before } = change;
    return { ...change, before: before === undefined ? undefined : new PulumiInstance(before, this.deployment) };
  }
}
