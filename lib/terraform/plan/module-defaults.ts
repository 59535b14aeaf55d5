import type { Source, SourceLocation } from '../../value';
import { fullReferences, headOf, type InstanceKey } from '../address';
import { isJsonMap, listOf, memberOf, textOf, type JsonMap } from '../json-tree';
import type { PlanConfiguration, PlanModule } from './configuration';
import type { PlanPlace } from './place';

/*
 * A plan shows what a module takes by default like anything that is written. Who decides a value is told by the configuration in the
 * plan: by the arguments of the call that the value's expression leads to.
 */

/** The outermost module on the way to a resource that isn't a folder of the user's own; undefined if all are. */
export function foreignModuleOf(module: PlanModule | undefined): PlanModule | undefined {
  let found: PlanModule | undefined;
  for (let one = module; one !== undefined; one = one.caller?.module) {
    const source = textOf(one.caller?.call['source']);
    if (source !== undefined && !/^\.\.?(?:[\\/]|$)/.test(source)) found = one;
  }
  return found;
}

/** A text in a resource of a module that isn't the user's own. */
export interface ForeignText {
  readonly text: string;
  readonly expression: JsonMap;
  readonly module: PlanModule;
  /** The module in which the resource stands, or one around it. */
  readonly foreign: PlanModule;
  readonly key: InstanceKey | undefined;
  readonly forEach: unknown;
}

/** The place of such a text. */
export class ForeignPlace implements Source {
  constructor(
    private readonly place: PlanPlace,
    private readonly written: ForeignText,
    private readonly configuration: PlanConfiguration,
  ) {}

  locate(): SourceLocation {
    return this.place.locate();
  }

  inText(text: string, offset: number): Source {
    return this.place.inText(text, offset);
  }

  get readBack(): Source['readBack'] {
    return this.place.readBack;
  }

  get isModuleDefault(): 'yes' | 'maybe' | undefined {
    return new Search(this.written, this.configuration).answer();
  }

  toJSON(): SourceLocation {
    return this.locate();
  }
}

/** More expressions than any value leads through. */
const MOST_STEPS = 200;

/** Looks in the arguments of the calls for the text. */
class Search {
  private isGiven = false;
  /** Arguments that refer to something don't show what is written beside it. */
  private isOpen = false;
  private steps = 0;

  constructor(
    private readonly written: ForeignText,
    private readonly configuration: PlanConfiguration,
  ) {}

  answer(): 'yes' | 'maybe' | undefined {
    const { expression, module, forEach } = this.written;
    this.expression(expression, module, forEach);
    if (this.isGiven) return undefined;
    return this.isOpen ? 'maybe' : 'yes';
  }

  private expression(expression: unknown, module: PlanModule, forEach: unknown): void {
    if (++this.steps > MOST_STEPS) this.isOpen = true;
    if (!isJsonMap(expression) || this.steps > MOST_STEPS) return;
    const isOwn = !this.isForeign(module);
    if (isOwn && 'constant_value' in expression) this.look(expression['constant_value']);
    for (const head of fullReferences(listOf(expression['references'])).map(headOf)) {
      if (head.kind === 'variable') this.variable(head.name, module);
      else if (head.kind === 'each-value') this.expression(forEach, module, undefined);
      else if (isOwn) this.isOpen = true;
    }
  }

  private variable(name: string, module: PlanModule): void {
    const { caller } = module;
    if (caller === undefined) this.look(this.configuration.rootVariable(name));
    else {
      const given = memberOf(caller.call['expressions'], name);
      if (given !== undefined) this.expression(given, caller.module, caller.call['for_each_expression']);
      else if (!this.isForeign(module)) this.look(memberOf(memberOf(module.content['variables'], name), 'default'));
    }
  }

  private isForeign(module: PlanModule): boolean {
    const { address } = this.written.foreign;
    return module.address === address || module.address.startsWith(`${address}.`);
  }

  /** Of a map with an entry for each instance only that of this one counts. */
  private look(value: unknown): void {
    const { key, text } = this.written;
    const left: unknown[] = [key === undefined ? value : (memberOf(value, key) ?? value)];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (next === text) this.isGiven = true;
      else if (typeof next === 'object' && next !== null)
        left.push(...(Object.values(next) as unknown[]).filter((one) => one !== undefined));
    }
  }
}
