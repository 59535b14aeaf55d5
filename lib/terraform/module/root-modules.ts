import { basename } from 'node:path';
import { always, type Diagnostic, type TurnedOff } from '../../value';
import { inWords } from '../../text/in-words';
import type { CommentedModule } from '../comments';
import type { RootModule } from './root-module';
import { secretsGiven, secretsOf } from './secrets';
import type { ConfigurationFile } from '../configuration-file';
import type { TerraformInstance } from '../instance';
import type { KnownModule, KnownModuleCall } from '../known-module';
import { decisiveVariables, type Called } from './decisive-variables';
import type { FolderAccess } from './folder-access';
import { attributeOf, diagnosticAt, literalText, ModuleConfiguration } from './module-configuration';
import type { Declared } from './merged-file';
import { callModule, localFolder } from './module-calls';
import { unwritten } from './providers';
import { ModuleInstance } from './module-instance';
import { scopeWithoutNames } from './module-scope';
import { checkReferences } from './reference-check';
import { checkKeys } from './repeated-keys';
import { Run, type CallOfModule, type Shared } from './run';
import { stateOf } from './state-links';
import { configuredVariable, givenVariables, misspeltVariables, undeclaredVariables } from './tfvars';
import { insteadOfDecisive, insteadOfDefault, setElsewhere, unusedVariableFiles } from './unread-values';

export interface ModulesInput {
  readonly access: FolderAccess;
  /** The files of a folder; undefined if it holds none. @default - local modules are not found */
  readonly loadFolder?: (folder: string) => readonly ConfigurationFile[] | undefined;
  /** The same of a folder that nothing may lead to in the end. @default - no such folder is looked into */
  readonly lookInto?: (folder: string) => readonly ConfigurationFile[] | undefined;
  /** Modules of the registry that are known here. @default - none */
  readonly knownModule?: (call: KnownModuleCall) => KnownModule | undefined;
  /** Values of variables of all root modules, as `-var` gives them: any that JSON can hold. @default - none */
  readonly variables?: Readonly<Record<string, unknown>>;
  /**
   * Asked when all root modules are read: those that nothing leads to.
   * @default - modules that no root module enables are left alone
   */
  readonly furtherRoots?: () => readonly RootModule[];
}

export interface ReadRoot extends CommentedModule {
  readonly root: RootModule;
  readonly diagnostics: readonly Diagnostic[];
  /** What stands on itself by way of other modules; complete when all that somebody wants to know has been read. */
  readonly circles: readonly Diagnostic[];
  /** Values that its modules declare to be secret. */
  readonly secrets: readonly string[];
  readonly turnedOff: readonly TurnedOff[];
}

/**
 * Reads root modules that belong together: what one puts out, another may read through `terraform_remote_state`. Never throws.
 * What is wrong with a module that several call is told by the first.
 */
