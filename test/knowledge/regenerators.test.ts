import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  addonVersions,
  cniPermissions,
  knownAddons,
  lastVersionOfFeatureGate,
  managedPolicy,
  managedPolicyNames,
  removedApis,
  removedFeatureGates,
} from '../../lib/knowledge';
import { describeWithAll, itWithAll } from '../share';

const root = join(__dirname, '../..');

/** A copy of scripts and tables, and an upstream repository made from the tables: what AWS would have to say for them to be right. */
class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'knowledge-'));
  readonly upstream = join(this.folder, 'upstream');

  constructor(files: Readonly<Record<string, string>>) {
    cpSync(join(root, 'scripts/knowledge'), join(this.folder, 'scripts/knowledge'), { recursive: true });
    cpSync(join(root, 'lib/knowledge/data'), join(this.folder, 'lib/knowledge/data'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
    mkdirSync(this.upstream);
    this.git('init', '--quiet');
    this.commit(files);
  }

  commit(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.upstream, path)), { recursive: true });
      writeFileSync(join(this.upstream, path), text);
    }
    this.git('add', '--all');
    this.git(
      '-c',
      'user.name=Test',
      '-c',
      'user.email=test@example.com',
      'commit',
      '--quiet',
      '--no-gpg-sign',
      '--date=2030-01-02T00:00:00Z',
      '-m',
      'snapshot',
    );
  }

  run(script: string, ...args: string[]): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(this.folder, 'scripts/knowledge', `${script}.mjs`), ...args],
      { encoding: 'utf8' },
    );
    return { status, output: stdout + stderr };
  }

  table(name: string): string {
    return readFileSync(join(this.folder, 'lib/knowledge/data', `${name}.json`), 'utf8');
  }

  tag(name: string): void {
    this.git('tag', name);
  }

  private git(...args: string[]): void {
    execFileSync('git', ['-C', this.upstream, ...args], {
      env: { ...process.env, GIT_COMMITTER_DATE: '2030-01-02T00:00:00Z' },
    });
  }
}

/** The deprecation guide of Kubernetes, as far as the table has it. */
function deprecationGuide(): string {
  const releases = new Map<string, string[]>();
  for (const { apiVersion, kind, removedIn, use, since } of removedApis()) {
    const migrate =
      use === undefined
        ? ''
        : `\n* Migrate manifests and API clients to use the **${use}** API version${since === undefined ? '' : `, available since v${since}`}.\n`;
    const sentence =
      use === undefined
        ? `${kind} in the **${apiVersion}** API version is no longer served as of v${removedIn},\nand more.`
        : `The **${apiVersion}** API version of ${kind} is no longer served as of v${removedIn}.`;
    const sections = releases.get(removedIn) ?? [];
    releases.set(removedIn, [...sections, `#### ${kind}\n\n${sentence}\n${migrate}`]);
  }
  return `# Guide\n\n## Removed APIs by release\n\n${[...releases].map(([version, sections]) => `### v${version}\n\n${sections.join('\n')}`).join('\n')}`;
}

const workshops: Workshop[] = [];

function workshop(files: Readonly<Record<string, string>>): Workshop {
  const made = new Workshop(files);
  workshops.push(made);
  return made;
}

afterAll(() => {
  for (const { folder } of workshops) rmSync(folder, { recursive: true, force: true });
});

function addonFiles(): Record<string, string> {
  const table = JSON.parse(readFileSync(join(root, 'lib/knowledge/data/addon-versions.json'), 'utf8')) as {
    addons: Record<string, { requiresIamPermissions: boolean; computeTypesOfNewest: string[] }>;
  };
  return Object.fromEntries(
    knownAddons().map((name) => [
      `data/${name}/addon.json`,
      JSON.stringify({
        addonVersions: addonVersions(name).map(({ version, clusterMinors, defaultFor }) => ({
          addonVersion: version,
          computeTypes: table.addons[name]?.computeTypesOfNewest,
          requiresIamPermissions: table.addons[name]?.requiresIamPermissions,
          compatibilities: clusterMinors.map((clusterVersion) => ({
            clusterVersion,
            defaultVersion: defaultFor.includes(clusterVersion),
          })),
        })),
      }),
    ]),
  );
}

