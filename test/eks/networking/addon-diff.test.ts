import fc from 'fast-check';
import { describedAddon, vpcCniVariables, vpcCni } from '../../../lib/knowledge';
import {
  configurationProblems,
  diffAddonVersions,
  knowsVpcCniSchema,
  nearestVpcCniVersions,
  schemaDiff,
  updateEffects,
  type AddonDiff,
  type ConflictMode,
  type SettingEffect,
  type UpdateRequest,
} from '../../../lib/eks/networking';
import { nowhere, Unknown, type Data } from '../../../lib/value';
import { cpuTime } from '../../cpu-time';
import { itWithAll, runs } from '../../share';

/** The update that took down the pods of a cluster: both settings had been made with kubectl. */
const INCIDENT: UpdateRequest = {
  from: 'v1.11.0-eksbuild.1',
  to: 'v1.12.6-eksbuild.1',
  mode: 'OVERWRITE',
  live: {
    env: { ENABLE_POD_ENI: 'true', AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER: 'false' },
    init: { DISABLE_TCP_EARLY_DEMUX: 'true' },
  },
};

const MODES: readonly ConflictMode[] = ['OVERWRITE', 'PRESERVE', 'NONE'];
const POD_ENI = 'env.ENABLE_POD_ENI';
const DEMUX = 'init.env.DISABLE_TCP_EARLY_DEMUX';
const PINNED = { env: { ENABLE_POD_ENI: 'true' }, init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } } };

function effectOn(path: string, { effects }: Pick<AddonDiff, 'effects'>): SettingEffect {
  const found = effects.filter((effect) => effect.path === path);
  expect(found).toHaveLength(1);
  return found[0] as SettingEffect;
}

const statusOf = (path: string, request: Partial<UpdateRequest>) =>
  effectOn(path, { effects: updateEffects({ ...INCIDENT, ...request }) }).status;

describe('the incident', () => {
  it('is foretold: both variables, and when each loss acts', () => {
    const diff = diffAddonVersions(INCIDENT);
    expect(
      diff.effects
        .filter(({ status }) => status === 'reset')
        .map(({ path, live, becomes, bites }) => [path, live, becomes, bites?.when, bites?.scope]),
    ).toEqual([
      [POD_ENI, 'true', 'false', 'new-node', undefined],
      [DEMUX, 'true', 'false', 'restart', 'on the whole node'],
    ]);
    expect(effectOn(DEMUX, diff).bites?.effect).toContain('probes');
    expect(effectOn(POD_ENI, diff).bites?.effect).toContain('running nodes keep their trunk interface');
    expect(diff.pin).toEqual(PINNED);
  });

  it('comes with the key that the new schema has', () => {
    const { added } = schemaDiff(INCIDENT.from, INCIDENT.to);
    expect(added.find(({ path }) => path === DEMUX)).toMatchObject({
      default: 'false',
      rendered: true,
      isBlock: false,
    });
    expect(added.find(({ path }) => path === 'init.env')).toMatchObject({ isBlock: true });
    expect(added.map(({ path }) => path)).not.toContain(POD_ENI);
  });

  it('does not happen with PRESERVE, but what is kept should still be pinned', () => {
    const diff = diffAddonVersions({ ...INCIDENT, mode: 'PRESERVE' });
    expect(diff.effects.filter(({ status }) => status === 'reset')).toEqual([]);
    expect(
      [effectOn(POD_ENI, diff), effectOn(DEMUX, diff)].map(({ status, becomes, bites }) => [status, becomes, bites]),
    ).toEqual([
      ['kept', 'true', undefined],
      ['kept', 'true', undefined],
    ]);
    expect(diff.pin).toEqual(PINNED);
  });

  it('may stop the update with NONE', () => {
    const diff = diffAddonVersions({ ...INCIDENT, mode: 'NONE' });
    expect([effectOn(POD_ENI, diff).status, effectOn(DEMUX, diff).status]).toEqual(['fails', 'fails']);
    expect(effectOn(DEMUX, diff).reason).toContain('ConfigurationConflict');
  });

  it.each(MODES)('does not happen with %s once the configuration values have both', (mode) => {
    const diff = diffAddonVersions({ ...INCIDENT, mode, configuration: PINNED });
    expect([effectOn(POD_ENI, diff).status, effectOn(DEMUX, diff).status]).toEqual(['kept', 'kept']);
    expect(diff.pin).toBeUndefined();
  });

  it('can only be half prevented on the version before: it refuses the key', () => {
    const diff = diffAddonVersions({ ...INCIDENT, to: 'v1.12.0-eksbuild.1', configuration: PINNED });
    expect(effectOn(DEMUX, diff)).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('v1.12.0-eksbuild.2') as string,
    });
    expect(diff.pin).toEqual({ env: { ENABLE_POD_ENI: 'true', AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER: 'false' } });
    // Whether that version writes the variable is not known.
    expect(statusOf(DEMUX, { to: 'v1.12.0-eksbuild.1' })).toBe('unknown');
  });
});

