import type { Diagnostic } from '../value';
import type { DocumentPath, ParsedDocument } from '../languages';
import { isMap } from './cursor';

/** A template may declare 500 resources; of loops that make many more, one resource stands for all. */
const MAX_RESOURCES = 1000;

/** Values that writing out the loops of one template may make. */
const MAX_VALUES = 200_000;

const LOOP = 'Fn::ForEach::';

/** What loops may make. */
const SECTIONS = ['Conditions', 'Resources', 'Outputs'];

/**
 * Writes out the loops (`Fn::ForEach` of the transform AWS::LanguageExtensions) that go through a literal list. Of others, each thing that
 * they make is written once, for all of its kind: its id and its values have the variable in them. Places in what a loop makes are those of
 * its text. Loops that can't be deployed stay as they are, and are told.
 */
export function unrollLoops(document: ParsedDocument, file: string): ParsedDocument {
  const { root } = document;
  if (!isMap(root) || !SECTIONS.some((name) => hasLoop(root[name]))) return document;
  const unrolled = { ...root };
  const origins = new Map<string, ReadonlyMap<string, DocumentPath>>();
  const diagnostics = [...document.diagnostics];
  for (const name of SECTIONS) {
    const section = root[name];
    if (!isMap(section) || !hasLoop(section)) continue;
    const tell = (severity: Diagnostic['severity'], key: string, message: string): void => {
      diagnostics.push({ severity, message, file, ...document.locate([name, key]) });
    };
    const result = unrollSection(section, name, tell);
    unrolled[name] = result.section;
    origins.set(name, result.origins);
  }
  const original = (path: DocumentPath): DocumentPath => {
    const origin = origins.get(String(path[0]))?.get(String(path[1]));
    return origin === undefined ? path : [...origin, ...path.slice(2)];
  };
  return {
    root: unrolled,
    diagnostics,
    comments: document.comments,
    locate: (path) => document.locate(original(path)),
    locateInText: (path, offset) => document.locateInText(original(path), offset),
    scalarText: (path) => document.scalarText(original(path)),
  };
}

type Section = Readonly<Record<string, unknown>>;

function unrollSection(
  section: Section,
  name: string,
  tell: (severity: Diagnostic['severity'], key: string, message: string) => void,
): { readonly section: Section; readonly origins: ReadonlyMap<string, DocumentPath> } {
  const result: [string, unknown][] = [];
  const origins = new Map<string, DocumentPath>();
  const things = name.toLowerCase();
  for (const [key, value] of Object.entries(section)) {
    if (!key.startsWith(LOOP)) {
      result.push([key, value]);
      continue;
    }
    const path = [name, key];
    const whole = new Loop(path, MAX_RESOURCES - origins.size).unroll(value);
    const made = whole === 'too much' ? new Loop(path, Infinity, true).unroll(value) : whole;
    const twice =
      typeof made === 'string' ? undefined : made.find(({ id }) => Object.hasOwn(section, id) || origins.has(id));
    if (typeof made === 'string' || twice !== undefined) {
      result.push([key, value]);
      tell(
        'error',
        key,
        `${things} of the loop ${key} are not read: ${typeof made === 'string' ? made : `${twice?.id ?? ''} is there already`}`,
      );
      continue;
    }
    // The loop itself stays as the sign that there may be others.
    if (made.some(({ isStandIn }) => isStandIn)) {
      result.push([key, value]);
      tell(
        'warning',
        key,
        `${whole === 'too much' ? `the loop ${key} makes too many ${things} to look at each` : `what the loop ${key} goes through isn't known`}, so one stands for all`,
      );
    }
    for (const { id, body, origin } of made) {
      result.push([id, body]);
      origins.set(id, origin);
    }
  }
  return { section: Object.fromEntries(result), origins };
}

/** Whether a loop stands directly in a map. */
export function hasLoop(map: unknown): boolean {
  if (!isMap(map)) return false;
  for (const key in map) if (key.startsWith(LOOP)) return true;
  return false;
}

