import { join } from 'node:path';
import Ajv from 'ajv';
import { checkTemplates } from '../../lib/check';
import { knowledgeOf, knowledgeSchema } from '../../lib/configuration/knowledge-file';
import {
  addonTableAsOf,
  addonVersions,
  amiType,
  defaultAddonVersion,
  kubernetesMinor,
  kubernetesMinors,
  kubernetesMinorsAsOf,
  knowsRemovalsOf,
  lastVersionOfFeatureGate,
  oldestKarpenter,
  oldTables,
  removedApi,
  withOverlay,
  type KnowledgeOverlay,
} from '../../lib/knowledge';
import { knowledgeNotes } from '../../lib/reports/summary';
import { workspace } from '../cli/workspace';

const OVERLAY: KnowledgeOverlay = {
  asOf: '2026-12-15',
  tables: {
    'kubernetes-versions': {
      versions: [
        { version: '1.37', eksRelease: '2026-12-08', endStandard: '2028-02-08', endExtended: '2029-02-08' },
        { version: '1.38' },
        { version: '1.36', endStandard: '2027-09-02' },
      ],
    },
    'addon-versions': {
      addons: {
        'vpc-cni': {
          versions: [{ version: 'v1.24.0-eksbuild.1', clusters: ['1.36', '1.37'], defaultFor: ['1.36', '1.37'] }],
        },
        'my-addon': { versions: [{ version: 'v1.0.0-eksbuild.1', clusters: ['1.37'] }] },
      },
    },
    'ami-types': {
      amiTypes: [{ name: 'AL2027_x86_64_STANDARD', family: 'AL2023', architecture: 'x86_64', minVersion: '1.37' }],
    },
    'kubelet-feature-gates': { gates: { KubeletInUserNamespace: '1.36' } },
    'karpenter-versions': { oldest: { '1.37': '1.15' } },
    'removed-apis': {
      knownTo: '1.37',
      apis: [{ apiVersion: 'a/v1beta1', kind: 'Thing', removedIn: '1.37', use: 'a/v1' }],
    },
  },
};