describe('the removed key AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER', () => {
  const RPFILTER = 'env.AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER';

  it('is among the removed ones, and among the added ones of the way back', () => {
    expect(schemaDiff(INCIDENT.from, INCIDENT.to).removed.map(({ path }) => path)).toEqual([RPFILTER]);
    expect(schemaDiff(INCIDENT.to, INCIDENT.from).added.map(({ path }) => path)).toEqual([RPFILTER]);
  });

  it('is refused in the configuration values, and taken out of what to pin', () => {
    const diff = diffAddonVersions({
      ...INCIDENT,
      configuration: { env: { ...PINNED.env, AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER: 'false' }, init: PINNED.init },
    });
    expect(effectOn(RPFILTER, diff)).toMatchObject({
      status: 'refused',
      live: 'false',
      configured: 'false',
      reason: expect.stringContaining('v1.12.1-eksbuild.1') as string,
    });
    expect(diff.pin).toEqual(PINNED);
    expect(diff.notes.join(' ')).toContain('the whole update is');
  });

  it('stays open on the DaemonSet', () => {
    expect(effectOn(RPFILTER, diffAddonVersions(INCIDENT))).toMatchObject({
      status: 'unknown',
      reason: expect.stringContaining('no effect since v1.12.1') as string,
    });
  });
});

