import { EksModel } from '../../../lib/eks';
import { configurationAt, isEmptyConfiguration, switchAt } from '../../../lib/eks/analysis/addon';
import { cniCasesOf, isCniChart } from '../../../lib/eks/analysis/cni-cases';
import { chainOf, cniIdentities, isPureAutoMode, isPureFargate } from '../../../lib/eks/analysis/cni';
import { ipFamilyOf } from '../../../lib/eks/analysis/ip-family';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { CNI, cniTemplate, type CniTemplate } from '../../rules/iam/cni-templates';

function modelOf(template: string): EksModel {
  return new EksModel(readTemplates([{ file: 'template.yaml', text: template }]).resources);
}

function identities(options: CniTemplate | string) {
  const model = modelOf(typeof options === 'string' ? options : cniTemplate(options));
  return model.clusterViews
    .flatMap((view) => cniIdentities(model, view))
    .map(({ kind, role, when }) => [kind, role?.id, when.text]);
}

describe('the identity of the VPC CNI', () => {
  it.each<[string, CniTemplate, unknown]>([
    ['the association of the add-on', { identity: 'pod-identity', cniRole: [CNI] }, [['pod-identity', 'CniRole', '']]],
    ['else its service account role', { identity: 'irsa', cniRole: [CNI] }, [['irsa', 'CniRole', '']]],
    [
      'else an association for kube-system/aws-node',
      { identity: 'association', cniRole: [CNI] },
      [['pod-identity', 'CniRole', '']],
    ],
    [
      'else a role that trusts aws-node',
      { version: null, identity: 'irsa', cniRole: [CNI] },
      [['irsa', 'CniRole', '']],
    ],
    ['else the node role', {}, [['node-role', 'NodeRole', '']]],
    ['a role outside the input is an identity too', { identity: 'imported' }, [['irsa', undefined, '']]],
    ['nothing without nodes', { nodeGroup: false }, []],
  ])('is %s', (_, options, expected) => {
    expect(identities(options)).toEqual(expected);
  });

  it('is another one under each condition', () => {
    const options = {
      head: 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]',
      addon: ['ServiceAccountRoleArn: !If [IsProd, "arn:aws:iam::111122223333:role/cni", !Ref AWS::NoValue]'],
    };
    expect(identities(options).map(([kind, , when]) => [kind, when])).toEqual([
      ['irsa', expect.stringContaining('IsProd is true')],
      ['node-role', expect.stringContaining('IsProd is false')],
    ]);
  });

  it('starts from the conditions under which add-ons and associations are created', () => {
    const options: CniTemplate = {
      head: 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]',
      version: null,
      identity: 'association',
      cniRole: [CNI],
    };
    const template = cniTemplate(options).replace('  Association:\n', '  Association:\n    Condition: IsProd\n');
    expect(identities(template)).toEqual([
      ['pod-identity', 'CniRole', 'condition IsProd is true'],
      ['node-role', 'NodeRole', 'condition IsProd is false'],
    ]);
  });

  it('is none that is there under the opposite condition only', () => {
    const head =
      'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]\n  IsTest: !Not [!Condition IsProd]';
    const template = cniTemplate({ head, identity: 'irsa', cniRole: [CNI] }).replace(
      '  Cni:\n',
      '  Cni:\n    Condition: IsProd\n',
    );
    const under = (condition: string) =>
      identities(template.replace('  CniRole:\n', `  CniRole:\n    Condition: ${condition}\n`)).filter(
        ([kind]) => kind === 'irsa',
      );
    expect(under('IsProd')).toEqual([['irsa', 'CniRole', 'condition IsProd is true']]);
    expect(under('IsTest')).toEqual([]);
  });

  it('counts a node role of several groups once', () => {
    const twice =
      cniTemplate({}) +
      cniTemplate({ cluster: '!Ref Cluster', version: null })
        .replace('Resources:\n', '')
        .replace('  Nodes:', '  MoreNodes:')
        .replace(/ {2}NodeRole:\n[\s\S]*$/, '');
    expect(identities(twice)).toEqual([['node-role', 'NodeRole', '']]);
  });

  it('ignores the role that another cluster gives its aws-node', () => {
    const other = cniTemplate({ version: null, nodeGroup: false })
      .replace('Resources:\n', '')
      .replace('  Cluster:', '  Other:');
    expect(identities(cniTemplate({ version: null, identity: 'irsa', cniRole: [CNI] }) + other)).toEqual([
      ['node-role', 'NodeRole', ''],
    ]);
  });

  const all = (text: string) => {
    const model = modelOf(text);
    return model.clusterViews.flatMap((view) => cniIdentities(model, view));
  };

  it.each<[CniTemplate, readonly string[]]>([
    [{ identity: 'pod-identity', cniRole: [CNI] }, ['Cni gives aws-node the role CniRole (Pod Identity)']],
    [{ identity: 'association', cniRole: [CNI] }, ['Association gives aws-node the role CniRole (Pod Identity)']],
    [{ identity: 'irsa', cniRole: [CNI] }, ['Cni gives aws-node the role CniRole (IRSA)']],
    [{ identity: 'imported' }, ['Cni gives aws-node the role a role (IRSA)']],
    [{}, ['aws-node has no role of its own, so on the nodes of Nodes it uses NodeRole']],
    // The trust policy alone says it all.
    [{ version: null, identity: 'irsa', cniRole: [CNI] }, []],
  ])('tells how the CNI comes to its role: %j', (options, expected) => {
    expect(all(cniTemplate(options)).flatMap((identity) => chainOf(identity).map(({ message }) => message))).toEqual(
      expected,
    );
  });

  const P = 'Parameters:\n  P:\n    Type: String';
  const roleOfNodes = (template: string, role: string) => template.replace('NodeRole: !GetAtt NodeRole.Arn', role);

  it.each<[string, string, readonly (readonly unknown[])[]]>([
    ['a role of the input', cniTemplate({ identity: 'irsa', cniRole: [CNI] }), [['irsa', undefined]]],
    [
      'a role outside of the input',
      cniTemplate({ identity: 'imported' }),
      [['irsa', expect.stringMatching(/^role arn:\S+ is not part of the input$/)]],
    ],
    [
      'a role of the add-on that is not known',
      cniTemplate({ head: P, addon: ['ServiceAccountRoleArn: !Ref P'] }),
      [['irsa', expect.stringMatching(/^the role that Cni names is not known \(.*parameter P/)]],
    ],
    [
      'associations of the add-on that are not known',
      cniTemplate({ head: P, addon: ['PodIdentityAssociations: !Ref P'] }),
      [['pod-identity', expect.stringMatching(/^the role that Cni names is not known \(.*parameter P/)]],
    ],
    [
      'a node role that is not known',
      roleOfNodes(cniTemplate({ head: P }), 'NodeRole: !Ref P'),
      [['node-role', expect.stringMatching(/^the role that Nodes names is not known \(.*parameter P/)]],
    ],
    [
      'no node role',
      roleOfNodes(cniTemplate({}), 'NodeRole: !Ref AWS::NoValue'),
      [['node-role', 'Nodes names no role']],
    ],
    [
      'an add-on whose name is not known',
      cniTemplate({ head: P }).replace('AddonName: vpc-cni', 'AddonName: !Ref P'),
      [['node-role', 'add-on Cni, whose name is not known, may be vpc-cni and have a role of its own']],
    ],
    [
      'an association whose service account is not known',
      cniTemplate({ head: P, identity: 'association', cniRole: [CNI] }).replace(
        'ServiceAccount: aws-node',
        'ServiceAccount: !Ref P',
      ),
      [['node-role', 'association Association may be for kube-system/aws-node']],
    ],
    [
      'an association for another namespace',
      cniTemplate({ identity: 'association', cniRole: [CNI] }).replace('Namespace: kube-system', 'Namespace: apps'),
      [['node-role', undefined]],
    ],
    [
      'a role that trusts aws-node, and that the add-on does not name',
      cniTemplate({ identity: 'irsa', cniRole: [CNI] }).replace(/ *ServiceAccountRoleArn: .*\n/, ''),
      [
        [
          'node-role',
          "role CniRole trusts aws-node, but add-on Cni doesn't name it: aws-node uses the node role unless its service account is annotated otherwise",
        ],
      ],
    ],
  ])('tells what is in doubt of %s', (_, text, expected) => {
    expect(all(text).map(({ kind, doubt }) => [kind, doubt])).toEqual(expected);
  });
});

describe('the cluster as the CNI sees it', () => {
  const viewOf = (options: CniTemplate) => {
    const [view] = modelOf(cniTemplate(options)).clusterViews;
    if (view === undefined) throw new Error('no cluster');
    return view;
  };

  it('is IPv4 unless it says otherwise', () => {
    expect(ipFamilyOf(viewOf({}))).toMatchObject({ kind: 'known', value: 'ipv4' });
    expect(ipFamilyOf(viewOf({ family: 'ipv6' }))).toMatchObject({ kind: 'known', value: 'ipv6' });
  });

  it('has an unknown IP family outside the input, or with a text that is none', () => {
    expect(ipFamilyOf(viewOf({ cluster: 'shared' }))).toMatchObject({ kind: 'unknown' });
    expect(ipFamilyOf(viewOf({ family: 'dual' }))).toMatchObject({ kind: 'unknown', reason: '"dual" is no IP family' });
  });

  it('is run by AWS in Auto Mode and on Fargate, unless there are node groups', () => {
    expect(isPureAutoMode(viewOf({ autoMode: true, nodeGroup: false }))).toBe(true);
    expect(isPureAutoMode(viewOf({ autoMode: true }))).toBe(false);
    expect(isPureAutoMode(viewOf({ nodeGroup: false }))).toBe(false);
    expect(isPureAutoMode(viewOf({ cluster: 'shared', nodeGroup: false }))).toBe(false);
    const [staged] = modelOf(
      cniTemplate({
        autoMode: true,
        nodeGroup: false,
        head: 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]',
      }).replace('Enabled: true', 'Enabled: !If [IsProd, true, false]'),
    ).clusterViews;
    expect(staged && isPureAutoMode(staged)).toBe(false);
    expect(isPureFargate(viewOf({ nodeGroup: false }))).toBe(false);
    expect(isPureFargate(viewOf({ fargate: true, nodeGroup: false }))).toBe(true);
    expect(isPureFargate(viewOf({ fargate: true }))).toBe(false);
  });
});

