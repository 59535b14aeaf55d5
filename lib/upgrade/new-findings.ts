import type { CheckResult } from '../check';
import type { Finding } from '../engine';
import {
  alternativesOf,
  bootsByResource,
  type ClusterView,
  type EksModel,
  type Reference,
  type Resource,
  type Value,
} from '../eks';
import { allRules } from '../rules';
import type { Phase, Task, TaskLevel } from './plan';

/** What a finding is about, whatever figures its message holds. */
function subjectOf({ rule, verdict, messageId, about, resource, source, cause }: Finding): string {
  const { file, line, column } = source.locate();
  return JSON.stringify([rule, verdict, messageId, about, resource.stack, resource.id, file, line, column, cause]);
}

/** The findings of a check that an earlier one didn't have. Accepted ones don't count. */
export function newFindings({ findings }: CheckResult, ...earlier: readonly CheckResult[]): readonly Finding[] {
  const known = new Set(earlier.flatMap((one) => one.findings.map(subjectOf)));
  return findings.filter((finding) => finding.suppressed === undefined && !known.has(subjectOf(finding)));
}

/** The clusters that a resource has to do with: its own, those of the nodes that it starts, those that refer to it, or those of its stack. */
export function clustersOf(resource: Resource, model: EksModel): readonly ClusterView[] {
  const own = model.findView(resource);
  if (own !== undefined) return [own];
  const boots = bootsByResource(model).find((user) => user.resource === resource);
  if (boots !== undefined) return [...new Set(boots.launches.map(({ view }) => view))];
  const users = model.clusterViews.filter((view) => refersTo(view, resource));
  if (users.length > 0) return users;
  const beside = model.clusterViews.filter(({ cluster }) => cluster?.stack === resource.stack);
  // Of several clusters elsewhere, nothing tells which one it is of.
  return beside.length > 0 || model.clusterViews.length > 1 ? beside : model.clusterViews;
}

/** Whether a cluster, its nodes or its add-ons are in a network, or use a role. */
function refersTo(view: ClusterView, resource: Resource): boolean {
  const { cluster, nodeGroups, selfManagedNodeGroups, fargateProfiles, addons, podIdentityAssociations } = view;
  const owners = cluster === undefined ? [] : [cluster];
  const subnets = [...owners, ...nodeGroups, ...selfManagedNodeGroups, ...fargateProfiles].flatMap((one) =>
    alternativesOf(one.subnets).flatMap(({ value }) => (value.kind === 'known' ? value.value.flatMap(targetsOf) : [])),
  );
  const vpcs = subnets.flatMap((subnet) => targetsOf(subnet.vpc));
  const roles = [
    ...nodeGroups.map(({ nodeRole }) => nodeRole),
    ...addons.map(({ serviceAccountRole }) => serviceAccountRole),
    ...[...owners, ...podIdentityAssociations].map(({ role }) => role),
  ].flatMap((reference) => targetsOf(reference));
  const found: readonly Resource[] = [...subnets, ...vpcs, ...roles];
  return found.includes(resource);
}

function targetsOf<R>(reference: Value<Reference<R>>): readonly R[] {
  return alternativesOf(reference).flatMap(({ value }) =>
    value.kind === 'known' && value.value.target !== undefined ? [value.value.target] : [],
  );
}

/** Messages of rules that a plan tells in its own way: dates, versions that move in the step itself, and advice to upgrade. */
const TOLD_OTHERWISE: ReadonlySet<string> = new Set([
  'addon-version incompatible',
  'addon-version looked-up',
  'addon-version looked-up-cni',
  'addon-version unpinned',
  'addon-version unpinned-cni',
  'addon-version unpinned-cni-open',
  'ami-type-kubernetes-version ended',
  'ami-type-kubernetes-version imageEnded',
  'karpenter-node-class al2',
  'kube-proxy-version-skew behind',
  'node-group-kubernetes-version behind',
  'node-group-kubernetes-version refused',
]);
const RULES_TOLD_OTHERWISE: ReadonlySet<string> = new Set([
  'cluster-version-support',
  'cluster-support-type',
  'cluster-version-step',
  'cluster-version-pinned',
  // By what it has to become, and before the step.
  'removed-api',
]);

