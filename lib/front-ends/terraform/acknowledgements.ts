import type { Acknowledgement, Diagnostic } from '../../value';
import { oddKey, untilOf } from '../parts/decision-keys';
import type { ConfigurationFile } from '../../terraform/configuration-file';
import { isJsonMap, memberOf } from '../../terraform/json-tree';

const KEYS = ['path', 'rule', 'reason', 'until'];

/** What stacks of CDKTF say about findings. */
export interface WrittenAcknowledgements {
  readonly acknowledgements: readonly Acknowledgement[];
  /** What is no acknowledgement, though it stands where one belongs. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The decisions to live with a finding that a CDKTF app wrote into the comment of a stack:
 * `"//": {"eks-guardrails": {"acknowledge": [{"path": "Platform/Workers", "rule": "imds-hop-limit", "reason": "…"}]}}`.
 */
export function acknowledgementsIn(
  files: readonly Pick<ConfigurationFile, 'comment' | 'file'>[],
): WrittenAcknowledgements {
  const acknowledgements: Acknowledgement[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { comment, file } of files) {
    const own = memberOf(comment, 'eks-guardrails');
    const problem = (place: string, message: string) =>
      diagnostics.push({
        severity: 'warning',
        message: `"//".eks-guardrails${place}: ${message}`,
        file,
        line: 1,
        column: 1,
      });
    if (own === undefined) continue;
    const list = memberOf(own, 'acknowledge');
    const odd = isJsonMap(own) ? oddKey(own, ['acknowledge']) : undefined;
    if (odd !== undefined) problem('', odd.problem);
    else if (!Array.isArray(list)) problem('.acknowledge', 'a list belongs here, of maps with path, rule and reason');
    if (!Array.isArray(list)) continue;
    for (const [index, entry] of list.entries()) {
      const read = acknowledgement(entry);
      if ('problem' in read) problem(`.acknowledge[${index}]`, `this has no effect: ${read.problem}`);
      else acknowledgements.push(read);
    }
  }
  return { acknowledgements, diagnostics };
}

function acknowledgement(entry: unknown): Acknowledgement | { readonly problem: string } {
  const odd = isJsonMap(entry) ? oddKey(entry, KEYS) : undefined;
  if (odd !== undefined) return odd;
  const constructPath = memberOf(entry, 'path');
  const rule = memberOf(entry, 'rule');
  const reason = memberOf(entry, 'reason');
  if (typeof constructPath !== 'string' || typeof rule !== 'string')
    return { problem: 'it needs the path of a construct and a rule, as texts' };
  return {
    constructPath,
    rule,
    reason: typeof reason === 'string' ? reason : '',
    ...untilOf(memberOf(entry, 'until')),
  };
}
