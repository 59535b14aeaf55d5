import { dirname, normalize } from 'node:path';
import { EksModel, isOfIdleModule, type EksResource, type KubernetesManifest } from '../../eks';
import { parseDocuments } from '../../languages/parse-document';
import {
  dataAt,
  Known,
  Unknown,
  type Data,
  type Diagnostic,
  type InputSummary,
  type PlacedSuppression,
} from '../../value';
import type { FrontEndResult, InputReader, ReadingRun } from '../front-end';
import { isChartTemplate, whyNoChart, whyNoKustomization } from '../not-read';
import { someNames } from '../parts/some-names';
import { Charts } from './charts';
import { OF_ENGINE } from './controllers/dialects';
import { engineOf, isOfController } from './controllers/engines';
import { resourcesOfControllers } from './controllers/resources';
import { SpecObject } from './controllers/spec-object';
import { madeByController } from './controllers-of-aws';
import { ignoreInAnnotation, ignoresInDocument } from './comments';
import { KUBERNETES } from './dialects';
import { deployersIn } from './deployers';
import { environmentsOf, type Environment, type Holder } from './environments';
import { Kustomizations, type KustomizationEffects } from './kustomizations';
import { manifestOf, type Home } from './manifest';
import { hasActions, isAboutEks, mayMatter, roughCount } from './manifest-text';
import {
  identityOf,
  inNamespace,
  objectsOfDocument,
  secretsIn,
  secretsInText,
  withVariables,
  type PlacedObject,
} from './objects';
import { isForUpgradeAlone, isRelevant } from './relevant';
import { isSameObject } from './same-object';
import { splitDocuments } from './split';
import { Unrendered } from './unrendered';

interface ManifestFile {
  readonly path: string;
  readonly text: string;
  readonly isNamed: boolean;
}

/** What was found in a file. */
interface FileObjects extends Holder {
  readonly objects: readonly PlacedObject[];
}

const KIND = 'kubernetes-manifest';

/** Reads the manifests of a run together: objects of one cluster are often in many files. */
export class ManifestReader implements InputReader {
  private readonly files: ManifestFile[] = [];
  private readonly passedBy: InputSummary[] = [];
  private readonly counts = new Map<string, number>();
  private readonly kustomizations = new Kustomizations();
  /** Objects from which controllers make resources of AWS. */
  private readonly specs: SpecObject[] = [];
  private readonly charts = new Charts();
  private readonly unrendered = new Unrendered();
  private readonly suppressions: PlacedSuppression[] = [];
  private readonly secrets: string[] = [];
  private readonly twins: Diagnostic[] = [];

  constructor(private readonly run: ReadingRun) {}

  add(path: string, text: string, isNamed: boolean): void {
    const chart = hasActions(text) ? this.charts.of(path) : undefined;
    if (chart !== undefined) {
      if (isNamed) this.run.tell(error(path, whyNoChart('a template of a Helm chart', chart)));
      else this.unrendered.addChart(chart, isAboutEks(text));
      return;
    }
    const beside = isNamed ? undefined : this.charts.beside(path);
    if (beside !== undefined) {
      this.unrendered.addChart(beside, isAboutEks(text));
      return;
    }
    const made = madeByController(path, text);
    if (made !== undefined) this.run.tell(made);
    if (!mayMatter(text)) {
      const summary: InputSummary = { path, kind: KIND, resources: roughCount(text) };
      if (isNamed) this.run.list(() => summary);
      else this.passedBy.push(summary);
      return;
    }
    this.files.push({ path, text, isNamed });
    this.run.list(() => {
      const resources = this.counts.get(path);
      return resources === undefined ? undefined : { path, kind: KIND, resources };
    });
  }

  addKustomization(path: string, isNamed: boolean): void {
    const text = this.run.textOf(path, isNamed);
    if (text === undefined) return;
    if (isNamed) this.run.tell(error(path, whyNoKustomization(dirname(path))));
    else this.run.tell(...this.kustomizations.add(path, text));
  }

  read(before: readonly EksResource[]): FrontEndResult {
    const texts = new Map(this.files.map(({ path, text }) => [normalize(path), text]));
    const others = new Set(this.passedBy.map(({ path }) => normalize(path)));
    for (const { path, text } of this.files) this.kustomizations.addDeployers(deployersIn(path, text));
    const effects = this.kustomizations.effects(
      [...texts.keys()],
      (path) => texts.get(path) ?? (others.has(path) ? null : undefined),
    );
    const patches = this.kustomizations.patches();
    for (const one of this.kustomizations.generators()) this.unrendered.addChanged(one, 1);
    const holders: FileObjects[] = [];
    for (const file of this.files) {
      const by = file.isNamed ? undefined : patches.get(normalize(file.path));
      if (by === undefined) holders.push(this.readFile(file, effects));
      // What rules look at is in all of these files, or they weren't kept.
      else this.unrendered.addChanged(by, 0);
    }
    const resources = this.resourcesOf(
      holders.filter(({ objects }) => objects.length > 0),
      before,
    );
    return {
      inputs: [],
      passedBy: this.passedBy,
      resources: [...resourcesOfControllers(this.specs), ...resources],
      diagnostics: [...this.unrendered.diagnostics, ...this.twins],
      suppressions: this.suppressions,
      secrets: this.secrets,
    };
  }