export function readRootModules(
  roots: readonly RootModule[],
  {
    access,
    loadFolder = () => undefined,
    lookInto,
    knownModule = () => undefined,
    variables = {},
    furtherRoots,
  }: ModulesInput,
): readonly ReadRoot[] {
  const configurations = new Map<string, ModuleConfiguration | undefined>();
  const states: State[] = [];
  const lookedInto = new Map<string, ModuleConfiguration | undefined>();
  /** The configuration that a call names, whether it is enabled or not. */
  const called: Called = (caller, declared) => {
    const source = literalText(declared, 'source');
    const folder = source === undefined ? undefined : localFolder(caller.folder, source, access);
    if (folder === undefined) return undefined;
    const read = configurations.get(folder);
    if (read !== undefined || lookedInto.has(folder)) return read ?? lookedInto.get(folder);
    const files = lookInto?.(folder) ?? [];
    const found = files.length === 0 ? undefined : new ModuleConfiguration(folder, files);
    lookedInto.set(folder, found);
    return found;
  };
  const checked = new Set<ModuleConfiguration>();
  const shared: Shared = {
    access,
    knownModule,
    configuration: (folder) => {
      if (!configurations.has(folder)) {
        const files = loadFolder(folder);
        configurations.set(
          folder,
          files === undefined || files.length === 0 ? undefined : new ModuleConfiguration(folder, files),
        );
      }
      return configurations.get(folder);
    },
    remoteState: (request, asking) => {
      const root = states.find(({ run }) => run === asking)?.root;
      const state = root === undefined ? undefined : stateOf(request, root, states);
      return state === undefined ? undefined : (output) => state.module.output(output);
    },
  };
  const stateFor = (root: RootModule, isNotEnabled = false): State => {
    const configuration = new ModuleConfiguration(root.folder, root.files);
    // A call of a folder that is a root module, too, reads it no second time.
    if (root.isPart !== true) configurations.set(root.folder, configuration);
    return { root, ...rootInstance(root, configuration, shared, { variables, isNotEnabled, called }) };
  };
  states.push(...roots.map((root) => stateFor(root)));
  const ofNames = [
    ...misspeltVariables(
      variables,
      states.map(({ module }) => module.configuration.variables),
    ),
    ...undeclaredVariables(
      states.map(({ root, module }) => ({ files: root.variableFiles, declared: module.configuration.variables })),
    ),
  ];
  const told = new Set<string>();
  /** What is wrong with a file of variables that all root modules take is said once. */
  const once = ({ file, line, column, message }: Diagnostic): boolean => {
    const before = told.size;
    return told.add(`${file}:${line}:${column}:${message}`).size > before;
  };
  /** The files of modules that were read since, and what is wrong with them. */
  const readSince = ({ root, module }: State): Pick<ReadRoot, 'files' | 'diagnostics' | 'secrets'> => {
    const declared = [module.configuration, ...configurations.values()].filter(
      (configuration): configuration is ModuleConfiguration => {
        if (configuration === undefined || checked.has(configuration)) return false;
        checked.add(configuration);
        return true;
      },
    );
    const diagnostics = declared.flatMap((configuration) => [
      ...configuration.diagnostics,
      ...checkKeys(configuration),
      ...(root.isPart === true || isTerragruntUnit(configuration.folder, access) ? [] : checkReferences(configuration)),
    ]);
    return { files: declared.flatMap(({ files }) => files), diagnostics, secrets: declared.flatMap(secretsOf) };
  };
  const read = (state: State, index: number): ReadRoot => {
    const { root, module, run } = state;
    const instances = module.instances();
    const { files, diagnostics, secrets } = readSince(state);
    return {
      root,
      instances,
      secrets,
      diagnostics: [
        ...(index === 0 ? ofNames : []),
        ...state.diagnostics.filter(once),
        ...(instances.some(isOfEks) ? unusedVariableFiles(root.folder, root.unread, withoutValue(module)) : []),
        ...run.diagnostics,
        ...diagnostics,
      ],
      circles: run.circles,
      files,
      calls: run.calls,
      turnedOff: run.turnedOff,
      stack: run.stack,
    };
  };
  const all = states.map(read);
  /** Calls that make nothing, of modules that no other call makes, either. */
  const notEnabled = () =>
    states.flatMap((state, index) =>
      state.run.notEnabled.splice(0).flatMap((call) => {
        const source = literalText(call.declared, 'source');
        const folder = source === undefined ? undefined : localFolder(call.owner.configuration.folder, source, access);
        if (folder === undefined) return [];
        // What such a call gives stands in a file all the same.
        if (configurations.has(folder)) state.run.secrets.push(...secretsGiven(call, configurations.get(folder)));
        return configurations.has(folder) ? [] : [{ ...call, folder, state, index }];
      }),
    );
  /** Secrets come last: reading one root module may bring up those of another. */
  const done = () =>
    all.map((root, index) => ({ ...root, secrets: [...root.secrets, ...(states[index]?.run.secrets ?? [])] }));
  if (furtherRoots === undefined) return done();
  const judgedAsIf = new Map<string, CallOfModule[]>();
  for (let calls = notEnabled(); calls.length > 0; calls = notEnabled()) {
    for (const { owner, name, declared, folder, state, index } of calls) {
      const before = all[index];
      if (before === undefined || shared.configuration(folder) === undefined) continue;
      const group = `${index} ${owner.configuration.folder}`;
      judgedAsIf.set(group, [...(judgedAsIf.get(group) ?? []), { owner, name, declared }]);
      const instances = owner.instancesAsIfEnabled(name, declared);
      if (instances.some(({ type }) => type === 'aws_eks_cluster')) owner.turnOff(`module.${name}`, declared);
      const { files, diagnostics, secrets } = readSince(state);
      all[index] = {
        ...before,
        instances: [...before.instances, ...instances],
        diagnostics: [...before.diagnostics, ...state.run.diagnostics, ...diagnostics],
        secrets: [...before.secrets, ...secrets],
        files: [...before.files, ...files],
      };
    }
  }
  for (const [group, calls] of judgedAsIf) {
    const index = Number.parseInt(group, 10);
    const before = all[index];
    if (before !== undefined)
      all[index] = { ...before, diagnostics: [...before.diagnostics, ...notEnabledModules(calls)] };
  }
  for (let further = furtherRoots(); further.length > 0; further = furtherRoots()) {
    const more = further.map((root) => stateFor(root, true));
    states.push(...more);
    for (const state of more) all.push(read(state, all.length));
  }
  return done();
}

