import { isMap, member, type Cursor } from '../../cloudformation/cursor';
import type { Report } from './shape-check';
import { hasGenerators } from './transforms';
import type { Template } from '../../cloudformation/template';

/** Told about each name that an expression uses. */
export interface NameVisitor {
  /** A `Ref`, or a `Fn::Sub` variable without dot. */
  reference(name: string): void;
  /** The resource of a `Fn::GetAtt`. */
  resource(logicalId: string): void;
  condition(name: string): void;
}

/** Visits all names within a raw value. This sees every value of a template, so it makes no objects. */
export function visitNames(raw: object, visitor: NameVisitor): void {
  if (Array.isArray(raw)) {
    for (const item of raw as unknown[]) if (typeof item === 'object' && item !== null) visitNames(item, visitor);
    return;
  }
  for (const key in raw) {
    const value = (raw as Record<string, unknown>)[key];
    if (key === 'Ref' || key.startsWith('Fn::')) visitCall(key, value, visitor);
    if (typeof value === 'object' && value !== null) visitNames(value, visitor);
  }
}

function visitCall(name: string, argument: unknown, visitor: NameVisitor): void {
  const first: unknown = Array.isArray(argument) ? argument[0] : argument;
  if (typeof first !== 'string') return;
  switch (name) {
    case 'Ref':
      visitor.reference(first);
      break;
    case 'Fn::GetAtt':
      visitor.resource(Array.isArray(argument) ? first : (first.split('.', 1)[0] ?? first));
      break;
    case 'Fn::If':
      if (Array.isArray(argument)) visitor.condition(first);
      break;
    case 'Fn::Sub': {
      const variables: unknown = Array.isArray(argument) ? argument[1] : undefined;
      // Without a pattern, because tags of all resources are written with such calls.
      for (let open = first.indexOf('${'); open >= 0; open = first.indexOf('${', open + 2)) {
        const close = first.indexOf('}', open);
        const content = close < 0 ? '' : first.slice(open + 2, close);
        if (content === '' || content.startsWith('!') || content.includes('{')) continue;
        const variable = content.trim();
        if (member(variables, variable) !== undefined) continue;
        const dot = variable.indexOf('.');
        if (dot < 0 || variable.startsWith('AWS::')) visitor.reference(variable);
        else visitor.resource(variable.slice(0, dot));
      }
      break;
    }
  }
}

/** Finds references to nothing and references in a circle. */
export class ReferenceCheck {
  private readonly parameters: unknown;
  private readonly resources: Readonly<Record<string, unknown>>;
  private readonly conditions: unknown;
  private mayGrowMemo: boolean | undefined;
  /** Resources that each resource depends on, by logical id. */
  private readonly dependencies = new Map<string, readonly string[]>();
  /** What the visitor has seen since the last reset. */
  private readonly found: { dangling: boolean; readonly targets: string[] } = { dangling: false, targets: [] };
  private readonly visitor: NameVisitor = {
    reference: (name) => {
      if (Object.hasOwn(this.resources, name)) this.found.targets.push(name);
      else if (!this.isParameter(name)) this.found.dangling = true;
    },
    resource: (logicalId) => {
      if (Object.hasOwn(this.resources, logicalId)) this.found.targets.push(logicalId);
      else this.found.dangling = true;
    },
    condition: (name) => {
      if (member(this.conditions, name) === undefined) this.found.dangling = true;
    },
  };

  constructor(
    private readonly template: Template,
    private readonly report: Report,
  ) {
    this.parameters = template.section('Parameters')?.raw;
    this.resources = (template.section('Resources')?.raw ?? {}) as Readonly<Record<string, unknown>>;
    this.conditions = template.section('Conditions')?.raw;
  }

  /** Macros, loops and modules add resources and conditions that the template doesn't show. */
  get mayGrow(): boolean {
    return (this.mayGrowMemo ??= hasGenerators(this.template, this.resources));
  }