/** The variable that {@link unrollLoops} refers to by a name; undefined for other names. */
export function loopVariable(name: string): string | undefined {
  return name.startsWith(LOOP) ? name.slice(LOOP.length) : undefined;
}

interface Made {
  readonly id: string;
  readonly body: unknown;
  /** Where the loop has its text. */
  readonly origin: DocumentPath;
  /** Whether it stands for all that one entry of a loop makes. */
  readonly isStandIn: boolean;
}

const MALFORMED = 'it is not a variable, a list and a map';

class Loop {
  private values = 0;
  private readonly made = new Map<string, Made>();

  /** @param asUnknown whether to take every list as one that isn't known */
  constructor(
    private readonly path: DocumentPath,
    private readonly room: number,
    private readonly asUnknown = false,
  ) {}

  /** What the loop makes, or why it can't be deployed. */
  unroll(loop: unknown): readonly Made[] | string {
    return this.run(loop, this.path, []) ?? [...this.made.values()];
  }

  /**
   * @param open variables of the loops around it that go through what isn't known
   * @returns what is wrong with the loop
   */
  private run(loop: unknown, origin: DocumentPath, open: readonly string[]): string | undefined {
    if (!Array.isArray(loop) || loop.length !== 3) return MALFORMED;
    const [variable, list, fragment] = loop as [unknown, unknown, unknown];
    if (typeof variable !== 'string' || !isMap(fragment)) return MALFORMED;
    const items = itemsOf(list);
    if (items === undefined) return MALFORMED;
    const isKnown = items !== 'unknown' && !this.asUnknown;
    const steps: readonly Step[] = isKnown
      ? items.map((item) => new ItemStep(variable, item))
      : [new StandInStep(variable, fragment)];
    const within = isKnown ? open : [...open, variable];
    for (const step of steps) {
      for (const [key, body] of Object.entries(fragment)) {
        const place = [...origin, 2, key];
        const isLoop = key.startsWith(LOOP);
        const own = isLoop ? this.inLoop(body, step) : this.inEntry(body, step);
        if (this.values > MAX_VALUES) return TOO_MUCH;
        const problem = isLoop
          ? this.run(own, place, within)
          : this.add({ id: step.id(key), body: own, origin: place, isStandIn: within.length > 0 }, within);
        if (problem !== undefined) return problem;
      }
    }
    return undefined;
  }

  private add(made: Made, open: readonly string[]): string | undefined {
    const { id } = made;
    if (this.made.size >= this.room) return TOO_MUCH;
    const name = open.reduce((rest, variable) => rest.replaceAll(`\${${variable}}`, ''), id);
    if (!/^[A-Za-z0-9]*$/.test(name) || id === '') return `${JSON.stringify(id)} is no logical id`;
    if (this.made.has(id)) return `it makes ${id} more than once`;
    this.made.set(id, made);
    return undefined;
  }

  /** A loop within the loop: the names that it makes stay names. */
  private inLoop(loop: unknown, step: Step): unknown {
    if (!Array.isArray(loop)) return loop;
    const [variable, list, fragment, ...others] = loop as unknown[];
    if (!isMap(fragment)) return loop;
    const entries = Object.entries(fragment).map(([key, body]) => [
      step.id(key),
      key.startsWith(LOOP) ? this.inLoop(body, step) : this.inEntry(body, step),
    ]);
    return [variable, this.substitute(list, step), Object.fromEntries(entries), ...others];
  }

  /** A resource, a condition or an output. Types, conditions and dependencies are names. */
  private inEntry(body: unknown, step: Step): unknown {
    const own = this.substitute(body, step);
    if (!isMap(own) || !isMap(body)) return own;
    const names = NAMES.flatMap((name) => (typeof body[name] === 'string' ? [[name, step.id(body[name])]] : []));
    return names.length === 0 ? own : { ...own, ...Object.fromEntries(names) };
  }

  private substitute(value: unknown, step: Step): unknown {
    if (++this.values > MAX_VALUES) return undefined;
    if (typeof value === 'string') return step.text(value);
    if (Array.isArray(value)) return value.map((one) => this.substitute(one, step));
    if (!isMap(value)) return value;
    const substitute = (one: unknown): unknown => this.substitute(one, step);
    return (
      step.call(value, substitute) ??
      Object.fromEntries(Object.entries(value).map(([key, one]) => [step.key(key), substitute(one)]))
    );
  }
}