describe('newer rows for tables', () => {
  it('take the place of those of the same version of an add-on', () => {
    const version = addonVersions('vpc-cni')[0]?.version ?? '';
    const addons = { 'vpc-cni': { versions: [{ version, clusters: ['1.37'] }] } };
    withOverlay({ asOf: '2026-12-15', tables: { 'addon-versions': { addons } } }, () => {
      const rows = addonVersions('vpc-cni').filter((one) => one.version === version);
      expect(rows.map(({ clusterMinors }) => clusterMinors)).toEqual([['1.37']]);
    });
  });

  it('are seen by all that look, and only as long as they count', () => {
    withOverlay(OVERLAY, () => {
      expect(kubernetesMinors().at(-1)?.version).toBe('1.38');
      expect(kubernetesMinor('1.37')).toMatchObject({ eksRelease: '2026-12-08', upstreamRelease: '2026-08-26' });
      expect(kubernetesMinor('1.36')).toMatchObject({ eksRelease: '2026-06-02', endStandard: '2027-09-02' });
      expect([kubernetesMinorsAsOf(), addonTableAsOf()]).toEqual(['2026-12-15', '2026-12-15']);
      expect(defaultAddonVersion('vpc-cni', '1.37')).toBe('v1.24.0-eksbuild.1');
      // What was the default isn't any more, where another is.
      expect(addonVersions('vpc-cni').filter(({ defaultFor }) => defaultFor.includes('1.36'))).toHaveLength(1);
      expect(defaultAddonVersion('vpc-cni', '1.35')).toBe('v1.22.4-eksbuild.3');
      expect(addonVersions('vpc-cni')[0]?.version).toBe('v1.24.0-eksbuild.1');
      expect(addonVersions('my-addon')).toHaveLength(1);
      expect(amiType('AL2027_x86_64_STANDARD')).toMatchObject({ minVersion: '1.37', fips: false });
      expect(lastVersionOfFeatureGate('KubeletInUserNamespace')).toBe('1.36');
      expect(oldestKarpenter('1.37')).toBe('1.15');
      expect(knowsRemovalsOf('1.37')).toBe(true);
      expect(removedApi('a/v1beta1', 'Thing')).toMatchObject({ removedIn: '1.37' });
    });
    expect(kubernetesMinor('1.37')).not.toHaveProperty('eksRelease');
    expect(kubernetesMinor('1.36')).toMatchObject({ endStandard: '2027-08-02' });
    expect(addonVersions('my-addon')).toEqual([]);
    expect(lastVersionOfFeatureGate('KubeletInUserNamespace')).toBeUndefined();
    expect(oldestKarpenter('1.37')).toBeUndefined();
  });

  it('go when what runs with them throws', () => {
    expect(() =>
      withOverlay(OVERLAY, () => {
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(oldestKarpenter('1.37')).toBeUndefined();
  });
});

describe('a file of newer rows', () => {
  const folder = workspace({
    'newer.json': JSON.stringify(OVERLAY),
    'newer.yaml': 'asOf: 2027-01-31\ntables:\n  karpenter-versions:\n    oldest:\n      "1.37": "1.15"\n',
    'table.json': '{ "asOf": "2027-01-31", "tables": { "kubernetes-version": {} } }',
    'row.json':
      '{\n "asOf": "2027-01-31",\n "tables": { "kubernetes-versions": { "versions": [{ "version": 1.37 }] } }\n}',
    'day.json': '{ "asOf": "soon", "tables": {} }',
    'broken.json': '{ "asOf": ',
    'cluster.yaml': '',
  });
  const read = (name: string) => knowledgeOf({ knowledge: join(folder, name) });

  it('is JSON or YAML', () => {
    expect(read('newer.json')?.overlay).toMatchObject({ asOf: '2026-12-15' });
    expect(read('newer.yaml')?.overlay.tables).toEqual({ 'karpenter-versions': { oldest: { '1.37': '1.15' } } });
    expect(knowledgeOf({})).toBeUndefined();
  });

  it.each([
    ['table.json', 'there is no table "kubernetes-version"; did you mean "kubernetes-versions"?'],
    ['row.json', ':3:'],
    [
      'row.json',
      'tables.kubernetes-versions.versions[0].version: expected a Kubernetes version such as 1.37, found 1.37',
    ],
    ['day.json', 'asOf: expected a day such as 2027-01-31, found "soon"'],
    ['broken.json', 'broken.json:1:'],
    ['missing.json', 'there is no such file or folder'],
  ])('that is none is refused with its place: %s', (name, expected) => {
    expect(() => read(name)).toThrow(expected);
  });

  it('is what the schema says', () => {
    const validate = new Ajv({ strict: false }).compile(knowledgeSchema());
    expect(validate(OVERLAY)).toBe(true);
    expect(validate({ asOf: '2027-01-31', tables: { other: {} } })).toBe(false);
    expect(validate({ asOf: '2027-01-31', tables: { 'removed-apis': { apis: [{ kind: 'Thing' }] } } })).toBe(false);
  });

  const TEMPLATE = [
    {
      file: 'cluster.yaml',
      text: "Resources:\n  Cluster:\n    Type: AWS::EKS::Cluster\n    Properties:\n      Version: '1.37'\n      RoleArn: arn:aws:iam::111122223333:role/cluster\n      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }\n",
    },
  ];
  const supportOf = (knowledge?: string) =>
    checkTemplates(TEMPLATE, { asOf: '2026-12-20', ...(knowledge === undefined ? {} : { knowledge }) });

  it('decides what rules say, and the report tells of it', () => {
    const said = ({ findings }: ReturnType<typeof supportOf>) =>
      findings.filter(({ rule }) => rule === 'cluster-version-support').map(({ verdict }) => verdict);
    expect(said(supportOf())).toEqual(['unverifiable']);
    const result = supportOf(join(folder, 'newer.json'));
    expect(said(result)).toEqual([]);
    expect(knowledgeNotes(result)[0]).toMatch(
      /^Judged with the rows of .*newer\.json \(as of 2026-12-15\) for kubernetes-versions, /,
    );
  });
});

describe('old tables', () => {
  it('are those of which the day is more than 90 days ago', () => {
    const names = (day: string) => oldTables(day).map(({ name }) => name);
    expect(names('2026-11-19')).toEqual([]);
    expect(names('2026-11-20')).toEqual(['karpenter-versions']);
    const others = [
      'vpc-cni-schema',
      'instance-types',
      'managed-policies',
      'controller-policies',
      'karpenter-versions',
    ];
    expect(names('2026-11-21')).toEqual(['addon-versions', ...others]);
    expect(names('2027-03-01')).toEqual(['kubernetes-versions', 'addon-versions', 'ami-types', ...others]);
    expect(withOverlay(OVERLAY, () => names('2027-03-01'))).toEqual(others.slice(0, -1));
  });

  it('are told in one line, by the day of the check', () => {
    const notes = (asOf: string) => knowledgeNotes(checkTemplates([], { asOf }));
    expect(notes('2026-11-19')).toEqual([]);
    expect(notes('2026-11-26')).toEqual([
      'More than 90 days old: addon-versions, vpc-cni-schema, instance-types, managed-policies and controller-policies (2026-08-22), karpenter-versions (2026-08-21). npm install eks-guardrails@latest brings newer tables, --knowledge FILE rows of your own.',
    ]);
  });
});
