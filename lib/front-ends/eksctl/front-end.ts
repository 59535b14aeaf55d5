import type { FrontEnd } from '../front-end';
import { isMeantAsClusterConfig, looksLikeClusterConfig } from './config-text';
import { EKSCTL } from './dialects';
import { eksctlReader, type EksctlReader } from './reading';

declare module '../../value/input-summary' {
  interface InputKinds {
    readonly 'eksctl-config': true;
  }
}

/** ClusterConfigs of eksctl, in YAML or JSON. */
export const eksctl: FrontEnd<EksctlReader> = {
  kinds: { 'eksctl-config': 'eksctl ClusterConfig' },
  sought: 'eksctl ClusterConfig',
  dialects: [EKSCTL],
  detection: {
    fileNames: /\.(?:json|ya?ml)$/i,
    inText: (text, isNamed) =>
      looksLikeClusterConfig(text) || (isNamed && isMeantAsClusterConfig(text)) ? 'surely' : undefined,
  },
  reader: eksctlReader,
  take(reader, input) {
    if (input.is !== 'file' || input.text === undefined) return undefined;
    return reader.add(input.path, input.text, input.isNamed);
  },
};
