import type { Data, Diagnostic } from '../../value';
import type { Deployer } from './deployers';
import { imageAfter, mayChange, readKustomization, type Kustomization } from './kustomization';
import { mayMatter } from './manifest-text';
import { withImages, type PlacedObject } from './objects';

/** Names of the file that makes a folder one of kustomize. Source: kubernetes-sigs/kustomize, api/konfig/general.go. */
export const KUSTOMIZATION = /^(?:kustomization\.ya?ml|Kustomization)$/;

/** The text of a file with a part of an object; `null` of one that holds none that rules look at, undefined if it isn't known. */
type PartText = (path: string) => string | null | undefined;

/** The ways by which a file comes into clusters: each goes through kustomizations, from the innermost one outwards. */
type Ways = readonly (readonly Kustomization[])[];

/** The kustomizations of a run, and what they make of its files: nothing is built here, so what they change isn't judged. */
export class Kustomizations {
  private readonly byFolder = new Map<string, Kustomization>();
  private readonly deployers: Deployer[] = [];

  /** Gives what can't be known of it. */
  add(file: string, text: string): readonly Diagnostic[] {
    const { kustomization, diagnostics } = readKustomization(file, text);
    this.byFolder.set(kustomization.folder, kustomization);
    return diagnostics;
  }

  addDeployers(deployers: readonly Deployer[]): void {
    this.deployers.push(...deployers);
  }

  /** Files that are parts of objects, each with the kustomization that puts them there. */
  patches(): ReadonlyMap<string, Kustomization> {
    return new Map([...this.byFolder.values()].flatMap((one) => one.patchFiles.map((path) => [path, one])));
  }

  /** Those that make a ConfigMap that rules look at. */
  generators(): readonly Kustomization[] {
    return [...this.byFolder.values()].filter(({ generated }) => generated.some((name) => mayMatter(`name: ${name}`)));
  }

  /** What becomes of the objects of files. @param files those that hold what rules look at */
  effects(files: readonly string[], textOf: PartText): KustomizationEffects {
    const ways = new Map<string, Kustomization[][]>();
    const inner = new Set([...this.byFolder.values()].flatMap(({ resources }) => resources));
    const outer = [...this.byFolder.values()].filter(({ folder }) => !inner.has(folder));
    const deployed = this.deployers.map((deployer) =>
      this.withResources(deployer, [...outer.map(({ folder }) => folder), ...files.filter((file) => !inner.has(file))]),
    );
    const taken = new Set(deployed.flatMap(({ resources }) => resources));
    // Of those that take each other in a circle, none is the outermost.
    const others = outer.length === 0 ? [...this.byFolder.values()] : outer.filter(({ folder }) => !taken.has(folder));
    for (const one of [...deployed, ...others]) this.follow(one, [], ways, new Set());
    return new KustomizationEffects(ways, textOf);
  }

  /** What a deployer takes: a kustomization that is where it says; without one, all that is below. @param all what no kustomization takes */
  private withResources({ kustomization, isAt, isAbove }: Deployer, all: readonly string[]): Kustomization {
    const itself = [...this.byFolder.keys()].filter(isAt);
    return { ...kustomization, resources: itself.length > 0 ? itself : all.filter(isAbove) };
  }

  private follow(
    one: Kustomization,
    outer: readonly Kustomization[],
    ways: Map<string, Kustomization[][]>,
    seen: Set<string>,
  ): void {
    const components = one.components.flatMap((folder) => this.byFolder.get(folder) ?? []);
    const isKnown = components.length === one.components.length;
    const chain = [...components, isKnown ? one : { ...one, changesAll: true }, ...outer];
    for (const path of one.resources) {
      if (seen.has(path)) continue;
      seen.add(path);
      const below = this.byFolder.get(path);
      if (below !== undefined) this.follow(below, chain, ways, seen);
      else ways.set(path, [...(ways.get(path) ?? []), chain]);
    }
  }
}

/** What kustomizations make of the objects of files. */
export class KustomizationEffects {
  constructor(
    private readonly ways: ReadonlyMap<string, Ways>,
    private readonly textOf: PartText,
  ) {}

  /** The kustomizations that change an object in what counts (`mayChange`), and whether it comes into clusters in no other way. */
  changing(path: string, object: Data): { readonly by: readonly Kustomization[]; readonly isAlways: boolean } {
    const ways = this.ways.get(path) ?? [];
    const by = ways.flatMap((way) => way.find((one) => mayChange(one, object, this.textOf)) ?? []);
    return { by: [...new Set(by)], isAlways: by.length > 0 && by.length === ways.length };
  }

  /** Whether variables in the texts of a file's objects are filled in on some way. */
  fillsIn(path: string): boolean {
    return (this.ways.get(path) ?? []).some((way) => way.some(({ fillsIn }) => fillsIn));
  }

  /** An object with the images that it gets; those that aren't the same by all ways aren't known. */
  withImages(path: string, placed: PlacedObject): PlacedObject {
    const ways = this.ways.get(path) ?? [];
    if (ways.every((way) => way.every(({ images }) => images.length === 0))) return placed;
    return withImages(placed, (image) => {
      const [first = image, ...others] = ways.map((way) =>
        imageAfter(
          image,
          way.flatMap(({ images }) => images),
        ),
      );
      return others.every((one) => one === first) ? first : undefined;
    });
  }

  /** By file, the namespace into which the outermost kustomization puts its objects; undefined where there are several. */
  namespaceOf(path: string): string | undefined {
    const [first, ...others] = (this.ways.get(path) ?? []).map(
      (way) => way.findLast(({ namespace }) => namespace !== undefined)?.namespace,
    );
    return others.every((one) => one === first) ? first : undefined;
  }
}
