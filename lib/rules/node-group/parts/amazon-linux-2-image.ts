import { acceleratorOf, LAST_AL2, instanceType, parseMinor } from '../../../knowledge';
import {
  alternativesOf,
  amiFamilyOf,
  doubtOf,
  flatMapCases,
  instanceTypesOf,
  kubernetesVersionOf,
  nodeTypesOf,
  under,
  whereExists,
  type ClusterView,
  type Image,
  type NodeBoot,
  type Plain,
  type When,
} from '../../../eks';
import type { LaunchOutcome } from '../../parts/launch-judgements';
import { volumeAdvice } from '../../parts/metadata-options-code';
import { clusterHasEnded, hasEnded, newestSupported } from '../../parts/version-support';
import { IN_WORDS, movedImage } from './moved-image';

/** What there is to say of an AMI of Amazon Linux 2 that a launch template brings. */
export type ImageMessage = 'imageEnded' | 'imageMissing' | 'imageUnpatched' | 'bootstrapMissing';

/** Judges the AMI that nodes boot with, where it is one of Amazon Linux 2: looked up, or told by the user data alone. */
export function judgeImage(boot: NodeBoot, today: string): readonly LaunchOutcome<ImageMessage>[] {
  const { nodeGroup, view, template, when: given } = boot;
  if (template.kind !== 'known') return [];
  const volume = volumeAdvice(template);
  return flatMapCases(
    { image: under(given, whereExists(nodeGroup, template.value.imageId)) },
    ({ image }, caseWhen): readonly LaunchOutcome<ImageMessage>[] => {
      const when = given.and(caseWhen);
      if (when === undefined) return [];
      if (image.kind !== 'known' || image.value.family === undefined) return judgeBootstrap(boot, image, when);
      // Whoever builds an AMI after the example of EKS's may do so for every version.
      if (image.value.family !== 'AL2' || image.value.isPublished !== true) return [];
      const { text, architecture = 'x86_64', kubernetesVersion } = image.value;
      const version = kubernetesVersion ?? '<version>';
      const isMissing = kubernetesVersion !== undefined && (parseMinor(kubernetesVersion) ?? 0) > LAST_AL2;
      const isEnded = kubernetesVersion !== undefined && hasEnded(parseMinor(kubernetesVersion), today);
      const isTold = clusterHasEnded(view, when, today);
      // Of a version that EKS no longer has there is no AMI for any cluster.
      const current = isEnded ? versionOfCluster(view, today) : version;
      const replacement = al2023InPlaceOf(text, current, architecture, boot);
      const value = isEnded ? { ...image.value, kubernetesVersion: current } : image.value;
      const moved = isEnded && isTold ? IN_WORDS : movedImage(boot, { value, source: image.source }, replacement, when);
      const common = {
        verdict: 'fail',
        source: image.source,
        when,
        data: { image: text, version, current, replacement, volume, ...moved.data },
        linesToo: moved.linesToo,
      } as const;
      if (isEnded) return [{ ...common, message: 'imageEnded', severity: isTold ? 'info' : 'warning' }];
      return [
        isMissing
          ? { ...common, message: 'imageMissing' }
          : { ...common, message: 'imageUnpatched', severity: 'warning' },
      ];
    },
  );
}

/** The version that the cluster has, or of one that isn't in the input the version that is supported longest. */
function versionOfCluster({ cluster }: ClusterView, today: string): string {
  const own = cluster?.version.kind === 'known' ? cluster.version.value : undefined;
  return own === undefined || hasEnded(parseMinor(own), today) ? (newestSupported(today) ?? '<version>') : own;
}

/** An AMI of which only the user data tells that it is one of Amazon Linux 2. */
function judgeBootstrap(boot: NodeBoot, image: Plain<Image>, when: When): readonly LaunchOutcome<ImageMessage>[] {
  const { nodeGroup, view, template } = boot;
  const text = image.kind === 'known' ? image.value.text : image.kind === 'unknown' ? image.text : undefined;
  // Ubuntu's AMIs have a script of that name, and are published for new versions. Of most AMIs only the id is known.
  if (image.kind === 'absent' || template.kind !== 'known' || /ubuntu|canonical/i.test(text ?? '')) return [];
  const split = {
    family: under(when, amiFamilyOf(nodeGroup, view)),
    version: under(when, kubernetesVersionOf(nodeGroup, view)),
  };
  return flatMapCases(split, ({ family, version }, caseWhen): readonly LaunchOutcome<ImageMessage>[] => {
    const all = when.and(caseWhen);
    const minor = version.kind === 'known' ? parseMinor(version.value) : undefined;
    if (all === undefined || family.kind !== 'known' || family.value !== 'AL2') return [];
    if (version.kind !== 'known' || minor === undefined || minor <= LAST_AL2 || doubtOf(version, all) !== undefined)
      return [];
    const architecture = alternativesOf(instanceTypesOf(nodeGroup))
      .flatMap(({ value: types }) =>
        types.kind === 'known' ? types.value.flatMap((type) => alternativesOf(type)) : [],
      )
      .map(({ value: type }) => (type.kind === 'known' ? instanceType(type.value)?.architecture : undefined))
      .find((known) => known !== undefined);
    return [
      {
        verdict: 'fail',
        message: 'bootstrapMissing',
        severity: 'info',
        source: image.source,
        when: all,
        data: {
          version: version.value,
          replacement: al2023Parameter(version.value, architecture ?? 'x86_64'),
          volume: volumeAdvice(template),
          imageInTemplate: '',
          imageInTerraform: '',
        },
        related: [{ message: `Kubernetes version ${version.value}`, source: version.source }],
      },
    ];
  });
}

/** The AMI of Amazon Linux 2023 in the place of one of Amazon Linux 2, which has a single one with drivers, for GPUs and for Neuron. */
export function al2023InPlaceOf(image: string, version: string, architecture: string, { nodeGroup }: NodeBoot): string {
  if (!/-gpu\b/.test(image)) return al2023Parameter(version, architecture);
  const isNeuron = nodeTypesOf(nodeGroup).some(({ types }) =>
    types.some(({ name }) => acceleratorOf(name) === 'neuron'),
  );
  return al2023Parameter(version, architecture, isNeuron ? 'neuron' : 'nvidia');
}

function al2023Parameter(version: string, architecture: string, variant = 'standard'): string {
  return `/aws/service/eks/optimized-ami/${version}/amazon-linux-2023/${architecture}/${variant}/recommended/image_id`;
}
