import type { Repair } from '../../lib/engine';
import { unlessExplained } from '../../lib/fixes/explained';
import { TreeFile } from '../../lib/fixes/tree-file';
import { HclFile } from '../../lib/fixes/terraform';
import { applyEdits, type EditPlan } from '../../lib/fixes/text-edit';
import { TEMPLATE_SETTINGS } from '../../lib/front-ends/cloudformation/template-settings';
import { cpuTime } from '../cpu-time';
import { itWithAll } from '../share';

/* A value that may be meant is left where a comment beside it may say so. */

const WIDER: Repair = { kind: 'set', field: 'metadata.hopLimit', to: 2, unlessExplained: true };
const PLAIN: Repair = { kind: 'set', field: 'metadata.hopLimit', to: 2 };

function outcome(text: string, plan: EditPlan | undefined): 'left' | 'changed' | 'unreadable' {
  if (plan === undefined) return 'unreadable';
  if ('refusal' in plan) return /a comment beside it/.test(plan.refusal) ? 'left' : 'unreadable';
  return applyEdits(text, plan.edits) === text ? 'left' : 'changed';
}

function inHcl(before: readonly string[], lines: readonly string[], repair = WIDER): string {
  const block = ['metadata_options {', ...lines.map((line) => `  ${line}`), '}'];
  const text = [
    'resource "aws_launch_template" "r" {',
    ...[...before, ...block].map((line) => `  ${line}`),
    '}',
    '',
  ].join('\n');
  return outcome(text, HclFile.read(text)?.repair('aws_launch_template', 'aws_launch_template.r', repair, undefined));
}

function inTemplate(before: readonly string[], lines: readonly string[]): string {
  const data = [...before, 'MetadataOptions:', ...lines.map((line) => `  ${line}`)];
  const text = [
    'Resources:',
    '  R:',
    '    Type: AWS::EC2::LaunchTemplate',
    '    Properties:',
    '      LaunchTemplateData:',
    ...data.map((line) => (line === '' ? '' : `        ${line}`)),
    '',
  ].join('\n');
  return outcome(
    text,
    TreeFile.read(text, 'template.yaml', TEMPLATE_SETTINGS)?.repair('AWS::EC2::LaunchTemplate', 'R', WIDER, undefined),
  );
}

const HCL = ['http_tokens                 = "required"', 'http_put_response_hop_limit = 1'];
const YAML = ['HttpTokens: required', 'HttpPutResponseHopLimit: 1'];

describe('a hop limit of 1', () => {
  it('is changed where nothing stands beside it, or what does is about something else', () => {
    expect(inHcl([], HCL)).toBe('changed');
    expect(inTemplate([], YAML)).toBe('changed');
    expect(inHcl(['# the nodes of the shop', 'name = "shop"'], HCL)).toBe('changed');
    expect(inHcl(['# hop limits are explained elsewhere', '', 'name = "shop"'], HCL)).toBe('changed');
    expect(inHcl([], ['http_tokens = "required" # IMDSv2', HCL[1] ?? ''])).toBe('changed');
  });

  it.each<[string, string]>([
    ['in its line', inHcl([], [HCL[0] ?? '', `${HCL[1] ?? ''} # meant`])],
    ['in the line above', inHcl([], [HCL[0] ?? '', '// no pod needs it', HCL[1] ?? ''])],
    ['before the block', inHcl(['# no pod may reach IMDS'], HCL)],
    ['in a line of YAML', inTemplate([], [YAML[0] ?? '', `${YAML[1] ?? ''} # meant`])],
    ['above a line of YAML', inTemplate([], [YAML[0] ?? '', '# all pods have roles', YAML[1] ?? ''])],
    ['before a block of YAML', inTemplate(['# a hop limit of 1 is meant'], YAML)],
  ])('is left to a person with a comment %s', (_, what) => {
    expect(what).toBe('left');
  });

  it('is changed all the same by a repair of what nobody can mean', () => {
    expect(inHcl(['# no pod may reach IMDS'], HCL, PLAIN)).toBe('changed');
  });

  itWithAll('costs no more far down in a long text', () => {
    const text = 'a: b\n'.repeat(1_000_000);
    const plan: EditPlan = { edits: [{ start: text.length - 2, end: text.length - 1, text: '2' }] };
    const elapsed = cpuTime();
    for (let time = 0; time < 100; time++) expect(unlessExplained(text, WIDER, plan)).toBe(plan);
    expect(elapsed()).toBeLessThan(1000);
  });
});
