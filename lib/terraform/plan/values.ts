import { isDeepStrictEqual } from 'node:util';
import { isOptionalAndComputed } from '../../knowledge';
import { Absent, beyondLimit, Known, Unknown, type Source } from '../../value';
import { pathText, type ValueStep } from '../address';
import type { TerraformInstance } from '../instance';
import { isJsonMap, listOf, memberAt, memberOf, textOf, type JsonMap } from '../json-tree';
import { UNSEEN, writtenAt, type PlanConfiguration, type PlanModule, type Written } from './configuration';
import { isFilledIn, isIdentifier, isLeftToAws, isPlural, namesOf, isOwnOfModule, onlyOrigin, targetOf } from './links';
import { ForeignPlace, foreignModuleOf } from './module-defaults';
import type { PlanPlace } from './place';
import type { Frame, Origin, PlanReferences, Trace } from './references';
import { isUntold, type PlannedResource } from './resources';
import { TerraformList, TerraformMap, type TerraformValue } from '../terraform-value';

const AFTER_APPLY = 'it is known only after apply';
const SENSITIVE = 'it is sensitive, so it is not looked at';
const NOT_HELD = 'the input does not hold it';

/** What values of a plan need besides the resource that they belong to. */
export interface PlanContext {
  readonly stack: string;
  readonly configuration: PlanConfiguration;
  readonly references: PlanReferences;
  instance(resource: PlannedResource): TerraformInstance | undefined;
}

/** Deeper nesting than any resource has. */
const MAX_DEPTH = 100;

/** The attributes of one resource as a value, with an unknown one for each that isn't told. */
export class PlanValues {
  private readonly written: Written;
  private readonly frame: Frame | undefined;
  private readonly foreign: PlanModule | undefined;

  constructor(
    private readonly resource: PlannedResource,
    private readonly context: PlanContext,
  ) {
    const module = context.configuration.module(resource.module);
    const configured = module?.resource(resource.mode, resource.type, resource.name);
    // Of a resource as it is now, the configuration says nothing.
    const expressions = resource.isPrior === true ? undefined : configured?.['expressions'];
    this.written = isJsonMap(expressions) ? { kind: 'block', content: expressions } : UNSEEN;
    if (module !== undefined) this.frame = { module, key: resource.key, forEach: configured?.['for_each_expression'] };
    this.foreign = foreignModuleOf(module);
  }

  read(place: PlanPlace): TerraformValue {
    const { values, unknown, sensitive } = this.resource;
    if (unknown === true) return new Unknown(AFTER_APPLY, place);
    if (sensitive === true) return new Unknown(SENSITIVE, place);
    if (values === undefined && !isJsonMap(unknown)) return new Unknown(NOT_HELD, place);
    return this.map(values ?? {}, isJsonMap(unknown) ? unknown : {}, sensitive, this.written, [], place);
  }

  private value(
    json: unknown,
    unknown: unknown,
    sensitive: unknown,
    written: Written,
    steps: readonly ValueStep[],
    place: PlanPlace,
  ): TerraformValue {
    if (unknown === true) return this.unknown(sensitive, written, steps, place);
    if (sensitive === true) return this.sensitive(written, steps, place);
    if (steps.length > MAX_DEPTH) return beyondLimit('it is nested too deeply', place);
    if (Array.isArray(json) || (json === undefined && Array.isArray(unknown)))
      return this.list(listOf(json), unknown, sensitive, written, steps, place);
    if (isJsonMap(json)) return this.map(json, unknown, sensitive, written, steps, place);
    if (typeof json === 'string')
      return new Known(json, this.placeOf(json, written, this.asTold(place, json, written, steps)));
    if (typeof json === 'number' || typeof json === 'boolean')
      return new Known(json, this.asTold(place, json, written, steps));
    return new Absent(place);
  }

  private placeOf(text: string, written: Written, place: PlanPlace): Source {
    const { frame, foreign } = this;
    if (frame === undefined || foreign === undefined || written.kind !== 'expression') return place;
    const { module, key, forEach } = frame;
    return new ForeignPlace(
      place,
      { text, expression: written.expression, module, foreign, key, forEach },
      this.context.configuration,
    );
  }

  private list(
    json: readonly unknown[],
    unknown: unknown,
    sensitive: unknown,
    written: Written,
    steps: readonly ValueStep[],
    place: PlanPlace,
  ): TerraformValue {
    const marks = listOf(unknown);
    const size = Math.max(json.length, marks.length);
    const origins = written.kind === 'expression' ? this.inOrder(written.expression, marks, steps) : undefined;
    const isLeftOut = this.resource.unknown === undefined;
    const items: TerraformValue[] = [];
    for (let index = 0; index < size; index++) {
      const inner = place.child(index);
      const mark = isLeftOut && json[index] === null ? true : marks[index];
      const origin = mark === true ? origins?.next().value : undefined;
      if (origin !== undefined) items.push(this.reference(origin, AFTER_APPLY, inner));
      else if (mark === true && written.kind === 'expression') items.push(new Unknown(AFTER_APPLY, inner));
      else
        items.push(
          this.value(
            json[index] ?? undefined,
            mark,
            memberOf(sensitive, index),
            writtenAt(written, index, size, false),
            [...steps, index],
            inner,
          ),
        );
    }
    return new Known(new TerraformList(items), this.asTold(place, json, written, steps));
  }

