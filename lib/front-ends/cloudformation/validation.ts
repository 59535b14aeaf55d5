import type { Diagnostic } from '../../value';
import { oddKey } from '../parts/decision-keys';
import { describeShape, isMap, member, type Cursor } from '../../cloudformation/cursor';
import { findCircles, ReferenceCheck } from './reference-check';
import { HELD_PROPERTIES, PROPERTY_SHAPES, SUPPRESSION_KEYS, SUPPRESSION_SHAPE } from './resources/shapes';
import { fits, reportMisfits, type Report } from './shape-check';
import type { Section, Template } from '../../cloudformation/template';

const SECTIONS: readonly Section[] = ['Parameters', 'Mappings', 'Conditions', 'Resources', 'Outputs'];

/**
 * Says what is wrong with a template as such: values of the wrong type, references to nothing and circles. Reading goes on
 * all the same; what is wrong counts as unknown.
 */
export function validateTemplate(template: Template): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const report =
    (severity: Diagnostic['severity']): Report =>
    (cursor, message) => {
      const { file, line, column } = cursor.locate();
      diagnostics.push({ severity, message, file, line, column });
    };
  // A macro may make anything of what stands there.
  new Validation(template, report('error'), report('warning'), report(hasMacro(template) ? 'warning' : 'error')).run();
  return diagnostics.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Whether a transform that isn't AWS's own goes over the whole template. */
function hasMacro({ root }: Template): boolean {
  const transform = member(root.raw, 'Transform');
  const names: readonly unknown[] = Array.isArray(transform) ? transform : [transform];
  return names.some((name) => name !== undefined && !(typeof name === 'string' && name.startsWith('AWS::')));
}

class Validation {
  constructor(
    private readonly template: Template,
    private readonly error: Report,
    private readonly warn: Report,
    /** For what is not of the type that CloudFormation takes. */
    private readonly misfit: Report,
  ) {}

  run(): void {
    const { root } = this.template;
    if (!isMap(root.raw)) {
      this.error(root, `a CloudFormation template is a map with Resources; this is ${describeShape(root.raw)}`);
      return;
    }
    // CDK writes templates without resources for stacks that have none.
    if (root.raw.Resources === undefined && this.template.input.assembly === undefined)
      this.misfit(
        root,
        typeof root.raw['kind'] === 'string' && root.raw['apiVersion'] === undefined
          ? 'there are no Resources, so this is no CloudFormation template, and beside `kind` no `apiVersion`, so it is no manifest of Kubernetes'
          : 'there are no Resources, so this is no CloudFormation template',
      );
    for (const name of SECTIONS) {
      if (root.raw[name] !== undefined && !isMap(root.raw[name]))
        this.misfit(root.child(name), `${name} is ${describeShape(root.raw[name])} where a map belongs`);
    }
    const ofTemplate = Object.keys(isMap(root.raw.Metadata) ? root.raw.Metadata : {}).find((key) => OWN_KEY.test(key));
    if (ofTemplate !== undefined)
      this.warn(
        root.child('Metadata').child(ofTemplate),
        `"${ofTemplate}" is not read here; suppressions stand in the Metadata of a resource, and what holds for several in the configuration file`,
      );
    for (const name of ['Parameters', 'Mappings', 'Outputs'] as const) this.entriesAreMaps(name);
    const references = new ReferenceCheck(this.template, this.warn);
    this.resources(references);
    this.conditions(references);
    const outputs = this.template.section('Outputs');
    if (outputs !== undefined)
      for (const name of Object.keys(outputs.raw as object)) references.value(outputs.child(name));
    this.circles(references);
  }

  private entriesAreMaps(name: Section): void {
    const section = this.template.section(name);
    if (section === undefined) return;
    for (const [key, entry] of Object.entries(section.raw as object)) {
      if (!isMap(entry) && !isGenerated(key))
        this.misfit(section.child(key), `${key} is ${describeShape(entry)} where a map belongs`);
    }
  }

  private resources(references: ReferenceCheck): void {
    const section = this.template.section('Resources');
    if (section === undefined) return;
    const declared = section.raw as Readonly<Record<string, unknown>>;
    for (const id of this.template.resourceIds) {
      const raw = declared[id];
      if (isGenerated(id)) continue;
      if (!isMap(raw)) {
        this.misfit(section.child(id), `resource ${id} is ${describeShape(raw)} where a map belongs`);
        continue;
      }
      this.resource(section, id, raw, references);
      references.resource(id, raw, () => section.child(id));
    }
  }

