import { TerraformStack, type ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import { refuse } from '../engine-neutral/construction-error';
import {
  policyProblems,
  SecurityGroupPolicyMaker,
  type SecurityGroupPolicyManifest,
} from '../engine-neutral/pod-security-group-policy';
import { ClusterFacts } from './cluster';
import { cniOf } from './cluster-members';
import { jsonTokens } from './json-text';
import type { PodSecurityGroupPolicyProps } from './pod-security-group-policy-props';
import { PodTraffic } from './pod-traffic';
import { resolvedText } from './resolved-text';
import { securityGroupId } from './security-group';
import { VpcCniAddon } from './vpc-cni-addon';

/** As long as a name of an object may be where it becomes a label too. */
const LONGEST_NAME = 63;

/**
 * Security groups for pods: a `SecurityGroupPolicy` for pods that are chosen by labels, theirs or those of their service account. The AWS
 * provider can't apply it, so give `manifest` to a resource that can, after `dependencies`. The cluster's `VpcCniAddon` must have
 * `podSecurityGroups`, and the pods may ask CoreDNS. Pods that run already keep the node's groups until they are made anew.
 *
 * @example
 * const policy = new PodSecurityGroupPolicy(this, 'ApiPods', { cluster, securityGroups: [api], podSelector: { matchLabels: { app: 'api' } } });
 * new Manifest(this, 'ApiPolicy', { manifest: policy.manifest, dependsOn: policy.dependencies }); // kubernetes_manifest
 */
export class PodSecurityGroupPolicy extends Construct {
  /** The object of Kubernetes: for `manifest` of `kubernetes_manifest`, or with `Fn.yamlencode` for `yaml_body` of `kubectl_manifest`. */
  readonly manifest: SecurityGroupPolicyManifest;
  readonly policyName: string;
  readonly namespace: string;

  private readonly traffic: PodTraffic | undefined;

  /** @throws ConstructionError for a policy that EKS would ignore or that can't work, with the reason */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: PodSecurityGroupPolicyProps,
  ) {
    super(scope, id);
    const { cluster, securityGroups, onFargate } = props;
    this.namespace = props.namespace ?? 'default';
    this.policyName = props.name ?? this.uniqueName();
    const groups = new Map(
      securityGroups.map((group) => [resolvedText(this, securityGroupId(group)), securityGroupId(group)]),
    );
    this.manifest = new SecurityGroupPolicyMaker(this, jsonTokens).manifest(props, this.policyName, this.namespace, [
      ...groups.values(),
    ]);
    this.traffic = this.letTraffic();
    this.node.addValidation({ validate: () => policyProblems(cniOf(cluster), onFargate) });
  }

  /** What should be there before the policy is applied: the cluster's `VpcCniAddon`, if it is in the same stack by now, and the rules for the pods' traffic. */
  get dependencies(): ITerraformDependable[] {
    const addon = cniOf(this.props.cluster)?.construct;
    const isFirst =
      this.props.onFargate !== true &&
      addon instanceof VpcCniAddon &&
      TerraformStack.of(addon) === TerraformStack.of(this);
    return [...(isFirst ? [addon.addon] : []), ...(this.traffic?.rules ?? [])];
  }

  private uniqueName(): string {
    const name = TerraformStack.of(this)
      .getLogicalId(this.node)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-');
    return name.slice(-LONGEST_NAME).replaceAll(/^-+|(?<!-)-+$/g, '');
  }

  /** A pod with groups of its own is no member of the cluster's group any more, through which nodes and pods talk to each other. */
  private letTraffic(): PodTraffic | undefined {
    const { cluster, allowDns, probePorts = [], securityGroups } = this.props;
    const facts = new ClusterFacts(cluster, this);
    const clusterGroup = facts.securityGroupId;
    if (clusterGroup === undefined) {
      const asked = allowDns === true ? 'allowDns is true' : probePorts.length > 0 ? 'probePorts is set' : undefined;
      if (asked !== undefined)
        refuse(
          this,
          `${asked}, but the cluster doesn't tell its security group; give securityGroupId in its attributes`,
        );
      return undefined;
    }
    const own = resolvedText(this, clusterGroup);
    // Pods in the cluster's own group need no rules.
    if (securityGroups.some((group) => resolvedText(this, securityGroupId(group)) === own)) return undefined;
    new SecurityGroupPolicyMaker(this, jsonTokens).refusePorts(probePorts);
    const traffic = new PodTraffic(this, facts, clusterGroup);
    for (const group of securityGroups) {
      if (allowDns !== false) traffic.allowDns(group);
      for (const port of probePorts) traffic.allowProbe(group, port);
    }
    return traffic;
  }
}
