import { stringify } from 'yaml';
import type { EksResource } from '../../../lib/eks';
import { allVectors } from '../../metamorphic/vectors';
import { isTemplate } from '../../rules/models';
import { replay } from '../replayed-vectors';
import { checkFiles } from './manifests';
import { translateToManifests, type ManifestTwin } from './translate';

/** Vectors of which something else is so by right, by the reason. */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  'kubectl takes no object without its API': [
    'custom-networking-eni-config: no apiVersion',
    'security-group-policy: no apiVersion',
  ],
  'a node class that selects nothing is taken for a part of one': [
    'imds-hop-limit: 1 in a Karpenter v1 node class (a declared limit) is only remarked where all controllers in sight have what they need',
    'imds-hop-limit: 1 in a Karpenter v1 node class (default) is only remarked where all controllers in sight have what they need',
    'imds-hop-limit: a Karpenter v1 node class stays a warning where one of the controllers in sight may need IMDS',
    'imds-hop-limit: a Karpenter v1 node class with a limit of 1 and IMDSv1 on stays a warning beside a controller that needs IMDS',
    'imds-hop-limit: a Karpenter v1 node class with a limit of 1 fails beside a controller that needs IMDS',
    'imds-hop-limit: a Karpenter v1 node class with a limit of 1 is a warning',
    'imds-hop-limit: a Karpenter v1 node class with a limit of 1 is a warning beside such a controller when the option says so',
    'imds-hop-limit: a Karpenter v1 node class with a limit of 1 stays a warning where a controller may run on nodes with 2',
    'imds-hop-limit: a Karpenter v1 node class with a limit of 3 is mentioned',
    'imds-hop-limit: a Karpenter v1 node class with an impossible limit fails',
    'imds-hop-limit: an EC2NodeClass beside such a controller says so, too',
    'imds-v1: a Karpenter node class with optional tokens is reported',
    'karpenter-node-class: EC2NodeClass of karpenter.sh/v1, which no Karpenter has, though nothing tells its version',
  ],
  'nothing but the folder says of a file that it is for the cluster': [
    'removed-api: a PodDisruptionBudget of policy/v1beta1',
    'removed-api: the first version that has it no more',
    'removed-api: one without a selector, which is for no pods in either version',
    'removed-api: one with an empty selector, which means another thing',
    'removed-api: or whose selector has nothing in it',
    'removed-api: a CronJob of batch/v1beta1',
    'removed-api: a PodSecurityPolicy, which nothing takes the place of',
    'removed-api: one of the group before, whose successor is gone as well',
    'removed-api: an Ingress, whose backends have other fields',
    'removed-api: a HorizontalPodAutoscaler of the last beta version, with the fields of the stable one',
    'removed-api: one of the first beta version, with its own',
    'removed-api: a Deployment with a selector',
    'removed-api: a Deployment without one',
    'removed-api: a version whose successor has gone, too',
    'removed-api: one whose successor has not',
    'removed-api: the example of its page: version',
  ],
  'what has no image is taken for a part of a workload': [
    'cluster-network-addons: a DaemonSet that the input does not explain',
    'custom-networking-eni-config: a DaemonSet aws-node of its own may set the label',
    'pod-identity-agent: the agent as a manifest passes',
    'pod-security-groups-kube-proxy: NodeLocal DNSCache',
    'pod-security-groups-kube-proxy: NodeLocal DNSCache beside another mode, each with its own place',
  ],
};

/** What no manifests say, or another test compares. */
const LEFT_OUT = [
  'a template with problems',
  'a value that is put together',
  'an object twice',
  'an object without a name',
  'conditions and parameters',
  'no cluster, or several',
  'no objects',
  'several objects in one manifest',
  'what CloudFormation says beside the properties',
];

function resourcesOf({ template, objects }: ManifestTwin): readonly EksResource[] {
  const { result } = checkFiles({
    'cluster.json': JSON.stringify(template),
    'objects.yaml': objects.map((one) => stringify(one)).join('---\n'),
  });
  return result.model.resources;
}

replay('objects that a template applies, said again as manifests beside it', {
  vectors: allVectors().filter(isTemplate),
  translate: translateToManifests,
  read: resourcesOf,
  differences: DIFFERENCES,
  leftOut: LEFT_OUT,
});
