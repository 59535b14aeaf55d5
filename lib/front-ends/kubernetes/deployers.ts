import { dirname, normalize, posix } from 'node:path';
import { parseDocuments } from '../../languages/parse-document';
import { isFilled, kustomizationOf, listIn, mapIn, textIn, type Kustomization, type Unread } from './kustomization';
import { splitDocuments } from './split';

/*
 * Flux and Argo CD patch what they apply, as kustomize does: with the same settings, in objects of their own that refer to a folder of a repository.
 * Sources: fluxcd/kustomize-controller, api/v1/kustomization_types.go; argoproj/argo-cd, pkg/apis/application/v1alpha1/types.go.
 */

/** What changes all that is in a folder. */
export interface Deployer {
  readonly kustomization: Kustomization;
  /** Whether it means a folder, or file, itself. */
  readonly isAt: (path: string) => boolean;
  /** Whether what it means has a folder, or file, in it. */
  readonly isAbove: (path: string) => boolean;
}

const GROUPS = /\b(?:kustomize\.toolkit\.fluxcd\.io|argoproj\.io)\//;

/** What objects of a file say that Flux and Argo CD change; those that change nothing are none. */
export function deployersIn(file: string, text: string): readonly Deployer[] {
  if (!GROUPS.test(text)) return [];
  return splitDocuments(text)
    .filter((chunk) => GROUPS.test(chunk.text))
    .flatMap((chunk) => parseDocuments(chunk.text, file, 'last for kubectl', chunk.line))
    .flatMap(({ root }) => deployersOf(file, mapIn(root)));
}

function deployersOf(file: string, object: Unread): readonly Deployer[] {
  const { apiVersion, kind, metadata } = object;
  const spec = mapIn(object['spec']);
  const name = plain(mapIn(metadata)['name']) ?? 'NAME';
  const group = textIn(apiVersion)?.replace(/\/.*/, '');
  if (group === 'kustomize.toolkit.fluxcd.io' && kind === 'Kustomization')
    return [ofFlux(file, name, spec)].filter(changes);
  if (group !== 'argoproj.io') return [];
  if (kind === 'Application') return ofArgo(file, name, spec).filter(changes);
  return kind === 'ApplicationSet' ? ofArgo(file, 'NAME', mapIn(mapIn(spec['template'])['spec'])).filter(changes) : [];
}

function changes({ kustomization }: Deployer): boolean {
  const { changesAll, fillsIn, renames, patches, replicas, images, namespace } = kustomization;
  return (
    changesAll || fillsIn || renames || patches.length + replicas.length + images.length > 0 || namespace !== undefined
  );
}

function ofFlux(file: string, name: string, spec: Unread): Deployer {
  const path = textIn(spec['path']) ?? '';
  const { substitute, substituteFrom } = mapIn(spec['postBuild']);
  const { patches, patchesStrategicMerge, patchesJson6902, images, namePrefix, nameSuffix, components } = spec;
  const settings = { patches, patchesStrategicMerge, patchesJson6902, images, namePrefix, nameSuffix };
  return {
    kustomization: {
      ...kustomizationOf({ ...settings, namespace: spec['targetNamespace'] }, dirname(normalize(file)), file),
      ...(isFilled(components) ? { changesAll: true } : {}),
      build: `flux build kustomization ${name} --path ${path === '' ? '.' : (plain(path) ?? 'PATH')} --kustomization-file ${file} --dry-run`,
      fillsIn: isFilled(substituteFrom) || Object.keys(mapIn(substitute)).length > 0,
    },
    ...placeOf(path),
  };
}

function ofArgo(file: string, name: string, spec: Unread): readonly Deployer[] {
  return [spec['source'], ...listIn(spec['sources'])].map((one) => {
    const { path, kustomize } = mapIn(one);
    const { patches, namePrefix, nameSuffix, namespace, replicas, images, components } = mapIn(kustomize);
    return {
      kustomization: {
        ...kustomizationOf({ patches, namePrefix, nameSuffix, namespace, replicas }, dirname(normalize(file)), file),
        // They are texts of their own syntax here.
        ...(isFilled(images) || isFilled(components) ? { changesAll: true } : {}),
        build: `argocd app manifests ${name}`,
      },
      ...placeOf(textIn(path) ?? ''),
    };
  });
}

/** What a shell takes as it stands. */
function plain(raw: unknown): string | undefined {
  return typeof raw === 'string' && /^[\w./-]+$/.test(raw) ? raw : undefined;
}

/**
 * Where a folder of a repository is in the input, which may begin above it or below: by how paths end. A place that is filled in may be any.
 */
function placeOf(path: string): Pick<Deployer, 'isAt' | 'isAbove'> {
  const isAny = path.includes('{{') || path.includes('${');
  const folder = posix.normalize(`/${path}`).slice(1).replace(/\/$/, '');
  if (isAny || folder === '') return { isAt: () => false, isAbove: () => true };
  const slashed = (one: string): string => `/${one.replaceAll('\\', '/')}`;
  return {
    isAt: (one) => slashed(one).endsWith(`/${folder}`),
    isAbove: (one) => slashed(one).includes(`/${folder}/`),
  };
}