describe('settings of the cluster', () => {
  const update = (live: UpdateRequest['live'], more: Partial<UpdateRequest> = {}) =>
    diffAddonVersions({ from: 'v1.19.0-eksbuild.1', to: 'v1.20.0-eksbuild.1', mode: 'OVERWRITE', live, ...more });

  it.each([
    ['env.WARM_ENI_TARGET', '1', 'kept', 'the default'],
    ['env.ENABLE_PREFIX_DELEGATION', 'False', 'kept', 'another way to write the default'],
    ['env.ENABLE_PREFIX_DELEGATION', 'yes', 'kept', 'unreadable, so that the CNI uses the default anyway'],
    ['env.ENABLE_PREFIX_DELEGATION', 'true', 'reset', 'made by hand, and EKS writes the default'],
    ['env.AWS_VPC_ENI_MTU', '1500', 'reset', 'no switch'],
    ['env.WARM_IP_TARGET', '5', 'unknown', 'EKS writes it only when it is configured'],
    ['env.IP_COOLDOWN_PERIOD', '30', 'kept', 'what the program does anyway'],
    ['env.DISABLE_POD_V6', '0', 'kept', 'another way to write what the program does anyway'],
    ['env.HTTP_TIMEOUT', '20', 'unknown', 'not in the schema'],
    ['env.CLUSTER_NAME', 'main', 'kept', 'EKS sets it'],
    ['env.ENABLE_IPv4', 'true', 'kept', 'EKS sets it'],
    ['env.CLUSTER_ENDPOINT', 'https://example.eks.amazonaws.com', 'kept', 'EKS sets it, although there is a key'],
    ['env.VPC_ID', 'vpc-1', 'kept', 'EKS sets it, although the CNI does not read it'],
    ['env.MY_OWN', 'x', 'unknown', 'nobody knows it'],
  ])('%s=%s is %s (%s)', (path, value, status) => {
    expect(effectOn(path, update({ env: { [path.slice(4)]: value } })).status).toBe(status);
  });

  it('are not called reset for prefix delegation in an IPv6 cluster', () => {
    const diff = update({ env: { ENABLE_PREFIX_DELEGATION: 'true', ENABLE_IPv6: 'true', ENABLE_IPv4: 'false' } });
    expect(diff.effects.map(({ path, status }) => [path, status])).toEqual([
      ['env.ENABLE_IPv4', 'kept'],
      ['env.ENABLE_IPv6', 'kept'],
      ['env.ENABLE_PREFIX_DELEGATION', 'unknown'],
    ]);
  });

  it('are pinned where they differ from the default, in the words of the schema', () => {
    const env = {
      ENABLE_MULTI_NIC: '1',
      WARM_IP_TARGET: '5',
      WARM_ENI_TARGET: '1',
      HTTP_TIMEOUT: '20',
      CLUSTER_NAME: 'main',
      MY_OWN: 'x',
      NETWORK_POLICY_ENFORCING_MODE: 'none',
    };
    expect(update({ env }).pin).toEqual({
      env: { ENABLE_MULTI_NIC: 'true', WARM_IP_TARGET: '5' },
      extraEnv: [{ name: 'HTTP_TIMEOUT', value: '20' }],
    });
    expect(update({ env }, { to: 'v1.18.0-eksbuild.1' }).pin).toEqual({ env: { WARM_IP_TARGET: '5' } });
  });

  it('are compared with extraEnv where they have no key', () => {
    const configuration = { extraEnv: [{ name: 'HTTP_TIMEOUT', value: '20' }] };
    const kept = update({ env: { HTTP_TIMEOUT: '20' } }, { configuration });
    expect(effectOn('env.HTTP_TIMEOUT', kept).status).toBe('kept');
    expect(kept.pin).toBeUndefined();
    const other = update({ env: { HTTP_TIMEOUT: '30' } }, { configuration });
    expect(effectOn('env.HTTP_TIMEOUT', other).status).toBe('unknown');
    expect(other.pin).toBeUndefined();
  });

  it('are not known where env and extraEnv both have them', () => {
    const configuration = { env: { WARM_IP_TARGET: '2' }, extraEnv: [{ name: 'WARM_IP_TARGET', value: '5' }] };
    expect(effectOn('env.WARM_IP_TARGET', update({ env: { WARM_IP_TARGET: '2' } }, { configuration }))).toMatchObject({
      status: 'unknown',
      reason: expect.stringContaining('extraEnv sets it too') as string,
      bites: undefined,
    });
  });

  it('are of the containers only, not of what is called like them', () => {
    const configuration = { podLabels: { 'my.env.WARM_IP_TARGET': '5' }, env: { WARM_IP_TARGET: '2' } };
    expect(
      updateEffects({
        from: 'v1.19.0-eksbuild.1',
        to: 'v1.20.0-eksbuild.1',
        mode: 'OVERWRITE',
        configuration,
        live: { env: { WARM_IP_TARGET: '2' } },
      }).map(({ path, status }) => [path, status]),
    ).toEqual([
      ['env.WARM_IP_TARGET', 'kept'],
      ['podLabels', 'kept'],
    ]);
  });

  it.each([
    ['OVERWRITE', 'changed', '2'],
    ['PRESERVE', 'unknown', undefined],
    ['NONE', 'fails', undefined],
  ] as const)('against another configured value: %s is %s', (mode, status, becomes) => {
    const diff = update({ env: { WARM_IP_TARGET: '5' } }, { mode, configuration: { env: { WARM_IP_TARGET: '2' } } });
    expect(effectOn('env.WARM_IP_TARGET', diff)).toMatchObject({ status, live: '5', configured: '2', becomes });
    // What was configured is meant.
    expect(diff.pin).toBeUndefined();
  });

  it('are missing when a container was not seen', () => {
    const configuration = { env: { WARM_IP_TARGET: '2' }, init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } } };
    const diff = update({ env: {} }, { configuration });
    expect(effectOn('env.WARM_IP_TARGET', diff)).toMatchObject({
      status: 'changed',
      becomes: '2',
      bites: { when: 'restart' },
    });
    expect(effectOn(DEMUX, diff)).toMatchObject({ status: 'kept', becomes: 'true' });
    expect(diff.notes.join(' ')).toContain('DISABLE_TCP_EARLY_DEMUX');
    expect(update({ env: {}, init: {} }, { configuration }).notes.join(' ')).not.toContain('DISABLE_TCP_EARLY_DEMUX');
  });

  it('may have any name', () => {
    const env = JSON.parse('{"__proto__":"1","constructor":"2","a.b":"3","":"4"}') as Record<string, string>;
    expect(update({ env }).effects.map(({ status }) => status)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
    expect(update({ env }).pin).toBeUndefined();
  });
});