  private readFile({ path, text, isNamed }: ManifestFile, effects: KustomizationEffects): FileObjects {
    const key = normalize(path);
    const namespace = effects.namespaceOf(key);
    const objects = new Map<string, PlacedObject>();
    const problems: Diagnostic[] = [];
    let count = 0;
    for (const chunk of splitDocuments(text)) {
      if (!mayMatter(chunk.text)) {
        count += roughCount(chunk.text);
        // What stands beside a finding is shown with it.
        this.secrets.push(...secretsInText(chunk.text));
        continue;
      }
      const isFilledIn = hasActions(chunk.text);
      const release = /^[ \t]*# Source: \S+\/templates\//m.test(chunk.text);
      for (const document of parseDocuments(chunk.text, path, 'last for kubectl', chunk.line)) {
        const found = objectsOfDocument(document, path);
        // What is odd about objects of no concern is for others to say.
        // What isn't rendered yet holds something else than its objects will have.
        const isTemplate = isFilledIn && document.diagnostics.some(({ severity }) => severity === 'error');
        const isOfConcern = found.some(({ object }) => isRelevant(object, release) || isSpec(object));
        problems.push(...document.diagnostics.filter(({ severity }) => isOfConcern || severity === 'error'));
        count += found.length;
        const ignores = ignoresInDocument(document);
        this.suppressions.push(...ignores.suppressions.map((one) => ({ ...one, dialect: KUBERNETES })));
        problems.push(...ignores.diagnostics);
        for (const one of found) {
          this.secrets.push(...secretsIn(one));
          if (isTemplate || (!isRelevant(one.object, release) && !isSpec(one.object))) continue;
          if (!isNamed && this.isChanged(effects, key, one.object)) continue;
          const filled = !isNamed && effects.fillsIn(key) ? withVariables(one) : one;
          if (this.addSpec(filled)) continue;
          const written = isNamed ? filled : effects.withImages(key, filled);
          const placed = release || namespace !== undefined ? inNamespace(written, namespace, path) : written;
          const identity = identityOf(placed.object) ?? `${count} ${String(found.indexOf(one))}`;
          const earlier = objects.get(identity);
          if (earlier !== undefined) problems.push(overwritten(earlier, placed));
          objects.delete(identity);
          objects.set(identity, placed);
        }
      }
    }
    const isOther = count === 0 && !isNamed && problems.every(({ severity }) => severity !== 'error');
    if (!isOther) {
      this.counts.set(path, count);
      this.tell(problems, { path, text, isNamed });
    }
    return {
      file: path,
      objects: [...objects.values()],
      identities: [...objects].flatMap(([key, { object }]) =>
        key.startsWith('[') && !isForUpgradeAlone(object) ? [key] : [],
      ),
    };
  }

  /** Whether kustomizations change an object wherever it goes; each that does is told. */
  private isChanged(effects: KustomizationEffects, path: string, object: PlacedObject['object']): boolean {
    const { by, isAlways } = effects.changing(path, object);
    for (const [index, one] of by.entries()) this.unrendered.addChanged(one, index === 0 ? 1 : 0);
    return isAlways;
  }

  /** Whether it is an object from which a controller makes something of AWS, which is a resource then rather than a manifest of a cluster. */
  private addSpec(placed: PlacedObject): boolean {
    const apiVersion = dataAt(placed.object, 'apiVersion');
    const engine = isSpec(placed.object) && typeof apiVersion === 'string' ? engineOf(apiVersion) : undefined;
    if (engine === undefined) return false;
    const { suppressions, diagnostics } = ignoreInAnnotation(placed);
    this.twins.push(...diagnostics);
    const spec = new SpecObject(placed, engine, OF_ENGINE[engine], suppressions);
    if (spec.isObserved) this.unrendered.addObserved(placed);
    else this.specs.push(spec);
    return true;
  }

  /** What is no YAML because something fills it in first is told as that. */
  private tell(problems: readonly Diagnostic[], { path, text, isNamed }: ManifestFile): void {
    const isBroken = problems.some(({ severity }) => severity === 'error');
    if (!isBroken || !hasActions(text)) this.run.tell(...problems);
    else if (!isNamed) this.unrendered.addTemplate(path, isAboutEks(text));
    else
      this.run.tell(
        error(
          path,
          isChartTemplate(text)
            ? whyNoChart('a template of a Helm chart', 'CHART')
            : 'this is a template of a manifest, which is not rendered here: render it first, and check what comes out',
        ),
      );
  }