describe('cniCasesOf', () => {
  const casesIn = (options: CniTemplate) =>
    modelOf(cniTemplate(options))
      .clusterViews.flatMap(cniCasesOf)
      .map(({ version, unknownVersion, settings, when }) => [
        version,
        unknownVersion,
        settings.setting('env.WARM_IP_TARGET').kind,
        when.text,
      ]);

  it.each<[string, CniTemplate, unknown[]]>([
    ['a version', { version: 'v1.20.4-eksbuild.2' }, ['v1.20.4-eksbuild.2', undefined, 'default', '']],
    ['a version that names no build', { version: 'v1.20.4' }, [undefined, undefined, 'default', '']],
    ['a word in the place of a version', { version: 'latest' }, [undefined, undefined, 'default', '']],
    ['no version', {}, [undefined, undefined, 'default', '']],
    [
      'a version that is not known',
      { version: '!Ref P', head: 'Parameters:\n  P: { Type: String }' },
      [undefined, expect.stringContaining('parameter P'), 'default', ''],
    ],
    [
      'values',
      { addon: [`ConfigurationValues: '{"env":{"WARM_IP_TARGET":"5"}}'`] },
      [undefined, undefined, 'configured', ''],
    ],
    [
      'values that are not known',
      { addon: ['ConfigurationValues: !Ref P'], head: 'Parameters:\n  P: { Type: String }' },
      [undefined, undefined, 'unknown', ''],
    ],
    ['values that can not be read', { addon: [`ConfigurationValues: '{"env'`] }, [undefined, undefined, 'unknown', '']],
  ])('reads %s', (_, options, expected) => {
    expect(casesIn(options)).toEqual([expected]);
  });

  it('has one case for each way, and none where the add-on is not', () => {
    const head = 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]';
    const options = { head, version: '!If [IsProd, v1.20.4-eksbuild.2, v1.19.0-eksbuild.1]' };
    expect(casesIn(options).map(([version, , , when]) => [version, when])).toEqual([
      ['v1.20.4-eksbuild.2', 'condition IsProd is true'],
      ['v1.19.0-eksbuild.1', 'condition IsProd is false'],
    ]);
    const template = cniTemplate(options).replace('  Cni:\n', '  Cni:\n    Condition: IsProd\n');
    expect(
      modelOf(template)
        .clusterViews.flatMap(cniCasesOf)
        .map(({ version }) => version),
    ).toEqual(['v1.20.4-eksbuild.2']);
    expect(casesIn({ version: null })).toEqual([]);
  });

  it.each([
    ['aws-vpc-cni', true],
    ['oci://public.ecr.aws/charts/aws-vpc-cni', true],
    ['my-aws-vpc-cni', false],
    ['aws-vpc-cni-metrics', false],
  ])('takes the chart %s for that of the VPC CNI: %s', (chart, expected) => {
    expect(isCniChart(chart)).toBe(expected);
  });
});

