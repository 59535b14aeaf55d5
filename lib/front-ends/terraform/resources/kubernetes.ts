import type { Cluster, KubernetesManifest, KubernetesPatch, Reference } from '../../../eks';
import {
  alternativesOf,
  type Data,
  dataAt,
  type DataMap,
  flatMapValue,
  isDataMap,
  Known,
  type Plain,
  type Source,
  sourceOf,
  textOf,
  Unknown,
  type Value,
} from '../../../value';
import { sourceTextOf } from '../../../eks/user-data/text-of-value';
import { parseDocument } from '../../../languages';
import { TerraformList, TerraformMap } from '../../../terraform/terraform-value';
import { mayMatter } from '../../kubernetes/manifest-text';
import { UNREADABLE_YAML } from '../../../terraform/evaluation/functions/encoding';
import { UnorderedText } from '../../../value/composed-text';
import { parseEmbedded } from '../../../value/embedded-text';
import { dataOf } from './data';
import type { LinkedBlock } from './linked-block';
import { clusterOfProvider } from './provider-cluster';
import type { Registry } from './registry';
import { TerraformResource } from './terraform-resource';

/** An object that a resource of the Kubernetes provider or of kubectl applies. */
export abstract class Manifest extends TerraformResource implements KubernetesManifest {
  readonly kind = 'manifest';
  declare private objectMemo: Data | undefined;

  get cluster(): Value<Reference<Cluster>> {
    return clusterOfProvider(this.instance, this.registry);
  }

  get object(): Data {
    return (this.objectMemo ??= this.read());
  }

  /** Why nothing can read the object, as opposed to one of which something isn't known; undefined if that isn't so. */
  get defect(): Unknown | undefined {
    const { object } = this;
    // What Terraform refuses for another reason may be so by defaults alone, such as a variable that is null until somebody gives it.
    const isDefect =
      object instanceof MalformedObject || (object instanceof Unknown && object.reason.endsWith(UNREADABLE_YAML));
    return isDefect ? object : undefined;
  }

  protected abstract read(): Data;
}

/** `kubernetes_manifest`. */
export class ManifestResource extends Manifest {
  /** `yamldecode` takes text. */
  get isWrittenInHcl(): boolean {
    return alternativesOf(this.attributes.item('manifest')).every(({ value }) => value.source.isOfYaml !== true);
  }

  placeIn(...path: readonly string[]): Source {
    let found = this.attributes.item('manifest');
    for (const key of path) {
      const item = found.kind === 'known' ? found.value : undefined;
      const inner =
        item instanceof TerraformMap
          ? item.entries.get(key)
          : item instanceof TerraformList
            ? item.items[Number(key)]
            : undefined;
      if (inner === undefined) break;
      found = this.registry.link(inner);
    }
    return sourceOf(found);
  }

  protected read(): Data {
    return dataOf(this.attributes.item('manifest'), this.registry) ?? {};
  }
}

/** How texts begin that Terraform makes of an object: `yamlencode` puts all keys in quotes, which people don't. */
const ENCODED = /^\s*(?:\{|"[^"\n]+": )/;

/**
 * `kubectl_manifest`: YAML text. Its apply names no directive for validation, so that the default of the API server counts, "Warn"; `validate_schema` changes
 * nothing of that. Source: alekc/terraform-provider-kubectl, kubernetes/resource_kubectl_manifest.go, NewApplyOptions.
 */
export class KubectlManifest extends Manifest {
  readonly isLenient = true;

  get isWrittenInHcl(): boolean {
    const text = this.attributes.string('yaml_body');
    return alternativesOf(text).every(({ value }) =>
      ENCODED.test(textOf(value instanceof UnorderedText ? value.ordered : value) ?? ''),
    );
  }

  placeIn(...path: readonly string[]): Source {
    const text = this.attributes.string('yaml_body');
    return text.kind === 'known' || text.kind === 'unknown' ? placeInText(text, path) : sourceOf(text);
  }

  protected read(): Data {
    const data = dataInText(this.attributes.string('yaml_body'));
    const written = this.attributes.item('override_namespace');
    if (written.kind === 'absent' || !isDataMap(data)) return data;
    return { ...data, metadata: { ...metadataIn(data), namespace: dataOf(written, this.registry) ?? null } };
  }
}

function metadataIn(object: Data): DataMap {
  const metadata = dataAt(object, 'metadata');
  return isDataMap(metadata) ? metadata : {};
}

/** `kubernetes_config_map`, and `kubernetes_config_map_v1_data`, which sets the data of one that exists. */
export class ConfigMap extends Manifest {
  protected read(): Data {
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: metadataOf(this.attributes, this.registry),
      data: dataOf(this.attributes.item('data'), this.registry) ?? {},
    };
  }
}

/** `kubernetes_service_account`. */
export class ServiceAccount extends Manifest {
  protected read(): Data {
    return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadataOf(this.attributes, this.registry) };
  }
}