const TOO_MUCH = 'too much';

const NAMES = ['Type', 'Condition', 'DependsOn'];

/** Items that are the same are one. */
function itemsOf(list: unknown): readonly string[] | 'unknown' | undefined {
  if (isMap(list)) return 'unknown';
  if (!Array.isArray(list)) return undefined;
  if (list.some((item) => isMap(item) || Array.isArray(item))) return 'unknown';
  return list.every((item) => typeof item === 'string' || typeof item === 'number')
    ? [...new Set(list.map(String))]
    : undefined;
}

/** What takes the place of the variable. */
interface Step {
  /** In a name. */
  id(name: string): string;
  /** In the name of a property. */
  key(key: string): string;
  text(text: string): unknown;
  /** What a call of a function becomes; undefined for maps that are to be walked through. */
  call(map: Section, substitute: (value: unknown) => unknown): unknown;
}

/** One item of a list: `${x}` is the item, `&{x}` its letters and digits. */
class ItemStep implements Step {
  constructor(
    private readonly variable: string,
    private readonly item: string,
  ) {}

  id(name: string): string {
    return this.text(name);
  }

  key(key: string): string {
    return this.text(key);
  }

  text(text: string): string {
    if (!text.includes('{')) return text;
    const { variable, item } = this;
    return text
      .replaceAll(`\${${variable}}`, () => item)
      .replaceAll(`&{${variable}}`, () => item.replaceAll(/[^A-Za-z0-9]/g, ''));
  }

  call(map: Section): unknown {
    return map.Ref === this.variable && Object.keys(map).length === 1 ? this.item : undefined;
  }
}

/** Any item of a list that isn't known: the variable becomes a reference to {@link loopVariable}. */
class StandInStep implements Step {
  private readonly ids: ReadonlySet<string>;

  constructor(
    private readonly variable: string,
    fragment: Section,
  ) {
    this.ids = new Set(Object.keys(fragment).map((key) => this.id(key)));
  }

  id(name: string): string {
    return name.includes('&{') ? name.replaceAll(`&{${this.variable}}`, () => `\${${this.variable}}`) : name;
  }

  /** A property whose name isn't known may be any. */
  key(key: string): string {
    return this.has(this.id(key)) ? LOOP + key : key;
  }

  text(text: string): unknown {
    if (!text.includes('{')) return text;
    const named = this.id(text);
    if (!this.has(named) || this.isMade(named)) return named;
    // Other signs of a text aren't variables.
    return {
      'Fn::Sub': this.referring(
        named.replaceAll(/\$\{(?!Fn::ForEach::)/g, (sign, at: number) =>
          named.startsWith(`\${${this.variable}}`, at) ? sign : '${!',
        ),
      ),
    };
  }

  call(map: Section, substitute: (value: unknown) => unknown): unknown {
    const [[name, argument] = ['', undefined], second] = Object.entries(map);
    if (second !== undefined) return undefined;
    if (name === 'Ref' && argument === this.variable) return { Ref: LOOP + this.variable };
    if (name !== 'Ref' && name !== 'Fn::GetAtt' && name !== 'Fn::Sub') return undefined;
    const inText = (one: unknown): unknown =>
      typeof one !== 'string' ? substitute(one) : name === 'Fn::Sub' ? this.referring(this.id(one)) : this.id(one);
    return { [name]: Array.isArray(argument) ? argument.map(inText) : inText(argument) };
  }

  private has(text: string): boolean {
    return text.includes(`\${${this.variable}}`);
  }

  private referring(text: string): string {
    return text.replaceAll(`\${${this.variable}}`, () => `\${${LOOP}${this.variable}}`);
  }

  /** Whether a text names what the loop makes beside it. */
  private isMade(name: string): boolean {
    const dot = name.indexOf('.');
    return this.ids.has(name) || (dot > 0 && this.ids.has(name.slice(0, dot)));
  }
}
