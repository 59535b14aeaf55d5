import { allRules, checkPaths, checkTemplates, ConfigurationError, FORMATS, maxPods, render } from '../../lib';
import { nodeGroupTemplate, workspace } from './workspace';

const bad = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);
const folder = workspace({
  'error.yaml': bad,
  'clean.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 2', 'HttpTokens: required']),
});

describe('the package root', () => {
  it('checks files', () => {
    expect(checkPaths([`${folder}/error.yaml`]).summary.error).toBe(1);
    expect(checkPaths([`${folder}/clean.yaml`]).summary.error).toBe(0);
  });

  it('checks templates in memory, as text and as objects', () => {
    const text = checkTemplates([{ file: 'error.yaml', text: bad }]);
    expect(
      text.findings.filter(({ severity }) => severity === 'error').map(({ rule, resource }) => [rule, resource.id]),
    ).toEqual([['imds-hop-limit', 'Template']]);
    const content = {
      Resources: {
        Workers: { Type: 'AWS::EKS::Nodegroup', Properties: { ClusterName: 'prod', ForceUpdateEnabled: true } },
      },
    };
    expect(checkTemplates([{ file: 'memory.json', content }]).findings.map(({ rule }) => rule)).toContain(
      'node-group-force-update',
    );
  });

  it('tells that nothing was checked when there is no path', () => {
    const { diagnostics, inputs } = checkPaths([]);
    expect(inputs).toEqual([]);
    expect(diagnostics).toMatchObject([
      { severity: 'error', message: expect.stringContaining('nothing was checked') as string },
    ]);
  });

  it('refuses a configuration that names what does not exist, before it reads anything', () => {
    expect(() => checkPaths([`${folder}/no-such-file.yaml`], { rules: { 'imds-v9': 'off' } })).toThrow(
      ConfigurationError,
    );
    expect(() => checkTemplates([], { rules: { 'imds-v9': 'off' } })).toThrow(
      'there is no rule "imds-v9"; did you mean "imds-v1"?',
    );
  });

  it('counts in the summary what the findings say', () => {
    const { findings, summary } = checkPaths([folder]);
    const counted = findings.filter(({ suppressed }) => suppressed === undefined);
    expect(summary.error).toBe(
      counted.filter(({ verdict, severity }) => verdict === 'fail' && severity === 'error').length,
    );
    expect(summary.unverifiable).toBe(counted.filter(({ verdict }) => verdict === 'unverifiable').length);
  });

  it('renders results in every format', () => {
    const result = checkPaths([`${folder}/error.yaml`]);
    const context = {
      version: '1.2.3',
      readSource: () => bad,
      colour: false,
      width: 80,
      list: { info: true, unverifiable: true, suppressed: true },
    };
    for (const format of Object.keys(FORMATS) as (keyof typeof FORMATS)[])
      expect(render(format, result, context)).toContain('imds-hop-limit');
  });

  it('offers the rules and the calculators', () => {
    expect(allRules.map(({ id }) => id)).toContain('imds-hop-limit');
    expect(maxPods('m5.large').capacity).toBe(29);
  });
});
