import { always, type Diagnostic, type InputSummary, type Source, type When } from '../../value';
import { topLevelKeys } from '../../text/json-keys';
import { otherContent } from '../../languages/other-content';
import type { DocumentPath } from '../../languages';
import { withoutEscapes } from '../../text/escapes';
import type { PlannedInstance, TerraformInput, TerraformInstance } from '../instance';
import { isJsonMap, listOf, memberAt, textOf, type JsonMap } from '../json-tree';
import { changeOf } from './change';
import { PlanConfiguration } from './configuration';
import { PlanFile } from './place';
import { secretsOfPlan } from './secrets';
import { PlanReferences } from './references';
import { resourcesOfPlan, resourcesOfState, toldText, type PlannedResource } from './resources';
import { PlanValues, type PlanContext } from './values';
import type { TerraformValue } from '../terraform-value';

export interface PlanInput extends TerraformInput {
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined if the text could not be read. */
  readonly summary: InputSummary | undefined;
  /** Values that it marks as sensitive. @default - none */
  readonly secrets?: readonly string[];
  /** The text is something else than a plan or state. */
  readonly isOther?: true;
}

/** The newest format that is known, by the first number of its version; minor versions only add. */
const FORMAT = 1;

const SHOW = 'run `terraform show -json FILE > plan.json` and check plan.json';

