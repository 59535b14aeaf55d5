import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eksctlBlocksWith, eksctlKeys, eksctlKeysAsOf } from '../../lib/knowledge/eksctl-keys';
import { coreActions } from '../../lib/eks/analysis/cni-permissions';
import {
  addonTableAsOf,
  addonVersion,
  addonVersions,
  describedAddon,
  amiType,
  amiTypeNames,
  amiTypesAsOf,
  awsManagedPolicyName,
  awsManagedPolicyNames,
  cniPermissions,
  controllerPoliciesAsOf,
  compareVersions,
  featureGatesAsOf,
  instanceTypesAsOf,
  karpenterFieldsAsOf,
  karpenterVersionsAsOf,
  knowsRemovalsOf,
  kubernetesMinor,
  kubernetesMinors,
  kubernetesMinorsAsOf,
  lastVersionOfFeatureGate,
  managedPoliciesAsOf,
  managedPolicy,
  managedPolicyNames,
  managedPolicySummary,
  modulePoliciesAsOf,
  oldestKarpenter,
  parseMinor,
  removedApi,
  removedApis,
  removedApisAsOf,
  removedFeatureGates,
  servicePrincipals,
  summarizedActions,
  defaultAddonVersion,
  describedAddons,
  knownAddons,
  vpcCni,
} from '../../lib/knowledge';

const folder = join(__dirname, '../../lib/knowledge/data');
const files = readdirSync(folder);

interface Source {
  repository?: string;
  package?: string;
  page?: string;
  path?: string;
  date?: string;
}

describe.each(files)('table %s', (file) => {
  const table = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
    asOf: string;
    sources: Source[];
    notes: string[];
  };

  it('says up to when, and from where', () => {
    expect(table.asOf).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(table.sources.length).toBeGreaterThan(0);
    for (const source of table.sources) {
      expect([source.repository, source.package, source.page].filter((name) => name !== undefined)).toHaveLength(1);
      if (source.repository !== undefined) expect(source.repository).toMatch(/^[\w.-]+\/[\w.-]+$/);
      if (source.repository !== undefined) expect(source.path).toBeTruthy();
      if (source.date !== undefined) expect(source.date <= table.asOf).toBe(true);
    }
  });

  it('is loaded by a module of its name or of the table that it belongs to', () => {
    const modules = readdirSync(join(folder, '..')).filter((name) => name.endsWith('.ts'));
    // What describes an add-on is loaded by its name.
    const addon = /^(.*)-(?:schema|effects)\.json$/.exec(file)?.[1];
    expect(modules).toContain(addon === undefined ? file.replace(/\.json$/, '.ts') : 'addon-description.ts');
    if (addon !== undefined) expect(describedAddons()).toContain(addon);
  });
});

it('the keys of a ClusterConfig lead to blocks that are there', () => {
  const seen = new Set<string>();
  const visit = (block: string): void => {
    if (seen.has(block)) return;
    seen.add(block);
    const keys = eksctlKeys(block);
    expect([block, keys !== undefined && keys.size > 0]).toEqual([block, true]);
    for (let type of keys?.values() ?? []) {
      while (type.kind === 'list' || type.kind === 'map') type = type.items;
      if (type.kind === 'block') visit(type.block);
    }
  };
  visit('ClusterConfig');
  expect(seen.size).toBeGreaterThan(60);
  expect(eksctlBlocksWith('kubeletExtraConfig')).toEqual(['NodeGroup']);
});

it.each([
  ['addon-versions', addonTableAsOf],
  ['ami-types', amiTypesAsOf],
  ['cni-permissions', () => cniPermissions.asOf],
  ['controller-policies', controllerPoliciesAsOf],
  ['eksctl-keys', eksctlKeysAsOf],
  ['instance-types', instanceTypesAsOf],
  ['karpenter-fields', karpenterFieldsAsOf],
  ['karpenter-versions', karpenterVersionsAsOf],
  ['kubelet-feature-gates', featureGatesAsOf],
  ['kubernetes-versions', kubernetesMinorsAsOf],
  ['managed-policies', managedPoliciesAsOf],
  ['module-policies', modulePoliciesAsOf],
  ['removed-apis', removedApisAsOf],
  ['vpc-cni-schema', () => vpcCni.asOf],
])('%s tells its day', (name, asOf) => {
  expect(asOf()).toBe((JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { asOf: string }).asOf);
});