function policyFile(name: string, statements: readonly object[]): Record<string, string> {
  const { version, created } = managedPolicy(name) ?? { version: '', created: '' };
  return {
    [`policies/${name}`]: JSON.stringify({
      PolicyVersion: {
        Document: { Statement: statements },
        VersionId: version,
        CreateDate: `${created}T00:00:00+00:00`,
      },
    }),
  };
}

/** What IAM lists: paths of the table, but for those that are given. */
function policyList(moved: Readonly<Record<string, string>> = {}): Record<string, string> {
  const path = join(root, 'lib/knowledge/data/managed-policies-index.json');
  const { paths } = JSON.parse(readFileSync(path, 'utf8')) as { paths: Record<string, string> };
  const Policies = Object.entries(paths).map(([PolicyName, before]) => ({
    PolicyName,
    Path: moved[PolicyName] ?? `/${before}`,
  }));
  return { 'policies-list.json': JSON.stringify({ Policies }) };
}

function policyFiles(): Record<string, string> {
  return Object.assign(
    {},
    ...managedPolicyNames().map((name) =>
      policyFile(
        name,
        (managedPolicy(name)?.statements ?? []).map(({ actions, resources, conditional }) => ({
          Effect: 'Allow',
          Action: [...actions].reverse(),
          Resource: resources,
          ...(conditional === true ? { Condition: { Bool: { x: 'y' } } } : {}),
        })),
      ),
    ),
  ) as Record<string, string>;
}

