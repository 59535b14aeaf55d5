import { defineRule, resourceName, type Judgement } from '../../engine';
import { casesOf, isReadBack, type Cluster, type Plain } from '../../eks';
import { agreeing } from '../parts/agreeing-cases';
import { newestSupported } from './parts/version-support';

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
  symptom: [
    "The test cluster of spring and the production cluster of autumn come from the same code and have different Kubernetes versions. What was tested isn't what runs, and no change in the code tells when a cluster was updated.",
  ].join('\n'),
  why: [
    "EKS creates a cluster that names no version with its default of the day, which needn't be the latest. Later deployments don't touch the version. Rules that depend on it (AMI types, add-on versions, support) can't judge then.",
  ].join('\n'),
  limits: [
    "- A plan of Terraform shows the version that an existing cluster has. Where it doesn't tell whether that is written, as with one that a local value gives, the version counts as written.",
    '- A version that is looked up at deployment is unverifiable: it may be the newest each time.',
  ].join('\n'),
  ignore: 'For a cluster of a test that is to run on whatever is the default.',
  sources: [
    {
      title: 'Amazon EKS API: CreateCluster, version',
      url: 'https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateCluster.html',
    },
    {
      title: 'Amazon EKS user guide: Understand the Kubernetes version lifecycle on EKS',
      url: 'https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html',
    },
  ],
  messages: {
    notPinned: {
      text: 'Cluster "{{cluster}}" names no Kubernetes version: EKS takes its default on the day of creation, so that clusters of the same code differ.',
      fix: {
        summary: 'Name the version: for a new cluster {{newest}}, for one that exists the version that it has.',
        code: {
          cloudformation: "Version: '{{newest}}'",
          'aws-cdk': 'version: {{inCdk}}',
          terraform: 'version = "{{newest}}"',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model, { today }) {
    for (const cluster of model.clusters) {
      const cases = casesOf(cluster, { version: cluster.version });
      yield* agreeing(
        cases.map(
          ({ when, values }): Judgement<'notPinned'> => ({
            ...judge(cluster, values.version, today),
            resource: cluster,
            when,
          }),
        ),
      );
    }
  },
});

function judge(
  cluster: Cluster,
  version: Plain<string>,
  today: string,
): Omit<Judgement<'notPinned'>, 'resource' | 'when'> {
  switch (version.kind) {
    case 'known':
      return isReadBack(version) ? notPinned(cluster, version, version.value) : { verdict: 'pass' };
    case 'unknown':
      return {
        verdict: 'unverifiable',
        source: version.source,
        reason: `its Kubernetes version isn't known: ${version.reason}`,
      };
    case 'absent':
      return notPinned(cluster, version, newestSupported(today) ?? '1.36');
  }
}

function notPinned(
  cluster: Cluster,
  { source }: Plain<string>,
  newest: string,
): Omit<Judgement<'notPinned'>, 'resource' | 'when'> {
  const ofConstruct = `eks.KubernetesVersion.of('${newest}')`;
  // The construct of `aws-eks` renders a custom resource; that of `aws-eks-v2` what a CfnCluster renders, too.
  const inCdk =
    cluster.type === 'AWS::EKS::Cluster'
      ? `'${newest}', // of a CfnCluster; of a Cluster: ${ofConstruct}`
      : `${ofConstruct},`;
  return { verdict: 'fail', message: 'notPinned', source, data: { cluster: resourceName(cluster), newest, inCdk } };
}
