import type { Diagnostic, PlacedSuppression, Resource, SourceLocation, SuppressedPlace } from '../value';
import {
  ignoresIn,
  type Coverage,
  type FileComments,
  type Ignores,
  type Misplaced,
} from '../languages/comments/ignores';
import type { Item } from '../languages/comments/placement';
import type { ConfigurationFile } from './configuration-file';
import type { Block, Range } from '../languages/hcl/ast';
import type { TerraformInstance } from './instance';

/** What a root module has read. */
export interface CommentedModule {
  readonly instances: readonly TerraformInstance[];
  /** Files of the module and of those that it calls. */
  readonly files: readonly ConfigurationFile[];
  /** Addresses of what calls of modules made, by the heads of those calls. */
  readonly calls: ReadonlyMap<Range, readonly string[]>;
  readonly stack: string;
}

/**
 * The decisions in the comments of configurations. One that stands in a module covers what all calls of the module make of it, and counts as
 * used if it covers a finding of any of them.
 */
export function ignoresInModules(modules: readonly CommentedModule[]): Ignores {
  const suppressions: PlacedSuppression[] = [];
  const diagnostics: Diagnostic[] = [];
  const run = new Run(modules);
  const seen = new Set<string>();
  for (const { file, comments } of modules.flatMap(({ files }) => files)) {
    // A file may be read as a part of its folder, and as a module that another calls.
    if (comments === undefined || seen.has(file)) continue;
    seen.add(file);
    const ignores = ignoresIn(comments, (item) => run.coverageOf(item, comments));
    suppressions.push(...ignores.suppressions);
    diagnostics.push(...ignores.diagnostics);
  }
  return { suppressions, diagnostics };
}

const NOWHERE: Misplaced = {
  problem:
    'this comment stands at no block, so it ignores nothing; put it above the resource, or above or behind the argument that the report names',
};

const NOWHERE_IN_JSON: Misplaced = {
  problem:
    'this comment stands in no block, so it ignores nothing; put it into the object of the resource, as the value of "//"',
};

const OVERRIDE = /(?:^|[\\/]|_)override\.(?:tf|tofu)(?:\.json)?$/;

class Run {
  /** Addresses of instances by the place where they are declared. */
  private addresses: Map<string, Set<string>> | undefined;

  constructor(private readonly modules: readonly CommentedModule[]) {}

  coverageOf(item: Item<Block> | undefined, comments: FileComments<Block>): Coverage<Block> | Misplaced | undefined {
    const block = item?.detail;
    if (item === undefined || block === undefined) return comments.file.endsWith('.json') ? NOWHERE_IN_JSON : NOWHERE;
    const holder = rootOf(item);
    switch (block.type) {
      case 'resource':
      case 'data':
        // Without instances there is nothing to cover, and that may be so on purpose. What an override says is part of a resource elsewhere.
        return this.resourceCoverage(item, holder, comments);
      case 'module':
        return this.callCoverage(item, block, holder);
      default:
        return { item, holder };
    }
  }

  private resourceCoverage(
    item: Item<Block>,
    holder: Item<Block>,
    comments: FileComments<Block>,
  ): Coverage<Block> | undefined {
    const addresses = this.addressesOf(holder, comments);
    if (addresses === undefined) return OVERRIDE.test(comments.file) ? { item, holder } : undefined;
    const property = propertyOf(item);
    const isSame = ({ resource, place }: SuppressedPlace) =>
      this.isPlanned(resource) && addresses.has(resource.id) && isAtOrBelow(place.property ?? '', property);
    return { item, holder, also: isSame };
  }

  /** Of a plan that is checked together with its configuration: comments hold for both, unless there are several configurations that it may be of. */
  private isPlanned({ stack, frontEnd }: Resource): boolean {
    const [only] = this.modules;
    return this.modules.length === 1 && frontEnd === 'terraform' && stack !== only?.stack;
  }

  private callCoverage(item: Item<Block>, block: Block, holder: Item<Block>): Coverage<Block> | undefined {
    const made = this.modules.flatMap(({ stack, calls }) =>
      (calls.get(block.headRange) ?? []).map((address) => ({ stack, prefix: `${address}.` })),
    );
    if (made.length === 0) return undefined;
    if (item.parent !== undefined) return { item, holder };
    const isMade = ({ resource }: SuppressedPlace) =>
      made.some(
        ({ stack, prefix }) => (resource.stack === stack || this.isPlanned(resource)) && resource.id.startsWith(prefix),
      );
    return { item, holder, also: isMade };
  }

  /** Undefined if there are no instances. */
  private addressesOf({ start }: Item<Block>, { file, lines }: FileComments<Block>): ReadonlySet<string> | undefined {
    this.addresses ??= addressesByPlace(this.modules);
    return this.addresses.get(placeKey({ file, ...lines.at(start) }));
  }
}

function addressesByPlace(modules: readonly CommentedModule[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { address, source } of modules.flatMap(({ instances }) => instances)) {
    const key = placeKey(source.locate());
    const addresses = found.get(key);
    if (addresses === undefined) found.set(key, new Set([address]));
    else addresses.add(address);
  }
  return found;
}

/** Names that lead from the resource to an item: `metadata_options.http_tokens`; empty for the resource. */
function propertyOf(item: Item<Block>): string {
  const names: string[] = [];
  for (let one = item; one.parent !== undefined; one = one.parent) {
    const name = one.name.replace(/^dynamic /, '');
    if (!/^\d+$/.test(name) && name !== 'content') names.unshift(name);
  }
  return names.join('.');
}

/** Blocks of one name aren't told apart. */
function isAtOrBelow(property: string, above: string): boolean {
  const path = property.replaceAll(/\[\d+\]/g, '');
  return above === '' || path === above || path.startsWith(`${above}.`);
}

function rootOf(item: Item<Block>): Item<Block> {
  let root = item;
  while (root.parent !== undefined) root = root.parent;
  return root;
}

function placeKey({ file, line, column }: SourceLocation): string {
  return `${file}:${line}:${column}`;
}
