import { isMap, untranslatable, type JsonMap } from '../../rules/terraform/untranslatable';
import { TemplateTranslation, translated } from '../template-translation';

/** A template of CloudFormation, with the objects that it applies as manifests beside it. */
export interface ManifestTwin {
  readonly template: JsonMap;
  readonly objects: readonly JsonMap[];
  readonly ids: ReadonlyMap<string, string>;
}

/** @returns the reason if no manifests can say the same */
export function translateToManifests(template: string): ManifestTwin | string {
  return translated(template, (root) => new Translation(root).twin(root));
}

const MANIFEST = 'Custom::AWSCDK-EKS-KubernetesResource';

class Translation extends TemplateTranslation {
  constructor(root: JsonMap) {
    super(root, ['DependsOn', 'DeletionPolicy', 'UpdateReplacePolicy', 'Metadata']);
  }

  twin(root: JsonMap): ManifestTwin {
    const manifests = this.all(MANIFEST);
    if (manifests.length === 0) untranslatable('no objects');
    if (this.resources.filter(({ type }) => /EKS(?:::|-EKS-)Cluster$/.test(type)).length !== 1)
      untranslatable('no cluster, or several');
    const objects = manifests.flatMap(({ id, properties }) => this.objects(id, properties));
    const identities = objects.map(({ kind, metadata }) => JSON.stringify([kind, metadata]));
    if (new Set(identities).size < identities.length) untranslatable('an object twice');
    const left = Object.entries(root['Resources'] as JsonMap).filter(([id]) => !manifests.some((one) => one.id === id));
    return { template: { ...root, Resources: Object.fromEntries(left) }, objects, ids: this.ids };
  }

  private objects(id: string, { Manifest: text }: JsonMap): readonly JsonMap[] {
    if (typeof text !== 'string') return untranslatable('a value that is put together');
    const objects = JSON.parse(text) as readonly JsonMap[];
    if (objects.length !== 1) untranslatable('several objects in one manifest');
    return objects.map((object) => {
      const { kind, metadata } = object;
      if (!isMap(metadata) || typeof metadata['name'] !== 'string' || typeof kind !== 'string')
        return untranslatable('an object without a name');
      const namespace = metadata['namespace'];
      this.ids.set(
        `${kind} ${[kind, namespace, metadata['name']].filter((part) => typeof part === 'string').join('/')}`,
        id,
      );
      return object;
    });
  }
}