/** `kubernetes_annotations` of a service account that something else makes, which then has them, too. Those of other objects are of no interest. */
export class Annotations extends Manifest {
  protected read(): Data {
    const kind = this.attributes.text('kind');
    if (kind.kind !== 'known' || kind.value !== 'ServiceAccount') return {};
    const metadata = metadataOf(this.attributes, this.registry);
    const annotations = dataOf(this.attributes.item('annotations'), this.registry) ?? {};
    return {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: isDataMap(metadata) ? { ...metadata, annotations } : metadata,
    };
  }
}

const METADATA: Readonly<Record<string, string>> = {
  name: 'name',
  generate_name: 'generateName',
  namespace: 'namespace',
  labels: 'labels',
  annotations: 'annotations',
};

/** The provider puts objects into the namespace `default` unless told otherwise. */
export function metadataOf(attributes: LinkedBlock, registry: Registry): DataMap | Unknown {
  const block = attributes.block('metadata');
  if (block.value.kind === 'unknown') return block.value;
  const written = Object.entries(METADATA).flatMap(([attribute, key]): [string, Data][] => {
    const data = dataOf(block.item(attribute), registry);
    return data === null || data === '' ? [] : [[key, data]];
  });
  return { namespace: 'default', ...Object.fromEntries(written) };
}

/** `kubernetes_env`: sets environment variables of a container that something else owns. */
export class EnvironmentPatch extends TerraformResource implements KubernetesPatch {
  readonly kind = 'kubernetes-patch';

  get cluster(): Value<Reference<Cluster>> {
    return clusterOfProvider(this.instance, this.registry);
  }

  get target(): Value<string> {
    return targetOf(this.attributes);
  }

  get namespace(): Value<string> {
    return this.attributes.block('metadata').text('namespace');
  }

  get patch(): Data {
    const container = (key: string): Data => {
      const name = this.attributes.item(key);
      return name.kind === 'absent'
        ? []
        : [{ name: dataOf(name, this.registry), env: dataOf(this.attributes.item('env'), this.registry) ?? [] }];
    };
    return {
      spec: { template: { spec: { containers: container('container'), initContainers: container('init_container') } } },
    };
  }
}

/** A part of an object that Pulumi applies onto one that something else owns. */
export class ObjectPatch extends TerraformResource implements KubernetesPatch {
  readonly kind = 'kubernetes-patch';

  get cluster(): Value<Reference<Cluster>> {
    return clusterOfProvider(this.instance, this.registry);
  }

  get target(): Value<string> {
    return targetOf(this.attributes.block('manifest'));
  }

  get namespace(): Value<string> {
    return this.attributes.block('manifest').block('metadata').text('namespace');
  }

  get patch(): Data {
    return dataOf(this.attributes.item('manifest'), this.registry) ?? {};
  }
}

/** The object that a patch is for: `daemonset/aws-node`. */
function targetOf(attributes: LinkedBlock): Value<string> {
  const name = attributes.block('metadata').string('name');
  return flatMapValue(attributes.string('kind'), (kind): Value<string> => {
    if (kind.kind !== 'known') return kind;
    return flatMapValue(
      name,
      (plain): Plain<string> =>
        plain.kind === 'known' ? new Known(`${kind.value.toLowerCase()}/${plain.value}`, plain.source) : plain,
    );
  });
}

/** Where a part of the data stands that a text in YAML or JSON holds; worked out when somebody asks. */
function placeInText(text: Known<string> | Unknown, path: readonly string[]): Source {
  return {
    locate: () => {
      const written = sourceTextOf(text);
      const { line, column } = parseDocument(written.text, '', false, 'last').locate(path);
      const before = written.text.split('\n', line - 1);
      return written.sourceAt(before.reduce((length, one) => length + one.length + 1, column - 1)).locate();
    },
  };
}

/** Of a text that is known as a whole, that may hold something that rules look at, and that nothing can be read from. */
class MalformedObject extends Unknown {}

/** Data from its YAML or JSON text; `{}` if nothing is written. */
export function dataInText(text: Value<string>): Data {
  switch (text.kind) {
    case 'absent':
      return {};
    case 'choice':
      return new Unknown('it depends on conditions', sourceOf(text));
    case 'known':
    case 'unknown': {
      const parsed = parseEmbedded(text);
      if (parsed.kind === 'parsed')
        return isDataMap(parsed.data) || parsed.data instanceof Unknown
          ? parsed.data
          : new Unknown('its text holds no object', text.source);
      if (parsed.kind === 'unknown') return parsed.unknown;
      const reason = `its text is malformed: ${parsed.reason}`;
      return text.kind === 'known' && mayMatter(text.value)
        ? new MalformedObject(reason, text.source)
        : new Unknown(reason, text.source);
    }
  }
}
