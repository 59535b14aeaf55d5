import { EksModel, eniConfigsOf, unseenEniConfigsOf, type ClusterView, type Unknown } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { helmChart, manifest, onCondition, template } from '../../rules/node-templates';
import {
  cni,
  cniWith,
  eniConfig,
  eniManifest,
  ipv4,
  IPV4,
  STAGE,
  staged,
  subnet,
  zonal,
} from '../../rules/vpc-cni/custom-networking-templates';

const PARAMETER = 'Parameters:\n  P: { Type: String }';
const TWO = eniConfig({ 'eu-west-1a': 'subnet-0a', 'eu-west-1b': 'subnet-0b' });

function viewOf(text: string): ClusterView {
  const { resources, diagnostics } = readTemplates([{ file: 'template.yaml', text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [view] = new EksModel(resources).clusterViews;
  if (view === undefined) throw new Error('no cluster in the template');
  return view;
}

/** Resource, name (`?` and what is known of it), id of the subnet in the input, condition. */
function configsOf(text: string): string[] {
  return eniConfigsOf(viewOf(text)).map(({ resource, name, target, when }) =>
    [resource.id, typeof name === 'string' ? name : `? ${name.text ?? ''}`.trim(), target?.id ?? '-', when.text].join(
      ' | ',
    ),
  );
}

const unseenIn = (text: string) =>
  unseenEniConfigsOf(viewOf(text)).map(({ reason, when }) => `${reason} | ${when.text}`);

/** Configuration values with a parameter in the place of `@`. */
const withParameter = (addon: string) =>
  addon.replace(/ConfigurationValues: '(.*)@(.*)'$/m, `ConfigurationValues: !Join ['', ['$1', !Ref P, '$2']]`);

describe('eniConfigsOf', () => {
  it.each<[string, string, readonly string[]]>([
    ['nothing', ipv4(zonal()), []],
    ['the configuration values', ipv4(zonal(TWO)), ['Cni | eu-west-1a | - | ', 'Cni | eu-west-1b | - | ']],
    [
      'the values of the chart',
      ipv4(helmChart('Chart', 'aws-vpc-cni', TWO)),
      ['Chart | eu-west-1a | - | ', 'Chart | eu-west-1b | - | '],
    ],
    ['values that create none', ipv4(zonal({ eniConfig: { ...(TWO['eniConfig'] as object), create: false } })), []],
    ['values without subnets', ipv4(zonal({ eniConfig: { create: true } })), []],
    ['values whose subnets are a list', ipv4(zonal({ eniConfig: { create: true, subnets: ['subnet-0a'] } })), []],
    [
      'values whose subnet is a text',
      ipv4(zonal({ eniConfig: { create: true, subnets: { 'eu-west-1a': 'subnet-0a', 'eu-west-1b': null } } })),
      ['Cni | eu-west-1a | - | ', 'Cni | eu-west-1b | - | '],
    ],
    ['a manifest', ipv4(eniManifest('One', 'eu-west-1a')), ['One | eu-west-1a | - | ']],
    [
      'a manifest of another kind',
      ipv4(manifest('Map', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'eu-west-1a' } })),
      [],
    ],
    [
      'a list of manifests',
      ipv4(
        manifest('All', {
          apiVersion: 'v1',
          kind: 'List',
          items: [{ kind: 'ENIConfig', metadata: { name: 'eu-west-1a' } }, { kind: 'ConfigMap' }],
        }),
      ),
      ['All | eu-west-1a | - | '],
    ],
    ['a manifest without name', ipv4(manifest('One', { kind: 'ENIConfig', spec: {} })), ['One | ? | - | ']],
    [
      'a manifest whose name is a number',
      ipv4(manifest('One', { kind: 'ENIConfig', metadata: { name: 7 } })),
      ['One | ? | - | '],
    ],
    [
      'a subnet of the input',
      ipv4(subnet('Pods', 'eu-west-1a'), eniManifest('One', 'eu-west-1a', '!Ref Pods')),
      ['One | eu-west-1a | Pods | '],
    ],
    [
      'a subnet of the input by its attribute',
      ipv4(subnet('Pods', 'eu-west-1a'), eniManifest('One', 'eu-west-1a', '!GetAtt Pods.SubnetId')),
      ['One | eu-west-1a | Pods | '],
    ],
    [
      'another attribute than the id of a subnet',
      ipv4(subnet('Pods', 'eu-west-1a'), eniManifest('One', 'eu-west-1a', '!GetAtt Pods.VpcId')),
      ['One | eu-west-1a | - | '],
    ],
    [
      'a subnet from a parameter',
      template(PARAMETER, IPV4, eniManifest('One', 'eu-west-1a', '!Ref P')),
      ['One | eu-west-1a | - | '],
    ],
    [
      'a zone that deployment chooses',
      ipv4(eniManifest('One', '!Select [0, !GetAZs ""]')),
      ['One | ? ${Fn::GetAZs[0]} | - | '],
    ],
    ['a zone of the region', ipv4(eniManifest('One', '!Sub "${AWS::Region}a"')), ['One | ? ${AWS::Region}a | - | ']],
    [
      'a name that SSM tells',
      ipv4(eniManifest('One', "'{{resolve:ssm:/zones/first}}'")),
      ['One | ? {{resolve:ssm:/zones/first}} | - | '],
    ],
    [
      'a key from a parameter',
      template(PARAMETER, IPV4, withParameter(zonal(eniConfig({ '@': 'subnet-0a' })))),
      ['Cni | ? ${P} | - | '],
    ],
    [
      'a subnet from a parameter in the values',
      template(PARAMETER, IPV4, withParameter(zonal(eniConfig({ 'eu-west-1a': '@' })))),
      ['Cni | eu-west-1a | - | '],
    ],
    [
      'a manifest that is not known',
      template(PARAMETER, IPV4, manifest('Some', {}).replace(/Manifest: .*/, 'Manifest: !Ref P')),
      [],
    ],
    [
      'a manifest under a condition',
      staged(onCondition('IsProd', eniManifest('One', 'eu-west-1a'))),
      ['One | eu-west-1a | - | condition IsProd is true'],
    ],
    [
      'values in either branch',
      template(
        STAGE,
        IPV4,
        cni().replace(
          /ConfigurationValues: .*/,
          `ConfigurationValues: !If [IsProd, '${JSON.stringify(eniConfig({ 'eu-west-1a': 'subnet-0a' }))}', '${JSON.stringify(eniConfig({ 'eu-west-1b': 'subnet-0b' }))}']`,
        ),
      ),
      ['Cni | eu-west-1a | - | condition IsProd is true', 'Cni | eu-west-1b | - | condition IsProd is false'],
    ],
  ])('reads %s', (_, text, expected) => {
    expect(configsOf(text)).toEqual(expected);
  });

  it('finds the subnet of a key in the values', () => {
    const values = zonal(eniConfig({ 'eu-west-1a': '@' })).replace(
      /ConfigurationValues: '(.*)@(.*)'$/m,
      `ConfigurationValues: !Join ['', ['$1', !Ref Pods, '$2']]`,
    );
    expect(configsOf(ipv4(subnet('Pods', 'eu-west-1a'), values))).toEqual(['Cni | eu-west-1a | Pods | ']);
  });

  it('keeps security groups as they are written', () => {
    const text = ipv4(
      manifest('One', {
        kind: 'ENIConfig',
        metadata: { name: 'eu-west-1a' },
        spec: { subnet: 'subnet-0a', securityGroups: ['sg-0a'] },
      }),
      eniManifest('Two', 'eu-west-1b'),
    );
    expect(eniConfigsOf(viewOf(text)).map(({ subnet: id, securityGroups }) => [id, securityGroups])).toEqual([
      ['subnet-0a', ['sg-0a']],
      ['subnet-0a', undefined],
    ]);
  });

  const object = (changes: object) => ({
    apiVersion: 'crd.k8s.amazonaws.com/v1alpha1',
    kind: 'ENIConfig',
    metadata: { name: 'eu-west-1a' },
    spec: { subnet: 'subnet-0a' },
    ...changes,
  });
  const NO_SUBNET = { kind: 'no-subnet' };
  const apiVersion = (found: string) => ({ kind: 'api-version', found });

  it.each<[string, string, readonly unknown[]]>([
    ['a sound one', ipv4(manifest('One', object({}))), [undefined]],
    [
      'another version',
      ipv4(manifest('One', object({ apiVersion: 'crd.k8s.amazonaws.com/v1' }))),
      [apiVersion('the apiVersion "crd.k8s.amazonaws.com/v1"')],
    ],
    [
      'a misspelt group',
      ipv4(manifest('One', object({ apiVersion: 'crd.k8s.amazonws.com/v1alpha1' }))),
      [apiVersion('the apiVersion "crd.k8s.amazonws.com/v1alpha1"')],
    ],
    [
      'a group in capitals',
      ipv4(manifest('One', object({ apiVersion: 'CRD.K8S.AMAZONAWS.COM/v1alpha1' }))),
      [apiVersion('the apiVersion "CRD.K8S.AMAZONAWS.COM/v1alpha1"')],
    ],
    ['a group of somebody else', ipv4(manifest('One', object({ apiVersion: 'crd.example.com/v1alpha1' }))), []],
    [
      'a very long group',
      ipv4(manifest('One', object({ apiVersion: `${'crd.k8s.amazonaws.com'.repeat(3)}/v1alpha1` }))),
      [],
    ],
    ['no version', ipv4(manifest('One', object({ apiVersion: undefined }))), [apiVersion('no apiVersion')]],
    ['a version of null', ipv4(manifest('One', object({ apiVersion: null }))), [apiVersion('no apiVersion')]],
    ['a version that is a number', ipv4(manifest('One', object({ apiVersion: 1 }))), [apiVersion('the apiVersion 1')]],
    [
      'a kind in another case',
      ipv4(manifest('One', object({ kind: 'EniConfig' }))),
      [{ kind: 'kind', found: 'EniConfig' }],
    ],
    ['another kind of the group', ipv4(manifest('One', object({ kind: 'CNINode' }))), []],
    [
      'a kind in another case, of another group',
      ipv4(manifest('One', object({ kind: 'EniConfig', apiVersion: 'example.com/v1' }))),
      [],
    ],
    ['no subnet', ipv4(manifest('One', object({ spec: {} }))), [NO_SUBNET]],
    ['a subnet of null', ipv4(manifest('One', object({ spec: { subnet: null } }))), [NO_SUBNET]],
    ['a subnet that is empty', ipv4(manifest('One', object({ spec: { subnet: '' } }))), [NO_SUBNET]],
    ['no spec', ipv4(manifest('One', object({ spec: undefined }))), [NO_SUBNET]],
    [
      'a key of the spec that may be the subnet',
      ipv4(manifest('One', object({ spec: { '{{resolve:ssm:/key}}': 'subnet-0a' } }))),
      [undefined],
    ],
    [
      'a wrong version and no subnet',
      ipv4(manifest('One', object({ apiVersion: null, spec: {} }))),
      [apiVersion('no apiVersion')],
    ],
    [
      'values of an add-on, which its schema judges',
      ipv4(zonal({ eniConfig: { create: true, subnets: { 'eu-west-1a': {} } } })),
      [undefined],
    ],
    [
      'values of the chart',
      ipv4(helmChart('Chart', 'aws-vpc-cni', { eniConfig: { create: true, subnets: { 'eu-west-1a': {} } } })),
      [NO_SUBNET],
    ],
  ])('tells what is wrong with %s', (_, text, expected) => {
    expect(eniConfigsOf(viewOf(text)).map(({ defect }) => defect)).toEqual(expected);
  });

  it('tells why a name is not known', () => {
    const [config] = eniConfigsOf(viewOf(template(PARAMETER, IPV4, eniManifest('One', '!Ref P'))));
    expect((config?.name as Unknown).reason).toContain('parameter P');
  });

  it('gives the same answer twice', () => {
    const view = viewOf(ipv4(zonal(TWO)));
    expect(eniConfigsOf(view)).toBe(eniConfigsOf(view));
  });
});

describe('unseenEniConfigsOf', () => {
  const unknown = manifest('Some', {}).replace(/Manifest: .*/, 'Manifest: !Ref P');

  it.each<[string, string, readonly string[]]>([
    ['nothing', ipv4(zonal(TWO), eniManifest('One', '!Select [0, !GetAZs ""]')), []],
    ['a manifest from a parameter', template(PARAMETER, IPV4, unknown), ["what Some applies isn't known | "]],
    [
      'a manifest in one of two forms',
      staged(manifest('Some', {}).replace(/Manifest: .*/, `Manifest: !If [IsProd, '[{"kind":"ENIConfig"}]', '[]']`)),
      ["what Some applies isn't known | "],
    ],
    [
      'a manifest that can not be read',
      ipv4(manifest('Some', {}).replace(/Manifest: .*/, `Manifest: '[{"kind":'`)),
      ["what Some applies isn't known | "],
    ],
    [
      'a manifest under a condition',
      template(STAGE.replace('  Stage:', '  P: { Type: String }\n  Stage:'), IPV4, onCondition('IsProd', unknown)),
      ["what Some applies isn't known | condition IsProd is true"],
    ],
    [
      'a kind from a parameter',
      template(
        PARAMETER,
        IPV4,
        manifest('Some', { kind: '@' }).replace(
          /Manifest: '(.*)@(.*)'$/m,
          `Manifest: !Join ['', ['$1', !Ref P, '$2']]`,
        ),
      ),
      ["what Some applies isn't known | "],
    ],
    [
      'items from a parameter',
      template(
        PARAMETER,
        IPV4,
        manifest('Some', { kind: 'List', items: '@' }).replace(
          /Manifest: '(.*)@(.*)'$/m,
          `Manifest: !Join ['', ['$1', !Ref P, '$2']]`,
        ),
      ),
      ["what Some applies isn't known | "],
    ],
    ['charts of other things', ipv4(helmChart('Load', 'aws-load-balancer-controller', {})), []],
    [
      'a chart of ENIConfigs',
      ipv4(helmChart('Own', 'oci://registry.example.com/eniconfigs', {})),
      ["which objects the Helm chart of Own holds isn't known | "],
    ],
    [
      'a chart that comes as a file',
      ipv4(helmChart('Own', '!Ref AWS::NoValue', {})),
      ["which objects the Helm chart of Own holds isn't known | "],
    ],
    [
      'configuration values from a parameter',
      template(PARAMETER, IPV4, zonal().replace(/ConfigurationValues: .*/, 'ConfigurationValues: !Ref P')),
      [expect.stringContaining('whether the configuration values create ENIConfigs')],
    ],
    [
      'subnets from a parameter of which none is created',
      template(PARAMETER, IPV4, withParameter(cniWith({ eniConfig: { create: false, subnets: '@' } }))),
      [],
    ],
    [
      'a chart of ENIConfigs under a condition',
      staged(onCondition('IsProd', helmChart('Own', 'eni-config', {}))),
      ["which objects the Helm chart of Own holds isn't known | condition IsProd is true"],
    ],
    [
      'a chart for custom networking',
      ipv4(helmChart('Own', 'CustomNetworking', {})),
      ["which objects the Helm chart of Own holds isn't known | "],
    ],
    ["the CNI's own chart in a folder of that name", ipv4(helmChart('Own', 'custom-network/aws-vpc-cni', {})), []],
    [
      'subnets from a parameter',
      template(PARAMETER, IPV4, withParameter(cniWith({ eniConfig: { create: true, subnets: '@' } }))),
      [expect.stringContaining('which ENIConfigs the configuration values create')],
    ],
  ])('tells of %s', (_, text, expected) => {
    expect(unseenIn(text)).toEqual(expected);
  });
});
