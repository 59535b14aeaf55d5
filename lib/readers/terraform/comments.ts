import type { Diagnostic } from '../../engine/finding';
import type { PlacedSuppression, SuppressedPlace } from '../../model';
import type { SourceLocation } from '../../value';
import { ignoresIn, type Coverage, type FileComments, type Ignores, type Misplaced } from '../comments/ignores';
import type { Item } from '../comments/placement';
import type { ConfigurationFile } from './configuration-file';
import type { Block, Range } from './hcl/ast';
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

const NOWHERE: Misplaced = { problem: 'this comment stands at no block, so it ignores nothing; put it above the resource, or above or behind the argument that the report names' };

const OVERRIDE = /(?:^|[\\/]|_)override\.(?:tf|tofu)$/;

class Run {
  private heads: Set<string> | undefined;

  constructor(private readonly modules: readonly CommentedModule[]) {}

  coverageOf(item: Item<Block> | undefined, comments: FileComments<Block>): Coverage<Block> | Misplaced | undefined {
    const block = item?.detail;
    if (item === undefined || block === undefined) return NOWHERE;
    const holder = rootOf(item);
    switch (block.type) {
      case 'resource':
      case 'data':
        // Without instances there is nothing to cover, and that may be so on purpose. What an override says is part of a resource elsewhere.
        return OVERRIDE.test(comments.file) || this.hasInstances(holder, comments) ? { item, holder } : undefined;
      case 'module':
        return this.callCoverage(item, block, holder);
      default:
        return { item, holder };
    }
  }

  private callCoverage(item: Item<Block>, block: Block, holder: Item<Block>): Coverage<Block> | undefined {
    const made = this.modules.flatMap(({ stack, calls }) => (calls.get(block.headRange) ?? []).map((address) => ({ stack, prefix: `${address}.` })));
    if (made.length === 0) return undefined;
    if (item.parent !== undefined) return { item, holder };
    const isMade = ({ resource }: SuppressedPlace) => made.some(({ stack, prefix }) => resource.stack === stack && resource.id.startsWith(prefix));
    return { item, holder, also: isMade };
  }

  private hasInstances({ start }: Item<Block>, { file, lines }: FileComments<Block>): boolean {
    this.heads ??= new Set(this.modules.flatMap(({ instances }) => instances.map(({ source }) => placeKey(source.locate()))));
    return this.heads.has(placeKey({ file, ...lines.at(start) }));
  }
}

function rootOf(item: Item<Block>): Item<Block> {
  let root = item;
  while (root.parent !== undefined) root = root.parent;
  return root;
}

function placeKey({ file, line, column }: SourceLocation): string {
  return `${file}:${line}:${column}`;
}