describe('configuration values', () => {
  const diffOf = (configuration: Data, more: Partial<UpdateRequest> = {}) =>
    diffAddonVersions({
      from: 'v1.19.0-eksbuild.1',
      to: 'v1.20.0-eksbuild.1',
      mode: 'PRESERVE',
      configuration,
      ...more,
    });

  it('are put right where that is no matter of opinion, and else left out', () => {
    const diff = diffOf({
      env: { ENABLE_POD_ENI: true, WARM_IP_TARGET: 5, DISABLE_TCP_EARLY_DEMUX: 'true', NO_SUCH_KEY: '1' },
      eniConfig: { create: [], region: 'eu-west-1', subnets: { 'eu-west-1a': { id: 'subnet-1' } } },
      'env.WARM_ENI_TARGET': '2',
      nodeAgent: { logLevel: 'trace', enabled: true },
    });
    expect(diff.effects.filter(({ status }) => status === 'refused').map(({ path }) => path)).toEqual([
      'eniConfig.create',
      'env.DISABLE_TCP_EARLY_DEMUX',
      'env.ENABLE_POD_ENI',
      'env.NO_SUCH_KEY',
      'env.WARM_ENI_TARGET',
      'env.WARM_IP_TARGET',
      'nodeAgent.logLevel',
    ]);
    expect(diff.pin).toEqual({
      env: { ENABLE_POD_ENI: 'true', WARM_IP_TARGET: '5' },
      init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } },
      nodeAgent: { enabled: true },
    });
  });

  it('that are not known decide nothing', () => {
    const unknown = new Unknown('parameter Target has no default', nowhere);
    const diff = diffOf(
      { env: { ENABLE_POD_ENI: unknown }, tolerations: [unknown] },
      { live: { env: { ENABLE_POD_ENI: 'true' } } },
    );
    expect(effectOn(POD_ENI, diff)).toMatchObject({
      status: 'unknown',
      live: 'true',
      reason: expect.stringContaining('parameter Target has no default') as string,
    });
    expect(diff.pin).toBeUndefined();
  });

  itWithAll('with absurd keys take no time', () => {
    const elapsed = cpuTime();
    diffOf(
      { ['a'.repeat(1_000_000)]: '1', env: { ['b.'.repeat(100_000)]: '1' } },
      { live: { env: { ['c'.repeat(1_000_000)]: '1' } } },
    );
    expect(elapsed()).toBeLessThan(2_000);
  });

  it('that are no map are like none', () => {
    for (const configuration of [null, 'text', [], 5]) expect(diffOf(configuration).pin).toBeUndefined();
  });
});

describe('defaults', () => {
  it('that change are told with both values', () => {
    expect(
      schemaDiff('v1.21.1-eksbuild.8', 'v1.21.2-eksbuild.2').changed.map(({ path, from, to }) => [path, from, to]),
    ).toEqual([
      ['init.image.pullPolicy', 'Always', 'IfNotPresent'],
      ['nodeAgent.image.pullPolicy', 'Always', 'IfNotPresent'],
    ]);
  });

  it('are told with what EKS does with them', () => {
    const { changed } = schemaDiff('v1.12.6-eksbuild.2', 'v1.13.0-eksbuild.1');
    expect(changed).toEqual([]);
    expect(schemaDiff('v1.10.1-eksbuild.1', 'v1.10.2-eksbuild.1').changed).toEqual([
      {
        path: 'resources.requests.cpu',
        from: '10m',
        to: '25m',
        defaultFrom: vpcCni.key('resources.requests.cpu')?.defaultFrom,
        rendered: false,
      },
    ]);
  });

  it('that stay are not', () => {
    expect(schemaDiff('v1.22.1-eksbuild.2', 'v1.23.0-eksbuild.1').changed).toEqual([]);
  });
});

