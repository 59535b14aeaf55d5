import { unverifiable } from '../../parts/case-judgements';
import type { Judgement, Severity } from '../../../engine';
import {
  dataAt,
  isDataMap,
  isPartOfNodeClass,
  objectName,
  PERHAPS_PATCH,
  placeIn,
  Unknown,
  type Data,
  type EksModel,
  type KubernetesManifest,
} from '../../../eks';
import { nodeClassCode } from './node-class-options';
import { effectsOf, ENOUGH, isNodeClass, type HopLimitEffects } from './hop-limit-effects';

export const LEAST = 1;
export const MOST = 64;

export const NODE_CLASS_CODE = {
  kubernetes: '{{nodeClassInYaml}}',
  cloudformation: '{{nodeClassOptions}}',
  'aws-cdk': '{{nodeClassInCdk}}',
  terraform: '{{nodeClassInTerraform}}',
};
const OPTIONS = { httpTokens: 'required', httpPutResponseHopLimit: 2 };

export type NodeClassMessage = 'nodeClassWide' | 'nodeClassOutOfRange' | 'nodeClassDefault' | 'nodeClassOne';
export type HopLimitOne = 'error' | 'warning' | 'info' | 'allow';

/** Karpenter's own defaults, since its v1 API: tokens required, hop limit 1. */
export function* judgeNodeClasses(model: EksModel, one: HopLimitOne): Generator<Judgement<NodeClassMessage>> {
  for (const view of model.clusterViews) {
    for (const manifest of view.manifests) {
      if (!isNodeClass(manifest) || dataAt(manifest.object, 'apiVersion') !== 'karpenter.k8s.aws/v1') continue;
      const judgement = judgeNodeClass(manifest, () => effectsOf([{ view, groups: [] }], model), one);
      if (judgement === undefined) continue;
      const source = placeIn(manifest, 'spec', 'metadataOptions', 'httpPutResponseHopLimit');
      yield { ...judgement, source, data: { ...judgement.data, ...nodeClassCode(manifest, OPTIONS) } };
    }
  }
}

function judgeNodeClass(
  resource: KubernetesManifest,
  effectsOfOne: () => HopLimitEffects,
  one: HopLimitOne,
): Judgement<NodeClassMessage> | undefined {
  const option = (key: string): Data | undefined => dataAt(resource.object, 'spec', 'metadataOptions', key);
  const hop = option('httpPutResponseHopLimit') ?? undefined;
  const tokens = option('httpTokens') ?? undefined;
  const name = objectName(resource);
  if (hop instanceof Unknown)
    return { resource, ...unverifiable(`the hop limit of EC2NodeClass "${name}" isn't known: ${hop.reason}`) };
  const limit = typeof hop === 'number' ? numberOf(hop) : undefined;
  if (hop !== undefined && (limit === undefined || limit < LEAST || limit > MOST)) {
    return {
      resource,
      verdict: 'fail',
      message: 'nodeClassOutOfRange',
      data: { name, hop: JSON.stringify(hop) },
      about: name,
    };
  }
  if (option('httpEndpoint') === 'disabled') return undefined;
  if (limit !== undefined && limit > ENOUGH) {
    return {
      resource,
      verdict: 'fail',
      message: 'nodeClassWide',
      severity: 'info',
      data: { name, hop: String(limit) },
      about: name,
    };
  }
  if (limit === ENOUGH || (limit === LEAST && one === 'allow')) return { resource, verdict: 'pass' };

  if (limit === undefined && isPartOfNodeClass(resource))
    return { resource, ...unverifiable(`the hop limit of EC2NodeClass "${name}" isn't known: ${PERHAPS_PATCH}`) };

  const required = tokens === undefined || tokens === 'required';
  const effects = effectsOfOne();
  const effect = required
    ? effects.effect
    : 'IMDSv1 may still answer them, after the SDK has waited for a token until it timed out.';
  const { roleFirst } = effects;
  const accepted = limit === LEAST && one === 'warning';
  const severity = ((): Severity => {
    if (effects.stopsNone) return 'info';
    return required && !accepted && effects.stopsSome ? 'error' : 'warning';
  })();
  const common = { resource, verdict: 'fail', severity, about: name, related: effects.related } as const;
  if (limit === undefined)
    return { ...common, message: 'nodeClassDefault', data: { name, leaves: leftOut(resource), effect, roleFirst } };
  return { ...common, message: 'nodeClassOne', data: { name, effect, roleFirst, tokens: nodeClassTokens(tokens) } };
}

function leftOut({ object }: KubernetesManifest): string {
  const isDeclared = isDataMap(dataAt(object, 'spec', 'metadataOptions'));
  return isDeclared
    ? 'declares `metadataOptions` without `httpPutResponseHopLimit`, for which Karpenter takes 1 since v1'
    : 'leaves the metadata options to Karpenter, which since v1 requires IMDSv2 with a hop limit of 1';
}

function nodeClassTokens(tokens: Data | undefined): string {
  if (tokens === undefined) return 'tokens are required by default';
  if (tokens instanceof Unknown) return `whether tokens are required isn't known: ${tokens.reason}`;
  return `tokens are \`${typeof tokens === 'string' ? tokens : JSON.stringify(tokens)}\``;
}

/** A whole number, also one that is written as text; `undefined` for anything else. */
export function numberOf(value: number | string): number | undefined {
  const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}
