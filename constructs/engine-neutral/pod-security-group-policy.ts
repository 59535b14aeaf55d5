import type { IConstruct } from 'constructs';
import { refuse } from './construction-error';
import { isNamespace, isObjectName, NAMESPACE, OBJECT_NAME } from './object-names';
import { isLabelKey, isLabelValue, LABEL_KEY, LABEL_VALUE } from './labels-and-taints';
import {
  LabelOperator,
  type LabelSelector,
  type PodSecurityGroupPolicyOptions,
} from './pod-security-group-policy-options';
import type { TokenTools } from './tokens';

/** Security groups on a network interface, without a higher quota. Source: Amazon VPC user guide, "Amazon VPC quotas". */
const MOST_GROUPS = 5;

/** The object of Kubernetes. */
export interface SecurityGroupPolicyManifest {
  /** The version that the VPC resource controller reads. */
  readonly apiVersion: 'vpcresources.k8s.aws/v1beta1';
  /** What it is. */
  readonly kind: 'SecurityGroupPolicy';
  /** Its name, and the namespace of the pods. */
  readonly metadata: { readonly name: string; readonly namespace: string };
  /** Which pods get which security groups. */
  readonly spec: {
    readonly podSelector?: LabelSelector;
    readonly serviceAccountSelector?: LabelSelector;
    readonly securityGroups: { readonly groupIds: readonly string[] };
  };
}

/** Makes the policy, and refuses one that EKS would ignore or that can't work. */
export class SecurityGroupPolicyMaker {
  constructor(
    private readonly scope: IConstruct,
    private readonly tokens: TokenTools,
  ) {}

  manifest(
    options: PodSecurityGroupPolicyOptions,
    name: string,
    namespace: string,
    groups: readonly string[],
  ): SecurityGroupPolicyManifest {
    this.refuseNames(name, namespace);
    const groupIds = this.groupIds(groups);
    return {
      apiVersion: 'vpcresources.k8s.aws/v1beta1',
      kind: 'SecurityGroupPolicy',
      metadata: { name, namespace },
      spec: { ...this.selectors(options), securityGroups: { groupIds } },
    };
  }

  refusePorts(ports: readonly number[]): void {
    for (const port of ports) {
      if (!this.tokens.isToken(port) && (!Number.isInteger(port) || port < 1 || port > 65535))
        refuse(this.scope, `probePorts has ${port}; a port is a whole number from 1 to 65535`);
    }
  }

  private refuseNames(policyName: string, namespace: string): void {
    if (!isNamespace(this.tokens, namespace)) refuse(this.scope, `namespace is "${namespace}"; ${NAMESPACE}`);
    if (!isObjectName(this.tokens, policyName)) refuse(this.scope, `name is "${policyName}"; ${OBJECT_NAME}`);
  }

  private groupIds(groups: readonly string[]): string[] {
    const groupIds = [...new Set(groups)];
    if (groupIds.length === 0)
      refuse(
        this.scope,
        'securityGroups is empty; EKS then ignores the policy silently, and the pods keep the groups of the node: name one',
      );
    if (groupIds.length > MOST_GROUPS) {
      refuse(
        this.scope,
        `securityGroups has ${groupIds.length} groups; EKS documents ${MOST_GROUPS} at most, as many as EC2 has on a network interface without a higher quota: put their rules together`,
      );
    }
    return groupIds;
  }

  private selectors({ podSelector, serviceAccountSelector }: PodSecurityGroupPolicyOptions): {
    podSelector?: LabelSelector;
    serviceAccountSelector?: LabelSelector;
  } {
    if (podSelector === undefined && serviceAccountSelector === undefined) {
      refuse(
        this.scope,
        'podSelector and serviceAccountSelector are missing; EKS then ignores the policy silently: set one of them (podSelector: {} for all pods of the namespace)',
      );
    }
    return {
      ...(podSelector === undefined ? {} : { podSelector: this.selector('podSelector', podSelector) }),
      ...(serviceAccountSelector === undefined
        ? {}
        : { serviceAccountSelector: this.selector('serviceAccountSelector', serviceAccountSelector) }),
    };
  }

  /** The selector as Kubernetes has it. Its API refuses what is refused here, but only during the deployment. */
  private selector(option: string, { matchLabels, matchExpressions }: LabelSelector): LabelSelector {
    for (const [key, value] of Object.entries(matchLabels ?? {}))
      this.refuseLabel(`${option}.matchLabels`, key, [value]);
    for (const { key, operator, values } of matchExpressions ?? []) {
      const takesValues = operator === LabelOperator.IN || operator === LabelOperator.NOT_IN;
      if (takesValues && (values ?? []).length === 0)
        refuse(
          this.scope,
          `${option}.matchExpressions has "${key}" with ${operator} and no values; name some, or take ${LabelOperator.EXISTS}`,
        );
      if (!takesValues && (values ?? []).length > 0)
        refuse(
          this.scope,
          `${option}.matchExpressions has "${key}" with ${operator} and values, which it doesn't take; leave them out, or take ${LabelOperator.IN}`,
        );
      this.refuseLabel(`${option}.matchExpressions`, key, values ?? []);
    }
    return {
      ...(matchLabels === undefined ? {} : { matchLabels: { ...matchLabels } }),
      ...(matchExpressions === undefined
        ? {}
        : {
            matchExpressions: matchExpressions.map(({ key, operator, values }) => ({
              key,
              operator,
              ...(values === undefined || values.length === 0 ? {} : { values: [...values] }),
            })),
          }),
    };
  }

  private refuseLabel(at: string, key: string, values: readonly string[]): void {
    if (!isLabelKey(this.tokens, key)) refuse(this.scope, `${at} has "${key}"; ${LABEL_KEY}`);
    const wrong = values.find((value) => !isLabelValue(this.tokens, value));
    if (wrong !== undefined) refuse(this.scope, `${at} has "${key}" with the value "${wrong}"; ${LABEL_VALUE}`);
  }
}

/** What is wrong with a policy beside the vpc-cni add-on of the cluster; as sentences. */
export function policyProblems(
  cni: { readonly construct: IConstruct; readonly podSecurityGroups: boolean } | undefined,
  onFargate: boolean | undefined,
): string[] {
  if (cni === undefined || cni.podSecurityGroups || onFargate === true) return [];
  return [
    `the vpc-cni add-on ${cni.construct.node.path} has no podSecurityGroups, so that pods on nodes would keep the node's groups; set it, or say onFargate if the pods run there`,
  ];
}
