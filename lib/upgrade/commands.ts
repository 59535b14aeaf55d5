import {
  alternativesOf,
  resourceName,
  type AnyNodeGroup,
  type ClusterView,
  type NodeGroup,
  type Resource,
  type Value,
} from '../eks';
import { shellQuote } from '../text/shell-quote';

/*
 * What to run where an edit of the input changes nothing that exists. Sources: EKS user guide, "Update a managed node group for your cluster" and
 * "Update an Amazon EKS add-on"; eksctl-io/eksctl, pkg/ctl/upgrade, pkg/ctl/update/addon.go, pkg/actions/nodegroup/upgrade.go.
 */

/** Whether eksctl deploys it: then the file alone changes nothing, and every change is a command of eksctl's. */
export function isOfEksctl({ dialect }: Resource): boolean {
  return dialect.name === 'eksctl';
}

/** A ClusterConfig, as an argument of eksctl. */
export function configArgument({ source }: Resource): string {
  return `-f ${shellQuote(source.locate().file)}`;
}

/** What a cluster is called on AWS, where that is known, for the place of an argument. */
export function clusterArgument({ cluster, name }: ClusterView): string {
  const own = cluster === undefined ? name : onlyText(cluster.name);
  return isName(own) ? own : "'<name of the cluster>'";
}

/** What EKS takes as a name; anything else, such as a reference, is to be filled in. Source: EKS API, CreateCluster. */
function isName(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9][\w-]*$/.test(text);
}

/** Options by which a command of eksctl finds the cluster without a file. */
export function eksctlTarget(view: ClusterView): string {
  const region = view.cluster?.environment.region;
  return `--cluster ${clusterArgument(view)}${isName(region) ? ` --region ${region}` : ''}`;
}

/** The update of a managed group to another Kubernetes version. Without it, both commands take the newest AMI of the present one. */
export function groupCommand(group: NodeGroup, view: ClusterView, to: string): string {
  const name = nameArgument(group);
  return isOfEksctl(group)
    ? `eksctl upgrade nodegroup ${eksctlTarget(view)} --name ${name} --kubernetes-version ${to}`
    : `aws eks update-nodegroup-version --cluster-name ${clusterArgument(view)} --nodegroup-name ${name} --kubernetes-version ${to}`;
}

/** What a group is called on AWS; engines make up the rest. */
export function nameArgument(group: AnyNodeGroup): string {
  const own = group.kind === 'node-group' ? (onlyText(group.name) ?? '') : '';
  const name = isOfEksctl(group) ? resourceName(group) : own;
  // Of what Pulumi has, what the program calls it.
  const called = resourceName(group).split('::').at(-1) ?? '';
  return isName(name) ? name : `'<name of ${called.replaceAll(/[^\w./[\]-]/g, '')}>'`;
}

/** A text that all alternatives agree on; undefined if it isn't known. */
export function onlyText(value: Value<string>): string | undefined {
  const texts = new Set(alternativesOf(value).map(({ value: one }) => (one.kind === 'known' ? one.value : undefined)));
  const [only] = texts;
  return texts.size === 1 ? only : undefined;
}