/** Whether a text seems to be what `terraform show -json` prints for a plan or a state. */
export function looksLikePlan(text: string): boolean {
  if (!mentionsPlan(text) && !(/^\s*\{/.test(text) && text.includes('\\u') && mentionsPlan(withoutEscapes(text))))
    return false;
  const keys = new Set<string>();
  for (const key of topLevelKeys(text)) {
    keys.add(withoutEscapes(key));
    const hasContent =
      keys.has('planned_values') ||
      keys.has('resource_changes') ||
      (keys.has('values') && keys.has('terraform_version'));
    if (hasContent && keys.has('format_version')) return true;
    // Tools that cut a plan down leave out what they don't need.
    if (
      keys.has('resource_changes') &&
      (keys.has('terraform_version') || keys.has('configuration') || keys.has('planned_values'))
    )
      return true;
  }
  return false;
}

function mentionsPlan(text: string): boolean {
  return /"(?:format_version|planned_values|resource_changes)"/.test(text);
}

/** Why a file that somebody names is no plan, although Terraform or OpenTofu wrote it; undefined for anything else. */
export function whyNoPlan(text: string): string | undefined {
  if (text.startsWith('PK\u0003\u0004')) return `this is a zip archive, as plan files of Terraform are: ${SHOW}`;
  const start = text.slice(0, 4096).trimStart();
  if (start.startsWith('{"@level"'))
    return `this is the log of \`terraform plan -json\`, not a plan: add \`-out FILE\` to it, then ${SHOW}`;
  if (!start.startsWith('{')) return undefined;
  if (/^\{\s*"version"\s*:\s*\d+\s*,\s*"terraform_version"/.test(start))
    return 'this is a state file of Terraform: run `terraform show -json FILE > state.json` and check state.json, or better a plan';
  if (!/^\{\s*"format_version"/.test(start)) return undefined;
  if (text.includes('"provider_schemas"')) return 'this is what `terraform providers schema -json` prints, not a plan';
  return start.includes('"valid"') ? 'this is what `terraform validate -json` prints, not a plan' : undefined;
}

/**
 * Reads what `terraform show -json` or `tofu show -json` prints for a plan, or for a state. Never throws: what is wrong
 * with the text becomes diagnostics.
 */
export function readPlan(text: string, file: string): PlanInput {
  const refusal = whyNoPlan(text);
  if (refusal !== undefined) return refused(file, refusal);
  const planFile = new PlanFile(file, text);
  const { root, diagnostics } = planFile.document;
  if (root === undefined) return { instances: [], diagnostics, summary: undefined };
  if (!isPlanOrState(root))
    return refused(
      file,
      'this is no plan of Terraform: `terraform show -json FILE` prints one, with "format_version" and "planned_values"',
    );
  const isState = !isPlan(root);
  const resources = isState ? resourcesOfState(root) : resourcesOfPlan(root);
  const told = isState ? [warning(file, STATE)] : planDiagnostics(root, file);
  const loader = new Loader(planFile, root, resources);
  const managed = resources.filter(({ mode }) => mode === 'managed').length;
  return {
    instances: loader.instances,
    diagnostics: [
      ...diagnostics,
      ...otherContent(planFile.document, file, 'a Terraform plan'),
      ...versionDiagnostics(root, file),
      ...told,
    ],
    summary: { path: file, kind: 'terraform-plan', resources: managed },
    secrets: secretsOfPlan(root),
  };
}

const STATE =
  'this is a state, not a plan: it tells what exists, not what the configuration is about to change; which attributes are written, and how resources refer to each other, is not in it';

function isPlan(root: JsonMap): boolean {
  return isJsonMap(root['planned_values']) || Array.isArray(root['resource_changes']);
}

function isPlanOrState(root: unknown): root is JsonMap {
  if (!isJsonMap(root)) return false;
  if (textOf(root['format_version']) === undefined)
    return Array.isArray(root['resource_changes']) || isJsonMap(memberAt(root, 'planned_values', 'root_module'));
  // A state that holds nothing is but its version.
  return (
    isPlan(root) ||
    (isJsonMap(root['values'])
      ? isJsonMap(root['values']['root_module']) || 'terraform_version' in root
      : Object.keys(root).length === 1)
  );
}

function refused(file: string, message: string): PlanInput {
  return {
    instances: [],
    diagnostics: [{ severity: 'error', message, file, line: 1, column: 1 }],
    summary: undefined,
    isOther: true,
  };
}

function warning(file: string, message: string): Diagnostic {
  return { severity: 'warning', message, file, line: 1, column: 1 };
}

function versionDiagnostics(root: JsonMap, file: string): readonly Diagnostic[] {
  const version = textOf(root['format_version']) ?? '';
  return version === '' || Number.parseInt(version, 10) <= FORMAT
    ? []
    : [
        warning(
          file,
          `format version ${version} is newer than what is known here (${FORMAT}.x); it is read as if it were that`,
        ),
      ];
}

function planDiagnostics(plan: JsonMap, file: string): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  if (plan['errored'] === true)
    diagnostics.push(
      warning(file, 'Terraform stopped with an error while it made this plan, so resources may be missing'),
    );
  else if (plan['complete'] === false)
    diagnostics.push(
      warning(file, 'the plan is not complete: it was made for targets, or puts changes off to a later plan'),
    );
  if (!isJsonMap(memberAt(plan, 'configuration', 'root_module')))
    diagnostics.push(
      warning(file, 'the plan holds no configuration, so it does not tell how resources refer to each other'),
    );
  return diagnostics;
}

/** What instances of one file share. */
class Loader implements PlanContext {
  readonly stack: string;
  readonly configuration: PlanConfiguration;
  readonly references: PlanReferences;
  readonly instances: readonly TerraformInstance[];
  private readonly byResource = new Map<PlannedResource, TerraformInstance>();
  private readonly regions = new Map<string, string | undefined>();

  constructor(
    private readonly file: PlanFile,
    root: JsonMap,
    private readonly resources: readonly PlannedResource[],
  ) {
    this.stack = file.file.replace(/(?!^)\.json$/i, '');
    this.configuration = new PlanConfiguration(root);
    this.references = new PlanReferences(this.configuration, resources);
    for (const resource of resources) this.byResource.set(resource, new PlanInstance(resource, this));
    this.instances = [...this.byResource.values()];
  }

  instance(resource: PlannedResource): TerraformInstance | undefined {
    return this.byResource.get(resource);
  }

  place(path: DocumentPath, values: DocumentPath) {
    return this.file.place(path, values);
  }

  /** Region of a resource: its own, that of its provider, or the one that its ARN names. */
  regionOf(resource: PlannedResource): string | undefined {
    return (
      toldText(resource, 'region') ??
      this.providerRegion(resource) ??
      /^arn:[\w-]+:[\w-]+:([a-z]{2}[\w-]+):/.exec(toldText(resource, 'arn') ?? '')?.[1]
    );
  }

  /** What `depends_on` of a resource names. */
  dependenciesOf({ module, mode, type, name }: PlannedResource): readonly string[] {
    const prefix = module === '' ? '' : `${module}.`;
    return listOf(this.configuration.module(module)?.resource(mode, type, name)?.['depends_on']).flatMap((named) =>
      typeof named === 'string' ? [prefix + named] : [],
    );
  }

  private providerKey({ module, mode, type, name }: PlannedResource): string | undefined {
    return textOf(this.configuration.module(module)?.resource(mode, type, name)?.['provider_config_key']);
  }

  private providerRegion(resource: PlannedResource): string | undefined {
    const key = this.providerKey(resource);
    if (key === undefined) return undefined;
    if (!this.regions.has(key)) this.regions.set(key, this.findRegion(key));
    return this.regions.get(key);
  }

  private findRegion(key: string): string | undefined {
    const provider = this.configuration.provider(key);
    const module = this.configuration.module(textOf(provider?.['module_address']) ?? '');
    const written =
      module === undefined
        ? undefined
        : textOf(
            this.references.constant(memberAt(provider, 'expressions', 'region'), {
              module,
              key: undefined,
              forEach: undefined,
            }),
          );
    if (written !== undefined) return written;
    // The provider's own answer, where it was asked.
    const asked = this.resources.find(
      (resource) => resource.mode === 'data' && resource.type === 'aws_region' && this.providerKey(resource) === key,
    );
    return asked === undefined
      ? undefined
      : (toldText(asked, 'region') ?? toldText(asked, 'name') ?? toldText(asked, 'id'));
  }
}

/** Attributes are read when somebody asks: most resources of a large plan have nothing to do with EKS. */
class PlanInstance implements TerraformInstance {
  readonly exists: When = always;
  readonly frontEnd = 'terraform';
  readonly path = undefined;
  readonly source: Source;
  private read: TerraformValue | undefined;
  private change: { readonly planned: PlannedInstance | undefined } | undefined;

  constructor(
    private readonly resource: PlannedResource,
    private readonly loader: Loader,
  ) {
    this.source = loader.place(resource.path, resource.valuesPath);
  }

  get address(): string {
    return this.resource.address;
  }

  get mode(): 'managed' | 'data' {
    return this.resource.mode;
  }

  get type(): string {
    return this.resource.type;
  }

  get module(): string {
    return this.resource.module;
  }

  get stack(): string {
    return this.loader.stack;
  }

  get region(): string | undefined {
    return this.loader.regionOf(this.resource);
  }

  get attributes(): TerraformValue {
    return (this.read ??= new PlanValues(this.resource, this.loader).read(
      this.loader.place(this.resource.path, this.resource.valuesPath),
    ));
  }

  readonly expressionOf = (attribute: string): readonly string[] =>
    this.loader.references.named(this.resource, attribute);

  get waitsFor(): readonly string[] {
    return this.loader.dependenciesOf(this.resource);
  }

  get planned(): PlannedInstance | undefined {
    return (this.change ??= { planned: this.readChange() }).planned;
  }

  private readChange(): PlannedInstance | undefined {
    const change = changeOf(this.resource);
    return change === undefined
      ? undefined
      : { ...change, before: change.before === undefined ? undefined : new PlanInstance(change.before, this.loader) };
  }
}
