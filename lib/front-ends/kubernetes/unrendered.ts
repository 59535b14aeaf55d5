import { dataAt, type Diagnostic, type Skipped } from '../../value';
import { renderChart } from '../not-read';
import { someNames } from '../parts/some-names';
import type { Kustomization } from './kustomization';
import type { PlacedObject } from './objects';

/** What of a run has to be rendered before it can be read: told once for all of a sort. */
export class Unrendered {
  /** By the folder of the chart, whether something in it is worth a word. */
  private readonly charts = new Map<string, boolean>();
  /** By file, the same of templates that belong to no chart. */
  private readonly templates = new Map<string, boolean>();
  /** Kustomizations that change what rules look at, by how they are built, with how many objects. */
  private readonly changes = new Map<string, { readonly title: string; objects: number }>();

  /** Objects with which a controller only looks at what something else makes. */
  private readonly observed: PlacedObject[] = [];

  addObserved(object: PlacedObject): void {
    this.observed.push(object);
  }

  addChart(folder: string, isWorthIt: boolean): void {
    this.charts.set(folder, this.charts.get(folder) === true || isWorthIt);
  }

  addTemplate(file: string, isWorthIt: boolean): void {
    this.templates.set(file, isWorthIt);
  }

  addChanged({ build, title }: Kustomization, objects: number): void {
    const known = this.changes.get(build);
    if (known === undefined) this.changes.set(build, { title, objects });
    else known.objects += objects;
  }

  get diagnostics(): readonly Diagnostic[] {
    const worthIt = (all: ReadonlyMap<string, boolean>): readonly string[] =>
      [...all].flatMap(([path, isWorthIt]) => (isWorthIt ? [path] : []));
    const [build = ''] = this.changes.keys();
    const changes = [...this.changes.values()];
    return [
      ...told(
        'chart',
        worthIt(this.charts),
        'Helm charts are not rendered',
        (chart) => `check what comes out: ${renderChart(chart)}`,
      ),
      ...told(
        'file',
        worthIt(this.templates),
        'templates of manifests are not rendered',
        () => 'render them first, and check what comes out',
      ),
      ...told(
        'kustomization',
        [...new Set(changes.map(({ title }) => title))],
        'kustomizations are not built',
        () => `check what comes out: ${build} | eks-guardrails check -`,
        changes.reduce((sum, { objects }) => sum + objects, 0),
      ),
      ...this.onlyObserved(),
    ];
  }

  private onlyObserved(): readonly Diagnostic[] {
    const [first] = this.observed;
    if (first === undefined) return [];
    const count = this.observed.length;
    const names = this.observed.map(({ object }) => {
      const [kind, name] = [dataAt(object, 'kind'), dataAt(object, 'metadata', 'name')];
      return `${typeof kind === 'string' ? kind : ''} ${typeof name === 'string' ? name : ''}`.trim();
    });
    return [
      {
        severity: 'warning',
        message: `${count === 1 ? 'an object only observes' : `${count} objects only observe`} what something else makes, so what ${count === 1 ? 'it says' : 'they say'} is not checked: ${someNames(names)}; check what makes it`,
        ...first.node.locate(),
        skipped: { what: 'resource', count },
      },
    ];
  }
}

function told(
  what: Skipped['what'],
  paths: readonly string[],
  title: string,
  advice: (path: string) => string,
  objects = 0,
): readonly Diagnostic[] {
  const [first] = paths;
  if (first === undefined) return [];
  return [
    {
      severity: 'warning',
      message: `${title} here, so what they ${what === 'kustomization' ? 'change' : 'make'} is not checked${objects === 0 ? '' : ` (${objects} ${objects === 1 ? 'object' : 'objects'})`}: ${someNames(paths)}; ${advice(first)}`,
      file: first,
      line: 1,
      column: 1,
      skipped: { what, count: paths.length },
    },
  ];
}
