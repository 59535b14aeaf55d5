import { RESOURCE_TABLES, repairPath } from '../../../lib/eks/resources';
import {
  isWhole,
  propertyPath,
  stepsOf,
  type ResourceTable,
  type Setting,
  type WholeTable,
} from '../../../lib/eks/resources/table';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';

const named = RESOURCE_TABLES.map((table): [string, ResourceTable] => [table.cloudFormation.join(', '), table]);

/** A setting and those in its block. */
function allOf(setting: Setting): readonly Setting[] {
  return [setting, ...('settings' in setting ? Object.values(setting.settings) : [])];
}

describe('a table of a resource', () => {
  it.each(named)('of %s writes names as CloudFormation and Terraform do', (_, table) => {
    const settings = Object.values(table.settings).flatMap(allOf);
    const isOfApi = table.root === 'Config';
    for (const { cloudFormation, terraform } of settings) {
      for (const step of cloudFormation === undefined ? [] : stepsOf(cloudFormation))
        expect(step).toMatch(isOfApi ? /^[a-z][A-Za-z0-9]*$/ : /^[A-Z][A-Za-z0-9]*$/);
      for (const step of terraform === undefined ? [] : stepsOf(terraform)) expect(step).toMatch(/^[a-z][a-z0-9_]*$/);
    }
  });

  it.each(named)('of %s reads no name twice as something else', (_, table) => {
    const types = new Map<string, string>();
    for (const setting of Object.values(table.settings)) {
      const path = propertyPath(table, setting)?.join('.');
      // Templates have no name for some.
      if (path === undefined) continue;
      expect([path, types.get(path) ?? setting.type]).toEqual([path, setting.type]);
      types.set(path, setting.type);
    }
  });

  it('is the only one of its types', () => {
    const types = RESOURCE_TABLES.flatMap(({ cloudFormation, terraform }) => [...cloudFormation, ...terraform]);
    expect(new Set(types).size).toBe(types.length);
  });
});

describe('a table that says all of a resource', () => {
  const whole = RESOURCE_TABLES.filter(isWhole).map((table): [string, WholeTable] => [table.kind, table]);

  it.each(whole)('is enough for %s to be read', (kind, { cloudFormation, settings }) => {
    const text = JSON.stringify({
      Resources: Object.fromEntries(cloudFormation.map((type, index) => [`R${index}`, { Type: type }])),
    });
    const { resources } = readTemplates([{ file: 'template.json', text }]);
    expect(resources.map((resource) => resource.kind)).toEqual(cloudFormation.map(() => kind));
    for (const resource of resources)
      for (const name of Object.keys(settings)) expect(resource).toHaveProperty([name, 'kind'], 'absent');
  });
});

describe('the setting of a repair', () => {
  const fields = allRules.flatMap(({ messages }) =>
    Object.values(messages).flatMap(({ fix }) => (fix.repairs ?? []).map(({ field }) => field)),
  );

  it.each([...new Set(fields)])('%s has a place in templates and in Terraform, of the same resource', (field) => {
    const found = RESOURCE_TABLES.filter(
      ({ cloudFormation: [type = ''] }) => repairPath(type, field, 'cloudFormation') !== undefined,
    );
    expect(found).not.toEqual([]);
    for (const { terraform } of found) {
      // The custom resources of the CDK have no twin.
      for (const type of terraform) expect(repairPath(type, field, 'terraform')).toBeDefined();
    }
  });

  it('is in an item of a list, or is the whole block', () => {
    expect([
      repairPath('AWS::EC2::LaunchTemplate', 'networkInterfaces.subnet', 'cloudFormation'),
      repairPath('aws_launch_template', 'networkInterfaces.subnet', 'terraform'),
      repairPath('AWS::EC2::LaunchTemplate', 'hibernation', 'cloudFormation'),
      repairPath('AWS::EC2::LaunchTemplate', 'name', 'cloudFormation'),
    ]).toEqual([
      ['LaunchTemplateData', 'NetworkInterfaces', '*', 'SubnetId'],
      ['network_interfaces', '*', 'subnet_id'],
      ['LaunchTemplateData', 'HibernationOptions'],
      ['LaunchTemplateName'],
    ]);
  });

  it('is none of what each change replaces, of other types, and of what is no setting', () => {
    expect([
      repairPath('AWS::AutoScaling::LaunchConfiguration', 'metadata.hopLimit', 'cloudFormation'),
      repairPath('aws_eks_addon', 'amiType', 'terraform'),
      repairPath('AWS::S3::Bucket', 'amiType', 'cloudFormation'),
      repairPath('aws_launch_template', 'metadata.other', 'terraform'),
      repairPath('aws_eks_addon', 'name.other', 'terraform'),
    ]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});
