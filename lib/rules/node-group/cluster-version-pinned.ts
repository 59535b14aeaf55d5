import { defineRule, resourceName } from '../../engine';
import { isReadBack, type Cluster, type EksModel, type Plain } from '../../eks';
import { newestSupported } from '../parts/version-support';
import { manyGroupsBeside, versionsBeside } from './parts/versions-beside';
import { judgeCases, undecided, type Outcome } from '../parts/case-judgements';

/*
 * A cluster without version gets the default of EKS on the day of its creation.
 * Source: EKS API, CreateCluster, version.
 */

export const clusterVersionPinned = defineRule<'notPinned'>({
  id: 'cluster-version-pinned',
  subject: 'node-group',
  title: 'A cluster names its Kubernetes version',
  severity: 'warning',
  since: '0.1.0',
  isAboutCode: true,
  messages: {
    notPinned: {
      text: 'Cluster "{{cluster}}" names no Kubernetes version: EKS takes its default on the day of creation, so that clusters of the same code differ.',
      fix: {
        summary:
          'Name the version{{where}}: for a new cluster {{newest}}, for one that exists the version that `aws eks describe-cluster` tells.{{movedGroups}}',
        code: {
          cloudformation: "Version: '{{newest}}'",
          'aws-cdk': "version: eks.KubernetesVersion.of('{{newest}}'),",
          terraform: '{{inTerraform}}',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model, { today }) {
    for (const cluster of model.clusters) {
      const { version } = cluster;
      yield* judgeCases(cluster, { version }, (values) => [judge(cluster, values.version, model, today)]);
    }
  },
});

function judge(cluster: Cluster, version: Plain<string>, model: EksModel, today: string): Outcome<'notPinned'> {
  switch (version.kind) {
    case 'known':
      return isReadBack(version) ? notPinned(cluster, version, version.value, model) : { verdict: 'pass' };
    case 'unknown':
      return undecided("its Kubernetes version isn't known", version);
    case 'absent':
      return notPinned(cluster, version, newestSupported(today) ?? '1.36', model);
  }
}

function notPinned(cluster: Cluster, { source }: Plain<string>, newest: string, model: EksModel): Outcome<'notPinned'> {
  // In the place of a variable, a version would be that of all who call the module.
  const variable = /^var\.([\w-]+)$/.exec(source.expression ?? '')?.[1];
  const isPlaced = variable === undefined || source.decided !== undefined;
  const where = isPlaced ? '' : ` where the value of variable \`${variable}\` is given, or as its \`default\``;
  const inTerraform = isPlaced ? `version = "${newest}" # of a cluster that exists, the version that it has` : '';
  const view = model.viewOf(cluster);
  const movedGroups = manyGroupsBeside(view, cluster, newest);
  return {
    verdict: 'fail',
    message: 'notPinned',
    source,
    data: { cluster: resourceName(cluster), newest, where, inTerraform, movedGroups },
    besides: versionsBeside(view, cluster, newest),
  };
}