/** What is told of the modules that the calls of a folder don't enable: one line. */
function notEnabledModules([first, ...others]: readonly CallOfModule[]): Diagnostic[] {
  if (first === undefined) return [];
  const { file, block } = first.declared;
  const names = inWords(
    [first, ...others].map(({ name }) => name),
    20,
  );
  const message =
    others.length === 0
      ? `no root module here enables module ${names}; check judges it as if this call did, with its arguments, and leaves out what of it isn't known`
      : `no root module here enables modules ${names}; check judges them as if these calls did, with their arguments, and leaves out what of them isn't known`;
  return [diagnosticAt('warning', message, file, block.headRange)];
}

interface State {
  readonly root: RootModule;
  readonly module: ModuleInstance;
  readonly run: Run;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is said of values that are missing matters where something of EKS is made of them. */
function isOfEks({ mode, type }: TerraformInstance): boolean {
  return mode === 'managed' && type.startsWith('aws_eks_');
}

/** The required variables that nothing gives a value to. */
function withoutValue({ configuration, surroundings }: ModuleInstance): readonly Declared[] {
  return [...configuration.variables].flatMap(([name, declared]) =>
    attributeOf(declared, 'default') === undefined && surroundings.given(name) === undefined ? [declared] : [],
  );
}

/** Terragrunt adds files of its own to such a folder, which may declare what the others refer to. */
function isTerragruntUnit(folder: string, access: FolderAccess): boolean {
  return access.files(folder)?.includes('terragrunt.hcl') ?? false;
}

/** Whether there are files in the folder that aren't read. */
function hasMore({ folder, files }: RootModule, access: FolderAccess): boolean {
  const read = new Set(files.map(({ file }) => basename(file)));
  return access.files(folder)?.some((name) => /\.(?:tf|tofu)(?:\.json)?$/.test(name) && !read.has(name)) ?? true;
}

interface HowRead {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly isNotEnabled: boolean;
  readonly called: Called;
}

function rootInstance(
  root: RootModule,
  configuration: ModuleConfiguration,
  shared: Shared,
  { variables, isNotEnabled, called }: HowRead,
): Omit<State, 'root'> {
  const run = new Run(shared, root.folder, root.stack, root.frontEnd);
  if (root.isPart === true && hasMore(root, shared.access))
    run.given.push({ clause: 'the other files of its folder may use it', value: undefined });
  const { values, written, diagnostics, others } = givenVariables(root.variableFiles);
  const { unread } = root;
  let needed: { readonly name: string | undefined } | undefined;
  const module: ModuleInstance = new ModuleInstance(run, configuration, {
    address: '',
    exists: always,
    parent: undefined,
    isNotEnabled,
    given: (name) =>
      configuredVariable(name, variables, configuration.variables.get(name)) ?? values.get(name) ?? others,
    written: (name) => {
      const found = Object.hasOwn(variables, name) ? undefined : written.get(name);
      return found && { ...found, owner: module, scope: scopeWithoutNames(found.file), name };
    },
    hints: (name) => unread?.hints(name) ?? [],
    insteadOfDefault: (name, standard) => {
      if (unread === undefined) return undefined;
      needed ??= { name: setElsewhere(unread, withoutValue(module)) };
      return (
        insteadOfDefault(name, root.folder, unread, needed.name) ??
        insteadOfDecisive({ name, standard, of: () => decisiveVariables(configuration, called) }, root.folder, unread)
      );
    },
    handedOver: unwritten,
    call: callModule,
  });
  return { module, run, diagnostics };
}