/** Findings that are there already and that every update of nodes or add-ons runs into. */
const OF_EVERY_UPDATE: ReadonlySet<string> = new Set([
  'ami-type-kubernetes-version',
  'cluster-private-endpoints',
  'cluster-subnet-capacity',
  'drain-blocked',
  'kubelet-feature-gate',
  'launch-template-version',
  'node-group-force-update',
  'node-group-kubernetes-version',
  'node-group-update-config',
  'kube-proxy-version-skew',
  'vpc-cni-resolve-conflicts',
  'vpc-cni-role-subnet-discovery',
]);

export function concernsEveryUpdate({ rule, verdict, suppressed }: Finding): boolean {
  return verdict === 'fail' && suppressed === undefined && OF_EVERY_UPDATE.has(rule);
}

/** Whether a finding of today has nothing to do with an upgrade. */
export function isOther(finding: Finding): boolean {
  const { rule, verdict, suppressed } = finding;
  return (
    verdict === 'fail' && suppressed === undefined && !concernsEveryUpdate(finding) && !RULES_TOLD_OTHERWISE.has(rule)
  );
}

const RULES: ReadonlySet<string> = new Set(allRules.map(({ id }) => id));

/** What is done when nodes are. */
const OF_NODES: ReadonlySet<string> = new Set(['node-group', 'self-managed-node-group', 'launch-template', 'subnet']);

function phaseOf({ resource }: Finding): Phase {
  return 'kind' in resource && OF_NODES.has(String(resource.kind)) ? 'nodes' : 'add-ons';
}

/** What breaks as soon as the control plane has its new version, whatever is done to nodes and add-ons then. */
const BREAKS_AT_ONCE: ReadonlySet<string> = new Set([
  'kube-proxy-version-skew',
  'load-balancer-controller-version',
  'node-group-kubernetes-version',
]);

/** That something lags behind the control plane, which the same step brings up to it. */
const LAGS: ReadonlySet<string> = new Set(['kube-proxy-version-skew', 'node-group-kubernetes-version']);

export function isLag({ rule }: Finding): boolean {
  return LAGS.has(rule);
}

const LEVELS: Readonly<Record<Finding['severity'], TaskLevel>> = { error: 'must', warning: 'should', info: 'note' };

/** What may cost settings that somebody made by hand, if there are any, and stops nothing. */
const LEAVES_ALL_RUNNING: ReadonlySet<string> = new Set(['vpc-cni-resolve-conflicts no-configuration']);

function atMost(level: 'should', severity: Finding['severity']): TaskLevel {
  return severity === 'error' ? level : LEVELS[severity];
}

/** Messages of rules whose code has the user data of the nodes, of which the plan shows the NodeConfig by itself, once. */
const CODE_TOLD_OTHERWISE: ReadonlySet<string> = new Set([
  'ami-type-kubernetes-version imageUnpatched',
  'ami-type-kubernetes-version imageMissing',
]);

/** The task that a finding is; undefined for what the plan tells by itself. */
export function taskOf(finding: Finding, { isPreparation = false } = {}): Task | undefined {
  const { rule, messageId = '', message, fix, fixCode, resource, source, docs, severity } = finding;
  if (!RULES.has(rule) || RULES_TOLD_OTHERWISE.has(rule) || TOLD_OTHERWISE.has(`${rule} ${messageId}`))
    return undefined;
  const isToldOtherwise = CODE_TOLD_OTHERWISE.has(`${rule} ${messageId}`);
  return {
    phase: isPreparation || BREAKS_AT_ONCE.has(rule) ? 'before' : phaseOf(finding),
    level: LEAVES_ALL_RUNNING.has(`${rule} ${messageId}`) ? atMost('should', severity) : LEVELS[severity],
    text: message,
    fix: fix === '' ? undefined : fix,
    code:
      fixCode === undefined || isToldOtherwise
        ? undefined
        : { language: resource.dialect.fixes.language, text: fixCode },
    resource,
    source,
    rule: { id: rule, docs },
  };
}
