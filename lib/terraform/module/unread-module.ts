import { dirname } from 'node:path';
import { type Diagnostic, Known, type Source, type SourceLocation, Unknown, type When } from '../../value';
import { isOtherThing, speakOfEks } from '../../knowledge/eks-words';
import type { Body, Expression } from '../../languages/hcl/ast';
import { childrenOf, type SyntaxNode } from '../../languages/hcl/children';
import type { TerraformInstance } from '../instance';
import { compareTexts, TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';

/** The type of the instance that stands for a module that isn't here. No provider has such a type. */
export const UNREAD_MODULE = 'module';

/** A call of a module that isn't here. */
export interface UnreadCall {
  readonly address: string;
  readonly place: Source;
  readonly exists: When;
  readonly isNotEnabled: boolean;
  readonly stack: string;
  readonly frontEnd: TerraformInstance['frontEnd'];
  readonly region: string | undefined;
  /** @default - nothing is known of it */
  readonly waitsFor?: readonly string[];
  argument(name: string): TerraformValue | undefined;
}

/** What stands for the module itself, which may make anything. */
export function unreadModule({
  address,
  place,
  exists,
  isNotEnabled,
  stack,
  frontEnd,
  region,
  waitsFor,
}: Omit<UnreadCall, 'argument'>): TerraformInstance {
  return {
    address,
    mode: 'data',
    type: UNREAD_MODULE,
    module: address,
    attributes: new Unknown(`${address} isn't here`, place),
    source: place,
    exists,
    isNotEnabled,
    stack,
    frontEnd,
    path: undefined,
    region,
    ...(waitsFor === undefined ? {} : { waitsFor }),
  };
}

/**
 * Add-ons of EKS that a module which isn't here is asked for by name: `eks_addons` of aws-ia/eks-blueprints-addons. What it makes of them isn't
 * known, but that they are there keeps others from being judged as if they weren't.
 */
export function addonsAskedFor(call: UnreadCall): readonly TerraformInstance[] {
  const asked = call.argument('eks_addons');
  const cluster = call.argument('cluster_name');
  if (asked?.kind !== 'known' || !(asked.value instanceof TerraformMap) || cluster === undefined) return [];
  const rest = new Unknown(`${call.address} isn't here`, call.place);
  return [...asked.value.entries.keys()].map((name): TerraformInstance => {
    const attributes = new TerraformMap(
      new Map<string, TerraformValue>([
        ['addon_name', new Known<TerraformItem>(name, call.place)],
        ['cluster_name', cluster],
      ]),
      rest,
    );
    const { address, place, exists, isNotEnabled, stack, frontEnd, region } = call;
    return {
      address: `${address}.aws_eks_addon.this[${JSON.stringify(name)}]`,
      mode: 'managed',
      type: 'aws_eks_addon',
      module: address,
      attributes: new Known<TerraformItem>(attributes, place),
      source: place,
      exists,
      isNotEnabled,
      stack,
      frontEnd,
      path: undefined,
      region,
    };
  });
}

/** Whether a module that isn't here could declare what rules look at: by its name, its source, or what it is given. */
export function mayHoldEks(name: string, source: string, { attributes }: Body): boolean {
  if ([sourceName(source), collectionName(source)].some(isOtherThing)) return false;
  const words = [name, source, ...attributes.flatMap((attribute) => [attribute.name, ...namesIn(attribute.value)])];
  return speakOfEks(words);
}

/** `vpc` of `terraform-aws-modules/vpc/aws`, `vpc-endpoints` of its submodule, `terraform-aws-rds` of an address of git. */
export function sourceName(source: string): string {
  const [address = '', submodule] = source.replace(/\?.*/s, '').split(/(?<!:)\/\//);
  const steps = (submodule ?? address).replace(/\.git$/, '').split('/');
  const isRegistry =
    submodule === undefined &&
    /^(?:[\w.-][\w-]*\.[\w.-]+\/)?[\w-]+\/[\w-]+\/[\w-]+$/.test(address) &&
    !address.startsWith('github.com/');
  return (isRegistry ? steps.at(-2) : steps.at(-1)) ?? '';
}

/** `cloudwatch` of `terraform-aws-modules/cloudwatch/aws//modules/log-group`: in these collections a submodule makes nothing else than its module is about. */
function collectionName(source: string): string {
  const [, name = ''] =
    /^(?:registry\.(?:terraform\.io|opentofu\.org)\/)?(?:terraform-aws-modules|cloudposse)\/([\w-]+)\/aws\/\/./.exec(
      source,
    ) ?? [];
  return name;
}

/** The names that an expression refers to. */
function namesIn(root: Expression): readonly string[] {
  const names: string[] = [];
  const open: SyntaxNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'variable' || node.kind === 'attribute') names.push(node.name);
    for (const child of childrenOf(node)) open.push(child);
  }
  return names;
}

/** A call of a module that isn't here. */
export interface MissingModule {
  readonly name: string;
  readonly source: string;
  readonly version: string | undefined;
  readonly place: SourceLocation;
}

/** Modules that hold a cluster: what they declare is what most rules look at. */
const CLUSTER_MODULE = /(?:^|\/)terraform-aws-modules\/(?:eks\/aws|terraform-aws-eks(?:\.git)?)(?:\?.*)?$/;

/** Not in the order in which something asked for them. */
function byPlace({ place: one }: MissingModule, { place: other }: MissingModule): number {
  return compareTexts(one.file, other.file) || one.line - other.line;
}

/** What is told of the modules that aren't here: a line for each folder that calls them. */
export function missingModules(missing: readonly MissingModule[]): readonly Diagnostic[] {
  const byFolder = new Map<string, Map<string, MissingModule>>();
  for (const call of missing) {
    const folder = dirname(call.place.file);
    const calls = byFolder.get(folder) ?? new Map<string, MissingModule>();
    byFolder.set(folder, calls);
    // Instances of one call, or of the module around it.
    if (!calls.has(call.name)) calls.set(call.name, call);
  }
  return [...byFolder.values()].flatMap((calls): Diagnostic[] => {
    const all = [...calls.values()].sort(byPlace);
    const isCluster = ({ source }: MissingModule): boolean => CLUSTER_MODULE.test(source);
    const clusters = all
      .filter(isCluster)
      .map(({ name, source, version, place: { file, line, column } }): Diagnostic => {
        const which =
          version === undefined
            ? `${source} isn't here`
            : `${source} isn't here, and version ${version} of it isn't known`;
        return {
          severity: 'warning',
          message: `the cluster of module.${name} isn't checked: ${which}`,
          file,
          line,
          column,
          skipped: { what: 'module', count: 1 },
        };
      });
    const [first, ...more] = all.filter((call) => !isCluster(call));
    if (first === undefined) return clusters;
    const { file, line, column } = first.place;
    const named = [first, ...more].map(({ name, source }) => `${name} (${source})`);
    const message =
      more.length === 0
        ? `module ${named.join('')} isn't here, so what it declares isn't checked`
        : `modules aren't here, so what they declare isn't checked: ${named.join(', ')}`;
    return [
      ...clusters,
      { severity: 'warning', message, file, line, column, skipped: { what: 'module', count: named.length } },
    ];
  });
}
