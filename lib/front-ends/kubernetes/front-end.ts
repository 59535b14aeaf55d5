import { basename } from 'node:path';
import type { FrontEnd } from '../front-end';
import { ACK, CROSSPLANE } from './controllers/dialects';
import { KUBERNETES } from './dialects';
import { KUSTOMIZATION } from './kustomizations';
import { looksLikeManifest } from './manifest-text';
import { manifestReader, type ManifestReader } from './reading';

declare module '../../value/input-summary' {
  interface InputKinds {
    readonly 'kubernetes-manifest': true;
  }
}

/** Manifests of Kubernetes, in YAML or JSON: written by hand, or rendered by Helm or kustomize. */
export const kubernetes: FrontEnd<ManifestReader> = {
  kinds: { 'kubernetes-manifest': 'Kubernetes manifest' },
  sought: 'Kubernetes manifest',
  dialects: [KUBERNETES, ACK, CROSSPLANE],
  detection: {
    fileNames: /\.(?:json|ya?ml)$|^Kustomization$/i,
    isFile: (name) => KUSTOMIZATION.test(name),
    inText: (text) => (looksLikeManifest(text) ? 'likely' : undefined),
  },
  reader: manifestReader,
  take(reader, input) {
    if (input.is !== 'file') return undefined;
    if (input.text !== undefined) reader.add(input.path, input.text, input.isNamed);
    else if (KUSTOMIZATION.test(basename(input.path))) reader.addKustomization(input.path, input.isNamed);
    return undefined;
  },
};
