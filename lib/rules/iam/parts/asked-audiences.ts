import { dataAt, isDataMap, objectsOf, podTemplateOf, type Data, type EksModel } from '../../../eks';

/** With it a service account asks for tokens of another audience. Source: aws/amazon-eks-pod-identity-webhook, README.md. */
const AUDIENCE_ANNOTATION = 'eks.amazonaws.com/audience';

const known = new WeakMap<EksModel, ReadonlySet<string>>();

/** The audiences that service accounts and pods of the input ask for themselves. */
export function askedAudiences(model: EksModel): ReadonlySet<string> {
  let found = known.get(model);
  if (found === undefined) known.set(model, (found = new Set(audiencesIn(model))));
  return found;
}

function* audiencesIn(model: EksModel): Generator<string> {
  for (const view of model.clusterViews) {
    for (const { object } of objectsOf(view)) {
      yield* textOf(dataAt(object, 'metadata', 'annotations', AUDIENCE_ANNOTATION));
      yield* audiencesOfVolumes(podTemplateOf(object)?.spec);
    }
    for (const { values } of view.helmReleases) yield* annotatedIn(values, 0);
  }
}

function* audiencesOfVolumes(spec: Data | undefined): Generator<string> {
  for (const volume of itemsOf(dataAt(spec, 'volumes')))
    for (const source of itemsOf(dataAt(volume, 'projected', 'sources')))
      yield* textOf(dataAt(source, 'serviceAccountToken', 'audience'));
}

/** Deeper than charts put their service accounts. */
const MOST_STEPS = 6;

function* annotatedIn(values: Data | undefined, depth: number): Generator<string> {
  if (!isDataMap(values) || depth > MOST_STEPS) return;
  for (const [key, value] of Object.entries<Data>(values))
    if (key === 'annotations') yield* textOf(dataAt(value, AUDIENCE_ANNOTATION));
    else yield* annotatedIn(value, depth + 1);
}

function itemsOf(data: Data | undefined): readonly Data[] {
  return Array.isArray(data) ? (data as readonly Data[]) : [];
}

function textOf(data: Data | undefined): readonly string[] {
  return typeof data === 'string' ? [data] : [];
}
