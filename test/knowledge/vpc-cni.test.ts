import {
  addonVersions,
  compareVersions,
  isVpcCniBoolean,
  vpcCniVariable,
  vpcCniVariables,
  vpcCni,
} from '../../lib/knowledge';

const keys = vpcCni.keys;
const accepted = (path: string, version: string) => {
  const key = vpcCni.key(path);
  if (key === undefined) throw new Error(`no key ${path}`);
  return vpcCni.accepts(key, version);
};

describe('the configuration schema of vpc-cni', () => {
  it('has the schema of every version of the version table', () => {
    const versions = addonVersions('vpc-cni').map(({ version }) => version);
    expect(versions.filter((version) => !vpcCni.hasSchemaOf(version))).toEqual([]);
    expect(vpcCni.newestSchema).toBe(versions[0]);
  });

  it('has, for each key, either a version from which it stays or the list of versions that had it', () => {
    for (const { path, since, onlyIn, removedIn } of keys) {
      expect([path, since === undefined]).toEqual([path, onlyIn.length > 0]);
      expect([path, removedIn !== undefined]).toEqual([path, onlyIn.length > 0]);
    }
  });

  it('names only versions of the table, rebuilds before the first permanent one', () => {
    for (const { path, since, alsoIn, onlyIn, removedIn } of keys) {
      for (const version of [since, removedIn, ...alsoIn, ...onlyIn])
        if (version !== undefined) expect([path, version, vpcCni.hasSchemaOf(version)]).toEqual([path, version, true]);
      if (since !== undefined) expect(alsoIn.filter((version) => compareVersions(version, since) >= 0)).toEqual([]);
    }
  });

  it('accepts a permanent key in every version from its first one', () => {
    const versions = addonVersions('vpc-cni')
      .map(({ version }) => version)
      .reverse();
    for (const key of keys) {
      if (key.since === undefined) continue;
      const flags = versions.map((version) => vpcCni.accepts(key, version));
      expect([key.path, flags.lastIndexOf(false) < versions.indexOf(key.since)]).toEqual([key.path, true]);
    }
  });

  it('has a parent for each key, no newer than the key', () => {
    for (const { path, since } of keys) {
      const parent = path.endsWith('[]') ? path.slice(0, -2) : path.split('.').slice(0, -1).join('.');
      if (parent === '') continue;
      const key = vpcCni.key(parent);
      expect([path, key !== undefined]).toEqual([path, true]);
      if (since !== undefined && key?.since !== undefined)
        expect([path, compareVersions(key.since, since) <= 0]).toEqual([path, true]);
    }
  });

  it('has strings for all environment variables', () => {
    for (const { path, type } of keys)
      if (/^(init\.)?env\./.test(path)) expect([path, type]).toEqual([path, ['string']]);
  });

  it.each([
    ['init.env.DISABLE_TCP_EARLY_DEMUX', 'v1.11.0-eksbuild.1', false],
    ['init.env.DISABLE_TCP_EARLY_DEMUX', 'v1.11.0-eksbuild.3', true],
    ['init.env.DISABLE_TCP_EARLY_DEMUX', 'v1.12.0-eksbuild.1', false],
    ['init.env.DISABLE_TCP_EARLY_DEMUX', 'v1.12.0-eksbuild.2', true],
    ['env.ENABLE_POD_ENI', 'v1.6.3-eksbuild.2', false],
    ['env.ENABLE_POD_ENI', 'v1.7.5-eksbuild.2', true],
    ['enableNetworkPolicy', 'v1.13.4-eksbuild.1', false],
    ['enableNetworkPolicy', 'v1.14.0-eksbuild.3', true],
    ['cri', 'v1.11.5-eksbuild.1', true],
    ['cri', 'v1.12.0-eksbuild.1', false],
    ['cri', 'v1.23.0-eksbuild.1', false],
  ])('%s in %s: %s', (path, version, expected) => {
    expect(accepted(path, version)).toBe(expected);
  });

  it('knows keys that no version has, and none of them is a key', () => {
    expect(vpcCni.neverAccepted('env.ENABLE_IPv6')?.why).toBeTruthy();
    expect(keys.filter(({ path }) => vpcCni.neverAccepted(path) !== undefined)).toEqual([]);
    expect(vpcCni.neverAccepted('env.ENABLE_POD_ENI')).toBeUndefined();
    expect(vpcCni.key('constructor')).toBeUndefined();
  });
});

describe('the environment of vpc-cni', () => {
  it('agrees with the schema on when a variable became configurable', () => {
    for (const { addonSince, addonRemovedIn } of vpcCniVariables()) {
      for (const [path, version] of Object.entries(addonRemovedIn ?? {}))
        expect([path, vpcCni.key(path)?.removedIn]).toEqual([path, version]);
      for (const [path, since] of Object.entries(addonSince ?? {}))
        expect([path, vpcCni.key(path)?.since]).toEqual([path, since]);
    }
  });

  it('agrees with the schema on what EKS renders', () => {
    for (const { name, managedDefault } of vpcCniVariables()) {
      const key = vpcCni.key(`env.${name}`);
      if (key?.rendered === true && managedDefault !== undefined)
        expect([name, key.default]).toEqual([name, managedDefault]);
    }
  });

  it('has every variable of the schema', () => {
    const missing = keys
      .map(({ path }) => path.replace(/^(init\.)?env\./, ''))
      .filter((name, index) => name !== keys[index]?.path && vpcCniVariable(name) === undefined);
    expect(missing).toEqual([]);
  });

  it('has values in its own lists', () => {
    for (const { name, default: value, enum: allowed, type, range } of vpcCniVariables()) {
      if (value === null) continue;
      if (allowed !== undefined) expect([name, allowed.includes(value)]).toEqual([name, true]);
      if (type === 'boolean') expect([name, isVpcCniBoolean(value)]).toEqual([name, true]);
      if (type === 'integer' && range !== undefined)
        expect([name, Number(value) >= (range[0] ?? -Infinity) && Number(value) <= (range[1] ?? Infinity)]).toEqual([
          name,
          true,
        ]);
    }
  });

  it.each([
    ['true', true],
    ['T', true],
    ['0', true],
    ['yes', false],
    ['tRue', false],
    ['', false],
  ])('reads "%s" as a boolean: %s', (text, expected) => {
    expect(isVpcCniBoolean(text)).toBe(expected);
  });
});