describe('settings in configuration values', () => {
  const addonWith = (values: string | undefined) => {
    const [addon] = modelOf(
      cniTemplate(values === undefined ? {} : { addon: [`ConfigurationValues: ${values}`] }),
    ).addons;
    if (addon === undefined) throw new Error('no add-on');
    return addon;
  };

  it('are found by path', () => {
    const addon = addonWith(`'{"env":{"ENABLE_POD_ENI":"true"}}'`);
    expect(configurationAt(addon, 'env', 'ENABLE_POD_ENI')).toMatchObject({ kind: 'known', value: 'true' });
    expect(configurationAt(addon, 'init', 'env', 'X')).toMatchObject({ kind: 'absent' });
    expect(configurationAt(addonWith(undefined), 'env', 'ENABLE_POD_ENI')).toMatchObject({ kind: 'absent' });
    expect(configurationAt(addonWith(`'{"env'`), 'env', 'ENABLE_POD_ENI')).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['"1"', false, true],
    ['"TRUE"', false, true],
    ['"0"', true, false],
    ['"f"', true, false],
    ['"yes"', false, false],
    ['"off"', true, true],
    ['true', false, true],
  ])('read the switch %s, by default %s, as the CNI does', (text, byDefault, expected) => {
    expect(switchAt(addonWith(`'{"env":{"A":${text}}}'`), 'A', byDefault)).toMatchObject({
      kind: 'known',
      value: expected,
    });
  });

  it('are empty when nothing is set', () => {
    expect(isEmptyConfiguration({ env: {}, init: { env: {} } })).toBe(true);
    expect(isEmptyConfiguration(null)).toBe(true);
    expect(isEmptyConfiguration({ env: { A: '' } })).toBe(false);
    expect(isEmptyConfiguration([])).toBe(false);
  });
});
