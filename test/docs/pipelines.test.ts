import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../cli/built-command';
import { PipelineMachine } from '../cli/pipeline-tools';
import { workspace } from '../cli/workspace';

const guide = readFileSync(join(projectRoot, 'docs/guides/pipelines.md'), 'utf8');

describe('the guide to pipelines', () => {
  const folder = workspace({
    'wrong/spacelift.plan': planOf(true),
    'right/spacelift.plan': planOf(false),
  });
  const machine = new PipelineMachine(folder);
  // Plans of the test are JSON already.
  machine.program('terraform', '[[ "$1 $2" == "show -json" ]] && cat "$3"');

  function planOf(isForced: boolean): string {
    const values = { cluster_name: 'main', force_update_version: isForced, ami_type: 'BOTTLEROCKET_x86_64' };
    const resource = {
      address: 'aws_eks_node_group.nodes',
      mode: 'managed',
      type: 'aws_eks_node_group',
      name: 'nodes',
      provider_name: 'registry.terraform.io/hashicorp/aws',
    };
    return JSON.stringify({
      format_version: '1.2',
      terraform_version: '1.9.0',
      planned_values: { root_module: { resources: [{ ...resource, values }] } },
      resource_changes: [
        { ...resource, change: { actions: ['create'], before: null, after: values, after_unknown: {} } },
      ],
      configuration: { root_module: { resources: [{ ...resource, expressions: {} }] } },
    });
  }

  it('has hooks of Spacelift that fail a run whose plan could not be read, and show what is wrong', () => {
    const [, block = ''] = /^```yaml\n(version: '1'\n[^]*?)^```$/m.exec(guide) ?? [];
    const { stack_defaults: defaults } = parse(block) as { stack_defaults: { after_plan: readonly string[] } };
    const hooks = (folderName: string) => machine.run(defaults.after_plan.join('\n'), { cwd: folderName });

    expect(hooks('right').exitCode).toBe(0);
    expect(hooks('wrong').stdout).toContain('node-group-force-update');
    expect(hooks('.').exitCode).not.toBe(0);
  });
});
