import { Names } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { Construct, type IConstruct } from 'constructs';
import { policyProblems, SecurityGroupPolicyMaker } from '../engine-neutral/pod-security-group-policy';
import { ClusterFacts } from './cluster';
import { cniOf, registerPodSecurityGroupPolicy } from './cluster-members';
import { refuse } from './construction-error';
import type { PodSecurityGroupPolicyProps } from './pod-security-group-policy-props';
import { cdkTokens } from './tokens';

const DNS = 53;

/**
 * Security groups for pods: a `SecurityGroupPolicy` for pods that are chosen by labels, theirs or those of their service account. It is applied
 * after the cluster's `VpcCniAddon`, which must have `podSecurityGroups`, and the pods may ask CoreDNS. Pods that run
 * already keep the node's groups until they are made anew.
 */
export class PodSecurityGroupPolicy extends Construct {
  /** The manifest, for others that should wait for it. */
  readonly manifest: IConstruct;
  readonly policyName: string;
  readonly namespace: string;

  private readonly facts: ClusterFacts;

  /** @throws ConstructionError for a policy that EKS would ignore or that can't work, with the reason */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: PodSecurityGroupPolicyProps,
  ) {
    super(scope, id);
    const { cluster } = props;
    this.facts = new ClusterFacts(cluster);
    this.namespace = props.namespace ?? 'default';
    this.policyName = props.name ?? Names.uniqueResourceName(this, { maxLength: 63, separator: '-' }).toLowerCase();
    const manifest = new SecurityGroupPolicyMaker(this, cdkTokens).manifest(
      props,
      this.policyName,
      this.namespace,
      props.securityGroups.map((group) => group.securityGroupId),
    );
    if (!this.facts.hasKubectl)
      refuse(
        this,
        "the cluster has no kubectl provider, so the policy can't be applied; give it kubectlProviderOptions, or kubectlProvider when it is imported",
      );
    this.manifest = this.facts.addManifest(this, 'Resource', { ...manifest });
    this.letTraffic();
    if (props.onFargate !== true) registerPodSecurityGroupPolicy(cluster, this.manifest);
    this.node.addValidation({ validate: () => policyProblems(cniOf(cluster), props.onFargate) });
  }

  /** A pod with groups of its own is no member of the cluster's group any more, through which nodes and pods talk to each other. */
  private letTraffic(): void {
    const { allowDns, probePorts = [], securityGroups } = this.props;
    const clusterGroup = this.facts.securityGroup;
    if (clusterGroup === undefined) {
      const asked = allowDns === true ? 'allowDns is true' : probePorts.length > 0 ? 'probePorts is set' : undefined;
      if (asked !== undefined)
        refuse(
          this,
          `${asked}, but the imported cluster doesn't tell its security group; give clusterSecurityGroupId to fromClusterAttributes`,
        );
      return;
    }
    for (const group of securityGroups) {
      // Pods in the cluster's own group need no rules.
      if (group.securityGroupId === clusterGroup.securityGroupId) return;
    }
    new SecurityGroupPolicyMaker(this, cdkTokens).refusePorts(probePorts);
    for (const group of securityGroups) {
      if (allowDns !== false) {
        group.connections.allowTo(clusterGroup, ec2.Port.tcp(DNS), 'DNS of pods with security groups of their own');
        group.connections.allowTo(clusterGroup, ec2.Port.udp(DNS), 'DNS of pods with security groups of their own');
      }
      for (const port of probePorts) group.connections.allowFrom(clusterGroup, ec2.Port.tcp(port), 'Probes of kubelet');
    }
  }
}
