import type { Acknowledgement } from '../reader';
import type { ConfigurationFile } from './configuration-file';
import { memberOf } from './json-tree';

/**
 * The decisions to live with a finding that a CDKTF app wrote into the comment of a stack:
 * `"//": {"eks-guardrails": {"acknowledge": [{"path": "Platform/Workers", "rule": "imds-hop-limit", "reason": "…"}]}}`.
 */
export function acknowledgementsIn(files: readonly Pick<ConfigurationFile, 'comment'>[]): Acknowledgement[] {
  return files.flatMap(({ comment }) => {
    const list = memberOf(memberOf(comment, 'eks-guardrails'), 'acknowledge');
    return Array.isArray(list) ? list.flatMap(acknowledgement) : [];
  });
}

function acknowledgement(entry: unknown): Acknowledgement[] {
  const constructPath = memberOf(entry, 'path');
  const rule = memberOf(entry, 'rule');
  const reason = memberOf(entry, 'reason');
  const until = memberOf(entry, 'until');
  if (typeof constructPath !== 'string' || typeof rule !== 'string') return [];
  return [{ constructPath, rule, reason: typeof reason === 'string' ? reason : '', ...(typeof until === 'string' ? { until } : {}) }];
}
