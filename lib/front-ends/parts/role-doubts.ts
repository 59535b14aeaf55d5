import type { AttachedPolicy } from '../../eks';
import { isAllHoles, mayBeEqual } from '../../text/may-equal';
import { textOf, Unknown, type Plain, type Source, type Value } from '../../value';
import { alternativesOf } from '../../value';

/** So many names that are known in parts are compared with that of a role; with more, each may be that of any. */
const MOST_NAMES = 50;

/** A policy for a role of which nothing tells which one it is. */
export interface Doubtful {
  readonly name: string;
  readonly source: Source;
}

/**
 * Policies whose role isn't known, so that they may be for this or that one of those that are deployed with them. One of a kind is doubt enough: what a role has
 * isn't known with it.
 */
export class RoleDoubts {
  private readonly any = new Map<string, AttachedPolicy>();
  private readonly byText = new Map<string, Map<string, AttachedPolicy>>();
  private readonly byRole = new Map<string, AttachedPolicy>();

  /**
   * @param place what is deployed together
   * @param role its name, as far as it is known
   */
  add(place: string, role: Unknown, policy: Doubtful): void {
    const { text } = role;
    const texts = this.byText.get(place) ?? new Map<string, AttachedPolicy>();
    if (text === undefined || isAllHoles(text) || texts.size >= MOST_NAMES) {
      if (!this.any.has(place)) this.any.set(place, doubtful(policy));
    } else if (!texts.has(text)) texts.set(text, doubtful(policy));
    this.byText.set(place, texts);
  }

  /** The same for a role that its name is made of, in a way that isn't understood. */
  addFor(place: string, role: string, policy: Doubtful): void {
    const key = `${place}\n${role}`;
    if (!this.byRole.has(key)) this.byRole.set(key, doubtful(policy));
  }

  /**
   * The policies that may be for a role of a place.
   * @param id what `addFor` calls it
   */
  of(place: string, id: string, name: Value<string>): readonly AttachedPolicy[] {
    const [own, any, texts] = [this.byRole.get(`${place}\n${id}`), this.any.get(place), this.byText.get(place)];
    const fitting = [...(texts ?? [])].flatMap(([text, policy]) => (mayBeCalled(name, text) ? [policy] : []));
    return [own, any, ...fitting].filter((policy) => policy !== undefined);
  }
}

/** Whether a role may have a name of which parts are known. One whose name AWS makes up ends with letters that nobody writes. */
function mayBeCalled(name: Value<string>, text: string): boolean {
  return alternativesOf(name).some(({ value }: { readonly value: Plain<string> }) => {
    const own = textOf(value);
    return own === undefined ? value.kind === 'unknown' : mayBeEqual(own, text);
  });
}

function doubtful({ name, source }: Doubtful): AttachedPolicy {
  const document = new Unknown(`whether ${name} is for it isn't known`, source);
  return { kind: 'document', name, document, source, isDoubt: true };
}
