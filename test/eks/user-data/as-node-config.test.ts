import { bootstrapCallsIn, nodeConfigOf, type TranslationTarget } from '../../../lib/eks/user-data/bootstrap-script';
import { validateNodeConfig } from '../../../lib/eks/user-data/node-config';
import { readShell } from '../../../lib/eks/user-data/shell';
import { SourceText } from '../../../lib/eks/user-data/source-text';

const CLUSTER = {
  name: 'main',
  apiServerEndpoint: 'https://example.eks.amazonaws.com',
  certificateAuthority: 'Y2VydGlmaWNhdGU=',
  cidr: '172.20.0.0/16',
};

function translated(options: string, target: Partial<TranslationTarget> = {}) {
  const [call] = bootstrapCallsIn(readShell(SourceText.of(`#!/bin/bash\n/etc/eks/bootstrap.sh ${options}\n`)));
  if (call === undefined) throw new Error('no call');
  return nodeConfigOf(call, { kubernetesVersion: '1.33', ...target });
}

describe('a call of bootstrap.sh as a NodeConfig', () => {
  it('takes over labels, taints, pods and gates, and leaves flags flags', () => {
    const { spec, notes } = translated(
      "main --kubelet-extra-args '--node-labels=team=web,tier=front --register-with-taints=dedicated=web:NoSchedule --max-pods=58 --feature-gates=KubeletInUserNamespace=true --kube-reserved=cpu=100m'",
    );
    expect(spec).toEqual({
      kubelet: {
        config: { maxPods: 58, featureGates: { KubeletInUserNamespace: true } },
        flags: [
          '--node-labels=team=web,tier=front',
          '--register-with-taints=dedicated=web:NoSchedule',
          '--kube-reserved=cpu=100m',
        ],
      },
    });
    expect(notes).toEqual([]);
  });

  it('tells nodeadm of the cluster where EKS does not', () => {
    expect(translated('main', { cluster: CLUSTER }).spec).toEqual({ cluster: CLUSTER });
    expect(
      translated(
        'other --apiserver-endpoint https://x.example --b64-cluster-ca Zm9v --service-ipv4-cidr 10.100.0.0/16',
        {
          cluster: CLUSTER,
        },
      ).spec.cluster,
    ).toEqual({
      name: 'other',
      apiServerEndpoint: 'https://x.example',
      certificateAuthority: 'Zm9v',
      cidr: '10.100.0.0/16',
    });
  });

  it('knows that kubelet allows 110 pods where the script is told to leave the number alone', () => {
    expect(translated('main --use-max-pods false').spec.kubelet).toEqual({ config: { maxPods: 110 } });
    expect(translated('main --use-max-pods false').notes.join()).toContain('110');
    expect(translated('main --use-max-pods true').spec).toEqual({});
  });

  it('keeps the address of DNS and the disks, and says what has no counterpart', () => {
    const { spec, notes } = translated(
      'main --dns-cluster-ip 172.20.0.10 --local-disks raid0 --container-runtime containerd --enable-docker-bridge true --pause-container-version 3.5',
    );
    expect(spec).toEqual({
      kubelet: { config: { clusterDNS: ['172.20.0.10'] } },
      instance: { localStorage: { strategy: 'RAID0' } },
    });
    expect(notes).toEqual([
      '--enable-docker-bridge is left out: AL2023 has no Docker.',
      '--pause-container-version is left out: nodeadm knows the image.',
    ]);
  });

  it('leaves out a gate that the version does not know, and says so', () => {
    const { spec, notes } = translated("main --kubelet-extra-args '--feature-gates=AppArmor=true'");
    expect(spec).toEqual({});
    expect(notes).toEqual([
      'The feature gate AppArmor is left out: Kubernetes 1.32 was the last version that knew it.',
    ]);
    expect(
      translated("main --kubelet-extra-args '--feature-gates=AppArmor=true'", { kubernetesVersion: '1.32' }).spec,
    ).toEqual({ kubelet: { config: { featureGates: { AppArmor: true } } } });
  });

  it('knows IPv6, Outposts, and that the call goes before what is known', () => {
    expect(
      translated('main --service-ipv6-cidr fd00::/108 --service-ipv4-cidr 10.0.0.0/16', { cluster: CLUSTER }).spec
        .cluster?.cidr,
    ).toBe('fd00::/108');
    const outpost = (options: string) => translated(`main ${options}`, { cluster: CLUSTER }).spec.cluster;
    expect(outpost('--enable-local-outpost true --cluster-id abc')).toEqual({
      ...CLUSTER,
      enableOutpost: true,
      id: 'abc',
    });
    expect(outpost('--enable-local-outpost true')).toEqual({ ...CLUSTER, enableOutpost: true });
    expect(outpost('--enable-local-outpost false --cluster-id abc')).toEqual(CLUSTER);
  });

  it('leaves a number of pods and gates that are decided later to flags', () => {
    const { spec, notes } = translated(
      'main --use-max-pods false --kubelet-extra-args "--max-pods=$PODS --feature-gates=A=$ON,$GATE=true,B=True --v"',
    );
    expect(spec).toEqual({
      kubelet: {
        config: { featureGates: { B: true } },
        flags: ['--max-pods=$PODS', '--feature-gates=A=$ON', '--feature-gates=$GATE=true', '--v'],
      },
    });
    expect(notes).toEqual([]);
    expect(translated('main --use-max-pods ${USE}').spec).toEqual({});
  });

  it('says what a person has to decide, and what is gone', () => {
    const { spec, notes } = translated(
      "main --local-disks other --containerd-config-file /etc/c.toml --kubelet-extra-args '--container-runtime=remote --network-plugin=cni'",
    );
    expect(spec).toEqual({});
    expect(notes).toEqual([
      '--container-runtime is left out: kubelet has had no such flag since dockershim went.',
      '--network-plugin is left out: kubelet has had no such flag since dockershim went.',
      '--local-disks is other: choose a strategy of instance.localStorage by hand.',
      'Put what differs from the default in /etc/c.toml into containerd.config, which nodeadm merges.',
    ]);
    expect(translated('main --local-disks RAID10').spec).toEqual({
      instance: { localStorage: { strategy: 'RAID10' } },
    });
  });

  it('says that more may come, where a part of the call is decided later', () => {
    expect(translated('main $EXTRA').notes.join()).toContain('further options');
    expect(translated('main --kubelet-extra-args "--max-pods=20 $MORE"').notes.join()).toContain(
      'decided at deployment',
    );
  });

  it.each([
    "main --kubelet-extra-args '--max-pods=17 --node-labels=a=b'",
    'main --use-max-pods false --dns-cluster-ip 10.100.0.10',
    'main --local-disks mount',
    'main',
  ])('of "%s" is a NodeConfig that nodeadm takes', (options) => {
    const { spec } = translated(options, { cluster: { ...CLUSTER, certificateAuthority: 'open' } });
    const document = { apiVersion: 'node.eks.aws/v1alpha1', kind: 'NodeConfig', spec };
    expect(validateNodeConfig(document, (value) => value === 'open')).toEqual([]);
  });
});
