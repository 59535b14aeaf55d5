import { defineRule, runRules } from '../../lib/engine';
import { cases, EksModel } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { hclFile } from '../../lib/terraform/module/hcl-file';
import { readRootModules } from '../../lib/terraform/module/root-modules';
import { readInstances } from '../../lib/front-ends/terraform/resources';

const TEMPLATE = `
Parameters:
  Stage: { Type: String }
  Region: { Type: String }
Conditions:
  IsProduction: !Equals [!Ref Stage, production]
  IsFar: !Equals [!Ref Region, far]
Resources:
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: main
      CapacityType: !If [IsProduction, SPOT, !If [IsFar, SPOT, ON_DEMAND]]
`;

/** Says of each branch by itself what it finds. */
const noSpot = defineRule<'spot'>({
  id: 'no-spot',
  subject: 'custom',
  title: 'Nodes are never spot instances',
  severity: 'warning',
  since: '0.1.0',
  messages: {
    spot: {
      text: 'Node group {{group}} has spot instances.',
      fix: { summary: 'Take others.', safety: 'needs-decision' },
    },
  },
  *check(model) {
    for (const group of model.nodeGroups) {
      for (const { when, values } of cases({ type: group.capacityType })) {
        if (values.type.kind !== 'known') continue;
        if (values.type.value === 'SPOT')
          yield {
            verdict: 'fail',
            resource: group,
            message: 'spot',
            data: { group: group.id },
            source: group.source,
            when,
          };
        else yield { verdict: 'pass', resource: group, when };
      }
    }
  },
});

describe('what a rule says of several branches at one place', () => {
  const { resources } = readTemplates([{ file: 'template.yaml', text: TEMPLATE }]);
  const run = (text: string, of = resources) =>
    runRules(new EksModel(of), [
      {
        ...noSpot,
        subject: 'node-group',
        messages: {
          spot: {
            ...noSpot.messages['spot'],
            text,
            fix: { summary: 'Take others.', safety: 'needs-decision' as const },
          },
        },
      },
    ]);

  it('is one finding that names the branches', () => {
    expect(run('Node group {{group}} has spot instances.').map(({ message }) => message)).toEqual([
      'Node group Workers has spot instances. This happens when condition IsProduction is true, or condition IsProduction is false and condition IsFar is true.',
    ]);
  });

  it('names no condition that makes no difference', () => {
    const idle = TEMPLATE.replace('SPOT, !If [IsFar, SPOT, ON_DEMAND]', '!If [IsFar, SPOT, SPOT], ON_DEMAND');
    const { resources: same } = readTemplates([{ file: 'template.yaml', text: idle }]);
    expect(run('Node group {{group}} has spot instances.', same).map(({ message }) => message)).toEqual([
      'Node group Workers has spot instances. This happens when condition IsProduction is true.',
    ]);
  });

  it('names no branches where these are all that there can be', () => {
    const all = TEMPLATE.replace('ON_DEMAND', '!If [IsProduction, ON_DEMAND, SPOT]');
    const { resources: same } = readTemplates([{ file: 'template.yaml', text: all }]);
    expect(run('Node group {{group}} has spot instances.', same).map(({ message }) => message)).toEqual([
      'Node group Workers has spot instances.',
    ]);
  });

  it('is one finding of an instance that exists under several conditions', () => {
    const variables = ['all', 'none', 'some'].map((name) => `variable "${name}" {\n  type = bool\n}\n`).join('');
    const group =
      'resource "aws_eks_node_group" "workers" {\n  count         = var.all || (!var.none && var.some) ? 1 : 0\n  cluster_name  = "main"\n  capacity_type = "SPOT"\n}\n';
    const [read] = readRootModules(
      [
        {
          folder: '.',
          files: [hclFile(variables + group, 'main.tf')],
          variableFiles: [],
          stack: 'main',
          frontEnd: 'terraform',
        },
      ],
      {
        access: { files: () => undefined, read: () => ({ problem: 'there are no files' }) },
      },
    );
    const instances = readInstances(read?.instances ?? []);
    expect(instances.length).toBe(2);
    const whereItExists = {
      ...noSpot,
      *check(model: EksModel) {
        for (const judgement of noSpot.check(model, { today: '2026-11-22', options: {} }))
          yield { ...judgement, when: judgement.resource.exists };
      },
    };
    expect(
      runRules(new EksModel(instances), [{ ...whereItExists, subject: 'node-group' }]).map(({ message }) => message),
    ).toEqual(['Node group aws_eks_node_group.workers[0] has spot instances.']);
  });

  it('keeps what was found before a rule crashed', () => {
    const crashing = {
      ...noSpot,
      subject: 'node-group' as const,
      *check(model: EksModel) {
        yield* noSpot.check(model, { today: '2026-11-22', options: {} });
        throw new Error('broken');
      },
    };
    const findings = runRules(new EksModel(resources), [crashing]);
    expect(findings.map(({ rule }) => rule)).toEqual(['no-spot', 'rule-crashed']);
  });
});
