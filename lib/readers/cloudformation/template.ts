import type { EksResource, FrontEnd, When } from '../../model';
import { always } from '../../model';
import type { ParsedDocument } from '../document';
import type { TemplateInput } from '../reader';
import type { Acknowledgements } from './acknowledgements';
import { assume, Condition, type Operand } from './conditions';
import { Cursor, isMap, member } from './cursor';
import { partitionOf } from './partition';
import type { TemplateSet } from './template-set';

/** Sections of a template that are maps of named things. */
export type Section = 'Resources' | 'Parameters' | 'Mappings' | 'Conditions' | 'Outputs';

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
  /** What the reader made of each resource that it knows; of a resource that holds several manifests, the first. */
  readonly models = new Map<string, EksResource>();
  /** Logical ids of IAM policies, which are read together with the roles that they belong to. */
  readonly policyIds: string[] = [];
  frontEnd: FrontEnd;
  readonly acknowledgements: Acknowledgements | undefined;
  private readonly conditions = new Map<string, Condition>();
  private readonly sections = new Map<Section, Cursor | undefined>();

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
    this.stack = input.stack ?? parent?.template.stack ?? stackName(input.file);
    this.region = input.region ?? parent?.template.region;
    this.account = input.account ?? parent?.template.account;
    this.partition = this.region === undefined ? undefined : partitionOf(this.region);
    const acknowledgements = input.assembly?.acknowledgements ?? [];
    this.acknowledgements = acknowledgements.length === 0 ? undefined : set.acknowledgements(acknowledgements);
    this.frontEnd = input.assembly === undefined ? 'cloudformation' : 'aws-cdk';
  }

  /** A section, if the template has it and it is a map. */
  section(name: Section): Cursor | undefined {
    if (!this.sections.has(name)) {
      const cursor = this.root.child(name);
      this.sections.set(name, isMap(cursor.raw) ? cursor : undefined);
    }
    return this.sections.get(name);
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

  /** What has to hold for a resource to exist; `undefined` if it can't exist. */
  existence(logicalId: string): When | undefined {
    const name = member(member(this.section('Resources')?.raw, logicalId), 'Condition');
    return typeof name === 'string' ? assume(this.condition(name), true) : always;
  }

  /** What a nested stack's parent passes for a parameter. */
  binding(parameter: string): Cursor | undefined {
    if (this.parent === undefined) return undefined;
    const bound = this.parent.child('Properties').child('Parameters').child(parameter);
    return bound.raw === undefined ? undefined : bound;
  }

  /** A parameter as conditions see it: open, unless the parent stack decides it or only one value is allowed. */
  parameterOperand(name: string): Operand | undefined {
    const parameter = this.named('Parameters', name);
    if (parameter === undefined) return undefined;
    const bound = this.binding(name);
    if (bound !== undefined) {
      const { raw } = bound;
      if (typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean') return { constant: String(raw) };
      const reference = member(raw, 'Ref');
      const outer = typeof reference === 'string' ? bound.template.parameterOperand(reference) : undefined;
      return outer ?? { variable: { id: `${bound.template.id}:${JSON.stringify(raw)}`, allowed: undefined } };
    }
    const allowed = member(parameter.raw, 'AllowedValues');
    return {
      variable: {
        id: `${this.id}/${name}`,
        allowed: Array.isArray(allowed) && allowed.length > 0 ? allowed.map(String) : undefined,
      },
    };
  }
}

function stackName(file: string): string {
  const base = file.split(/[\\/]/).at(-1) ?? file;
  return base.replace(/(?:\.template)?\.(?:json|ya?ml|template|txt)$/i, '');
}