  /** The resources that unknown items of a list refer to, if each is of another. */
  private inOrder(
    expression: JsonMap,
    marks: readonly unknown[],
    steps: readonly ValueStep[],
  ): Iterator<Origin, undefined> | undefined {
    const count = marks.filter((mark) => mark === true).length;
    if (count === 0) return undefined;
    const trace = this.trace(expression);
    if (trace?.isComplete !== true || trace.origins.length !== count) return undefined;
    return trace.origins.every((origin) => isIdentifier(steps, origin))
      ? (trace.origins.values() as Iterator<Origin, undefined>)
      : undefined;
  }

  private map(
    json: JsonMap,
    unknown: unknown,
    sensitive: unknown,
    written: Written,
    steps: readonly ValueStep[],
    place: PlanPlace,
  ): TerraformValue {
    const entries = new Map<string, TerraformValue>();
    // Where nothing is marked as unknown, what is unknown is left out.
    const isLeftOut = this.resource.unknown === undefined;
    const keys = new Set([
      ...Object.keys(json),
      ...(isJsonMap(unknown) ? Object.keys(unknown) : []),
      ...(isLeftOut && written.kind === 'block' ? Object.keys(written.content) : []),
    ]);
    for (const key of keys) {
      const item = memberOf(json, key);
      const mark = isLeftOut && item === undefined ? true : memberOf(unknown, key);
      const hidden = memberOf(sensitive, key);
      const inner = writtenAt(written, key, 0, isCollection(item, mark, hidden));
      entries.set(key, this.value(item, mark, hidden, inner, [...steps, key], place.child(key)));
    }
    this.settleTemplate(entries, written, steps);
    const more = isLeftOut && written.kind !== 'block' ? new Unknown(AFTER_APPLY, place) : undefined;
    return new Known(more === undefined ? new TerraformMap(entries) : new TerraformMap(entries, more), place);
  }

  /** The place of a value, with a mark where the value may be what AWS answers. */
  private asTold(place: PlanPlace, json: unknown, written: Written, steps: readonly ValueStep[]): PlanPlace {
    const { type, mode, isPrior, values, change } = this.resource;
    if (mode === 'data' || isPrior === true || !isFilledIn(type, steps)) return place;
    // What a plan changes is written: otherwise the value would be the old one, or not known yet.
    if (change !== undefined && !isDeepStrictEqual(memberAt(change['before'], ...steps), json)) return place;
    const readBack =
      written.kind === 'expression'
        ? this.readBackBeside(written.expression, json)
        : written.kind === 'nothing' ||
            (written.kind === 'dynamic' && isOptionalAndComputed(type, namesOf(steps).join('.')))
          ? 'surely'
          : 'perhaps';
    if (readBack === undefined) return place;
    return place.asReadBack(type === 'aws_eks_node_group' && isOfOwnImage(values, steps) ? 'surely' : readBack);
  }

  private readBackBeside(expression: JsonMap, json: unknown): 'surely' | 'perhaps' | undefined {
    if (expression['constant_value'] === null) return 'surely';
    if (this.frame === undefined) return 'perhaps';
    return isDeepStrictEqual(this.context.references.constant(expression, this.frame), json) ? undefined : 'perhaps';
  }

  /** Id and name of a launch template exclude each other: where the id is written, in a block that isn't seen, the name is what AWS tells. */
  private settleTemplate(entries: Map<string, TerraformValue>, written: Written, steps: readonly ValueStep[]): void {
    const id = entries.get('id');
    const name = entries.get('name');
    // A name that is known beside an id that isn't is written: AWS tells both at once.
    if (
      namesOf(steps).at(-1) === 'launch_template' &&
      name?.kind === 'known' &&
      id?.kind === 'unknown' &&
      id.reference === undefined
    )
      entries.set('id', new Absent(id.source));
    if (written.kind !== 'unseen' || id?.kind !== 'unknown' || id.reference === undefined || name?.kind !== 'unknown')
      return;
    entries.set('name', new Absent(name.source));
  }

