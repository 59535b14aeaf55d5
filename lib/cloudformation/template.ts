import { always, type When } from '../value';
import type { ParsedDocument } from '../languages';
import type { TemplateInput } from './template-input';
import type { Acknowledgements } from './acknowledgements';
import { assume, Condition } from './conditions';
import { readRules, type Operand, type Restriction } from './condition-formulas';
import { Cursor, isMap, member, referencesIn } from './cursor';
import { partitionOf } from '../knowledge/partition';
import type { TemplateSet } from './template-set';

/** Sections of a template that are maps of named things. */
export type Section = 'Resources' | 'Parameters' | 'Mappings' | 'Conditions' | 'Outputs' | 'Rules';

/** One template of the input and what its parts are called. */
export class Template {
  readonly root: Cursor;
  readonly file: string;
  readonly stack: string;
  readonly region: string | undefined;
  readonly partition: string | undefined;
  readonly account: string | undefined;
  /** Children by logical id of the `AWS::CloudFormation::Stack` resource. */
  readonly children = new Map<string, Template>();
  /** What a front end made of each resource that it knows; of a resource that holds several things, the first. */
  readonly models = new Map<string, object>();
  /** Whether an app of the CDK wrote it. */
  isOfCdk: boolean;
  readonly acknowledgements: Acknowledgements | undefined;
  private readonly conditions = new Map<string, Condition>();
  private readonly sections = new Map<Section, Cursor | undefined>();
  private resourceIdsMemo: readonly string[] | undefined;
  /** Whether it is worth while to look for `Fn::ForEach`. */
  readonly mayHoldLoops: boolean;
  private conditionsByParameter: Map<string, Condition[]> | undefined;
  private conditionParameters: ReadonlySet<string> | undefined;
  private restrictionsMemo: readonly Restriction[] | undefined;

  constructor(
    readonly set: TemplateSet,
    /** Unique among the templates of the run. */
    readonly id: string,
    readonly input: TemplateInput,
    readonly document: ParsedDocument,
    /** The resource of the parent template that creates this one. */
    readonly parent: Cursor | undefined,
  ) {
    this.root = new Cursor(this, document.root, undefined, '');
    this.file = input.file;
    this.mayHoldLoops = input.text?.includes('Fn::ForEach') !== false;
    this.stack = input.stack ?? parent?.template.stack ?? stackName(input.file);
    this.region = input.region ?? parent?.template.region;
    this.account = input.account ?? parent?.template.account;
    this.partition = this.region === undefined ? undefined : partitionOf(this.region);
    const acknowledgements = input.assembly?.acknowledgements ?? [];
    this.acknowledgements = acknowledgements.length === 0 ? undefined : set.acknowledgements(acknowledgements);
    this.isOfCdk = input.assembly !== undefined && input.assembly.asByHand !== true;
  }

  /** A section, if the template has it and it is a map. */
  section(name: Section): Cursor | undefined {
    if (!this.sections.has(name)) {
      const cursor = this.root.child(name);
      this.sections.set(name, isMap(cursor.raw) ? cursor : undefined);
    }
    return this.sections.get(name);
  }

  /** Names in Resources, listed once because a list of many costs as much as a walk through them. */
  get resourceIds(): readonly string[] {
    return (this.resourceIdsMemo ??= Object.keys(this.section('Resources')?.raw ?? {}));
  }

  /** A named thing of a section; undefined if the template has none of that name. */
  named(section: Section, name: string): Cursor | undefined {
    const cursor = this.section(section);
    return cursor !== undefined && member(cursor.raw, name) !== undefined ? cursor.child(name) : undefined;
  }

  typeOf(logicalId: string): unknown {
    return member(member(this.section('Resources')?.raw, logicalId), 'Type');
  }

  hasParameter(name: string): boolean {
    return this.named('Parameters', name) !== undefined;
  }

  condition(name: string): Condition {
    let condition = this.conditions.get(name);
    if (condition === undefined) {
      condition = new Condition(this, name, this.named('Conditions', name));
      this.conditions.set(name, condition);
    }
    return condition;
  }

  /** What its Rules demand of the parameters of a deployment. */
  get restrictions(): readonly Restriction[] {
    return (this.restrictionsMemo ??= readRules(this.section('Rules')));
  }

  /** What has to hold for a resource (or an output) to exist; `undefined` if it can't exist. */
  existence(logicalId: string, section: Section = 'Resources'): When | undefined {
    const name = member(member(this.section(section)?.raw, logicalId), 'Condition');
    const own = typeof name === 'string' ? assume(this.condition(name), true) : always;
    if (this.parent === undefined || own === undefined) return own;
    return this.parent.template.existence(String(this.parent.key))?.and(own);
  }