describe('notes', () => {
  const notesOn = (more: Partial<UpdateRequest>): readonly string[] =>
    diffAddonVersions({
      from: 'v1.19.0-eksbuild.1',
      to: 'v1.20.0-eksbuild.1',
      mode: 'OVERWRITE',
      live: { env: {}, init: {} },
      configuration: {},
      ...more,
    }).notes;
  const replaced =
    'The configuration values of an update replace the stored ones as a whole: what only the stored ones set goes back to the default.';

  it('tell what to mind, and nothing else', () => {
    expect(notesOn({})).toEqual([replaced]);
    expect(notesOn({ configuration: undefined })).toEqual([
      expect.stringContaining('EKS keeps the configuration values that it has stored'),
    ]);
    expect(notesOn({ live: undefined })).toEqual([
      expect.stringContaining('The settings of the cluster are not known'),
    ]);
    expect(notesOn({ live: { env: {} } })).toEqual([
      expect.stringContaining('aws-vpc-cni-init are not known'),
      replaced,
    ]);
    expect(notesOn({ configuration: { env: { NO_SUCH_KEY: '1' } } })).toEqual([
      expect.stringContaining('the whole update is'),
      replaced,
      'The values to pin leave out what EKS refuses: env.NO_SUCH_KEY.',
    ]);
  });

  it('tell of a step that is none, goes back or is long', () => {
    expect(notesOn({ to: 'v1.19.0-eksbuild.1' })).toEqual([
      expect.stringContaining('FROM and TO are the same version'),
      replaced,
    ]);
    expect(notesOn({ to: 'v1.18.0-eksbuild.1' })).toEqual([
      replaced,
      'v1.18.0-eksbuild.1 is older than v1.19.0-eksbuild.1: this is a downgrade.',
    ]);
    expect(notesOn({ to: 'v1.21.1-eksbuild.5' })).toEqual([
      replaced,
      'The update skips 1 minor version; the EKS user guide advises to go one minor version at a time.',
    ]);
    expect(notesOn({ from: 'v1.22.1-eksbuild.2' })).toEqual([
      replaced,
      expect.stringContaining('downgrade'),
      expect.stringContaining('skips 1 minor version;'),
    ]);
    expect(notesOn({ from: 'v1.16.0-eksbuild.1' })).toEqual([
      replaced,
      expect.stringContaining('skips 3 minor versions;'),
    ]);
  });
});

describe('versions', () => {
  it.each([
    ['v1.12.6', ['v1.12.6-eksbuild.1', 'v1.12.6-eksbuild.2']],
    ['v1.12.6-eksbuild.9 ', ['v1.12.6-eksbuild.1', 'v1.12.6-eksbuild.2']],
    [' v1.13.1 ', ['v1.12.6-eksbuild.2', 'v1.13.0-eksbuild.1', 'v1.13.2-eksbuild.1', 'v1.13.3-eksbuild.1']],
    ['v2.12.6', vpcCni.schemaVersions.slice(-2)],
    ['v1.21.1', vpcCni.schemaVersions.filter((version) => version.startsWith('v1.21.1-')).slice(-4)],
    ['1.12.6', ['v1.12.6-eksbuild.1', 'v1.12.6-eksbuild.2']],
    ['v1.13.1-eksbuild.1', ['v1.12.6-eksbuild.2', 'v1.13.0-eksbuild.1', 'v1.13.2-eksbuild.1', 'v1.13.3-eksbuild.1']],
    ['v0.1.0', ['v1.6.3-eksbuild.2', 'v1.6.3-eksbuild.3']],
  ])('near %s', (version, nearest) => {
    expect(nearestVpcCniVersions(version)).toEqual(nearest);
  });

  it('that are not known are refused', () => {
    expect(knowsVpcCniSchema('v9.9.9-eksbuild.1')).toBe(false);
    expect(() => diffAddonVersions({ ...INCIDENT, to: 'v9.9.9-eksbuild.1' })).toThrow(RangeError);
    expect(nearestVpcCniVersions('v9.9.9-eksbuild.1').at(-1)).toBe(vpcCni.schemaVersions.at(-1));
    expect(nearestVpcCniVersions('latest')).toEqual([vpcCni.schemaVersions.at(-1)]);
  });
});

