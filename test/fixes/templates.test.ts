import type { TemplateInput } from '../../lib/cloudformation/template-input';
import { repairTemplates } from '../../lib/fixes/templates';

const json = (Resources: object): string => JSON.stringify({ Resources }, null, 1);
const addon = (properties: object) => ({
  Type: 'AWS::EKS::Addon',
  Properties: { ClusterName: 'main', AddonName: 'vpc-cni', AddonVersion: 'v1.21.1-eksbuild.5', ...properties },
});
const OVERWRITE = { ResolveConflicts: 'OVERWRITE', PreserveOnDelete: true };
const WRONG_TYPE = { ...OVERWRITE, ConfigurationValues: '{"env":{"ENABLE_PREFIX_DELEGATION":true}}' };

function repaired(templates: readonly TemplateInput[], isUnsafe: boolean, rules?: readonly string[]) {
  const { files, refused } = repairTemplates(templates, {
    configuration: {},
    isUnsafe,
    isWanted: ({ rule }) => rules?.includes(rule) !== false,
  });
  const properties = files.map(({ file, after }) => {
    const { Resources } = JSON.parse(after) as { Resources: Record<string, { Properties: Record<string, unknown> }> };
    const { ResolveConflicts, ConfigurationValues } = Resources['Cni']?.Properties ?? {};
    return { file, ResolveConflicts, ConfigurationValues };
  });
  return { properties, refused: refused.map(({ finding, reason }) => `${finding.rule}: ${reason}`) };
}

describe('templates in memory', () => {
  const templates = [
    { file: 'one.json', text: json({ Cni: addon(WRONG_TYPE) }) },
    { file: 'other.json', text: json({ Cni: addon({ ...OVERWRITE, ClusterName: 'other' }) }) },
  ];
  const FIXED = '{"env":{"ENABLE_PREFIX_DELEGATION":"true"}}';

  it('are repaired where that is safe', () => {
    expect(repaired(templates, false).properties).toEqual([
      { file: 'one.json', ResolveConflicts: 'OVERWRITE', ConfigurationValues: FIXED },
    ]);
  });

  it('are repaired where that needs a decision, if it is taken', () => {
    expect(repaired(templates, true).properties).toEqual([
      { file: 'one.json', ResolveConflicts: 'PRESERVE', ConfigurationValues: FIXED },
      { file: 'other.json', ResolveConflicts: 'PRESERVE', ConfigurationValues: undefined },
    ]);
  });

  it('stay as they are where nobody wants it', () => {
    expect(repaired(templates, true, [])).toEqual({ properties: [], refused: [] });
    expect(repaired(templates, true, ['vpc-cni-resolve-conflicts']).properties[0]).toMatchObject({
      ConfigurationValues: WRONG_TYPE.ConfigurationValues,
    });
  });

  it('of nested stacks are repaired, too', () => {
    const nested = { file: 'nested.json', text: json({ Cni: addon(OVERWRITE) }) };
    const assembly = { constructPaths: new Map(), acknowledgements: [], asByHand: true } as const;
    const nestedByHand = { ...nested, assembly: { ...assembly, nestedTemplates: new Map() } };
    const whole: TemplateInput = {
      file: 'parent.json',
      text: json({ Nested: { Type: 'AWS::CloudFormation::Stack', Properties: { TemplateURL: 'nested.json' } } }),
      assembly: { ...assembly, nestedTemplates: new Map([['Nested', nestedByHand]]) },
    };
    expect(repaired([whole], true).properties).toMatchObject([{ file: 'nested.json', ResolveConflicts: 'PRESERVE' }]);
  });
});
