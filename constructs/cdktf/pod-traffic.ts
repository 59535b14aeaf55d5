import { VpcSecurityGroupEgressRule } from '@cdktf/provider-aws/lib/vpc-security-group-egress-rule';
import { VpcSecurityGroupIngressRule } from '@cdktf/provider-aws/lib/vpc-security-group-ingress-rule';
import { TerraformResource, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { refuse } from '../engine-neutral/construction-error';
import type { ClusterFacts } from './cluster';
import { resolvedText } from './resolved-text';
import { securityGroupId, type ISecurityGroup } from './security-group';
import { jsonTokens } from './json-text';

const DNS = 53;
const DNS_TEXT = 'DNS of pods with security groups of their own';
const PROBE_TEXT = 'Probes of kubelet';

type Direction = 'Ingress' | 'Egress';

/** Rules that were made, by stack: two policies of one group make its rules once. */
const made = new WeakMap<TerraformStack, Set<string>>();

/** The rules between the security groups of pods and that of the cluster, through which nodes and pods talk to each other. */
export class PodTraffic {
  readonly rules: TerraformResource[] = [];

  constructor(
    private readonly scope: Construct,
    private readonly facts: ClusterFacts,
    private readonly clusterGroup: string,
  ) {}

  /** Lets the pods of a group ask CoreDNS. */
  allowDns(group: ISecurityGroup): void {
    for (const protocol of ['tcp', 'udp']) {
      if (needsEgress(group)) this.allow('Egress', securityGroupId(group), this.clusterGroup, protocol, DNS, DNS_TEXT);
      this.allow('Ingress', this.clusterGroup, securityGroupId(group), protocol, DNS, DNS_TEXT);
    }
  }

  /**
   * Lets the kubelet probe the pods of a group.
   * @throws ConstructionError for a group that has its rules inline, where Terraform would take away every other one
   */
  allowProbe(group: ISecurityGroup, port: number): void {
    if (hasInline(group, 'ingress')) {
      refuse(
        this.scope,
        `probePorts is set, and security group ${group.node.path} has its ingress rules inline, so that Terraform would remove any other one; write the ports there, or its rules as resources of their own`,
      );
    }
    this.allow('Ingress', securityGroupId(group), this.clusterGroup, 'tcp', port, PROBE_TEXT);
  }

  private allow(
    direction: Direction,
    group: string,
    other: string,
    protocol: string,
    port: number,
    description: string,
  ): void {
    const known = made.get(TerraformStack.of(this.scope)) ?? new Set<string>();
    made.set(TerraformStack.of(this.scope), known);
    const key = [
      direction,
      resolvedText(this.scope, group),
      resolvedText(this.scope, other),
      protocol,
      resolvedText(this.scope, jsonTokens.numberText(port)),
    ].join(' ');
    if (known.has(key)) return;
    known.add(key);
    const Rule = direction === 'Ingress' ? VpcSecurityGroupIngressRule : VpcSecurityGroupEgressRule;
    const rule = new Rule(this.scope, `${direction}${this.rules.length + 1}`, {
      ...this.facts.place,
      securityGroupId: group,
      referencedSecurityGroupId: other,
      ipProtocol: protocol,
      fromPort: port,
      toPort: port,
      description,
    });
    this.facts.putInRegion(rule);
    this.rules.push(rule);
  }
}

/** Terraform gives a group that it makes no egress rule of AWS's own. Of other groups nothing is known, and AWS's default lets everything out. */
function needsEgress(group: ISecurityGroup): boolean {
  return TerraformResource.isTerraformResource(group) && !hasInline(group, 'egress');
}

function hasInline(group: ISecurityGroup, rules: 'ingress' | 'egress'): group is ISecurityGroup & TerraformResource {
  return TerraformResource.isTerraformResource(group) && Reflect.get(group, `${rules}Input`) !== undefined;
}
