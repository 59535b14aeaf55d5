import {
  ENCODED,
  hasBorrowedKeys,
  isInBrackets,
  keyPattern,
  LINE_START,
  plainText,
  topLevelOf,
  withNearValues,
} from '../../text/top-level';

/*
 * What a text is, before it is parsed: a folder may hold thousands of files in YAML and JSON, most of which have nothing to do with what the rules
 * look at. A guess may only err towards reading.
 */

/** API groups of files that look like objects and belong to tools with inputs of their own. */
const OF_OTHER_TOOLS = String.raw`node\.eks\.aws\/|eksctl\.io\/|kustomize\.config\.k8s\.io\/`;

const VERSION_OF_OTHERS = String.raw`${keyPattern('apiVersion')}(?:${OF_OTHER_TOOLS})`;
const VERSION = new RegExp(`${LINE_START}(?!${VERSION_OF_OTHERS})${keyPattern('apiVersion')}`, 'm');
const KIND = new RegExp(`${LINE_START}${keyPattern('kind')}`, 'm');
const VERSION_IN_BRACKETS = new RegExp(String.raw`(?!${VERSION_OF_OTHERS})${keyPattern('apiVersion')}[\w.*]`);
const KIND_IN_BRACKETS = new RegExp(`${keyPattern('kind')}[A-Z*]`);

/** Whether a text seems to hold Kubernetes objects, of whatever kind. */
export function looksLikeManifest(text: string): boolean {
  const top = topLevelOf(text);
  if (!top.includes('apiVersion') || !top.includes('kind')) return ENCODED.test(top);
  if (VERSION.test(top) && KIND.test(top)) return true;
  return (isInBrackets(top) && VERSION_IN_BRACKETS.test(top) && KIND_IN_BRACKETS.test(top)) || hasBorrowedKeys(top);
}

/** Kinds that rules look at in whatever group. `List` of each is one, too. */
const KINDS = new RegExp(
  String.raw`${keyPattern('kind')}(?:\*|(?:Deployment|StatefulSet|DaemonSet|ReplicaSet|Job|CronJob|Pod|PodDisruptionBudget|HorizontalPodAutoscaler|ScaledObject|Canary|CloneSet|ServiceAccount|SecurityGroupPolicy|ENIConfig|EC2NodeClass|NodeClass|NodePool|Provisioner|AWSNodeTemplate|ClusterPolicy)(?:List)?\b)`,
);

/** Groups of which every kind counts, so that a misspelt one is seen; and those of other CNIs, and of what installs more in its turn. */
const GROUPS = new RegExp(
  String.raw`${keyPattern('apiVersion')}(?:\*|[\w.-]{0,200}(?:k8s\.(?:aws|amazonaws)|vpcresources|karpenter|eks\.amazonaws|projectcalico\.org|operator\.tigera\.io|argoproj\.io|fluxcd|(?:helm|fleet)\.cattle\.io|addons\.cluster\.x-k8s\.io|kappctrl\.k14s\.io|aws(?:\.m)?\.upbound\.io))`,
);

/** ConfigMaps that rules look at, by name. A name with more behind it may be one that kustomize has made. */
const CONFIG_MAPS = new RegExp(String.raw`${keyPattern('name')}(?:aws-auth|amazon-vpc-cni|kube-proxy|cilium-config)\b`);

/** Versions that Kubernetes has ceased to serve, or is about to: `policy/v1beta1`. */
const OLD_VERSION = new RegExp(
  String.raw`${keyPattern('apiVersion')}(?:extensions|apps|batch|policy|autoscaling|(?:admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|networking|node|rbac\.authorization|resource|scheduling|storage)\.k8s\.io)\/v\d+(?:alpha|beta)\d+`,
);

/** Services and Ingresses of the AWS Load Balancer Controller, which tell what it has to be allowed. */
export const OF_LOAD_BALANCERS =
  /\balb\.ingress\.kubernetes\.io\/|\baws-load-balancer-|\bservice\.k8s\.aws\/nlb\b|\bingressClassName["']?[ \t]*:[ \t]*["']?alb\b/;

/** Whether a text may hold something that a rule, or a plan of an upgrade, looks at. */
export function mayMatter(text: string): boolean {
  const plain = withNearValues(plainText(text));
  return (
    [KINDS, GROUPS, CONFIG_MAPS, OLD_VERSION, OF_LOAD_BALANCERS].some((pattern) => pattern.test(plain)) ||
    hasBorrowedKeys(plain)
  );
}

/** What of a chart or kustomization makes it worth a word that it isn't rendered here: what has to do with EKS, or with the drain of nodes. */
const OF_EKS =
  /k8s\.(?:aws|amazonaws)\b|\bkarpenter\.sh\/|eks\.amazonaws\.com|\bkind["']?[ \t]*:[ \t]*["']?PodDisruptionBudget\b|\b(?:aws-node|aws-auth|amazon-vpc-cni|aws-load-balancer-controller|external-dns)\b/;

/** Whether a source that has to be rendered first holds what is worth rendering. */
export function isAboutEks(text: string): boolean {
  return OF_EKS.test(plainText(text));
}

/**
 * Whether a text has places that a templating language fills in. Objects may have some in their values, where they are texts like any other. What stands
 * in comments changes nothing of what applies the file as it is.
 */
export function hasActions(text: string): boolean {
  return ACTION.test(text) && ACTION.test(text.replaceAll(/(?<=^|\s)#[^\n]*/g, ''));
}

const ACTION = /\{\{|\{%|<%/;

/** How many objects a text seems to hold, where it isn't worth the parsing. */
export function roughCount(text: string): number {
  const pattern = isInBrackets(plainText(text)) ? /["']kind["'][ \t]*:/g : /^["']?kind["']?[ \t]*:/gm;
  return text.match(pattern)?.length ?? 0;
}
