import {
  dataAt,
  isDataMap,
  objectName,
  type ClusterView,
  type Data,
  type DataMap,
  type KubernetesManifest,
} from '../../../eks';
import type { CorrectedLines } from '../../../eks/user-data/correction';
import { LAST_AL2 } from '../../../knowledge';
import { parseMinor } from '../../../knowledge/versions';
import { yaml } from '../../../text/lazy-parsers';
import { classOfBeta, classOfTemplate, PROFILE } from './rewritten-class';
import { poolOfBeta, poolOfProvisioner } from './rewritten-pool';

/*
 * Objects of Karpenter of the versions before v1, written anew in v1 in the lines in which they stand.
 */

/** The YAML of Kubernetes, in which words such as `yes` are quoted where they are texts. */
const AS_KUBERNETES = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;

/** Source: Karpenter documentation, concepts/settings of 0.31: a template without a profile takes the one of the settings. */
const LOOKED_UP =
  "what kubectl -n karpenter get configmap karpenter-global-settings -o jsonpath='{.data.aws\\.defaultInstanceProfile}' tells";

/**
 * Undefined where it doesn't stand in lines of its own, and where somebody has to decide on something.
 * @param version of Kubernetes that the cluster becomes. @default - the one that it has, or any
 */
export function rewrittenLines(
  manifest: KubernetesManifest,
  view: ClusterView,
  version?: string,
): CorrectedLines | undefined {
  const { lines } = manifest.editing ?? {};
  if (lines === undefined) return undefined;
  const document = yaml().parseDocument(lines.lines.join('\n'), { ...AS_KUBERNETES, logLevel: 'silent' });
  // Such as a key that is there twice.
  if (document.errors.length > 0) return undefined;
  const object = document.toJS() as Data;
  const spec = dataAt(object, 'spec');
  const metadata = dataAt(object, 'metadata');
  if (!isDataMap(spec) || !isDataMap(metadata)) return undefined;
  const written = rewritten(manifest, spec, metadata, { view, version });
  if (written === undefined) return undefined;
  const after = written
    .map((one) => yaml().stringify(one, AS_KUBERNETES).trimEnd())
    .join('\n---\n')
    .replaceAll(new RegExp(`^( *instanceProfile: ${PROFILE}.*)$`, 'gm'), `$1 # ${LOOKED_UP}`)
    .split('\n');
  return { file: lines.file, first: lines.first, before: lines.lines, after };
}

function rewritten(
  manifest: KubernetesManifest,
  spec: DataMap,
  metadata: DataMap,
  { view, version: ofCluster }: { readonly view: ClusterView; readonly version: string | undefined },
): readonly DataMap[] | undefined {
  const [kind, version] = [dataAt(manifest.object, 'kind'), dataAt(manifest.object, 'apiVersion')];
  const isAlpha = typeof version === 'string' && version.includes('alpha');
  const ofAl2 = aliasOfAl2(view, ofCluster);
  if (kind === 'Provisioner') return ofProvisioner(manifest, spec, metadata, view, ofAl2);
  const newSpec =
    kind === 'AWSNodeTemplate'
      ? classOfTemplate(spec, ofAl2)
      : isAlpha
        ? undefined
        : kind === 'EC2NodeClass'
          ? classOfBeta(spec, ofAl2)
          : poolOfBeta(spec);
  if (newSpec === undefined) return undefined;
  return [kind === 'NodePool' ? pool(metadata, newSpec) : nodeClass(metadata, newSpec)];
}

function ofProvisioner(
  manifest: KubernetesManifest,
  spec: DataMap,
  metadata: DataMap,
  view: ClusterView,
  ofAl2: string,
): readonly DataMap[] | undefined {
  const { provider } = spec;
  const own = typeof metadata['name'] === 'string' ? metadata['name'] : undefined;
  const named = dataAt(spec, 'providerRef', 'name') ?? (isDataMap(provider) ? own : onlyClassBeside(manifest, view));
  const newPool = typeof named === 'string' ? poolOfProvisioner(spec, named) : undefined;
  if (newPool === undefined) return undefined;
  if (!isDataMap(provider)) return [pool(metadata, newPool)];
  const { apiVersion: _, kind: __, ...settings } = provider;
  const newClass = classOfTemplate(settings, ofAl2);
  return newClass === undefined || own === undefined
    ? undefined
    : [pool(metadata, newPool), nodeClass({ name: own }, newClass)];
}

function pool(metadata: DataMap, spec: DataMap): DataMap {
  return { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: ofCluster(metadata), spec };
}

function nodeClass(metadata: DataMap, spec: DataMap): DataMap {
  return { apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', metadata: ofCluster(metadata), spec };
}

/** Objects of Karpenter are in no namespace, whatever they say. */
function ofCluster(metadata: DataMap): DataMap {
  return Object.fromEntries(Object.entries<Data>(metadata).filter(([key]) => key !== 'namespace'));
}

/** Of a Provisioner that names none, the class that its file has. */
function onlyClassBeside({ stack }: KubernetesManifest, { manifests }: ClusterView): string | undefined {
  const [one, ...others] = manifests.filter(
    (other) => other.stack === stack && /^(?:AWSNodeTemplate|EC2NodeClass)$/.test(other.type),
  );
  return one === undefined || others.length > 0 ? undefined : objectName(one);
}

/** Amazon Linux 2 stays where the cluster is known to have AMIs of it. */
function aliasOfAl2({ cluster }: ClusterView, version: string | undefined): string {
  const own = cluster?.version.kind === 'known' ? cluster.version.value : undefined;
  const minor = parseMinor(version ?? own ?? '');
  return minor !== undefined && minor <= LAST_AL2 ? 'al2@latest' : 'al2023@latest';
}