  private resourcesOf(holders: readonly FileObjects[], before: readonly EksResource[]): readonly KubernetesManifest[] {
    const { all, twice } = environmentsOf(holders);
    const home = homeIn(before);
    if (home === undefined)
      return all.flatMap((environment) =>
        environment.holders.flatMap(({ objects }) =>
          objects.map((placed) => this.resourceOf(placed, homeOf(environment, placed))),
        ),
      );
    const copies = copiesIn(holders);
    const apart = all.filter((environment) => isMostlyCopied(environment, copies));
    if (twice !== undefined) this.tellTwice(twice, apart, home.title);
    const applied = appliedIn(home);
    return all.flatMap((environment) => {
      const isApart = apart.includes(environment);
      return environment.holders.flatMap(({ objects }) =>
        objects.flatMap((placed) => {
          const identity = identityOf(placed.object) ?? '';
          if (isApart || copies.has(identity)) return [this.resourceOf(placed, homeOf(environment, placed))];
          const others = applied.get(identity) ?? [];
          if (others.some((other) => isSameObject(placed.object, other))) return [];
          // Which of both the cluster has isn't known.
          return [this.resourceOf(placed, others.length === 0 ? home : homeOf(environment, placed))];
        }),
      );
    });
  }

  private resourceOf(placed: PlacedObject, home: Home): KubernetesManifest {
    const { suppressions, diagnostics } = ignoreInAnnotation(placed);
    this.twins.push(...diagnostics);
    return manifestOf(placed, home, KUBERNETES, suppressions);
  }

  private tellTwice(
    [first, second]: readonly [FileObjects, FileObjects],
    apart: readonly Environment[],
    cluster: string,
  ): void {
    const has = new Set(second.identities);
    const identity = first.identities.find((one) => has.has(one));
    const [, kind = '', , name = ''] = identity === undefined ? [] : (JSON.parse(identity) as readonly string[]);
    this.twins.push({
      severity: 'warning',
      message: `${kind} ${name} is in ${first.file} and in ${second.file}, so ${
        apart.every(({ holders }) => holders.flatMap(({ identities }) => identities).length === 1)
          ? `neither is held against cluster ${cluster}`
          : `the manifests in ${someNames(apart.map(({ place }) => place))} are for several clusters and aren't held against cluster ${cluster}`
      }; check the manifests of each cluster in a run of its own`,
      file: second.file,
      line: 1,
      column: 1,
    });
  }
}

function error(file: string, message: string): Diagnostic {
  return { severity: 'error', message, file, line: 1, column: 1 };
}

function overwritten(earlier: PlacedObject, later: PlacedObject): Diagnostic {
  const { line } = later.node.locate();
  const [, kind = '', , name = ''] = JSON.parse(identityOf(later.object) ?? '[]') as readonly string[];
  return {
    severity: 'warning',
    message: `${kind} ${name} is written again in line ${line}, which kubectl applies over this one, so this one is not checked`,
    ...earlier.node.locate(),
  };
}

/** The cluster of what else is read in the run, if there is one and no other. */
interface OnlyCluster extends Home {
  readonly title: string;
  readonly manifests: readonly KubernetesManifest[];
}

function homeIn(before: readonly EksResource[]): OnlyCluster | undefined {
  const all = before.flatMap((resource) => (resource.kind === 'cluster' ? [resource] : []));
  const live = all.filter((cluster) => !isOfIdleModule(cluster));
  const [cluster, other] = live.length === 0 ? all : live;
  if (cluster === undefined || other !== undefined) return undefined;
  return {
    title: cluster.id,
    cluster: new Known({ text: cluster.id, target: cluster }, cluster.source),
    environment: cluster.environment,
    manifests: new EksModel(before).viewOf(cluster).manifests,
  };
}

/** What the input applies to the cluster by other means, such as a resource of Terraform that reads the same file, by identity. */
function appliedIn({ manifests }: OnlyCluster): ReadonlyMap<string, readonly Data[]> {
  const applied = new Map<string, Data[]>();
  for (const { object } of manifests) {
    const identity = identityOf(object);
    if (identity === undefined) continue;
    const others = applied.get(identity);
    if (others === undefined) applied.set(identity, [object]);
    else others.push(object);
  }
  return applied;
}

/** What stands in several files, of which a cluster has one. */
function copiesIn(holders: readonly Holder[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const copies = new Set<string>();
  for (const { identities } of holders)
    for (const identity of new Set(identities)) {
      if (seen.has(identity)) copies.add(identity);
      seen.add(identity);
    }
  return copies;
}

/** Whether files are an environment of their own, as `dev` beside `prod`: most of what they hold stands elsewhere, too. */
function isMostlyCopied({ holders }: Environment, copies: ReadonlySet<string>): boolean {
  const all = new Set(holders.flatMap(({ identities }) => identities));
  const copied = [...all].filter((identity) => copies.has(identity)).length;
  return copied > 0 && copied * 2 >= all.size;
}

function homeOf({ place }: Environment, { node }: PlacedObject): Home {
  return {
    cluster: new Unknown(
      'nothing in the input tells which cluster it is for',
      node,
      `of ${place}`,
      `manifests in ${place}`,
    ),
    environment: { region: undefined, partition: undefined },
  };
}

export function manifestReader(run: ReadingRun): ManifestReader {
  return new ManifestReader(run);
}

function isSpec(object: PlacedObject['object']): boolean {
  return isOfController(dataAt(object, 'apiVersion'), dataAt(object, 'kind'));
}