describe('when changes act', () => {
  it('is told of keys that exist, each change once', () => {
    const rows = vpcCni.effects.map(({ path, to }) => `${path} ${to ?? ''}`);
    expect(new Set(rows).size).toBe(rows.length);
    for (const { path, source } of vpcCni.effects) {
      expect(vpcCni.key(path)?.since).toBeDefined();
      expect(source.path ?? source.page).toBeTruthy();
    }
  });

  it('depends on the direction where the sources say it of one only', () => {
    expect(vpcCni.effect(POD_ENI, false)?.when).toBe('new-node');
    expect(vpcCni.effect(POD_ENI, true)).toBeUndefined();
    expect(vpcCni.effect(DEMUX, true)).toMatchObject({ when: 'restart' });
    expect(vpcCni.effect('env.POD_SECURITY_GROUP_ENFORCING_MODE', undefined)?.when).toBe('new-pod');
    expect(vpcCni.effect('env.NO_SUCH_KEY', undefined)).toBeUndefined();
  });
});

describe('all pairs of versions', () => {
  const versions = vpcCni.schemaVersions;

  it('differ by the same keys in both directions', () => {
    for (const from of versions) {
      // Every pair once: the way back is looked at with it.
      for (const to of versions.slice(versions.indexOf(from))) {
        const there = schemaDiff(from, to);
        const back = schemaDiff(to, from);
        const paths = (keys: readonly { readonly path: string }[]) => keys.map(({ path }) => path).join();
        if (paths(there.added) !== paths(back.removed) || paths(there.removed) !== paths(back.added))
          throw new Error(`${from} and ${to} differ otherwise on the way back`);
        if (from === to && there.added.length + there.removed.length + there.changed.length > 0)
          throw new Error(`${from} differs from itself`);
        const swapped = back.changed.map((change) => ({ ...change, from: change.to, to: change.from }));
        if (JSON.stringify(there.changed) !== JSON.stringify(swapped))
          throw new Error(`defaults of ${from} and ${to} differ otherwise on the way back`);
      }
    }
  });

  const variables = vpcCniVariables().map(({ name }) => name);
  const environment = fc.dictionary(
    fc.constantFrom(...variables, 'MY_OWN', '__proto__'),
    fc.constantFrom('true', 'false', '1', '', 'strict', '9001', 'x y'),
    { maxKeys: 12 },
  );
  const leaf: fc.Arbitrary<Data> = fc.constantFrom<Data[]>('true', 'false', true, 5, 'x', null, ['a'], { a: 'b' });
  const configuration: fc.Arbitrary<Data> = fc.oneof(
    fc.record(
      {
        env: fc.dictionary(fc.constantFrom(...variables), leaf, { maxKeys: 6 }),
        init: fc.record(
          { env: fc.dictionary(fc.constantFrom(...variables), leaf, { maxKeys: 3 }) },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.constantFrom(...vpcCni.keys.map(({ path }) => path), 'x', '__proto__'), leaf, {
      maxKeys: 5,
    }),
    // A key with `${` stands for one that isn't known before deployment, so that nobody can say whether EKS accepts it.
    (fc.jsonValue() as fc.Arbitrary<Data>).filter((data) => !JSON.stringify(data).includes('${')),
  );
  const request: fc.Arbitrary<UpdateRequest> = fc.record(
    {
      from: fc.constantFrom(...versions),
      to: fc.constantFrom(...versions),
      mode: fc.constantFrom(...MODES),
      configuration,
      live: fc.record({ env: environment, init: environment }, { requiredKeys: [] }),
    },
    { requiredKeys: ['from', 'to', 'mode'] },
  );

  it('have a result, and pin what EKS accepts and what then resets nothing that has a key', () => {
    fc.assert(
      fc.property(request, (one) => {
        const diff = diffAddonVersions(one);
        const paths = diff.effects.map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
        if (diff.pin === undefined) return;
        expect(configurationProblems(diff.pin, { kind: 'pinned', version: one.to })).toEqual([]);
        // It keeps what it doesn't pin: nothing that was acceptable gets lost.
        const again = diffAddonVersions({ ...one, configuration: diff.pin, mode: 'OVERWRITE' });
        expect(again.pin).toBeUndefined();
        // Only what the schema doesn't take as a value can't be pinned.
        for (const { path, live, status } of again.effects) {
          expect(status).not.toBe('refused');
          if (status === 'reset') expect(vpcCni.key(path)?.enum ?? [live]).not.toContain(live);
        }
      }),
      { numRuns: runs(80) },
    );
  });
});

it('takes time in proportion to the number of keys that no version knows', () => {
  const keys = Array.from({ length: 4000 }, (_, index) => [`SOME_UNKNOWN_KEY_${index}`, 'x'] as const);
  const elapsed = cpuTime();
  const diff = diffAddonVersions({
    from: 'v1.11.0-eksbuild.1',
    to: 'v1.12.6-eksbuild.1',
    mode: 'OVERWRITE',
    configuration: { env: { ...Object.fromEntries(keys), WARM_IP_TARGET: '2' } },
  });
  expect(diff.pin).toEqual({ env: { WARM_IP_TARGET: '2' } });
  // It takes a fraction of a second, even where the machine is slow; in proportion to their square it took 40.
  expect(elapsed()).toBeLessThan(10_000);
});

it('takes keys with dots out of what it pins, too', () => {
  const diff = diffAddonVersions({
    from: 'v1.11.0-eksbuild.1',
    to: 'v1.12.6-eksbuild.1',
    mode: 'OVERWRITE',
    configuration: { 'env.WARM_IP_TARGET': '2', env: { 'a.b': 'c', WARM_IP_TARGET: '2' } },
  });
  expect(diff.pin).toEqual({ env: { WARM_IP_TARGET: '2' } });
});

describe('configuration values', () => {
  const coredns = describedAddon('coredns');
  const [from = '', to = ''] = [coredns?.schemaVersions[0], coredns?.newestSchema];

  it('keep their type', () => {
    const configuration = { replicaCount: 3, podDisruptionBudget: { enabled: true } };
    const effects = updateEffects({
      from,
      to,
      mode: 'OVERWRITE',
      configuration,
      ...(coredns ? { addon: coredns } : {}),
    });
    expect(effects.map(({ path, configured }) => [path, configured])).toEqual(
      expect.arrayContaining([['replicaCount', 3]]),
    );
  });

  it('to pin are told apart from those that EKS refuses', () => {
    const configuration = { env: { AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER: 'false', ENABLE_POD_ENI: 'true' } };
    const { pin, notes } = diffAddonVersions({
      from: INCIDENT.from,
      to: INCIDENT.to,
      mode: 'OVERWRITE',
      configuration,
    });
    expect(pin).toEqual({ env: { ENABLE_POD_ENI: 'true' } });
    expect(notes).toContain('The values to pin leave out what EKS refuses: env.AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER.');
  });

  it('of other add-ons than the VPC CNI are not told to go by single minor versions', () => {
    const skips = (notes: readonly string[]) => notes.filter((note) => note.includes('minor version'));
    expect(skips(diffAddonVersions({ from: 'v1.9.0-eksbuild.1', to: INCIDENT.to, mode: 'NONE' }).notes)).toHaveLength(
      1,
    );
    const { notes } = diffAddonVersions({ from, to, mode: 'NONE', ...(coredns ? { addon: coredns } : {}) });
    expect(skips(notes)).toEqual([]);
  });
});
