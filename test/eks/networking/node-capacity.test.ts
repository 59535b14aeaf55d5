import { instanceType, instanceTypeNames, type InstanceType } from '../../../lib/knowledge';
import { CniSettings, nodeCapacity, podCeiling, type PodNetwork } from '../../../lib/eks/networking';
import { nowhere, Unknown, type Data } from '../../../lib/value';

const unknown = new Unknown('a parameter has no default', nowhere);
const settings = (env: Record<string, Data> = {}, more: Record<string, Data> = {}): CniSettings =>
  new CniSettings({ env, ...more }, 'v1.21.1-eksbuild.5');
const PREFIXES = { ENABLE_PREFIX_DELEGATION: 'true' };
const CUSTOM = { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' };
const POD_ENI = { ENABLE_POD_ENI: 'true' };

function typesOf(names: readonly string[]): readonly InstanceType[] {
  return names.flatMap((name) => instanceType(name) ?? []);
}

describe('nodeCapacity', () => {
  const all = typesOf(instanceTypeNames());

  it("is AWS's own figure for every type that AWS lists", () => {
    const listed = all.filter(({ maxPodsAws }) => maxPodsAws !== undefined);
    expect(listed.length).toBeGreaterThan(1100);
    const differing = listed.filter(
      ({ name, maxPodsAws }) =>
        nodeCapacity(name, settings(), 'ipv4')?.most !== maxPodsAws ||
        nodeCapacity(name, settings(), 'ipv4')?.least !== maxPodsAws,
    );
    expect(differing.map(({ name }) => name)).toEqual([]);
  });

  it('follows the formulas for every type in every mode', () => {
    const wrong: string[] = [];
    for (const { name, enis, ipv4PerEni, nitro, trunk, trunkKnown, branchEnis } of all) {
      const factor = nitro ? 16 : 1;
      const perEni = ipv4PerEni - 1;
      const check = (mode: string, found: number | undefined, expected: number | undefined): void => {
        if (found !== expected) wrong.push(`${name}, ${mode}: ${found}, not ${expected}`);
      };
      check('prefixes', nodeCapacity(name, settings(PREFIXES), 'ipv4')?.most, enis * perEni * factor + 2);
      check(
        'custom',
        nodeCapacity(name, settings(CUSTOM), 'ipv4')?.most,
        enis < 2 ? undefined : (enis - 1) * perEni + 2,
      );
      check(
        'custom with prefixes',
        nodeCapacity(name, settings({ ...CUSTOM, ...PREFIXES }), 'ipv4')?.most,
        enis < 2 ? undefined : (enis - 1) * perEni * factor + 2,
      );
      check('Windows', nodeCapacity(name, settings(), 'windows')?.most, perEni);
      check(
        'Windows with prefixes',
        nodeCapacity(name, settings({}, { enableWindowsPrefixDelegation: 'true' }), 'windows')?.most,
        perEni * factor,
      );
      check('IPv6', nodeCapacity(name, settings(), 'ipv6')?.most, enis * perEni * factor + 2);
      if (trunk && enis > 1)
        check('trunk', nodeCapacity(name, settings(POD_ENI), 'ipv4')?.most, (enis - 1) * perEni + 2 + branchEnis);
      if (!trunk && trunkKnown)
        check('no trunk', nodeCapacity(name, settings(POD_ENI), 'ipv4')?.most, enis * perEni + 2);
    }
    expect(all.length).toBeGreaterThan(1300);
    expect(wrong).toEqual([]);
  });

  type Row = [type: string, settings: CniSettings, network: PodNetwork, least: number, most: number];
  it.each<Row>([
    ['m5.large', settings({ MAX_ENI: '2' }), 'ipv4', 20, 20],
    ['m5.large', settings({ MAX_ENI: '100' }), 'ipv4', 29, 29],
    // What is no number from 1 on counts as not set.
    ['m5.large', settings({ MAX_ENI: '0' }), 'ipv4', 29, 29],
    ['m5.large', settings({ MAX_ENI: '-1' }), 'ipv4', 29, 29],
    ['m5.large', settings({ MAX_ENI: 'two' }), 'ipv4', 29, 29],
    // Switches that aren't booleans don't switch.
    ['m5.large', settings({ ENABLE_PREFIX_DELEGATION: 'yes' }), 'ipv4', 29, 29],
    ['m5.large', settings({ ENABLE_PREFIX_DELEGATION: unknown }), 'ipv4', 29, 434],
    ['m5.large', settings({ AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: unknown }), 'ipv4', 20, 29],
    ['m5.large', settings({ MAX_ENI: unknown }), 'ipv4', 11, 29],
    ['m5.large', settings({ ENABLE_POD_ENI: unknown }), 'ipv4', 29, 29],
    ['m5.large', new CniSettings(unknown, undefined), 'ipv4', 11, 434],
    ['t3.medium', settings(POD_ENI), 'ipv4', 17, 17],
    ['m5.large', settings(POD_ENI), 'ipv4', 29, 29],
    // Ordinary pods could use the trunk interface once.
    ['m5.large', new CniSettings({ env: POD_ENI }, 'v1.16.3-eksbuild.2'), 'ipv4', 38, 38],
    ['m5.large', new CniSettings({ env: POD_ENI }, undefined), 'ipv4', 29, 29],
    // Windows and IPv6 nodes don't care about the IPv4 settings of Linux.
    ['m5.large', settings({ ...PREFIXES, ...CUSTOM, MAX_ENI: '1' }), 'windows', 9, 9],
    ['m5.large', settings({ ENABLE_PREFIX_DELEGATION: 'false' }), 'ipv6', 434, 434],
    ['i3.metal', settings(PREFIXES), 'ipv4', 15 * 49 * 16 + 2, 15 * 49 * 16 + 2],
    ['m4.large', settings(PREFIXES), 'ipv4', 20, 20],
  ])('%s, row %#', (type, cni, network, least, most) => {
    expect(nodeCapacity(type, cni, network)).toMatchObject({ least, most });
  });

  it('says what is in doubt', () => {
    expect(nodeCapacity('m5.large', settings({ ENABLE_PREFIX_DELEGATION: unknown }), 'ipv4')?.doubt).toBe(unknown);
    expect(nodeCapacity('m5.large', settings(), 'ipv4')?.doubt).toBeUndefined();
    expect(nodeCapacity('trn2.48xlarge', settings(POD_ENI), 'ipv4')).toMatchObject({
      most: Infinity,
      doubt: { reason: 'no list tells whether trn2.48xlarge can carry a trunk interface' },
    });
  });

  it('doubts a trunk interface only where one is asked for and no list tells of it', () => {
    expect(nodeCapacity('trn2.48xlarge', settings(), 'ipv4')?.doubt).toBeUndefined();
    expect(nodeCapacity('m5.large', settings(POD_ENI), 'ipv4')?.doubt).toBeUndefined();
  });

  it.each<[string, Record<string, Data>, PodNetwork, boolean]>([
    ['AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG', { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: unknown }, 'ipv4', true],
    ['ENABLE_POD_ENI', { ENABLE_POD_ENI: unknown }, 'ipv4', true],
    ['MAX_ENI', { MAX_ENI: unknown }, 'ipv4', true],
    [
      'all of them, on IPv6',
      { ENABLE_PREFIX_DELEGATION: unknown, ENABLE_POD_ENI: unknown, MAX_ENI: unknown },
      'ipv6',
      false,
    ],
    [
      'all of them, on Windows',
      { ENABLE_PREFIX_DELEGATION: unknown, ENABLE_POD_ENI: unknown, MAX_ENI: unknown },
      'windows',
      false,
    ],
  ])('doubts or not because of %s', (_, env, network, isDoubted) => {
    expect(nodeCapacity('m5.large', settings(env), network)?.doubt).toBe(isDoubted ? unknown : undefined);
  });

  it('doubts Windows prefixes', () => {
    expect(nodeCapacity('m5.large', settings({}, { enableWindowsPrefixDelegation: unknown }), 'windows')).toMatchObject(
      { least: 9, most: 144, doubt: unknown },
    );
  });

  it('counts branch interfaces apart, and in all versions', () => {
    const branches = (version: string | undefined, type = 'm5.large', env = POD_ENI as Record<string, Data>) =>
      nodeCapacity(type, new CniSettings({ env }, version), 'ipv4');
    expect(branches('v1.16.3-eksbuild.2')).toMatchObject({ most: 38, branchEnis: 9 });
    expect(branches('v1.16.4-eksbuild.2')).toMatchObject({ most: 29, branchEnis: 9 });
    expect(branches('v1.16.3-eksbuild.2', 't3.medium')).toMatchObject({ most: 17, branchEnis: 0 });
    expect(branches('v1.16.3-eksbuild.2', 'm5.large', {})).toMatchObject({ most: 29, branchEnis: 0 });
    expect(branches(undefined, 'm5.large', { ENABLE_POD_ENI: unknown })).toMatchObject({
      least: 29,
      most: 29,
      branchEnis: 9,
    });
    expect(branches(undefined, 'trn2.48xlarge')).toMatchObject({ branchEnis: 0 });
    expect(branches(undefined, 'm5.large', { MAX_ENI: '1' })).toMatchObject({ least: 11, most: 11 });
  });

  it("can be asked for a mode that isn't set", () => {
    expect(nodeCapacity('m5.large', settings(), 'ipv4', { prefixDelegation: true })?.most).toBe(434);
    expect(nodeCapacity('m5.large', settings(PREFIXES), 'ipv4', { prefixDelegation: false })?.most).toBe(29);
  });

  it.each<[string, CniSettings]>([
    ['m99.large', settings()],
    ['__proto__', settings()],
    ['m6g.medium', settings({ ...CUSTOM, ...POD_ENI })],
    ['m5.large', settings({ ...CUSTOM, MAX_ENI: '1' })],
  ])('tells nothing of %s where there is no type or no interface, row %#', (type, cni) => {
    expect(nodeCapacity(type, cni, 'ipv4')).toBeUndefined();
  });

  it('knows the ceiling where the vCPUs are known', () => {
    expect([
      podCeiling('m5.large'),
      podCeiling('m5.24xlarge'),
      podCeiling('i3.metal'),
      podCeiling('m99.large'),
    ]).toEqual([110, 250, undefined, undefined]);
  });
});
