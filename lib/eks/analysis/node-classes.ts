import { UNKNOWN_AMI } from '../../knowledge/published-amis';
import {
  Absent,
  always,
  dataAt,
  isDataMap,
  Known,
  Unknown,
  type Data,
  type Dialect,
  type DialectName,
  type Value,
} from '../../value';
import type { ClusterView, EksModel } from '../model/model';
import { objectName } from '../model/resource-name';
import type {
  AmiFamily,
  Image,
  KubernetesManifest,
  LaunchTemplate,
  LaunchTemplateUse,
  NodeClass,
  SelfManagedNodeGroup,
  UserData,
} from '../model/resources';
import { readUserDataFile } from '../user-data/placeholders';
import { sourceTextOf } from '../user-data/text-of-value';
import { isAmongPatches, isInManifestFile, placeIn } from './kubernetes-objects';
import type { NodeBoot } from './node-boot';
import type { LaunchUser } from './node-group';

/*
 * The node classes of Karpenter: what an EC2NodeClass says of the nodes that are started with it.
 * Source: aws/karpenter-provider-aws, pkg/apis/v1/ec2nodeclass.go and pkg/providers/amifamily (1.14); website, "NodeClasses".
 */

/** Whether an object is a node class of Karpenter, in whatever version of its API. */
export function isNodeClass({ object }: KubernetesManifest): boolean {
  const apiVersion = dataAt(object, 'apiVersion');
  return (
    dataAt(object, 'kind') === 'EC2NodeClass' &&
    (typeof apiVersion !== 'string' || apiVersion.startsWith('karpenter.k8s.aws/'))
  );
}

/** Whether a node class lacks so much of what each has that it is a part of one, which something else puts to the rest. */
export function isPartOfNodeClass(manifest: KubernetesManifest): boolean {
  const isMissing = (key: string): boolean => (dataAt(manifest.object, 'spec', key) ?? undefined) === undefined;
  const missing = [isMissing('amiSelectorTerms'), isMissing('role') && isMissing('instanceProfile')];
  return isInManifestFile(manifest) && (missing.every(Boolean) || (missing.some(Boolean) && isAmongPatches(manifest)));
}

/** Values of `amiFamily`, and what each is by itself. `Custom` tells no operating system. */
export const AMI_FAMILIES: ReadonlyMap<string, AmiFamily | undefined> = new Map([
  ['AL2', 'AL2'],
  ['AL2023', 'AL2023'],
  ['Bottlerocket', 'BOTTLEROCKET'],
  ['Windows2019', 'WINDOWS'],
  ['Windows2022', 'WINDOWS'],
  ['Windows2025', 'WINDOWS'],
  ['Custom', undefined],
] as const);

/** The value of `amiFamily` that an alias stands for, such as `AL2023` of `al2023@latest`; undefined if it is none that Karpenter knows. */
export function familyOfAlias(alias: string): string | undefined {
  const [name, ...versions] = alias.split('@');
  if (versions.length !== 1) return undefined;
  return [...AMI_FAMILIES.keys()].find((family) => family !== 'Custom' && family.toLowerCase() === name);
}

/** What the terms of a node class that select its AMIs say in an alias; undefined where there is none. */
export function aliasOf(object: Data): string | Unknown | undefined {
  const terms = dataAt(object, 'spec', 'amiSelectorTerms');
  if (terms instanceof Unknown) return terms;
  if (!Array.isArray(terms)) return undefined;
  let unknown: Unknown | undefined;
  for (const term of terms as readonly Data[]) {
    const alias = term instanceof Unknown ? term : dataAt(term, 'alias');
    if (typeof alias === 'string' && alias !== '') return alias;
    if (alias instanceof Unknown) unknown ??= alias;
  }
  return unknown;
}

/** The ways in which Karpenter starts nodes, by the node class that decides on it. */
export function nodeClassBoots(model: EksModel): readonly LaunchUser<NodeBoot>[] {
  let known = boots.get(model);
  if (known === undefined) {
    known = model.clusterViews.flatMap((view) =>
      view.manifests.filter(isNodeClass).flatMap((manifest) => bootOf(manifest, view) ?? []),
    );
    boots.set(model, known);
  }
  return known;
}

const boots = new WeakMap<EksModel, readonly LaunchUser<NodeBoot>[]>();

function bootOf(manifest: KubernetesManifest, view: ClusterView): LaunchUser<NodeBoot> | undefined {
  const { object } = manifest;
  if (!isDataMap(dataAt(object, 'spec'))) return undefined;
  const nodeClass = nodeClassOf(manifest);
  if (nodeClass === undefined) return undefined;
  const template = templateOf(manifest, nodeClass);
  const group = groupOf(manifest, nodeClass, template);
  const source = placeIn(manifest, 'spec');
  const boot: NodeBoot = { nodeGroup: group, view, template: new Known(template, source), when: always };
  return { resource: group, launches: [boot] };
}