it('add-ons with a table of schemas have one of all versions that clusters take', () => {
  expect(describedAddons()).toEqual(knownAddons());
  for (const name of describedAddons()) {
    const addon = describedAddon(name);
    expect([name, addonVersions(name).filter(({ version }) => addon?.hasSchemaOf(version) !== true)]).toEqual([
      name,
      [],
    ]);
    expect(addon?.keys.filter(({ since, onlyIn }) => since === undefined && onlyIn.length === 0)).toEqual([]);
  }
});

it('the permissions of the VPC CNI are those of the table', () => {
  const { sources, notes, ...table } = JSON.parse(readFileSync(join(folder, 'cni-permissions.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  expect([sources, notes]).not.toContain(undefined);
  expect(
    Object.fromEntries(
      Object.keys(cniPermissions).map((name) => [name, cniPermissions[name as keyof typeof cniPermissions]]),
    ),
  ).toEqual(Object.fromEntries(Object.keys(cniPermissions).map((name) => [name, table[name]])));
});

describe('Kubernetes versions', () => {
  it('follow each other without gap, oldest first', () => {
    const minors = kubernetesMinors().map(({ version }) => parseMinor(version) ?? NaN);
    expect(minors).toEqual(minors.map((_, index) => (minors[0] ?? NaN) + index));
  });

  it('have days that exist, in the order of their life', () => {
    for (const { version, upstreamRelease, eksRelease, endStandard, endExtended } of kubernetesMinors()) {
      const days = [upstreamRelease, eksRelease, endStandard, endExtended].filter((day) => day !== undefined);
      for (const day of days) expect(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(day);
      expect([version, ...[...days].sort()]).toEqual([version, ...days]);
    }
  });

  it('have twelve months of extended support', () => {
    for (const { version, endStandard, endExtended } of kubernetesMinors()) {
      if (endStandard === undefined || endExtended === undefined || (parseMinor(version) ?? 0) < 23) continue;
      expect(endExtended).toBe(`${Number(endStandard.slice(0, 4)) + 1}${endStandard.slice(4)}`);
    }
  });

  it('leave out what is not known', () => {
    expect(kubernetesMinor('1.37')).toEqual({ version: '1.37', upstreamRelease: '2026-08-26' });
    expect(kubernetesMinor('1.2')).toBeUndefined();
  });
});

describe('removed APIs', () => {
  it('are found by version and kind, each once, with what takes their place', () => {
    expect(removedApi('policy/v1beta1', 'PodDisruptionBudget')).toMatchObject({ removedIn: '1.25', use: 'policy/v1' });
    expect(removedApi('policy/v1beta1', 'PodSecurityPolicy')).toMatchObject({ removedIn: '1.25' });
    expect(removedApi('policy/v1', 'PodDisruptionBudget')).toBeUndefined();
    expect(removedApi('batch/v1beta1', 'Job')).toBeUndefined();
    const names = removedApis().map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('go in versions of the calendar or before it, to what is served by then and stays', () => {
    const [oldest] = kubernetesMinors();
    for (const { kind, removedIn, use, since } of removedApis()) {
      if (compareVersions(removedIn, oldest?.version ?? '') >= 0) expect(kubernetesMinor(removedIn)).toBeDefined();
      if (since !== undefined) expect(compareVersions(since, removedIn)).toBeLessThanOrEqual(0);
      const next = use === undefined ? undefined : removedApi(use, kind);
      if (next !== undefined) expect(compareVersions(next.removedIn, removedIn)).toBeGreaterThan(0);
    }
  });

  it('are known up to a version of the calendar', () => {
    expect(knowsRemovalsOf('1.36')).toBe(true);
    expect(knowsRemovalsOf('1.37')).toBe(false);
  });
});

describe('Karpenter', () => {
  it('is known for each supported Kubernetes version, and never older for a newer one', () => {
    const known = kubernetesMinors().flatMap(({ version }) => oldestKarpenter(version) ?? []);
    expect(known).toEqual(known.toSorted(compareVersions));
    expect(oldestKarpenter('1.33')).toBe('1.5');
    expect(oldestKarpenter('1.37')).toBeUndefined();
  });
});

describe('tables', () => {
  const calendar = kubernetesMinors().map(({ version }) => version);
  const released = kubernetesMinors().filter(({ eksRelease }) => eksRelease !== undefined);

  it('speak of no Kubernetes version that the calendar lacks', () => {
    const spoken = [
      ...amiTypeNames().flatMap((name) => [amiType(name)?.minVersion, amiType(name)?.maxVersion]),
      ...knownAddons().flatMap((name) => addonVersions(name).flatMap(({ clusterMinors }) => clusterMinors)),
      ...removedApis().flatMap(({ removedIn }) =>
        compareVersions(removedIn, calendar[0] ?? '') < 0 ? [] : [removedIn],
      ),
      ...calendar.filter((version) => oldestKarpenter(version) !== undefined),
    ].filter((version) => version !== undefined);
    expect([...new Set(spoken)].filter((version) => !calendar.includes(version))).toEqual([]);
    const newest = calendar.at(-1) ?? '';
    for (const gate of removedFeatureGates())
      expect(compareVersions(lastVersionOfFeatureGate(gate) ?? '', newest)).toBeLessThanOrEqual(0);
  });

  it('have an AMI type of AL2023 and Bottlerocket for each version that EKS has, and none of AL2 from 1.33 on', () => {
    for (const { version } of released.filter((minor) => compareVersions(minor.version, '1.23') >= 0)) {
      const fits = (family: string) =>
        amiTypeNames().some((name) => {
          const type = amiType(name);
          if (type?.family !== family) return false;
          const isOld = type.minVersion !== undefined && compareVersions(version, type.minVersion) < 0;
          const isNew = type.maxVersion !== undefined && compareVersions(version, type.maxVersion) > 0;
          return !isOld && !isNew;
        });
      expect([version, fits('AL2023'), fits('BOTTLEROCKET'), fits('AL2')]).toEqual([
        version,
        true,
        true,
        compareVersions(version, '1.33') < 0,
      ]);
    }
  });

  it('have a default of the network add-ons for each version that EKS has, among those that it offers', () => {
    for (const { version } of released) {
      for (const name of ['vpc-cni', 'coredns', 'kube-proxy']) {
        const standard = defaultAddonVersion(name, version);
        expect([name, version, addonVersion(name, standard ?? '')?.clusterMinors.includes(version)]).toEqual([
          name,
          version,
          true,
        ]);
      }
      expect(defaultAddonVersion('kube-proxy', version)).toMatch(new RegExp(`^v${version.replace('.', '\\.')}\\.`));
    }
  });

  it('have the schema of each version of the VPC CNI that EKS offers', () => {
    const offered = addonVersions('vpc-cni').map(({ version }) => version);
    expect(offered.filter((version) => !vpcCni.hasSchemaOf(version))).toEqual([]);
  });
});

describe('AMI types', () => {
  it('agree with their names in family and architecture', () => {
    for (const name of amiTypeNames()) {
      const type = amiType(name);
      if (name === 'CUSTOM') {
        expect(type).toMatchObject({ family: 'CUSTOM', architecture: undefined });
        continue;
      }
      expect(name.startsWith(`${type?.family ?? '?'}_`)).toBe(true);
      expect(type?.architecture).toBe(name.includes('ARM_64') ? 'arm64' : 'x86_64');
      expect(type?.fips).toBe(name.endsWith('_FIPS'));
      if (/NVIDIA|NEURON|GPU/.test(name)) expect(type?.accelerator).toBeDefined();
      else expect(type?.accelerator).toBeUndefined();
    }
  });

  it('have bounds that are Kubernetes versions, and AL2 ends with 1.32', () => {
    for (const name of amiTypeNames()) {
      const type = amiType(name);
      for (const bound of [type?.minVersion, type?.maxVersion])
        if (bound !== undefined) expect(kubernetesMinor(bound)).toBeDefined();
      expect(type?.maxVersion).toBe(type?.family === 'AL2' ? '1.32' : undefined);
    }
  });

  it('are 23, found by their exact names', () => {
    expect(amiTypeNames()).toHaveLength(23);
    expect(amiType('al2_x86_64')).toBeUndefined();
    expect(amiType('toString')).toBeUndefined();
  });
});

describe('managed policies', () => {
  it('are found by name, by ARN of any partition and with any path', () => {
    for (const name of managedPolicyNames()) {
      const found = managedPolicy(name);
      expect(found?.name).toBe(name);
      for (const arn of [
        `arn:aws:iam::aws:policy/${name}`,
        `arn:aws-cn:iam::aws:policy/service-role/${name}`,
        `arn:\${AWS::Partition}:iam::aws:policy/${name}`,
        `service-role/${name}`,
      ])
        expect(managedPolicy(arn)).toBe(found);
    }
  });

  it.each([
    '',
    'arn:',
    'arn:x:arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy',
    'arn:aws:iam::aws:policy/',
    'service-role/',
    'AmazonEKS_CNI_Policy/',
    'arn:aws:iam::111122223333:policy/AmazonEKS_CNI_Policy',
    'arn:aws:iam::${AWS::AccountId}:policy/AmazonEKS_CNI_Policy',
    'arn:aws:iam::aws:policy/${Name}',
    'arn:aws:iam::aws:role/AmazonEKS_CNI_Policy',
    'toString',
  ])('"%s" is none', (name) => {
    expect(managedPolicy(name)).toBeUndefined();
  });

  it.each([
    ['service-role/AmazonEKS_CNI_Policy', 'AmazonEKS_CNI_Policy'],
    ['arn:aws-cn:iam::aws:policy/service-role/NobodyKnowsIt', 'NobodyKnowsIt'],
    ['arn:aws:iam::111122223333:policy/AmazonEKS_CNI_Policy', undefined],
    ['arn:aws:iam::aws:policy/', undefined],
    ['arn:aws:iam::aws:policy/Amazon${Name}', undefined],
    ['Amazon*', undefined],
    ['service-role/', undefined],
    ['', undefined],
  ])('are called by the name in %s: %s', (text, name) => {
    expect(awsManagedPolicyName(text)).toBe(name);
  });

  it('grant well-formed actions, no statement without any', () => {
    for (const name of managedPolicyNames()) {
      for (const { actions, resources } of managedPolicy(name)?.statements ?? []) {
        expect(actions.length).toBeGreaterThan(0);
        expect(resources.length).toBeGreaterThan(0);
        for (const action of actions) expect(action).toMatch(/^[a-z0-9-]+:[A-Za-z0-9*]+$/);
      }
    }
  });
});

describe('the index of managed policies', () => {
  it('has every policy that is there as a whole, with the same actions', () => {
    const asked = new Set(summarizedActions());
    for (const name of managedPolicyNames()) {
      const summary = managedPolicySummary(name);
      for (const { actions, resources, conditional } of managedPolicy(name)?.statements ?? []) {
        const found =
          conditional === true || !resources.includes('*')
            ? [...(summary?.allow ?? []), ...(summary?.limited ?? [])]
            : (summary?.allow ?? []);
        expect(actions.filter((action) => asked.has(action) && !found.includes(action))).toEqual([]);
      }
    }
  });

  it('has more than 1,600 policies, each once, and never an action both as allowed and as limited', () => {
    const names = awsManagedPolicyNames();
    expect(names.length).toBeGreaterThan(1600);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      const { allow, limited } = managedPolicySummary(name) ?? { allow: [] as string[], limited: ['unknown policy'] };
      expect(limited.filter((action) => allow.includes(action))).toEqual([]);
    }
  });

  it('has the actions that rules ask for', () => {
    const asked = [
      ...cniPermissions.ipv4,
      ...cniPermissions.ipv6,
      cniPermissions.createTags.action,
      ...cniPermissions.byVersion.map(({ action }) => action),
    ];
    expect(asked.filter((action) => !summarizedActions().includes(action))).toEqual([]);
  });

  it.each(['', 'toString', 'arn:aws:iam::111122223333:policy/AdministratorAccess', 'AdministratorAcces'])(
    '"%s" is none',
    (name) => {
      expect(managedPolicySummary(name)).toBeUndefined();
    },
  );
});

describe('CNI permissions', () => {
  it('are sorted, and the calls of each family are part of its documented set', () => {
    for (const actions of [cniPermissions.ipv4, cniPermissions.ipv6, coreActions('ipv4'), coreActions('ipv6')])
      expect(actions).toEqual([...new Set(actions)].sort());
    expect(coreActions('ipv4').filter((action) => !cniPermissions.ipv4.includes(action))).toEqual([]);
    expect(coreActions('ipv6').filter((action) => !cniPermissions.ipv6.includes(action))).toEqual([]);
  });

  it('for IPv4 are those of the AWS managed policy', () => {
    const statements = managedPolicy(cniPermissions.managedPolicyForIpv4)?.statements ?? [];
    expect(statements.filter(({ resources }) => resources.includes('*')).flatMap(({ actions }) => actions)).toEqual(
      cniPermissions.ipv4,
    );
    expect(statements.filter(({ resources }) => !resources.includes('*'))).toEqual([
      {
        actions: [cniPermissions.createTags.action],
        resources: [cniPermissions.createTags.resource.replace('${partition}', 'aws')],
      },
    ]);
  });

  it('by version name only documented calls, in ranges that go forward', () => {
    for (const { action, from, to } of cniPermissions.byVersion) {
      expect([...cniPermissions.ipv4, ...cniPermissions.ipv6]).toContain(action);
      expect(from <= to).toBe(true);
    }
  });
});

describe('service principals', () => {
  it('of EC2 exist for the public partitions', () => {
    expect(Object.keys(servicePrincipals().nodePrincipal)).toEqual(
      expect.arrayContaining(['aws', 'aws-cn', 'aws-us-gov']),
    );
  });
});

describe('feature gates', () => {
  it('that are gone have a last version from 1.19 on, and no newer one than the table knows', () => {
    const newest = Math.max(...kubernetesMinors().map(({ version }) => parseMinor(version) ?? 0));
    expect(removedFeatureGates().length).toBeGreaterThan(150);
    for (const name of removedFeatureGates()) {
      const minor = parseMinor(lastVersionOfFeatureGate(name) ?? '') ?? NaN;
      expect(name).toMatch(/^[A-Z]\w+$/);
      expect(minor).toBeGreaterThanOrEqual(19);
      expect(minor).toBeLessThan(newest);
    }
  });

  it('are found by their exact names, and only when they are gone', () => {
    expect(lastVersionOfFeatureGate('DisableKubeletCloudCredentialProviders')).toBe('1.32');
    expect([lastVersionOfFeatureGate('ElasticIndexedJob'), lastVersionOfFeatureGate('MemoryManager')]).toEqual([
      '1.33',
      '1.35',
    ]);
    expect(lastVersionOfFeatureGate('disableKubeletCloudCredentialProviders')).toBeUndefined();
    // nodeadm itself sets these on current versions.
    for (const name of ['DynamicResourceAllocation', 'MutableCSINodeAllocatableCount', 'toString', ''])
      expect(lastVersionOfFeatureGate(name)).toBeUndefined();
  });
});
