import type { Diagnostic } from '../../value';
import type { ConfigurationFile } from '../configuration-file';
import type { Attribute, Range } from '../../languages/hcl/ast';
import { comparedWithNothing } from './emptiness';
import { overridden, type Declared } from './merged-file';

/** A resource or data source of a module, before it is evaluated. */
export interface DeclaredResource extends Declared {
  readonly mode: 'managed' | 'data';
  readonly type: string;
  readonly name: string;
  /** Another declaration of the same address, for which Terraform refuses the module. @default - there is none */
  readonly again?: Declared;
}

export interface DeclaredLocal {
  readonly attribute: Attribute;
  readonly file: ConfigurationFile;
}

/** What the files of one folder declare together. */
export class ModuleConfiguration {
  readonly variables = new Map<string, Declared>();
  readonly locals = new Map<string, DeclaredLocal>();
  readonly outputs = new Map<string, Declared>();
  readonly calls = new Map<string, Declared>();
  /** By `aws_eks_cluster.main` and `data.aws_ami.workers`. */
  readonly resources = new Map<string, DeclaredResource>();
  /** By `aws` and `aws.alias`. */
  readonly providers = new Map<string, Declared>();
  readonly diagnostics: Diagnostic[] = [];
  private compared: ReturnType<typeof comparedWithNothing> | undefined;

  constructor(
    /** The folder, as reports show it. */
    readonly folder: string,
    readonly files: readonly ConfigurationFile[],
  ) {
    for (const file of files) this.diagnostics.push(...file.diagnostics);
    for (const file of files) if (!isOverride(file.file)) this.add(file, false);
    for (const file of files) if (isOverride(file.file)) this.add(file, true);
  }

  /** Of the variables that conditions compare with nothing, with what. */
  get comparedVariables(): ReturnType<typeof comparedWithNothing> {
    return (this.compared ??= comparedWithNothing(this));
  }

  private add(file: ConfigurationFile, isOverride: boolean): void {
    for (const block of file.body.blocks) {
      const declared: Declared = { block, file };
      const [first, second] = block.labels;
      switch (block.type) {
        case 'variable':
          this.put('variable', this.variables, first, declared, isOverride);
          break;
        case 'output':
          this.put('output', this.outputs, first, declared, isOverride);
          break;
        case 'module':
          this.put('module', this.calls, first, declared, isOverride);
          break;
        case 'provider':
          this.put('provider', this.providers, providerName(declared), declared, isOverride);
          break;
        case 'locals':
          for (const attribute of block.body.attributes) this.addLocal(attribute, file, isOverride);
          break;
        case 'resource':
          if (first !== undefined && second !== undefined)
            this.put(
              'resource',
              this.resources,
              `${first}.${second}`,
              { ...declared, mode: 'managed', type: first, name: second },
              isOverride,
            );
          break;
        case 'data':
          if (first !== undefined && second !== undefined)
            this.put(
              'data source',
              this.resources,
              `data.${first}.${second}`,
              { ...declared, mode: 'data', type: first, name: second },
              isOverride,
            );
      }
    }
  }

  private put<T extends Declared>(
    kind: string,
    all: Map<string, T>,
    name: string | undefined,
    declared: T,
    isOverride: boolean,
  ): void {
    if (name === undefined) return;
    const earlier = all.get(name);
    if (earlier === undefined) all.set(name, declared);
    else if (isOverride) all.set(name, { ...earlier, ...overridden(earlier, declared) });
    else {
      const isResource = 'mode' in earlier;
      if (isResource) all.set(name, { ...earlier, again: declared });
      const counts = isResource ? 'Terraform refuses that, and what differs is not known' : 'only the first counts';
      this.twice(kind, name, declared.file, declared.block.headRange, counts);
    }
  }

  private addLocal(attribute: Attribute, file: ConfigurationFile, isOverride: boolean): void {
    if (isOverride || !this.locals.has(attribute.name)) this.locals.set(attribute.name, { attribute, file });
    else this.twice('local value', attribute.name, file, attribute.nameRange, 'only the first counts');
  }

  private twice(kind: string, name: string, file: ConfigurationFile, range: Range, counts: string): void {
    this.diagnostics.push(
      diagnosticAt('warning', `${kind} ${name} is declared a second time in this module; ${counts}`, file, range),
    );
  }
}

/** Whether what a file declares is laid over what others do, by its name. */
export function isOverride(file: string): boolean {
  return /(?:^|[\\/]|_)override\.(?:tf|tofu)(?:\.json)?$/.test(file);
}

export function diagnosticAt(
  severity: Diagnostic['severity'],
  message: string,
  file: ConfigurationFile,
  range: Range,
): Diagnostic {
  // The file of the place: what an override file says stands there.
  const { file: name, line, column } = file.place(range).locate();
  return { severity, message, file: name, line, column };
}

export function attributeOf({ block }: Declared, name: string): Attribute | undefined {
  return block.body.attributes.find((attribute) => attribute.name === name);
}

/** A text that is written down, without anything to evaluate. */
export function literalText(declared: Declared, name: string): string | undefined {
  const value = attributeOf(declared, name)?.value;
  return value?.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
}

function providerName(declared: Declared): string | undefined {
  const [name] = declared.block.labels;
  const alias = literalText(declared, 'alias');
  return name === undefined || alias === undefined ? name : `${name}.${alias}`;
}
