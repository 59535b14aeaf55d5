import { basename, dirname, normalize } from 'node:path';
import type { ConfigurationFile } from '../../terraform/configuration-file';
import type { FolderAccess } from '../../terraform/module/folder-access';
import { localFolder } from '../../terraform/module/module-calls';
import { attributeOf, literalText } from '../../terraform/module/module-configuration';
import type { RootModule } from '../../terraform/module/root-module';
import { backendOf } from '../../terraform/module/state-links';
import { variableFileNames } from '../../terraform/module/tfvars';
import type { RootModuleFolders } from '../input-files';

interface ModuleFiles {
  readonly access: FolderAccess;
  load(folder: string): readonly ConfigurationFile[];
  /** Files for Terraform in whose place others for OpenTofu are read. */
  replaced(folder: string): readonly ConfigurationFile[];
}

/** The folders of a run that hold a configuration, and which of them call which. */
export class ModuleTree {
  /** @param folders true for those that the user named */
  constructor(
    private readonly folders: ReadonlyMap<string, boolean>,
    private readonly files: ModuleFiles,
  ) {}

  /**
   * Folders that are root modules: those that the user named, those that no other module calls unless they are mere modules, and those that say where
   * their state is kept, which only a root module does.
   * @param apps stacks that apps wrote, whose modules are none
   */
  roots(apps: readonly RootModule[]): readonly string[] {
    const calledByApps = apps.flatMap((root) => this.callsIn(root.files, plain(root.folder)));
    const called = new Set(calledByApps);
    for (const folder of this.folders.keys())
      for (const target of this.callsOf(folder)) if (target !== folder) called.add(target);
    const roots: string[] = [];
    const reached = new Set<string>();
    const reach = (...open: string[]) => {
      for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
        if (reached.has(folder)) continue;
        reached.add(folder);
        open.push(...this.callsOf(folder));
      }
    };
    const add = (root: string) => {
      roots.push(root);
      reach(root);
    };
    reach(...calledByApps);
    for (const [folder, named] of this.folders)
      if (!named && this.isUncalledModule(folder, called)) reach(folder);
      else if (named || !called.has(folder) || this.keepsState(folder)) add(folder);
    // Modules that call each other in a circle: one of them has to be the first.
    for (const folder of this.folders.keys()) if (!reached.has(folder)) add(folder);
    return roots;
  }

  /** Folders of modules that calls name, and that none of them makes an instance of: `count = 0`. Those come first that no other such module calls. */
  firstLeft(reached: ReadonlySet<string>): readonly string[] {
    const left = [...this.folders.keys()].filter((folder) => !reached.has(folder));
    const called = new Set(left.flatMap((folder) => this.callsOf(folder).filter((target) => target !== folder)));
    const first = left.filter((folder) => !called.has(folder));
    return first.length > 0 ? first : left.slice(0, 1);
  }

  foldersOf({ folder: own, files, stack, path = stack }: RootModule): RootModuleFolders {
    const folders = new Set([own]);
    const open = [...this.callsIn(files, own)];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      if (folders.has(folder)) continue;
      folders.add(folder);
      open.push(...this.callsOf(folder));
    }
    return { stack, path, folders: [...folders] };
  }

  /**
   * Whether a folder that nothing calls is a module all the same, left over beside others that are called: it stands with them in a folder `modules`,
   * wants values that nothing in it gives, and configures no provider, as Terraform would need of a root module.
   */
  private isUncalledModule(folder: string, called: ReadonlySet<string>): boolean {
    const parent = dirname(folder);
    if (called.has(folder) || basename(parent) !== 'modules') return false;
    if (![...called].some((other) => dirname(other) === parent)) return false;
    const names = this.files.access.files(folder) ?? [];
    if (names.includes('terragrunt.hcl') || variableFileNames(names).length > 0 || this.keepsState(folder))
      return false;
    const declared = this.files.load(folder).flatMap((file) => file.body.blocks.map((block) => ({ block, file })));
    return (
      declared.every(({ block }) => block.type !== 'provider') &&
      declared.some((one) => one.block.type === 'variable' && attributeOf(one, 'default') === undefined)
    );
  }

  private keepsState(folder: string): boolean {
    return backendOf([...this.files.load(folder), ...this.files.replaced(folder)]) !== undefined;
  }

  /** Folders that a module calls by a path. */
  private callsOf(folder: string): readonly string[] {
    return this.callsIn(this.files.load(folder), folder);
  }

  private callsIn(files: readonly ConfigurationFile[], folder: string): readonly string[] {
    return files.flatMap((file) =>
      file.body.blocks.flatMap((block) => {
        const source = block.type === 'module' ? literalText({ block, file }, 'source') : undefined;
        const target = source === undefined ? undefined : localFolder(folder, source, this.files.access);
        return target === undefined ? [] : [plain(target)];
      }),
    );
  }
}

/** A path as it is told, without a separator behind it. */
export function plain(path: string): string {
  return normalize(path).replace(/(?<=[^\\/])[\\/]+$/, '');
}
