import { Names } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { Construct, type IConstruct } from 'constructs';
import { ClusterFacts } from './cluster';
import { cniOf, registerPodSecurityGroupPolicy } from './cluster-members';
import { refuse } from './construction-error';
import { isLabelKey, isLabelValue, LABEL_KEY, LABEL_VALUE } from './labels-and-taints';
import { LabelOperator, type LabelSelector, type PodSecurityGroupPolicyProps } from './pod-security-group-policy-props';
import { isToken } from './tokens';

/** Security groups on a network interface, without a higher quota. Source: Amazon VPC user guide, "Amazon VPC quotas". */
const MOST_GROUPS = 5;
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
    this.refuseNames();
    const groupIds = this.groupIds();
    const selectors = this.selectors();
    if (!this.facts.hasKubectl) refuse(this, 'the cluster has no kubectl provider, so the policy can\'t be applied; give it kubectlProviderOptions, or kubectlProvider when it is imported');
    this.manifest = this.facts.addManifest(this, 'Resource', {
      apiVersion: 'vpcresources.k8s.aws/v1beta1',
      kind: 'SecurityGroupPolicy',
      metadata: { name: this.policyName, namespace: this.namespace },
      spec: { ...selectors, securityGroups: { groupIds } },
    });
    this.letTraffic();
    if (props.onFargate !== true) registerPodSecurityGroupPolicy(cluster, this.manifest);
    this.node.addValidation({ validate: () => this.problems() });
  }

  private refuseNames(): void {
    const { namespace, policyName } = this;
    if (!isToken(namespace) && !/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) refuse(this, `namespace is "${namespace}"; Kubernetes takes lower-case letters, digits and "-", at most 63`);
    if (!isToken(policyName) && (policyName.length > 253 || !/^[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?$/.test(policyName))) {
      refuse(this, `name is "${policyName}"; Kubernetes takes lower-case letters, digits, "-" and ".", at most 253`);
    }
  }

  private groupIds(): string[] {
    const groupIds = [...new Set(this.props.securityGroups.map((group) => group.securityGroupId))];
    if (groupIds.length === 0) refuse(this, 'securityGroups is empty; EKS then ignores the policy silently, and the pods keep the groups of the node: name one');
    if (groupIds.length > MOST_GROUPS) {
      refuse(this, `securityGroups has ${groupIds.length} groups; EKS documents ${MOST_GROUPS} at most, as many as EC2 has on a network interface without a higher quota: put their rules together`);
    }
    return groupIds;
  }

  private selectors(): { podSelector?: LabelSelector; serviceAccountSelector?: LabelSelector } {
    const { podSelector, serviceAccountSelector } = this.props;
    if (podSelector === undefined && serviceAccountSelector === undefined) {
      refuse(this, 'podSelector and serviceAccountSelector are missing; EKS then ignores the policy silently: set one of them (podSelector: {} for all pods of the namespace)');
    }
    return {
      ...(podSelector === undefined ? {} : { podSelector: this.selector('podSelector', podSelector) }),
      ...(serviceAccountSelector === undefined ? {} : { serviceAccountSelector: this.selector('serviceAccountSelector', serviceAccountSelector) }),
    };
  }

  /** The selector as Kubernetes has it. Its API refuses what is refused here, but only during the deployment. */
  private selector(option: string, { matchLabels, matchExpressions }: LabelSelector): LabelSelector {
    for (const [key, value] of Object.entries(matchLabels ?? {})) this.refuseLabel(`${option}.matchLabels`, key, [value]);
    for (const { key, operator, values } of matchExpressions ?? []) {
      const takesValues = operator === LabelOperator.IN || operator === LabelOperator.NOT_IN;
      if (takesValues && (values ?? []).length === 0) refuse(this, `${option}.matchExpressions has "${key}" with ${operator} and no values; name some, or take ${LabelOperator.EXISTS}`);
      if (!takesValues && (values ?? []).length > 0) refuse(this, `${option}.matchExpressions has "${key}" with ${operator} and values, which it doesn't take; leave them out, or take ${LabelOperator.IN}`);
      this.refuseLabel(`${option}.matchExpressions`, key, values ?? []);
    }
    return {
      ...(matchLabels === undefined ? {} : { matchLabels: { ...matchLabels } }),
      ...(matchExpressions === undefined ? {} : { matchExpressions: matchExpressions.map(({ key, operator, values }) => ({ key, operator, ...(values === undefined || values.length === 0 ? {} : { values: [...values] }) })) }),
    };
  }

  private refuseLabel(at: string, key: string, values: readonly string[]): void {
    if (!isLabelKey(key)) refuse(this, `${at} has "${key}"; ${LABEL_KEY}`);
    const wrong = values.find((value) => !isLabelValue(value));
    if (wrong !== undefined) refuse(this, `${at} has "${key}" with the value "${wrong}"; ${LABEL_VALUE}`);
  }

  /** A pod with groups of its own is no member of the cluster's group any more, through which nodes and pods talk to each other. */
  private letTraffic(): void {
    const { allowDns, probePorts = [], securityGroups } = this.props;
    const clusterGroup = this.facts.securityGroup;
    if (clusterGroup === undefined) {
      const asked = allowDns === true ? 'allowDns is true' : probePorts.length > 0 ? 'probePorts is set' : undefined;
      if (asked !== undefined) refuse(this, `${asked}, but the imported cluster doesn't tell its security group; give clusterSecurityGroupId to fromClusterAttributes`);
      return;
    }
    for (const group of securityGroups) {
      // Pods in the cluster's own group need no rules.
      if (group.securityGroupId === clusterGroup.securityGroupId) return;
    }
    for (const port of probePorts) {
      if (!isToken(port) && (!Number.isInteger(port) || port < 1 || port > 65535)) refuse(this, `probePorts has ${port}; a port is a whole number from 1 to 65535`);
    }
    for (const group of securityGroups) {
      if (allowDns !== false) {
        group.connections.allowTo(clusterGroup, ec2.Port.tcp(DNS), 'DNS of pods with security groups of their own');
        group.connections.allowTo(clusterGroup, ec2.Port.udp(DNS), 'DNS of pods with security groups of their own');
      }
      for (const port of probePorts) group.connections.allowFrom(clusterGroup, ec2.Port.tcp(port), 'Probes of kubelet');
    }
  }

  private problems(): string[] {
    const cni = cniOf(this.props.cluster);
    if (cni === undefined || cni.podSecurityGroups || this.props.onFargate === true) return [];
    return [`the vpc-cni add-on ${cni.construct.node.path} has no podSecurityGroups, so that pods on nodes would keep the node's groups; set it, or say onFargate if the pods run there`];
  }
}
