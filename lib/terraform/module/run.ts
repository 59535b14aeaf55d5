import { isAbsolute, join } from 'node:path';
import { LIMITS, type Diagnostic, type TurnedOff } from '../../value';
import type { ConfigurationFile } from '../configuration-file';
import type { Scope } from '../evaluation/scope';
import type { Range } from '../../languages/hcl/ast';
import type { HandedOut, TerraformInstance } from '../instance';
import type { KnownModule, KnownModuleCall } from '../known-module';
import type { TerraformValue } from '../terraform-value';
import type { FolderAccess } from './folder-access';
import { textPlaces } from './hcl-file';
import type { Declared } from './merged-file';
import { diagnosticAt, type ModuleConfiguration } from './module-configuration';
import type { ModuleInstance } from './module-instance';
import type { Step } from './step';
import { missingModules, type MissingModule } from './unread-module';

/** Outputs of the state that a `terraform_remote_state` reads, if this run makes it. */
type RemoteState = (request: StateRequest, asking: Run) => ((output: string) => TerraformValue | undefined) | undefined;

export interface StateRequest {
  /** Name of the data source. */
  readonly name: string;
  readonly backend: string | undefined;
  readonly config: TerraformValue;
  readonly workspace: string | undefined;
}

/** What the root modules of a run share. */
export interface Shared {
  readonly access: FolderAccess;
  /** The configuration of a folder; undefined if there is none. */
  configuration(folder: string): ModuleConfiguration | undefined;
  readonly knownModule: (call: KnownModuleCall) => KnownModule | undefined;
  readonly remoteState: RemoteState;
}

/** The call of a module, and the instance of the module that it stands in. */
export interface CallOfModule {
  readonly owner: ModuleInstance;
  readonly name: string;
  readonly declared: Declared;
}

/** More names of a circle than these are left out. */
const MOST_NAMED = 10;

/** References that lead through more names than this are not followed. */
const MOST_STEPS = 150;

/** What the modules of one root module share. */
export class Run {
  /** What is given to modules that aren't here. */
  readonly given: HandedOut[] = [];
  /** Addresses of what calls of modules made, by the heads of those calls. */
  readonly calls = new Map<Range, string[]>();
  /** Values that calls and files of variables give to variables which are sensitive. */
  readonly secrets: string[] = [];
  /** Calls that make nothing. */
  readonly notEnabled: CallOfModule[] = [];
  /** What would make clusters, and makes nothing. */
  readonly turnedOff: TurnedOff[] = [];
  /** What stands on itself by way of other modules. It may show only when resources are read. */
  readonly circles: Diagnostic[] = [];
  private readonly problems = new Map<string, Diagnostic>();
  /** What is being worked out, the innermost last. */
  private readonly open: Step[] = [];
  private readonly missing: MissingModule[] = [];
  private readonly texts = new Map<string, ReturnType<Scope['readFile']>>();
  private remaining = LIMITS.allInstances;

  constructor(
    readonly shared: Shared,
    /** Folder of the root module. */
    readonly folder: string,
    readonly stack: string,
    readonly frontEnd: TerraformInstance['frontEnd'],
  ) {}

  get diagnostics(): readonly Diagnostic[] {
    return [...missingModules(this.missing), ...this.problems.values()];
  }

  /** A module that is not here, and may declare what rules look at. */
  misses(name: string, source: string, version: string | undefined, file: ConfigurationFile, range: Range): void {
    this.missing.push({ name, source, version, place: file.place(range).locate() });
  }

  /** Remembers an instance of a call. */
  called(head: Range, address: string): void {
    const addresses = this.calls.get(head);
    if (addresses === undefined) this.calls.set(head, [address]);
    else addresses.push(address);
  }

  /** What is said of a place is said once, however many instances there are of it. */
  tell(severity: Diagnostic['severity'], message: string, file: ConfigurationFile, range: Range): void {
    this.add(diagnosticAt(severity, message, file, range));
  }

  add(diagnostic: Diagnostic): void {
    const { file, line, column, message } = diagnostic;
    const key = `${file}:${line}:${column}:${message}`;
    if (!this.problems.has(key)) this.problems.set(key, diagnostic);
  }

  /** Whether one more instance may be made. */
  allows(file: ConfigurationFile, range: Range): boolean {
    if (--this.remaining >= 0) return true;
    if (this.remaining === -1)
      this.tell(
        'error',
        `there are more than ${LIMITS.allInstances} instances in this root module; from here on nothing is checked`,
        file,
        range,
      );
    return false;
  }

  /** Works a value out; gives the other one where that would lead through too many steps. */
  step<T>(step: Step, work: () => T, otherwise: () => T): T {
    if (this.open.length >= MOST_STEPS) return otherwise();
    const { length } = this.open;
    this.open.push(step);
    try {
      return work();
    } catch (error) {
      // Expressions that are deeply nested and lead through many names.
      if (error instanceof RangeError) return otherwise();
      throw error;
    } finally {
      this.open.length = length;
    }
  }

  /** Tells of a circle that leads through several modules: Terraform refuses it. */
  standsOnItself({ name, file, range }: Step): void {
    const circle = this.open.slice(this.open.findLastIndex((step) => step.name === name));
    if (!circle.some(({ leadsOut = false }) => leadsOut)) return;
    // What a call gives before any output of its module is asked for is no circle for Terraform, unless it is the number of its instances.
    const [first, second] = circle;
    if (first?.isCall === true && second?.name.startsWith('argument ') === true) return;
    const names = circle.map((step) => step.name);
    const shown = [...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ['…'] : []), name].join(' → ');
    const found = diagnosticAt('warning', `${name} refers to itself in a circle: ${shown}`, file, range);
    const isTold = this.circles.some(
      ({ file: other, line, column }) => other === found.file && line === found.line && column === found.column,
    );
    if (!isTold) this.circles.push(found);
  }

  /** A file that an expression names, from the folder of the root module on, where Terraform runs. */
  readFile(path: string): ReturnType<Scope['readFile']> {
    const known = this.texts.get(path);
    if (known !== undefined) return known;
    const content = this.readText(path);
    this.texts.set(path, content);
    return content;
  }

  /** The names of the files of a folder that an expression names; undefined if that can't be told. */
  listFiles(folder: string): readonly string[] | undefined {
    if (isAbsolute(folder) || folder.startsWith('~')) return undefined;
    const listed = join(this.folder, folder);
    this.shared.access.asked?.(listed);
    return this.shared.access.files(listed);
  }

  private readText(path: string): ReturnType<Scope['readFile']> {
    if (isAbsolute(path) || path.startsWith('~'))
      return { problem: 'it is a file outside of the configuration, which is not read' };
    const file = join(this.folder, path);
    const content = this.shared.access.read(file);
    return 'problem' in content ? content : { text: content.text, place: textPlaces(content.text, file) };
  }
}