  private unknown(sensitive: unknown, written: Written, steps: readonly ValueStep[], place: PlanPlace): TerraformValue {
    const isManaged = this.resource.mode === 'managed';
    switch (written.kind) {
      case 'nothing':
        return isManaged && isLeftToAws(steps, false) ? new Absent(place) : new Unknown(AFTER_APPLY, place);
      case 'dynamic':
        return isManaged && isLeftToAws(steps, true) ? new Absent(place) : new Unknown(AFTER_APPLY, place);
      case 'unseen':
        return this.referenceOr(this.ownOfModule(steps), AFTER_APPLY, place);
      case 'expression': {
        const trace = this.trace(written.expression);
        // All that it refers to is known: it can only be null, and AWS chooses.
        if (
          isManaged &&
          trace?.isComplete === true &&
          trace.origins.length === 0 &&
          Array.isArray(written.expression['references'])
        )
          return new Absent(place);
        if (isManaged && isNullOfGroups(this.resource.type, steps, written.expression)) return new Absent(place);
        // Of a list, an expression tells what is in it, but not what else is.
        if (isCollection(undefined, undefined, sensitive) || isPlural(steps)) return new Unknown(AFTER_APPLY, place);
        return this.referenceOr(this.originOf(trace, written.expression, steps), AFTER_APPLY, place);
      }
      case 'block':
      case 'blocks':
        return new Unknown(AFTER_APPLY, place);
    }
  }

  private sensitive(written: Written, steps: readonly ValueStep[], place: PlanPlace): TerraformValue {
    const origin =
      written.kind === 'expression' ? onlyOriginOf(this.resource, steps, this.trace(written.expression)) : undefined;
    return this.referenceOr(origin, SENSITIVE, place);
  }

  private trace(expression: JsonMap): Trace | undefined {
    return this.frame === undefined ? undefined : this.context.references.trace(expression, this.frame);
  }

  private originOf(trace: Trace | undefined, { references }: JsonMap, steps: readonly ValueStep[]): Origin | undefined {
    const origin = onlyOriginOf(this.resource, steps, trace);
    const isLocal =
      trace?.origins.length === 0 &&
      listOf(references).some((reference) => typeof reference === 'string' && reference.startsWith('local.'));
    return isLocal ? this.ownOfModule(steps) : origin;
  }

  /**
   * Plans don't hold locals, and no content of `dynamic` blocks. A launch template that isn't known either, the only one of the module,
   * and named by nothing else in it, is what is named there.
   */
  private ownOfModule(steps: readonly ValueStep[]): Origin | undefined {
    const target = targetOf(this.resource.type, steps);
    const [attribute] = target?.attributes ?? [];
    if (target === undefined || attribute === undefined || !isOwnOfModule(target)) return undefined;
    const [only, second] = this.context.references.ofModule(this.resource.module, target.type);
    if (only === undefined || second !== undefined || !isUntold(only, [attribute])) return undefined;
    return this.frame?.module.names(`${only.type}.${only.name}`) === false
      ? { resource: only, attribute: [attribute] }
      : undefined;
  }

  private referenceOr(origin: Origin | undefined, reason: string, place: PlanPlace): Unknown {
    return origin === undefined ? new Unknown(reason, place) : this.reference(origin, reason, place);
  }

  private reference({ resource, attribute }: Origin, reason: string, place: PlanPlace): Unknown {
    const instance = this.context.instance(resource);
    if (instance === undefined) return new Unknown(reason, place);
    const path = pathText(attribute);
    const text = `\${${resource.address}.${path}}`;
    return new Unknown(reason, place, text, `${this.context.stack} ${text}`, { resource: instance, attribute: path });
  }
}

function onlyOriginOf(
  resource: PlannedResource,
  steps: readonly ValueStep[],
  trace: Trace | undefined,
): Origin | undefined {
  return trace === undefined ? undefined : onlyOrigin(resource.type, steps, trace.origins, trace.isComplete);
}

/**
 * Whether what isn't known are the groups of an access entry that a module takes out of a map: nothing computes names of groups, but a null there is
 * shown as known after apply. Source: terraform-aws-modules/terraform-aws-eks, main.tf, `try(each.value.kubernetes_groups, null)`.
 */
function isNullOfGroups(type: string, steps: readonly ValueStep[], { references }: JsonMap): boolean {
  const given = listOf(references);
  return (
    type === 'aws_eks_access_entry' &&
    steps.length === 1 &&
    steps[0] === 'kubernetes_groups' &&
    given.length > 0 &&
    given.every((reference) => typeof reference === 'string' && /^each\.value\b/.test(reference))
  );
}

/** EKS takes neither version beside an AMI; it answers with the AMI's id as release version, and with a version of its own. */
function isOfOwnImage(values: JsonMap | undefined, [name]: readonly ValueStep[]): boolean {
  return (
    (name === 'version' || name === 'release_version') &&
    textOf(values?.['release_version'])?.startsWith('ami-') === true
  );
}

/** Whether a value is a list, a map or a block, for all that is told of it. */
function isCollection(json: unknown, unknown: unknown, sensitive: unknown): boolean {
  return [json, unknown, sensitive].some((tree) => typeof tree === 'object' && tree !== null);
}
