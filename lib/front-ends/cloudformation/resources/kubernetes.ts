import type { Cluster, HelmRelease, KubernetesManifest, KubernetesPatch, Reference } from '../../../eks';
import { type Data, isDataMap, sourceOf, Unknown, type Value } from '../../../value';
import { parseEmbedded } from '../../../value/embedded-text';
import { itemData } from '../../../cloudformation/embedded-data';
import type { Evaluator } from '../../../cloudformation/evaluator';
import { asText, type Item } from '../../../cloudformation/item';
import type { Template } from '../../../cloudformation/template';
import { CloudFormationResource } from './cloudformation-resource';
import { clusterReference } from './references';

/** One object of a `Custom::AWSCDK-EKS-KubernetesResource`. */
export class CustomResourceManifest extends CloudFormationResource implements KubernetesManifest {
  readonly kind = 'manifest';

  constructor(
    template: Template,
    id: string,
    raw: Readonly<Record<string, unknown>>,
    type: string,
    readonly object: Data,
  ) {
    super(template, id, raw, type);
  }

  /** All objects that one custom resource applies. */
  static all(
    template: Template,
    id: string,
    raw: Readonly<Record<string, unknown>>,
    type: string,
  ): CustomResourceManifest[] {
    const objects = new ManifestObjects(template, id, raw, type).read();
    return objects.map((object) => new CustomResourceManifest(template, id, raw, type, object));
  }

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.properties.item('ClusterName'));
  }
}

class ManifestObjects extends CloudFormationResource {
  read(): readonly Data[] {
    const data = embedded(this.properties.item('Manifest'), this.evaluator);
    if (data instanceof Unknown) return [data];
    if (Array.isArray(data)) return data as readonly Data[];
    return isDataMap(data) ? [data] : [];
  }
}

/** `Custom::AWSCDK-EKS-KubernetesPatch`. */
export class CustomResourcePatch extends CloudFormationResource implements KubernetesPatch {
  readonly kind = 'kubernetes-patch';
  private data: Data | undefined;

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.properties.item('ClusterName'));
  }

  get target(): Value<string> {
    return this.properties.string('ResourceName');
  }

  get namespace(): Value<string> {
    return this.properties.string('ResourceNamespace');
  }

  get patch(): Data {
    return (this.data ??= embedded(this.properties.item('ApplyPatchJson'), this.evaluator));
  }
}

/** `Custom::AWSCDK-EKS-HelmChart`. */
export class CustomResourceHelmRelease extends CloudFormationResource implements HelmRelease {
  readonly kind = 'helm-release';
  private data: Data | undefined;

  get cluster(): Value<Reference<Cluster>> {
    return clusterReference(this.properties.item('ClusterName'));
  }

  get chart(): Value<string> {
    return this.properties.string('Chart');
  }

  get release(): Value<string> {
    return this.properties.string('Release');
  }

  get namespace(): Value<string> {
    return this.properties.string('Namespace');
  }

  get version(): Value<string> {
    return this.properties.string('Version');
  }

  get values(): Data {
    return (this.data ??= embedded(this.properties.item('Values'), this.evaluator));
  }
}

/** Data from its JSON text, or as it stands; `{}` if nothing is written. */
function embedded(value: Value<Item>, evaluator: Evaluator): Data {
  const text = asText(value);
  switch (text.kind) {
    case 'absent':
      return {};
    case 'choice':
      return new Unknown('it depends on conditions', sourceOf(text));
    case 'known':
    case 'unknown': {
      if (value.kind === 'known' && typeof value.value === 'object') return itemData(evaluator, value, value.source);
      const parsed = parseEmbedded(text);
      if (parsed.kind === 'parsed') return parsed.data;
      return parsed.kind === 'unknown'
        ? parsed.unknown
        : new Unknown(`its text is malformed: ${parsed.reason}`, text.source);
    }
  }
}
