import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EksModel } from '../../../lib/eks';
import { runRules, type Configuration, type Finding } from '../../../lib/engine';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { allRules } from '../../../lib/rules';
import { readPlan } from '../../../lib/terraform/plan/plan';
import { canPlan, IF_PLANNED, planOfFolder } from '../../terraform/plan/replan';

interface PlannedResource {
  readonly address: string;
  readonly type: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What Terraform itself makes of a configuration. */
interface Planned {
  readonly resources: readonly PlannedResource[];
  /** What all rules say against it, but for the clusters, which are scenery. */
  readonly failures: (configuration?: Configuration) => readonly Finding[];
}

/** A test with plans of Terraform itself and version 5.100 of the AWS provider, where they are there. */
export function itPlans(name: string, test: () => void): void {
  (canPlan ? it : it.skip)(`${name}${IF_PLANNED}`, test, 120_000);
}

/** The plan of a configuration as JSON, which the tool reads without a word. */
export function planned(configuration: string): Planned {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-'));
  try {
    writeFileSync(join(folder, 'cdk.tf.json'), configuration);
    const plan = planOfFolder(folder);
    const { instances, diagnostics } = readPlan(JSON.stringify(plan), 'plan.json');
    expect(diagnostics).toEqual([]);
    const { root_module: root } = plan['planned_values'] as {
      readonly root_module: { readonly resources: readonly PlannedResource[] };
    };
    return {
      resources: root.resources,
      failures: (options) =>
        runRules(new EksModel(readInstances(instances)), allRules, options).filter(
          ({ verdict, severity, resource }) =>
            verdict === 'fail' && severity !== 'info' && resource.type !== 'aws_eks_cluster',
        ),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
