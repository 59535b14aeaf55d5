import type { Source } from '../../value';
import type { ConfigurationFile } from '../configuration-file';
import type { Scope } from '../evaluation/scope';
import type { Range } from '../../languages/hcl/ast';
import type { TerraformValue } from '../terraform-value';

/** What the names in a module stand for. */
export interface NamesOfModule {
  /** The value of `var.x`, `local.x`, `module.m`, a resource or data source; undefined if the module has none of that name. */
  named(kind: 'variable' | 'local' | 'module' | 'resource', name: string): TerraformValue | undefined;
  /** `path.module`, `terraform.workspace` and others that need no declaration. */
  builtIn(name: string): TerraformValue | undefined;
  readFile(path: string): ReturnType<Scope['readFile']>;
  listFiles(folder: string): readonly string[] | undefined;
}

const NOTHING: ReadonlyMap<string, TerraformValue> = new Map();

/** A place in a file of a module: the names of the module, and those of the block that it stands in. */
export class ModuleScope implements Scope {
  constructor(
    private readonly module: NamesOfModule,
    private readonly file: ConfigurationFile,
    /** `each.key`, `count.index`. */
    private readonly names: ReadonlyMap<string, TerraformValue> = NOTHING,
  ) {}

  resolve([first, second, third]: readonly string[]):
    | { readonly value: TerraformValue; readonly used: number }
    | undefined {
    if (first === undefined || second === undefined) return undefined;
    const found = (value: TerraformValue | undefined, used: number) =>
      value === undefined ? undefined : { value, used };
    switch (first) {
      case 'var':
        return found(this.module.named('variable', second), 2);
      case 'local':
        return found(this.module.named('local', second), 2);
      case 'module':
        return found(this.module.named('module', second), 2);
      case 'data':
        return third === undefined ? undefined : found(this.module.named('resource', `data.${second}.${third}`), 3);
      case 'each':
      case 'count':
        return found(this.names.get(`${first}.${second}`), 2);
      case 'path':
      case 'terraform':
      case 'tofu':
      case 'self':
        return found(this.module.builtIn(`${first}.${second}`), 2);
      default:
        return found(this.module.named('resource', `${first}.${second}`), 2);
    }
  }

  textOf(range: Range): string | undefined {
    return this.file.textOf?.(range);
  }

  place(range: Range, property?: string): Source {
    return this.file.place(range, property);
  }

  readFile(path: string): ReturnType<Scope['readFile']> {
    return this.module.readFile(path);
  }

  listFiles(folder: string): readonly string[] | undefined {
    return this.module.listFiles(folder);
  }
}

/** For what may hold no references: defaults of variables, `.tfvars`. */
export function scopeWithoutNames(file: ConfigurationFile): Scope {
  return {
    resolve: () => undefined,
    place: (range, property) => file.place(range, property),
    readFile: () => ({ problem: 'files are not read here' }),
  };
}