  /** Looks at one resource. Positions are only worked out for one that has a problem. */
  resource(logicalId: string, raw: Readonly<Record<string, unknown>>, cursor: () => Cursor): void {
    this.reset();
    const { Properties: properties, DependsOn: dependsOn } = raw;
    if (typeof properties === 'object' && properties !== null) visitNames(properties, this.visitor);
    if (dependsOn !== undefined) {
      for (const target of Array.isArray(dependsOn) ? (dependsOn as unknown[]) : [dependsOn]) {
        if (typeof target === 'string') this.visitor.resource(target);
      }
    }
    // A copy of just the size that is needed; there are as many as resources.
    if (this.found.targets.length > 0) this.dependencies.set(logicalId, this.found.targets.slice());
    if (this.found.dangling) {
      this.reportDangling(cursor().child('Properties'));
      this.reportDependsOn(cursor().child('DependsOn'));
    }
  }

  /** Looks at an output or a condition. */
  value(cursor: Cursor): void {
    if (typeof cursor.raw !== 'object' || cursor.raw === null) return;
    this.reset();
    visitNames(cursor.raw, this.visitor);
    if (this.found.dangling) this.reportDangling(cursor);
  }

  private reset(): void {
    this.found.dangling = false;
    this.found.targets.length = 0;
  }

  private isParameter(name: string): boolean {
    return name.startsWith('AWS::') || member(this.parameters, name) !== undefined;
  }

  private reportDangling(cursor: Cursor): void {
    const { raw } = cursor;
    if (this.mayGrow || typeof raw !== 'object' || raw === null) return;
    if (isMap(raw)) {
      for (const key in raw) {
        if (key !== 'Ref' && !key.startsWith('Fn::')) continue;
        const told = new Set<string>();
        const tell = (name: string, message: string) => {
          if (told.has(name)) return;
          told.add(name);
          this.report(cursor.child(key), message);
        };
        visitCall(key, raw[key], {
          reference: (name) => {
            if (!Object.hasOwn(this.resources, name) && !this.isParameter(name))
              tell(name, `there is no parameter or resource "${name}"`);
          },
          resource: (logicalId) => {
            if (!Object.hasOwn(this.resources, logicalId)) tell(logicalId, `there is no resource "${logicalId}"`);
          },
          condition: (name) => {
            if (member(this.conditions, name) === undefined) tell(name, `there is no condition "${name}"`);
          },
        });
      }
    }
    for (const key of Object.keys(raw)) this.reportDangling(cursor.child(Array.isArray(raw) ? Number(key) : key));
  }

  private reportDependsOn(cursor: Cursor): void {
    if (this.mayGrow) return;
    const names: readonly unknown[] = Array.isArray(cursor.raw) ? cursor.raw : [cursor.raw];
    for (const [index, name] of names.entries()) {
      if (typeof name !== 'string' || Object.hasOwn(this.resources, name)) continue;
      this.report(Array.isArray(cursor.raw) ? cursor.child(index) : cursor, `there is no resource "${name}"`);
    }
  }

  /** Resources that depend on each other in a circle: one circle for each group of them. */
  circles(): string[][] {
    return findCircles(this.dependencies);
  }
}

/** Circles in a graph, each node in at most one of them. Iterative, because a chain may be as long as the template. */
export function findCircles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  // 1: on the way from the start, 2: done.
  const state = new Map<string, 1 | 2>();
  for (const start of edges.keys()) {
    if (state.has(start)) continue;
    // Most resources depend on nothing that depends on anything not looked at yet.
    if (edges.get(start)?.every((target) => state.get(target) === 2 || !edges.has(target)) === true) {
      state.set(start, 2);
      continue;
    }
    state.set(start, 1);
    const way: { readonly node: string; next: number }[] = [{ node: start, next: 0 }];
    for (let top = way.at(-1); top !== undefined; top = way.at(-1)) {
      const target = edges.get(top.node)?.[top.next++];
      if (target === undefined) {
        state.set(top.node, 2);
        way.pop();
      } else if (!edges.has(target)) continue;
      else if (!state.has(target)) {
        state.set(target, 1);
        way.push({ node: target, next: 0 });
      } else if (state.get(target) === 1) {
        const circle = way.slice(way.findIndex(({ node }) => node === target)).map(({ node }) => node);
        // What is told once isn't told again for each chord of the circle.
        if (!circles.some((known) => known.some((node) => circle.includes(node)))) circles.push(circle);
      }
    }
  }
  return circles;
}
