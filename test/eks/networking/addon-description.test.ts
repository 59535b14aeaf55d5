import { configurationProblems, diffAddonVersions, nearestVersions } from '../../../lib/eks/networking';
import { AddonDescription, describedAddon, describedAddons, vpcCni, type SchemaTable } from '../../../lib/knowledge';

const [OLD, NEW] = ['v1.0.0-eksbuild.1', 'v1.1.0-eksbuild.1'];

/** A made-up add-on: nothing but its table tells what it takes. */
const table: SchemaTable = {
  asOf: '2026-01-01',
  sources: [{ page: 'https://example.com/toy', gives: 'all' }],
  notes: [],
  versions: [OLD, NEW],
  keys: [
    {
      path: 'replicas',
      since: OLD,
      type: 'integer',
      default: 2,
      defaultFrom: 'chart',
      defaultHistory: [
        [OLD, 1],
        [NEW, 2],
      ],
    },
    { path: 'mode', since: NEW, type: 'string', enum: ['fast', 'safe'] },
    { path: 'legacy', onlyIn: [OLD], removedIn: NEW, type: 'boolean' },
  ],
  neverAccepted: [{ path: 'image', why: 'EKS chooses it', setByEks: true }],
};
const toy = new AddonDescription('toy', {
  schema: () => table,
  effects: () => ({ ...table, effects: [{ path: 'replicas', when: 'restart', source: 'https://example.com/toy' }] }),
});

describe('an add-on with a table of its own', () => {
  const problems = (data: Record<string, string | number | boolean>, version = NEW) =>
    configurationProblems(data, { kind: 'pinned', version }, toy).map(({ kind, path }) => `${kind} ${path}`);

  it('has its configuration values checked by it', () => {
    expect(problems({ replicas: 3, mode: 'safe' })).toEqual([]);
    expect(problems({ replicas: '3', mode: 'slow', legacy: true, image: 'x', env: 'y' })).toEqual([
      'type replicas',
      'value mode',
      'removed legacy',
      'not-configurable image',
      'unknown-key env',
    ]);
    expect(problems({ mode: 'safe' }, OLD)).toEqual(['too-new mode']);
    const [meant] = configurationProblems({ replica: 1 }, { kind: 'any', clusterMinor: '1.33', because: '' }, toy);
    expect(meant).toEqual({ kind: 'unknown-key', path: 'replica', suggestion: 'replicas' });
  });

  it('has its versions compared by it', () => {
    const { asOf, added, removed, changed, effects, pin } = diffAddonVersions({
      addon: toy,
      from: OLD,
      to: NEW,
      mode: 'OVERWRITE',
      configuration: { legacy: true, replicas: 3 },
    });
    expect({ asOf, added: added.map(({ path }) => path), removed: removed.map(({ path }) => path) }).toEqual({
      asOf: '2026-01-01',
      added: ['mode'],
      removed: ['legacy'],
    });
    expect(changed).toEqual([{ path: 'replicas', from: 1, to: 2, defaultFrom: 'chart', rendered: false }]);
    expect(effects.map(({ path, status }) => `${status} ${path}`)).toEqual(['refused legacy', 'kept replicas']);
    expect(pin).toEqual({ replicas: 3 });
    expect(nearestVersions(toy, 'v1.0.0-eksbuild.9')).toEqual([OLD]);
    expect(() => diffAddonVersions({ addon: toy, from: OLD, to: 'v9.0.0-eksbuild.1', mode: 'NONE' })).toThrow(
      'the table of toy schemas (2026-01-01) has no v9.0.0-eksbuild.1',
    );
  });

  it('has what its own sources say of effects, and no other', () => {
    expect(toy.effect('replicas', undefined)?.when).toBe('restart');
    expect(toy.effect('env.ENABLE_POD_ENI', true)).toBeUndefined();
    expect(vpcCni.effect('replicas', undefined)).toBeUndefined();
    expect([toy.hasVariables, vpcCni.hasVariables]).toEqual([false, true]);
    const sourceless = new AddonDescription('toy', {
      schema: () => table,
      effects: () => ({ ...table, effects: [{ path: 'mode', when: 'restart', source: 'elsewhere' }] }),
    });
    expect(() => sourceless.effects).toThrow('toy effects table: mode names the source "elsewhere"');
  });
});

it('an add-on is described by the table of its name', () => {
  expect(describedAddons()).toEqual(expect.arrayContaining(['vpc-cni', 'coredns', 'kube-proxy']));
  expect(describedAddon('vpc-cni')).toBe(vpcCni);
  expect(describedAddon('coredns')?.name).toBe('coredns');
  expect(describedAddon('adot')).toBeUndefined();
  expect(describedAddon('../data/vpc-cni')).toBeUndefined();
});