  /** Whether conditions of the template, or of a nested stack that it may be passed to, look at a parameter. */
  isInConditions(parameter: string): boolean {
    this.conditionParameters ??= referencesIn(this.section('Conditions')?.raw, new Set());
    if (
      this.conditionParameters.has(parameter) ||
      this.restrictions.some(({ parameters }) => parameters.has(parameter))
    )
      return true;
    for (const child of this.children.values()) {
      if (child.section('Conditions') !== undefined) return true;
    }
    return false;
  }

  /** The conditions of the template that may say something of a parameter: their definitions name it, or one that a rule of the template ties to it. */
  conditionsOn(parameter: string): readonly Condition[] {
    const tied = this.restrictions
      .filter(({ parameters }) => parameters.has(parameter))
      .flatMap(({ parameters }) => [...parameters]);
    return tied.length === 0
      ? this.conditionsNaming(parameter)
      : [...new Set([parameter, ...tied].flatMap((one) => this.conditionsNaming(one)))];
  }

  private conditionsNaming(parameter: string): readonly Condition[] {
    if (this.conditionsByParameter === undefined) {
      this.conditionsByParameter = new Map();
      for (const [name, raw] of Object.entries(this.section('Conditions')?.raw ?? {})) {
        for (const mentioned of referencesIn(raw, new Set())) {
          const list = this.conditionsByParameter.get(mentioned);
          if (list === undefined) this.conditionsByParameter.set(mentioned, [this.condition(name)]);
          else list.push(this.condition(name));
        }
      }
    }
    return this.conditionsByParameter.get(parameter) ?? [];
  }

  /** What a nested stack's parent passes for a parameter. */
  binding(parameter: string): Cursor | undefined {
    if (this.parent === undefined) return undefined;
    const bound = this.parent.child('Properties').child('Parameters').child(parameter);
    return bound.raw === undefined ? undefined : bound;
  }

  /** What the user of this run gave for a parameter, as CloudFormation would take it: a text. */
  givenParameter(name: string): string | undefined {
    const { cloudformation = {}, stacks = {} } = this.set.given;
    const ofStack = Object.hasOwn(stacks, this.stack) ? stacks[this.stack] : undefined;
    const values = ofStack !== undefined && Object.hasOwn(ofStack, name) ? ofStack : cloudformation;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? undefined : Array.isArray(value) ? value.join(',') : String(value);
  }

  /** A parameter as conditions see it: open, unless the parent stack or the user decides it or only one value is allowed. */
  parameterOperand(name: string): Operand | undefined {
    const parameter = this.named('Parameters', name);
    if (parameter === undefined) return undefined;
    // Of a parameter in the parameter store all that a template says is its path. Conditions see what stands there.
    if (isLookedUp(parameter)) return { variable: { id: `${this.id}/${name}`, allowed: undefined } };
    const bound = this.binding(name);
    if (bound !== undefined) {
      const { raw } = bound;
      const constant = bound.scalarText();
      if (constant !== undefined) return { constant };
      const reference = member(raw, 'Ref');
      const outer = typeof reference === 'string' ? bound.template.parameterOperand(reference) : undefined;
      return outer ?? { variable: { id: `${bound.template.id}:${JSON.stringify(raw)}`, allowed: undefined } };
    }
    const given = this.givenParameter(name);
    if (given !== undefined) return { constant: given };
    const usual = parameter.child('Default').scalarText();
    return {
      variable: {
        id: `${this.id}/${name}`,
        allowed: allowedValues(parameter),
        ...(usual === undefined ? {} : { usual }),
      },
    };
  }
}

/** Whether a parameter has the value that stands in the parameter store under the name that it is given. */
export function isLookedUp(parameter: Cursor): boolean {
  return parameter.child('Type').scalarText()?.startsWith('AWS::SSM::Parameter::Value<') === true;
}

/** Undefined if there are none, or one can't be read. */
export function allowedValues(parameter: Cursor): readonly string[] | undefined {
  const list = parameter.child('AllowedValues');
  if (!Array.isArray(list.raw) || list.raw.length === 0) return undefined;
  const texts = list.raw.flatMap((_, index) => list.child(index).scalarText() ?? []);
  return texts.length === list.raw.length ? texts : undefined;
}

function stackName(file: string): string {
  const base = file.split(/[\\/]/).at(-1) ?? file;
  return base.replace(/(?:\.template)?\.(?:json|ya?ml|template|txt)$/i, '');
}
