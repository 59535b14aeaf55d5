import { alternativesOf, type Plain } from '../../value';
import type { ClusterView } from '../model/model';
import { amiFamilyOf, launchTemplateOf, type AnyNodeGroup } from './node-group';

/**
 * Whether pods on a group surely get no answer of the instance metadata service unless they run on the network of their node: with a hop limit of 1 no
 * token reaches them, and without a token they get nothing. Source: Amazon EC2 user guide, "Use the Instance Metadata Service to access instance metadata".
 */
export function keepsPodsOff(group: AnyNodeGroup, view: ClusterView): boolean {
  return alternativesOf(launchTemplateOf(group)).every(({ value: template }) => {
    if (template.kind !== 'known') return false;
    const { hopLimit, httpTokens } = template.value.metadata;
    return (
      alternativesOf(hopLimit).every(({ value }) => value.kind === 'known' && Number(value.value) === 1) &&
      alternativesOf(httpTokens).every(({ value }) => demandsToken(value, group, view))
    );
  });
}

/** AL2023 demands tokens unless it is told otherwise. */
function demandsToken(tokens: Plain<string>, group: AnyNodeGroup, view: ClusterView): boolean {
  if (tokens.kind === 'known') return tokens.value === 'required';
  return (
    tokens.kind === 'absent' &&
    alternativesOf(amiFamilyOf(group, view)).every(({ value }) => value.kind === 'known' && value.value === 'AL2023')
  );
}
