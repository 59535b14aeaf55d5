import { checkTemplates } from '../../lib/check';
import type { Finding } from '../../lib/engine';
import { planJobs } from '../../lib/fixes/jobs';

const text = 'Resources:\n  A: { Type: AWS::EKS::Addon, Properties: { ClusterName: A, AddonName: coredns } }\n';
const [found] = checkTemplates([{ file: 'a.yaml', text }]).findings.filter(
  ({ rule }) => rule === 'addon-preserve-on-delete',
) as [Finding];
const decided: Finding = { ...found, repairEffect: 'nodes are replaced' };

const plan = (findings: readonly Finding[], isUnsafe: boolean, isWanted?: (finding: Finding) => boolean) => {
  const { jobs, refused } = planJobs(findings, isWanted, { isUnsafe });
  return [jobs.map(({ findings: all, steps, effect }) => [all.length, steps.length, effect]), refused.length];
};

describe('jobs', () => {
  it('repair what nobody has to decide, and all else where that is wanted', () => {
    expect(plan([found], false)).toEqual([[[1, 1, undefined]], 0]);
    expect(plan([decided], false)).toEqual([[], 0]);
    expect(plan([decided], true)).toEqual([[[1, 1, 'nodes are replaced']], 0]);
    expect(plan([found], true, () => false)).toEqual([[], 0]);
    expect(plan([{ ...found, repairs: undefined }], true)).toEqual([[], 0]);
    expect(plan([{ ...found, suppressed: { reason: 'so' } }], true)).toEqual([[], 0]);
  });

  it('are one where the same is done for several, which needs the decision that any of them needs', () => {
    expect(plan([found, found], true)).toEqual([[[2, 1, undefined]], 0]);
    expect(plan([found, decided], true)).toEqual([[[2, 1, 'nodes are replaced']], 0]);
    expect(plan([decided, found], true)).toEqual([[[2, 1, 'nodes are replaced']], 0]);
  });
});
