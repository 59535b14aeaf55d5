import { Absent, beyondLimit, Known, LIMITS, Unknown } from '../../value';
import type { ValueStep } from '../../terraform/address';
import { isJsonMap, listOf, memberOf, type JsonMap } from '../../terraform/json-tree';
import { isFilledIn, isResult } from '../../terraform/plan/links';
import type { PlanPlace } from '../../terraform/plan/place';
import { TerraformList, TerraformMap, type TerraformValue } from '../../terraform/terraform-value';
import { argumentName, isMapOfUser } from './names';
import { originsOf, type Origin } from './origins';
import type { PulumiResource } from './resources';
import { isAfterUpdate, whyUnknown } from './special-values';

/** What properties need besides the resource that they belong to. */
export interface PropertyContext {
  /** The resources that a property comes from. */
  from(property: string): readonly PulumiResource[];
  reference(origin: Origin, reason: string, place: PlanPlace): Unknown;
}

/** Where a value stands, in Terraform's names and in the text. */
interface At {
  readonly steps: readonly ValueStep[];
  /** The property at the top that it is a part of. */
  readonly property: string;
  readonly place: PlanPlace;
}

/** The properties of a resource of AWS as Terraform's arguments: what the program says, and of what it leaves open what AWS has answered. */
export class Properties {
  constructor(
    private readonly resource: PulumiResource,
    private readonly context: PropertyContext,
  ) {}

  read(inputs: PlanPlace, outputs: PlanPlace, id: PlanPlace): TerraformValue {
    const { resource } = this;
    const entries = this.entries(
      resource.inputs,
      resource.outputs,
      { steps: [], property: '', place: inputs },
      outputs,
    );
    if (resource.id !== undefined) entries.set('id', new Known(resource.id, id));
    return new Known(new TerraformMap(entries), inputs);
  }

  private entries(json: JsonMap, told: unknown, at: At, answers: PlanPlace): Map<string, TerraformValue> {
    const entries = new Map<string, TerraformValue>();
    for (const key of ownKeys(json)) {
      const inner = this.below(at, key);
      entries.set(nameOf(inner), this.value(json[key], memberOf(told, key), inner, answers.child(key)));
    }
    for (const key of ownKeys(told)) {
      const inner = this.below({ ...at, place: answers }, key);
      const name = nameOf(inner);
      const answer = entries.has(name) ? undefined : this.answer(memberOf(told, key), inner);
      if (answer !== undefined) entries.set(name, answer);
    }
    return entries;
  }

  private below({ steps, property, place }: At, key: string): At {
    const name = isMapOfUser(String(steps.at(-1))) ? key : argumentName(this.resource.type, key);
    return { steps: [...steps, name], property: property === '' ? key : property, place: place.child(key) };
  }

  private value(json: unknown, told: unknown, at: At, answers: PlanPlace): TerraformValue {
    const { place, steps } = at;
    const reason = whyUnknown(json);
    if (reason !== undefined) return this.unknown(reason, at);
    if (steps.length > LIMITS.depth) return beyondLimit('it is nested too deeply', place);
    if (Array.isArray(json)) return this.list(json, at);
    if (isJsonMap(json)) return new Known(new TerraformMap(this.entries(json, told, at, answers)), place);
    return isPlain(json) ? new Known(json, place) : new Absent(place);
  }

  private list(json: readonly unknown[], at: At): TerraformValue {
    const { property, place, steps } = at;
    const unknown = json.filter(isAfterUpdate).length;
    const origins = unknown === 0 ? [] : originsOf(this.resource, this.context.from(property), steps, unknown);
    const inOrder = origins.values();
    const items = json.map((item, index) => {
      const inner = { steps: [...steps, index], property, place: place.child(index) };
      const origin = isAfterUpdate(item) ? inOrder.next().value : undefined;
      return origin === undefined
        ? this.value(item, undefined, inner, inner.place)
        : this.context.reference(origin, whyUnknown(item) ?? '', inner.place);
    });
    return new Known(new TerraformList(items), place);
  }

  private unknown(reason: string, { property, steps, place }: At): Unknown {
    // Of the items of a list, the list knows.
    const isItem = typeof steps.at(-1) === 'number';
    const [origin] = isItem ? [] : originsOf(this.resource, this.context.from(property), steps, 1);
    return origin === undefined ? new Unknown(reason, place) : this.context.reference(origin, reason, place);
  }

  /** What AWS answers where the program says nothing; undefined where it answers nothing, or what anything else would say too. */
  private answer(json: unknown, at: At): TerraformValue | undefined {
    const { place, steps } = at;
    if (whyUnknown(json) !== undefined || json === '' || steps.length > LIMITS.depth) return undefined;
    const { type } = this.resource;
    const isTold = isFilledIn(type, steps);
    if (isPlain(json))
      return isTold
        ? new Known(json, place.asReadBack('surely'))
        : isResult(steps)
          ? new Known(json, place)
          : undefined;
    if (isJsonMap(json)) {
      const entries = this.entries({}, json, at, place);
      return entries.size === 0 ? undefined : new Known(new TerraformMap(entries), place);
    }
    const items = listOf(json).flatMap((item, index) => {
      const inner = { ...at, steps: [...steps, index], place: place.child(index) };
      return (isPlain(item) && isTold ? new Known(item, inner.place) : this.answer(item, inner)) ?? [];
    });
    return items.length === 0
      ? undefined
      : new Known(new TerraformList(items), isTold ? place.asReadBack('surely') : place);
  }
}

/** The properties of an object of Kubernetes, in its own names. */
export function plainValue(json: unknown, place: PlanPlace, depth = 0): TerraformValue {
  const reason = whyUnknown(json);
  if (reason !== undefined) return new Unknown(reason, place);
  if (depth > LIMITS.depth) return beyondLimit('it is nested too deeply', place);
  if (Array.isArray(json))
    return new Known(
      new TerraformList(json.map((item, index) => plainValue(item, place.child(index), depth + 1))),
      place,
    );
  if (isJsonMap(json))
    return new Known(
      new TerraformMap(
        new Map(ownKeys(json).map((key) => [key, plainValue(json[key], place.child(key), depth + 1)] as const)),
      ),
      place,
    );
  return isPlain(json) ? new Known(json, place) : new Absent(place);
}

function nameOf({ steps }: At): string {
  return String(steps.at(-1));
}

/** Keys but for those that Pulumi keeps for itself, such as `__defaults`. */
function ownKeys(json: unknown): readonly string[] {
  return isJsonMap(json) ? Object.keys(json).filter((key) => !key.startsWith('__')) : [];
}

function isPlain(json: unknown): json is string | number | boolean {
  return typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean';
}
