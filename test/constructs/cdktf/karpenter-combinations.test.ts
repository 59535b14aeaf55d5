import { Testing } from 'cdktf';
import { Construct } from 'constructs';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTerraformStacks } from '../../../lib/front-ends/terraform/stacks';
import { allRules } from '../../../lib/rules';
import { karpenterCombinations, makeKarpenterRoles } from './karpenter-combinations';
import { newStack } from './stacks';

describe('KarpenterRoles with options of which each value meets each of the others', () => {
  const { accepted, refused } = karpenterCombinations();

  it('passes every rule, with the preset strict', () => {
    const stack = newStack();
    for (const [index, combination] of accepted.entries())
      makeKarpenterRoles(new Construct(stack, `case-${index}`), combination);
    Testing.synth(stack, true);
    const content = JSON.parse(JSON.stringify(stack.toTerraform())) as { resource: Record<string, object> };
    const { resources, diagnostics } = readTerraformStacks([
      { name: 'Test', constructPath: 'Test', app: 'cdktf.out', file: 'cdk.tf.json', content },
    ]);
    expect(diagnostics).toEqual([]);
    const failed = runRules(new EksModel(resources), allRules, { preset: 'strict' })
      .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
      // The clusters and their roles are scenery.
      .filter(({ resource, rule }) => resource.type !== 'aws_eks_cluster' && !rule.startsWith('cluster-'));
    expect(failed.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);

    const made = (type: string): number => Object.keys(content.resource[type] ?? {}).length;
    const asked = (wanted: (one: (typeof accepted)[number]) => boolean): number => accepted.filter(wanted).length;
    expect(accepted.length).toBeGreaterThan(12);
    expect(made('aws_sqs_queue')).toBe(asked(({ queue }) => queue !== 'none'));
    expect(made('aws_eks_access_entry')).toBe(asked(({ accessEntry }) => accessEntry !== 'no'));
    expect(made('aws_eks_pod_identity_association')).toBe(asked(({ identity }) => identity === 'plain'));
  });

  it.each(
    refused.map(({ combination, words }) => [Object.values(combination).join(', '), combination, words] as const),
  )('refuses %s', (_, combination, words) => {
    const stack = newStack();
    expect(() => {
      makeKarpenterRoles(stack, combination);
      Testing.synth(stack, true);
    }).toThrow(words);
  });
});