/** Undefined where something that isn't known decides whether Karpenter bootstraps the nodes. */
function nodeClassOf(manifest: KubernetesManifest): NodeClass | undefined {
  const { object } = manifest;
  const name = objectName(manifest);
  const written = dataAt(object, 'spec', 'amiFamily') ?? undefined;
  const alias = aliasOf(object);
  const source = placeIn(manifest, 'spec', written === undefined ? 'amiSelectorTerms' : 'amiFamily');
  if (written instanceof Unknown) return undefined;
  if (written === 'Custom') {
    const of = typeof alias === 'string' ? AMI_FAMILIES.get(familyOfAlias(alias) ?? '') : undefined;
    const family: Value<AmiFamily> =
      of === undefined
        ? new Unknown("the operating system of an AMI of one's own can't be told", source)
        : new Known(of, source, `the alias ${typeof alias === 'string' ? alias : ''}`);
    return { name, family, isMerged: false };
  }
  if (written === undefined && alias instanceof Unknown) return undefined;
  const called = typeof written === 'string' ? written : typeof alias === 'string' ? familyOfAlias(alias) : undefined;
  const family = AMI_FAMILIES.get(called ?? '');
  return family === undefined
    ? undefined
    : { name, family: new Known(family, source, `AMI family ${called ?? ''}`), isMerged: true };
}

/** The user data as Karpenter gets it, which encodes it itself. */
function userDataOf(manifest: KubernetesManifest): Value<UserData> {
  const place = placeIn(manifest, 'spec', 'userData');
  const data = dataAt(manifest.object, 'spec', 'userData') ?? undefined;
  if (typeof data === 'string') {
    const { file } = place.locate();
    const text = readUserDataFile(data, file, (offset) => place.inText?.(data, offset) ?? place);
    return new Known({ text, layers: [], encodedBy: 'engine' }, place);
  }
  if (data === undefined) return new Absent(place);
  if (!(data instanceof Unknown)) return new Unknown('it is no text', place);
  return data.text === undefined
    ? data
    : new Known({ text: sourceTextOf(data), layers: [], encodedBy: 'engine' }, place);
}

function imageOf(manifest: KubernetesManifest, { family, isMerged }: NodeClass): Value<Image> {
  const place = placeIn(manifest, 'spec', 'amiSelectorTerms');
  if (isMerged) return new Absent(place);
  const alias = aliasOf(manifest.object);
  if (family.kind !== 'known' || typeof alias !== 'string')
    return new Known({ text: 'that `amiSelectorTerms` selects', ...UNKNOWN_AMI }, place);
  return new Known({ ...UNKNOWN_AMI, text: alias, family: family.value, isPublished: true }, place);
}

function templateOf(manifest: KubernetesManifest, nodeClass: NodeClass): LaunchTemplate {
  const absent = new Absent(placeIn(manifest, 'spec'));
  return {
    ...resourceLike(manifest),
    kind: 'launch-template',
    name: absent,
    imageId: imageOf(manifest, nodeClass),
    instanceType: absent,
    metadata: { httpTokens: absent, hopLimit: absent, httpEndpoint: absent, instanceTags: absent },
    userData: userDataOf(manifest),
    instanceTagKeys: [],
    instanceProfile: absent,
    shutdownBehavior: absent,
    hibernation: absent,
    instanceRequirements: absent,
    marketType: absent,
    keyName: absent,
    securityGroups: absent,
    networkInterfaces: [],
    blockDevices: [],
  };
}

function groupOf(manifest: KubernetesManifest, nodeClass: NodeClass, template: LaunchTemplate): SelfManagedNodeGroup {
  const absent = new Absent(manifest.source);
  const use: LaunchTemplateUse = {
    template: { text: nodeClass.name, target: template },
    version: absent,
    id: absent,
    name: absent,
    source: manifest.source,
  };
  return {
    ...resourceLike(manifest),
    kind: 'self-managed-node-group',
    cluster: manifest.cluster,
    launchTemplate: new Known(use, manifest.source),
    instanceTypes: absent,
    subnets: absent,
    maxSize: absent,
    nodeClass,
  };
}

type ResourceFacts = Pick<
  KubernetesManifest,
  'type' | 'id' | 'path' | 'stack' | 'frontEnd' | 'dialect' | 'source' | 'suppressions' | 'exists'
>;

/** What findings say of the place: it is the manifest. */
function resourceLike(manifest: KubernetesManifest): ResourceFacts {
  const { type, id, path, stack, frontEnd, dialect, source, suppressions, exists } = manifest;
  const { createdAt, isNotEnabled, planned } = manifest;
  return {
    ...{ type, id, path, stack, frontEnd, source, suppressions, exists },
    dialect: inManifest(dialect),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(isNotEnabled === undefined ? {} : { isNotEnabled }),
    ...(planned === undefined ? {} : { planned }),
  };
}

const KUBERNETES = 'kubernetes' satisfies DialectName;

/** What a change of a node class does. Source: Karpenter documentation, "Disruption", Drift. */
export const KARPENTER_DRIFTS = 'is drift for Karpenter, which replaces the nodes of the class and evicts their pods';

/** Code for a launch template is none for a node class, whatever the object is written in. */
function inManifest(dialect: Dialect): Dialect {
  let own = dialects.get(dialect);
  if (own === undefined) {
    const { codeAt: _, codesAt: __, ...fixes } = dialect.fixes;
    own = {
      ...dialect,
      fixes: {
        ...fixes,
        codes: dialect.fixes.codes.filter((name) => name === KUBERNETES),
        effect: KARPENTER_DRIFTS,
        // Elsewhere the object is a value of a resource.
        ...(dialect.name === KUBERNETES
          ? {}
          : {
              editorOf: () => undefined,
              whyNoEditor: 'the object is a value there: change the user data of the node class by hand',
            }),
      },
    };
    dialects.set(dialect, own);
  }
  return own;
}

const dialects = new WeakMap<Dialect, Dialect>();
