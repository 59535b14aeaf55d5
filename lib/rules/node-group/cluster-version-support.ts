import { defineRule, resourceName, type Judgement, type RelatedPlace } from '../../engine';
import { alternativesOf, textOf, type Case, type Cluster, type ClusterView, type EksModel } from '../../eks';
import { parseMinor } from '../../knowledge';
import { judgeCases, undecided, unverifiable, type Outcome } from '../parts/case-judgements';
import { inDays, nearDay, newestSupported, outpostDoubt, SOON, supportOf } from '../parts/version-support';
import { objectsInV1, objectsToMigrate } from '../node-bootstrap/parts/karpenter-migration';
import { objectsToRewrite } from './parts/objects-to-rewrite';
import { manyGroupsBeside, versionsBeside, versionsOfSharers } from './parts/versions-beside';

/*
 * EKS supports a Kubernetes version for 14 months, then for 12 more at a higher price, and then updates the cluster by itself.
 * Source: EKS user guide, "Understand the Kubernetes version lifecycle on EKS".
 */

const CODE = {
  cloudformation: "Version: '{{newest}}' # in the end; one minor version at a time",
  'aws-cdk': "version: eks.KubernetesVersion.of('{{newest}}'), // in the end; one minor version at a time",
  terraform: 'version = "{{newest}}" # in the end; one minor version at a time',
};

const UPDATE =
  'Update the cluster, one minor version at a time, with its nodes and add-ons: `eks-guardrails upgrade` tells each step. {{newest}} is supported longest.{{movedGroups}}';

export const clusterVersionSupport = defineRule<Message>({
  id: 'cluster-version-support',
  subject: 'node-group',
  title: 'The Kubernetes version of a cluster is in standard support',
  severity: 'error',
  since: '0.1.0',
  messages: {
    ended: {
      text: 'Cluster "{{cluster}}" has Kubernetes {{version}}, whose support ended {{ended}}: EKS creates no cluster with it, and updates one that exists by itself, without notice.',
      fix: { summary: UPDATE, code: CODE, safety: 'needs-decision' },
    },
    extended: {
      text: 'Cluster "{{cluster}}" has Kubernetes {{version}}, which is in extended support since {{since}}: its control plane costs 0.60 instead of 0.10 USD an hour, until {{until}}, when EKS updates it by itself.',
      fix: { summary: UPDATE, code: CODE, safety: 'needs-decision' },
    },
    soon: {
      text: 'Cluster "{{cluster}}" has Kubernetes {{version}}, whose standard support ends {{days}}, on {{until}}: from then on its control plane costs 0.60 instead of 0.10 USD an hour.',
      fix: { summary: UPDATE, code: CODE, safety: 'needs-decision' },
    },
    noVersion: {
      text: 'Cluster "{{cluster}}" asks for Kubernetes "{{version}}", which EKS doesn\'t have: versions are written like "1.33", and without quotes 1.30 is the number 1.3.',
      fix: {
        summary: 'Write a version that EKS has, with two numbers and in quotes, such as "{{newest}}".',
        code: {
          cloudformation: "Version: '{{newest}}'",
          'aws-cdk': "version: eks.KubernetesVersion.of('{{newest}}'),",
          terraform: 'version = "{{newest}}"',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model, { today }) {
    for (const cluster of model.clusters) yield* judge(cluster, model, today);
  },
});

type Message = 'ended' | 'extended' | 'soon' | 'noVersion';

function judge(cluster: Cluster, model: EksModel, today: string): Iterable<Judgement<Message>> {
  const { version, supportType, onOutpost } = cluster;
  return judgeCases(cluster, { version, supportType, onOutpost }, (values) =>
    judgeVersion(cluster, values, model, today),
  );
}

function judgeVersion(
  cluster: Cluster,
  { version, supportType, onOutpost }: Case<Pick<Cluster, 'version' | 'supportType' | 'onOutpost'>>,
  model: EksModel,
  today: string,
): readonly Outcome<Message>[] {
  // No version is for another rule to tell.
  if (version.kind === 'absent') return [];
  if (version.kind === 'unknown') return [undecided("its Kubernetes version isn't known", version)];
  const doubt = outpostDoubt(onOutpost);
  if (doubt !== undefined) return [unverifiable(doubt, version.source)];
  const support = supportOf(version.value, today);
  // Such a cluster never gets into extended support.
  const isStandard = supportType.kind === 'known' && supportType.value === 'STANDARD';
  if (support.kind === 'standard' && (isStandard || support.days > SOON)) return [{ verdict: 'pass' }];
  if (support.kind === 'extended' && isStandard) return [];
  const view = model.viewOf(cluster);
  const newest = newestSupported(today) ?? version.value;
  const data = {
    cluster: resourceName(cluster),
    version: version.value,
    newest,
    movedGroups:
      manyGroupsBeside(view, cluster, newest) +
      objectsToMigrate(view, newest) +
      objectsToRewrite(view, version.value, newest),
  };
  const common = {
    source: version.source,
    besides: [
      ...versionsBeside(view, cluster, newest),
      ...versionsOfSharers(model, cluster, newest),
      ...objectsInV1(view, newest),
    ],
  };
  switch (support.kind) {
    case 'none':
      return [
        {
          verdict: 'fail',
          message: 'noVersion',
          source: version.source,
          data: { ...data, version: version.value.slice(0, 40) },
        },
      ];
    case 'unknown':
      return [unverifiable(support.reason, version.source)];
    case 'ended':
      return [
        {
          ...common,
          verdict: 'fail',
          message: 'ended',
          data: { ...data, ended: support.ended },
          related: groupsThatChange(view),
        },
      ];
    case 'extended':
      return [
        {
          ...common,
          verdict: 'fail',
          message: 'extended',
          severity: 'warning',
          data: { ...data, since: support.since, until: nearDay(support.until, support.days) },
        },
      ];
    case 'standard':
      return [
        {
          ...common,
          verdict: 'fail',
          message: 'soon',
          severity: 'warning',
          data: { ...data, days: inDays(support.days), until: support.until },
        },
      ];
  }
}

/** The first version with which EKS gives AL2023 to a group that names no AMI type. Source: EKS user guide, "Kubernetes 1.30". */
const AL2023_BY_DEFAULT = 30;

/** Groups whose AMI type has to change on the way, or changes by itself. */
function groupsThatChange({ cluster, nodeGroups }: ClusterView): readonly RelatedPlace[] {
  const isBefore =
    cluster?.version.kind === 'known' && (parseMinor(cluster.version.value) ?? AL2023_BY_DEFAULT) < AL2023_BY_DEFAULT;
  return nodeGroups.flatMap((nodeGroup) =>
    alternativesOf(nodeGroup.amiType).flatMap(({ value }): readonly RelatedPlace[] => {
      if (value.kind === 'absent')
        return isBefore && nodeGroup.launchTemplate.kind === 'absent'
          ? [
              {
                message: `${resourceName(nodeGroup)} names no AMI type: from Kubernetes 1.30 on it is AL2023, with a hop limit of 1`,
                source: nodeGroup.source,
              },
            ]
          : [];
      const name = textOf(value) ?? '';
      return name.startsWith('AL2_')
        ? [
            {
              message: `${resourceName(nodeGroup)} has AMI type ${name}, which ends with Kubernetes 1.32`,
              source: value.source,
            },
          ]
        : [];
    }),
  );
}