// Nobody but who refreshes the tables runs them.
describeWithAll('the regenerators', () => {
  it('find the add-on versions up to date, and write the same bytes but for the provenance', () => {
    const shop = workshop(addonFiles());
    expect(shop.run('addon-versions', shop.upstream, '--check')).toEqual({
      status: 0,
      output: 'addon-versions: the table is up to date\n',
    });
    const before = shop.table('addon-versions');
    expect(shop.run('addon-versions', shop.upstream)).toEqual({
      status: 0,
      output: 'addon-versions: written, 0 changes\n',
    });
    const after = shop.table('addon-versions');
    const lines = (text: string) => text.split('\n');
    const changed = lines(after).filter((line, index) => line !== lines(before)[index]);
    expect(changed).toHaveLength(2);
    expect(changed[0]).toBe(' "asOf": "2030-01-02",');
    expect(changed[1]).toMatch(
      /"repository":"plumdog\/eks-addon-configuration".*"commit":"[0-9a-f]{7,}","date":"2030-01-02"/,
    );
  });

  itWithAll('see a new version, a moved default and a hole in the compatible clusters', () => {
    const shop = workshop(addonFiles());
    const file = 'data/metrics-server/addon.json';
    const addon = JSON.parse(readFileSync(join(shop.upstream, file), 'utf8')) as {
      addonVersions: { addonVersion: string; compatibilities: { clusterVersion: string; defaultVersion: boolean }[] }[];
    };
    const [newest] = addon.addonVersions;
    if (newest === undefined) throw new Error('no version');
    addon.addonVersions.unshift({
      ...newest,
      addonVersion: 'v9.0.0-eksbuild.1',
      compatibilities: [
        { clusterVersion: '1.36', defaultVersion: true },
        { clusterVersion: '1.34', defaultVersion: false },
      ],
    });
    for (const entry of newest.compatibilities) if (entry.clusterVersion === '1.36') entry.defaultVersion = false;
    shop.commit({ [file]: JSON.stringify(addon) });
    const { status, output } = shop.run('addon-versions', shop.upstream, '--check');
    expect(status).toBe(1);
    expect(output).toContain(
      'v9.0.0-eksbuild.1: nothing -> {"version":"v9.0.0-eksbuild.1","clusters":["1.34","1.36"],"defaultFor":["1.36"]}',
    );
    expect(output).toContain(`${newest.addonVersion} › defaultFor: -1.36\n`);
  });

  itWithAll('find the managed policies up to date, see a new action, and refuse what the table cannot hold', () => {
    const shop = workshop(policyFiles());
    expect(shop.run('managed-policies', shop.upstream, '--check')).toEqual({
      status: 0,
      output: 'managed-policies: the table is up to date\n',
    });
    shop.commit(
      policyFile('AmazonEKSWorkerNodeMinimalPolicy', [
        { Effect: 'Allow', Action: ['eks-auth:AssumeRoleForPodIdentity', 'ec2:DescribeVpcs'], Resource: '*' },
      ]),
    );
    const changed = shop.run('managed-policies', shop.upstream, '--check');
    expect(changed.status).toBe(1);
    expect(changed.output).toContain('ec2:DescribeVpcs');
    shop.commit(policyFile('AmazonEKSWorkerNodeMinimalPolicy', [{ Effect: 'Deny', Action: '*', Resource: '*' }]));
    const refused = shop.run('managed-policies', shop.upstream);
    expect(refused.status).toBe(1);
    expect(refused.output).toContain("a statement of a kind that the table can't hold");
  });

  itWithAll('sort the actions of a managed policy by what it allows on everything, in part, or denies', () => {
    const statements = [
      { Effect: 'Allow', Action: ['ec2:Describe*', 'EC2:createtags'], Resource: '*' },
      {
        Effect: 'Allow',
        NotAction: ['a*', 'c*', 'e*', 'i*', 'k*', 'l*', 'r*', 'sh*', 'w*'],
        Resource: ['arn:aws:iam::*:role/x'],
      },
      { Effect: 'Deny', Action: 'sts:TagSession', Resource: '*', Condition: { Bool: { x: 'y' } } },
    ];
    const shop = workshop({
      ...policyFile('Sorted', statements),
      ...policyFile('Elsewhere', [{ Effect: 'Allow', Action: 'sqs:*', Resource: '*' }]),
      'policies/Deleted': '',
      ...policyList({ AmazonEBSCSIDriverPolicy: '/moved/' }),
    });
    expect(shop.run('managed-policies-index', shop.upstream).output).toContain(
      'paths › AmazonEBSCSIDriverPolicy: "service-role/" -> "moved/"\n',
    );
    const { actions, policies, none } = JSON.parse(shop.table('managed-policies-index')) as {
      actions: string[];
      policies: Record<string, { allow: string; limited: string; deny: string }>;
      none: string[];
    };
    const at = (ranges = '') =>
      ranges.split(' ').flatMap((range) => {
        const [from = '', to = from] = range.split('-');
        return actions.slice(Number(from), Number(to) + 1);
      });
    expect(at(policies['Sorted']?.allow)).toEqual(
      actions.filter((action) => action.startsWith('ec2:Describe') || action === 'ec2:CreateTags'),
    );
    expect(at(policies['Sorted']?.limited)).toEqual([
      'sts:AssumeRole',
      'sts:AssumeRoleWithWebIdentity',
      'sts:TagSession',
    ]);
    expect(at(policies['Sorted']?.deny)).toEqual(['sts:TagSession']);
    expect([Object.keys(policies), none]).toEqual([['Sorted'], ['Elsewhere']]);
  });

  itWithAll('find the documented CNI permissions up to date, and see what AWS adds to them', () => {
    const page = (extra: readonly string[]) =>
      (['ipv4', 'ipv6'] as const)
        .map((family) => {
          const calls = {
            Effect: 'Allow',
            Action: [...cniPermissions[family], ...(family === 'ipv6' ? extra : [])].reverse(),
            Resource: '*',
          };
          const tags = {
            Effect: 'Allow',
            Action: ['ec2:CreateTags'],
            Resource: ['arn:aws:ec2:*:*:network-interface/*'],
          };
          return `### ${family === 'ipv4' ? 'IPv4' : 'IPv6'} mode\n\`\`\`\n${JSON.stringify({ Statement: [calls, tags] })}\n\`\`\`\n`;
        })
        .join('\n');
    const shop = workshop({ 'docs/iam-policy.md': page([]), 'pkg/awsutils/awsutils.go': '', 'pkg/ipamd/ipamd.go': '' });
    expect(shop.run('cni-permissions', shop.upstream, '--check').status).toBe(0);
    shop.commit({
      'docs/iam-policy.md': page(['ec2:UnassignIpv6Addresses']),
      'pkg/ipamd/ipamd.go': 'client.DescribeTags(input)',
    });
    const { status, output } = shop.run('cni-permissions', shop.upstream, '--check');
    expect(status).toBe(1);
    expect(output).toContain('ipv6: +ec2:UnassignIpv6Addresses\n');
    expect(output).toContain('ec2:DescribeTags is called now');
  });

  itWithAll('find the removed feature gates up to date, and take only those that a page marks as removed', () => {
    const page = (name: string, stages: readonly (string | undefined)[], removed = true) => {
      const lines = stages.map(
        (to) => `  - stage: beta\n    fromVersion: "1.9"\n${to === undefined ? '' : `    toVersion: "${to}"  \n`}`,
      );
      return {
        [`content/en/docs/reference/command-line-tools-reference/feature-gates/${name}.md`]: `---\ntitle: ${name}\nstages:\n${lines.join('')}${removed ? '\nremoved: true\n' : ''}---\nText.\n`,
      };
    };
    const pages = removedFeatureGates().map((name) => page(name, ['1.12', lastVersionOfFeatureGate(name)]));
    const shop = workshop(
      Object.assign(
        {},
        ...pages,
        page('GoneLongAgo', ['1.18']),
        page('StillThere', ['1.30', undefined], false),
        page('WithoutEnd', ['1.30', undefined]),
      ) as Record<string, string>,
    );
    const upToDate = shop.run('kubelet-feature-gates', shop.upstream, '--check');
    expect(upToDate.status).toBe(0);
    expect(upToDate.output).toMatch(
      /^left out, [^\n]*WithoutEnd.md\nkubelet-feature-gates: the table is up to date\n$/,
    );
    shop.commit(page('JustRemoved', ['1.30', '1.36']));
    expect(shop.run('kubelet-feature-gates', shop.upstream, '--check')).toMatchObject({
      status: 1,
      output: expect.stringContaining('JustRemoved: nothing -> "1.36"') as string,
    });
  });

  itWithAll('take feature gates that a release has dropped before its page says so', () => {
    const ranges = (...lines: readonly string[]) => ({
      'pkg/utils/validation/features/featuregates.go': `var featureGateVersionRanges = map[string]*FeatureGateVersionRange{\n${lines.map((line) => `\t${line}\n`).join('')}}\n`,
    });
    const shop = workshop(
      ranges(
        '"MemoryManager": {LockedValue: true, VersionRange: versionutils.VersionRange{RemovedInVersion: "1.36"}},',
        '"EventedPLEG": {},',
      ),
    );
    expect(shop.run('kubelet-feature-gates', shop.upstream, '--check')).toMatchObject({
      status: 0,
      output: 'kubelet-feature-gates: the table is up to date\n',
    });
    shop.commit(
      ranges(
        '"JustRemoved": {VersionRange: versionutils.VersionRange{AddedInVersion: "1.33", RemovedInVersion: "1.37"}},',
      ),
    );
    expect(shop.run('kubelet-feature-gates', shop.upstream, '--check')).toMatchObject({
      status: 1,
      output: expect.stringContaining('JustRemoved: nothing -> "1.36"') as string,
    });
  });

  itWithAll('find the keys of a ClusterConfig up to date, whatever stands around them', () => {
    const table = JSON.parse(readFileSync(join(root, 'lib/knowledge/data/eksctl-keys.json'), 'utf8')) as {
      blocks: Record<string, Record<string, string>>;
    };
    const schemaOf = (type: string): object => {
      if (type.startsWith('[]')) return { type: 'array', items: schemaOf(type.slice(2)) };
      if (type.startsWith('{}')) return { type: 'object', additionalProperties: schemaOf(type.slice(2)) };
      if (type.startsWith('#')) return { $ref: `#/definitions/${type.slice(1)}` };
      return type === 'any' ? { type: 'object', additionalProperties: {} } : { type };
    };
    const definitions = Object.fromEntries(
      Object.entries(table.blocks).map(([name, keys]) => [
        name,
        {
          properties: Object.fromEntries(
            Object.entries(keys).map(([key, type]) => [key, schemaOf(type.replace('!', ''))]),
          ),
          required: Object.entries(keys).flatMap(([key, type]) => (type.endsWith('!') ? [key] : [])),
        },
      ]),
    );
    const path = 'pkg/apis/eksctl.io/v1alpha5/assets/schema.json';
    const text = JSON.stringify({ definitions });
    const shop = workshop({ [path]: text });
    expect(shop.run('eksctl-keys', shop.upstream, '--check')).toMatchObject({ status: 0 });
    shop.commit({ [path]: text.replace('"disablePodIMDS"', '"disablePodMetadata"') });
    expect(shop.run('eksctl-keys', shop.upstream, '--check')).toMatchObject({
      status: 1,
      output: expect.stringContaining('disablePodIMDS') as string,
    });
  });

  itWithAll('read what modules grant from release to release', () => {
    const policy = (label: string, count: string, actions: string, more = '') =>
      `data "aws_iam_policy_document" "${label}" {\n  count = var.create && var.${count} ? 1 : 0\n\n  statement {\n    actions   = ["${actions}"]\n` +
      `    resources = var.zones\n  }\n${more}}\n\n`;
    const each =
      '\n  dynamic "statement" {\n    for_each = toset(var.names)\n\n    content {\n      actions = [\n        "b:Two", # why\n        "b:One",\n      ]\n' +
      '      resources = ["arn:${local.partition}:x:::y/${statement.value}"]\n\n      condition {\n        test     = "StringEquals"\n' +
      '        variable = "a:b"\n        values   = ["x.${local.dns_suffix}"]\n      }\n    }\n  }\n';
    const zones = 'variable "zones" {\n  type    = list(string)\n  default = ["all"]\n}\n';
    const folder = 'modules/iam-role-for-service-accounts';
    const at = (action: string, chart: string) => ({
      [`${folder}-eks/policies.tf`]: policy('dns', 'attach_external_dns_policy', action),
      [`${folder}-eks/variables.tf`]: zones,
      [`${folder}/policies.tf`]: policy('dns', 'attach_external_dns_policy', action, each),
      'main.tf':
        policy('dns', 'enable_external_dns', action) +
        `chart_version = try(var.external_dns.chart_version, "${chart}")\n` +
        'cluster_autoscaler_image_tag = {\n    "1.33" = "v1.33.1"\n  }\n',
    });
    const shop = workshop(at('a:One', '1.0.0'));
    for (const tag of ['v1.0.0', 'v5.0.0', 'v6.0.0']) shop.tag(tag);
    shop.commit(at('a:Two', '1.1.0'));
    for (const tag of ['v1.1.0', 'v5.1.0', 'v6.1.0']) shop.tag(tag);
    const { upstream } = shop;
    expect(shop.run('module-policies', upstream, upstream, upstream).output).toContain('written');
    const { modules, charts, autoscalerImages } = JSON.parse(shop.table('module-policies')) as {
      modules: Record<string, object>;
      charts: object;
      autoscalerImages: object;
    };
    const rows = [
      { since: '5.0.0', before: '5.1.0', actions: ['a:One'], resources: '${var.zones}' },
      { since: '5.1.0', actions: ['a:Two'], resources: '${var.zones}' },
    ];
    expect(modules['iam-role-for-service-accounts-eks']).toEqual({
      newest: '5.1.0',
      defaults: { zones: [{ since: '5.0.0', value: ['all'] }] },
      policies: { external_dns: rows },
    });
    expect(modules['iam-role-for-service-accounts']).toMatchObject({
      policies: {
        external_dns: expect.arrayContaining([
          {
            since: '6.0.0',
            each: 'names',
            actions: ['b:One', 'b:Two'],
            resources: ['arn:${partition}:x:::y/${statement.value}'],
            conditions: [{ test: 'StringEquals', variable: 'a:b', values: ['x.${dnsSuffix}'] }],
          },
        ]) as object,
      },
    });
    expect([charts, autoscalerImages]).toEqual([
      {
        external_dns: [
          { since: '1.0.0', before: '1.1.0', version: '1.0.0' },
          { since: '1.1.0', version: '1.1.0' },
        ],
      },
      [{ since: '1.0.0', tags: { '1.33': 'v1.33.1' } }],
    ]);
    expect(shop.run('module-policies', upstream, upstream, upstream, '--check')).toMatchObject({ status: 0 });
  });

  it('run together on the checkouts of a folder, and say what they leave and what changes', () => {
    const addons = addonFiles();
    const shop = workshop(addons);
    cpSync(join(root, 'scripts/knowledge.mjs'), join(shop.folder, 'scripts/knowledge.mjs'));
    const checkouts = join(shop.folder, 'checkouts/plumdog');
    mkdirSync(checkouts, { recursive: true });
    symlinkSync(shop.upstream, join(checkouts, 'eks-addon-configuration'));
    const run = (...args: string[]) => shop.run('../knowledge', '--from', join(shop.folder, 'checkouts'), ...args);
    const file = 'data/coredns/addon.json';
    const coredns = JSON.parse(addons[file] ?? '') as { addonVersions: object[] };
    const [first] = coredns.addonVersions;
    shop.commit({
      [file]: JSON.stringify({
        addonVersions: [{ ...first, addonVersion: 'v9.9.9-eksbuild.1' }, ...coredns.addonVersions],
      }),
    });
    const before = shop.table('addon-versions');
    const dry = run('--dry-run');
    expect(dry.output).toContain('v9.9.9-eksbuild.1');
    expect(dry.output).toContain("karpenter-versions: left as it is, for aws/karpenter-provider-aws isn't in");
    expect(shop.table('addon-versions')).toBe(before);
    // The checkout has no schemas, of which the whole run tells.
    const { status, output } = run();
    expect(output).toContain('addon-schemas: could not be regenerated');
    expect(status).toBe(1);
    expect(shop.table('addon-versions')).toContain('v9.9.9-eksbuild.1');
    expect(shop.run('../knowledge')).toMatchObject({ status: 2 });
    expect(shop.run('../knowledge', '--from', 'nowhere').output).toContain('there is no folder nowhere');
  });

  itWithAll('find the removed APIs up to date, in both sentences of the guide, and see one that goes', () => {
    const page = 'content/en/docs/reference/using-api/deprecation-guide.md';
    const shop = workshop({ [page]: deprecationGuide() });
    expect(shop.run('removed-apis', shop.upstream, '--check')).toMatchObject({ status: 0 });
    shop.commit({
      [page]: `${deprecationGuide()}\n### v1.38\n\n#### Things {#things-v138}\n\nThe **example.k8s.io/v1beta1** API version of Thing,\nOther, and More is no longer served as of v1.38.\n\n* Migrate manifests and API clients to use the **example.k8s.io/v1** API version, available since v1.30.\n`,
    });
    expect(shop.run('removed-apis', shop.upstream).output).toContain('written');
    const { apis } = JSON.parse(shop.table('removed-apis')) as { apis: object[] };
    expect(apis.slice(-3)).toEqual(
      ['Thing', 'Other', 'More'].map((kind) => ({
        apiVersion: 'example.k8s.io/v1beta1',
        kind,
        removedIn: '1.38',
        use: 'example.k8s.io/v1',
        since: '1.30',
      })),
    );
  });

  itWithAll(
    'find the Karpenter versions up to date, keep what the matrix leaves out, and refuse a page without it',
    () => {
      const page = 'website/content/en/docs/upgrading/compatibility.md';
      const matrix = (minors: readonly string[], versions: readonly string[]) =>
        `| Kubernetes | ${minors.join(' | ')} |\n|---|${minors.map(() => '---|').join('')}\n| karpenter  | ${versions.map((one) => `\\>= ${one}`).join(' | ')} |\n`;
      const shop = workshop({ [page]: matrix(['1.35', '1.36'], ['1.9', '1.13']) });
      expect(shop.run('karpenter-versions', shop.upstream, '--check')).toMatchObject({ status: 0 });
      shop.commit({ [page]: matrix(['1.36', '1.37'], ['1.13', '1.16']) });
      expect(shop.run('karpenter-versions', shop.upstream).output).toContain('oldest › 1.37: nothing -> "1.16"');
      expect(JSON.parse(shop.table('karpenter-versions'))).toMatchObject({
        asOf: '2030-01-02',
        oldest: { '1.30': '0.37', '1.37': '1.16' },
      });
      shop.commit({ [page]: 'moved' });
      expect(shop.run('karpenter-versions', shop.upstream).status).toBe(1);
    },
  );

  itWithAll('take of the definitions of Karpenter what all versions demand, and when the rest came', () => {
    const definition = (version: string, spec: object) =>
      JSON.stringify({
        spec: { versions: [{ name: version, schema: { openAPIV3Schema: { properties: { spec } } } }] },
      });
    const crds = 'pkg/apis/crds';
    const files = (version: string, spec: object) => ({
      [`${crds}/karpenter.sh_nodepools.yaml`]: definition(version, spec),
      [`${crds}/karpenter.k8s.aws_ec2nodeclasses.yaml`]: definition(version, spec),
    });
    const properties = (...fields: readonly object[]) => ({
      type: 'object',
      properties: Object.assign({}, ...fields) as object,
    });
    const text = (more: object = {}) => ({ type: 'string', ...more });
    const shop = workshop({
      [`${crds}/karpenter.sh_provisioners.yaml`]: definition('v1alpha5', properties({ ttl: text() })),
      [`${crds}/karpenter.k8s.aws_awsnodetemplates.yaml`]: definition('v1alpha1', properties({})),
    });
    const release = (tag: string, version: string, spec: object) => {
      shop.commit(files(version, spec));
      shop.tag(tag);
    };
    shop.tag('v0.31.0');
    release('v0.37.0', 'v1beta1', properties({ old: text() }));
    const rule = (...rules: readonly string[]) => ({
      'x-kubernetes-validations': rules.map((one) => ({ rule: one, message: 'no' })),
    });
    const labels = (allowed: string) =>
      rule(`self.all(x, x in ["d/a"${allowed}] || !x.find("^([^/]+)").endsWith("d"))`, 'self.all(x, x != "b")');
    release('v1.0.0', 'v1', {
      ...properties({
        size: { type: 'integer', minimum: 1 },
        kind: text({ enum: ['A'] }),
        labels: { ...text(), ...labels('') },
      }),
      required: ['size'],
      ...rule('self.size > 0', 'self == oldSelf'),
    });
    release('v1.1.0', 'v1', {
      ...properties({
        size: { type: 'integer', minimum: 0 },
        kind: text({ enum: ['A', 'B'] }),
        labels: { ...text(), ...labels(', "d/c"') },
        later: { type: 'object', additionalProperties: text(), ...rule('has(self.x)') },
      }),
      required: ['size', 'kind'],
    });
    shop.commit(
      files('v1', {
        'x-kubernetes-preserve-unknown-fields': true,
        ...properties({ kind: text({ enum: ['A', 'B'] }) }),
      }),
    );
    expect(shop.run('karpenter-fields', shop.upstream).output).toContain('written');
    const { newest, kinds } = JSON.parse(shop.table('karpenter-fields')) as {
      newest: string;
      kinds: { NodePool: object };
    };
    expect(newest).toBe('1.1');
    expect(kinds.NodePool).toEqual({
      required: [],
      fields: {
        size: { type: 'integer', minimum: 0 },
        kind: { type: 'string', values: ['A', 'B'], valuesSince: { B: '1.1' } },
        labels: { type: 'string' },
        later: { type: 'object', isOpen: true, since: '1.1' },
        'later{}': { type: 'string', since: '1.1' },
      },
      former: { old: 'v1beta1', ttl: 'v1alpha' },
      keys: { labels: [{ domain: 'd', allowed: { 'd/a': '', 'd/c': '1.1' }, but: [] }, { key: 'b' }] },
      validations: {
        '': [{ rule: 'self.size > 0', message: 'no', until: '1.0' }],
        later: [{ rule: 'has(self.x)', message: 'no' }],
      },
    });
  });

  itWithAll('find the attributes of the provider up to date, with those of nested blocks', () => {
    const table = JSON.parse(readFileSync(join(root, 'lib/knowledge/data/provider-attributes.json'), 'utf8')) as {
      optionalAndComputed: Record<string, string[]>;
    };
    type Block = { attributes: Record<string, object>; block_types: Record<string, { block: Block }> };
    const empty = (): Block => ({
      attributes: { id: { optional: true, computed: true }, arn: { computed: true }, tags: { optional: true } },
      block_types: {},
    });
    const schemas = Object.fromEntries(
      Object.entries(table.optionalAndComputed).map(([type, paths]) => {
        const whole = empty();
        for (const path of paths) {
          const names = path.split('.');
          const block = names
            .slice(0, -1)
            .reduce((outer, name) => (outer.block_types[name] ??= { block: empty() }).block, whole);
          block.attributes[names.at(-1) ?? ''] = { optional: true, computed: true };
        }
        return [type, { block: whole }];
      }),
    );
    const text = JSON.stringify({
      provider_schemas: { 'registry.terraform.io/hashicorp/aws': { resource_schemas: schemas } },
    });
    const shop = workshop({ 'schema.json': text });
    expect(shop.run('provider-attributes', join(shop.upstream, 'schema.json'), '--check')).toMatchObject({ status: 0 });
    shop.commit({
      'schema.json': text.replace(
        '"addon_version":{"optional":true,"computed":true}',
        '"addon_version":{"optional":true}',
      ),
    });
    expect(shop.run('provider-attributes', join(shop.upstream, 'schema.json'), '--check')).toMatchObject({
      status: 1,
      output: expect.stringContaining('aws_eks_addon: -addon_version') as string,
    });
  });

  it.each([
    'addon-versions',
    'addon-schemas',
    'vpc-cni-environment',
    'cni-permissions',
    'instance-types',
    'managed-policies',
    'managed-policies-index',
    'controller-permissions',
    'controller-policies',
    'module-policies',
    'ami-types',
    'kubernetes-versions',
    'kubelet-feature-gates',
    'provider-attributes',
  ])('%s tells its arguments', (script) => {
    const { status, output } = workshop({ 'README.md': 'empty' }).run(script);
    expect(status).toBe(2);
    expect(output).toMatch(/^usage: node .*<.+>.*\[--check\]\n$/);
  });
});