  private resource(
    section: Cursor,
    id: string,
    raw: Readonly<Record<string, unknown>>,
    references: ReferenceCheck,
  ): void {
    const { Type: type, Properties: properties, Condition: condition, Metadata: metadata } = raw;
    if (typeof type !== 'string') {
      if (type === undefined && raw['Fn::Transform'] === undefined)
        this.misfit(section.child(id), `resource ${id} has no Type`);
      else if (type !== undefined)
        this.misfit(section.child(id).child('Type'), `Type is ${describeShape(type)} where a string belongs`);
    }
    if (properties !== undefined && !isMap(properties)) {
      this.misfit(
        section.child(id).child('Properties'),
        `Properties is ${describeShape(properties)} where a map belongs`,
      );
    } else if (properties !== undefined) {
      const shape = PROPERTY_SHAPES.get(type);
      if (shape !== undefined && !fits(properties, { map: shape }))
        reportMisfits(section.child(id).child('Properties'), { map: shape }, this.misfit);
      this.misplaced(section.child(id).child('Properties'), type, properties);
    }
    if (condition !== undefined) this.existenceCondition(section.child(id).child('Condition'), references);
    if (isMap(metadata)) this.metadata(section.child(id).child('Metadata'), metadata);
  }

  /** Nothing reads what stands at the wrong level, and CloudFormation refuses it before it makes anything. */
  private misplaced(cursor: Cursor, type: unknown, properties: Readonly<Record<string, unknown>>): void {
    const found = HELD_PROPERTIES.get(type);
    if (found === undefined) return;
    const { holder, held } = found;
    for (const key of Object.keys(properties))
      if (held.has(key))
        this.misfit(
          cursor.child(key),
          `${key} stands beside ${holder}, where CloudFormation refuses it ("extraneous key [${key}] is not permitted"); write it in ${holder}`,
        );
  }

  private metadata(cursor: Cursor, metadata: Readonly<Record<string, unknown>>): void {
    for (const key of Object.keys(metadata)) {
      if (key === 'eks-guardrails') this.suppressions(cursor.child(key));
      else if (OWN_KEY.test(key)) this.warn(cursor.child(key), `"${key}" is not read; the key is "eks-guardrails"`);
    }
  }

  private existenceCondition(cursor: Cursor, { mayGrow }: ReferenceCheck): void {
    const { raw } = cursor;
    if (typeof raw !== 'string')
      this.misfit(cursor, `Condition is ${describeShape(raw)} where the name of a condition belongs`);
    else if (!mayGrow && this.template.named('Conditions', raw) === undefined)
      this.warn(cursor, `there is no condition "${raw}"`);
  }

  private suppressions(cursor: Cursor): void {
    reportMisfits(cursor, SUPPRESSION_SHAPE, this.error);
    const odd = isMap(cursor.raw) ? oddKey(cursor.raw, OWN_KEYS) : undefined;
    if (odd !== undefined) this.warn(cursor.child(odd.key), odd.problem);
    const list = cursor.child('suppress');
    if (Array.isArray(list.raw)) for (const index of list.raw.keys()) this.suppression(list.child(index));
  }

  private suppression(entry: Cursor): void {
    if (!isMap(entry.raw)) return;
    const odd = oddKey(entry.raw, SUPPRESSION_KEYS);
    if (odd !== undefined) this.warn(entry.child(odd.key), `the suppression has no effect: ${odd.problem}`);
    else if (typeof entry.raw.rule !== 'string' && typeof entry.raw.rule !== 'object')
      this.error(entry, 'the suppression names no rule');
  }

  private conditions(references: ReferenceCheck): void {
    const section = this.template.section('Conditions');
    if (section === undefined) return;
    const uses = new Map<string, string[]>();
    for (const name of Object.keys(section.raw as object)) {
      const cursor = section.child(name);
      references.value(cursor);
      const used: string[] = [];
      this.usedConditions(cursor, used, references);
      uses.set(name, used);
    }
    for (const circle of findCircles(uses)) {
      const [first] = circle;
      if (first !== undefined) this.error(section.child(first), describeCircle('condition', circle));
    }
  }

  private usedConditions(cursor: Cursor, used: string[], references: ReferenceCheck): void {
    const { raw } = cursor;
    if (typeof raw !== 'object' || raw === null) return;
    const name = member(raw, 'Condition');
    if (typeof name === 'string') {
      used.push(name);
      if (!references.mayGrow && this.template.named('Conditions', name) === undefined)
        this.warn(cursor.child('Condition'), `there is no condition "${name}"`);
    }
    for (const key of Object.keys(raw)) this.usedConditions(cursor.child(key), used, references);
  }

  private circles(references: ReferenceCheck): void {
    for (const circle of references.circles()) {
      const [first] = circle;
      const cursor = first === undefined ? undefined : this.template.named('Resources', first);
      if (cursor !== undefined) this.error(cursor, describeCircle('resource', circle));
    }
  }
}

/** What stands under this tool's own key: decisions, and what its constructs write down for those who read the template. */
const OWN_KEYS = ['suppress', 'notes'];

/** What may be meant for this tool. */
const OWN_KEY = /^eks[-_ ]?guardrails?$/i;

/** Entries that a macro or a loop replaces by others. */
function isGenerated(key: string): boolean {
  return key.startsWith('Fn::');
}

function describeCircle(kind: string, circle: readonly string[]): string {
  const [first = ''] = circle;
  return circle.length === 1
    ? `${kind} ${first} refers to itself`
    : `${kind} ${first} refers to itself in a circle: ${[...circle.slice(0, 10), first].join(' → ')}`;
}
