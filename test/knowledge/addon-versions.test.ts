import { describedAddon, vpcCni } from '../../lib/knowledge/addon-description';
import { addonVersion, addonVersions, newestAddonVersion } from '../../lib/knowledge/addon-versions';
import { kubernetesMinor } from '../../lib/knowledge/kubernetes-versions';

describe('versions of add-ons', () => {
  it('are taken by every version of Kubernetes between two', () => {
    for (const { clusterMinors } of addonVersions('vpc-cni')) {
      const [first = 0, ...rest] = clusterMinors.map((minor) => Number(minor.replace('1.', '')));
      expect(rest).toEqual(rest.map((_, index) => first + index + 1));
      expect(kubernetesMinor(clusterMinors.at(-1) ?? '')).toBeDefined();
    }
    const newest = newestAddonVersion('vpc-cni', '1.33') ?? '';
    expect(addonVersion('vpc-cni', newest)?.clusterMinors).toContain('1.33');
    expect(newestAddonVersion('vpc-cni', '1.1')).toBeUndefined();
  });

  it('are those of a cluster, or all where no version fits', () => {
    const fitting = vpcCni.versionsFor('1.33');
    expect(fitting).toContain(newestAddonVersion('vpc-cni', '1.33'));
    expect(fitting.length).toBeLessThan(addonVersions('vpc-cni').length);
    const all = addonVersions('vpc-cni').map(({ version }) => version);
    expect(vpcCni.versionsFor('1.1')).toEqual(all);
    expect(vpcCni.versionsFor(undefined)).toEqual(all);
  });

  it('come with what is known of their programs', () => {
    expect(vpcCni.hasVariables).toBe(true);
    expect(describedAddon('coredns')?.hasVariables).toBe(false);
    expect(vpcCni.variable('ENABLE_POD_ENI')).toBeDefined();
  });

  it('come with when a change begins to act', () => {
    expect(vpcCni.effect('init.env.DISABLE_TCP_EARLY_DEMUX', false)).toMatchObject({ to: 'false', when: 'restart' });
    // What holds for every change.
    const switchedOn = vpcCni.effect('init.env.DISABLE_TCP_EARLY_DEMUX', true);
    expect(switchedOn).toMatchObject({ when: 'restart' });
    expect(switchedOn?.to).toBeUndefined();
    expect(vpcCni.effect('env.ENABLE_POD_ENI', false)).toMatchObject({ when: 'new-node' });
    expect(vpcCni.effect('env.toString', undefined)).toBeUndefined();
    expect(describedAddon('coredns')?.effects).toEqual([]);
  });
});
