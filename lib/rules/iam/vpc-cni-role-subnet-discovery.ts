import { defineRule, resourceName, type Severity } from '../../engine';
import type { MissingPermissions } from '../../eks/iam';
import {
  addonTableAsOf,
  addonVersions,
  compareVersions,
  defaultAddonVersion,
  newestAddonVersion,
  parseVersion,
} from '../../knowledge';
import {
  alternativesOf,
  cases,
  type Addon,
  type AddonVersionLookup,
  type Alternative,
  type ClusterView,
  type EksModel,
  type Plain,
} from '../../eks';
import { switchAt } from '../../eks/analysis/addon';
import { isDedicated, type CniIdentity } from '../../eks/analysis/cni';
import type { IpFamily } from '../../eks/analysis/ip-family';
import { hasCniPermissions, lackOfCore } from '../../eks/analysis/cni-permissions';
import { judgeCniRoles, roleText, withoutEc2Calls, type CniCase } from './parts/cni-judgements';
import { unverifiable } from '../parts/case-judgements';

/*
 * Since v1.22 the VPC CNI asks EC2 about the subnet of each interface when it starts, and gives up when it may not, while the
 * IPv6 policies that people copied for years don't have the call. Source: aws/amazon-vpc-cni-k8s, issue 3704 and pkg/ipamd/ipamd.go (v1.22.0 to v1.23.1).
 */

type MessageId = 'fatal' | 'capped' | 'half-wired' | 'unpinned' | 'degraded' | 'next-update' | 'newer';

const SUBNETS = 'ec2:DescribeSubnets';
const SECURITY_GROUPS = 'ec2:DescribeSecurityGroups';

const code = {
  cloudformation: [
    'VpcCniSubnetDiscovery:',
    '  Type: AWS::IAM::RolePolicy',
    '  Properties:',
    '    RoleName: !Ref ThisResource',
    '    PolicyName: VpcCniSubnetDiscovery',
    '    PolicyDocument:',
    "      Version: '2012-10-17'",
    '      Statement:',
    '        - Effect: Allow',
    '          Action:',
    '            - ec2:DescribeSubnets',
    '            - ec2:DescribeSecurityGroups',
    "          Resource: '*'",
  ].join('\n'),
  'aws-cdk': [
    '// where `role` is the Role that the finding names:',
    'role.addToPrincipalPolicy(new iam.PolicyStatement({',
    "  actions: ['ec2:DescribeSubnets', 'ec2:DescribeSecurityGroups'],",
    "  resources: ['*'],",
    '}));',
  ].join('\n'),
  terraform: [
    'resource "aws_iam_role_policy" "vpc_cni_subnet_discovery" {',
    '  role = aws_iam_role.vpc_cni.name',
    '  policy = jsonencode({',
    '    Version = "2012-10-17"',
    '    Statement = [{',
    '      Effect   = "Allow"',
    '      Action   = ["ec2:DescribeSubnets", "ec2:DescribeSecurityGroups"]',
    '      Resource = "*"',
    '    }]',
    '  })',
    '}',
  ].join('\n'),
} as const;

const fix = {
  summary:
    'Allow `ec2:DescribeSubnets` and `ec2:DescribeSecurityGroups` on `*`; without touching IAM, `env.ENABLE_SUBNET_DISCOVERY: "false"` in the configuration values avoids the calls.',
  code,
  safety: 'needs-decision',
} as const;

export const vpcCniRoleSubnetDiscovery = defineRule<MessageId>({
  id: 'vpc-cni-role-subnet-discovery',
  subject: 'iam',
  title: "The VPC CNI's role may describe subnets",
  severity: 'error',
  since: '0.1.0',
  messages: {
    fatal: {
      text: '{{role}} lacks {{missing}}, which vpc-cni {{version}} calls at start-up on {{family}}: aws-node crash-loops with a MissingIAMPermissions event, and no node becomes ready.',
      fix,
    },
    capped: {
      text: '{{role}} lacks ec2:DescribeSubnets, which vpc-cni {{version}} calls before it makes an interface: {{effect}}.',
      fix,
    },
    'half-wired': {
      text: '{{role}} lacks ec2:DescribeSubnets, which vpc-cni {{version}} calls for every interface: with custom networking {{effect}}.',
      fix,
    },
    unpinned: {
      text: '{{role}} lacks ec2:DescribeSubnets, and the vpc-cni add-on {{how}}, which needs it {{when}}: {{effect}}.',
      fix,
    },
    degraded: {
      text: "{{role}} lacks ec2:DescribeSubnets: vpc-cni {{version}} can't discover subnets and takes addresses from the node's subnet only, and from v1.22 on it makes no further interface at all.",
      fix,
    },
    'next-update': {
      text: '{{role}} lacks ec2:DescribeSubnets: vpc-cni {{version}} still works on IPv6 without it, but from v1.22 on aws-node crash-loops and no node becomes ready.',
      fix,
    },
    newer: {
      text: '{{role}} lacks ec2:DescribeSubnets, which vpc-cni calls for every interface since v1.22; whether {{version}} goes on without it is not known.',
      fix,
    },
  },
  *check(model: EksModel) {
    // Of unseen nodes and an unseen add-on the other two rules already say that nothing can be said.
    const unseen = (identity: CniIdentity) =>
      isDedicated(identity) || identity.addon !== undefined ? undefined : 'skip';
    yield* judgeCniRoles<MessageId>(
      model,
      (one, view) => {
        const some = hasCniPermissions(one.permissions);
        if (!isDedicated(one.identity) && some === 'denied') return undefined;
        const subnets = one.permissions.missing([SUBNETS]);
        const groups = one.permissions.missing([SECURITY_GROUPS]);
        if (isComplete(subnets) && isComplete(groups)) return { verdict: 'pass' };
        const families: readonly IpFamily[] = one.family === undefined ? ['ipv4', 'ipv6'] : [one.family];
        // A role of the wrong family lacks everything: that is one finding, and its fix brings these calls too.
        const fitting = families.filter((family) => lackOfCore(one.permissions, family).missing.length === 0);
        if (fitting.length === 0) return undefined;
        const { addon } = one.identity;
        if (addon === undefined) {
          return unverifiable(
            `it lacks ${listOf(subnets, groups)}, and the version of the VPC CNI is not known (no vpc-cni add-on in the input)`,
          );
        }
        const settings = cases({ discovery: switchAt(addon, 'ENABLE_SUBNET_DISCOVERY', true), version: addon.version });
        return settings.map(({ when, values }) => {
          const outcomes = fitting.map((family) =>
            unlessOff(judgeVersion(one, addon, view, family, values.version, subnets, groups), values.discovery),
          );
          return { ...worst(outcomes, one, withoutEc2Calls(addon)), when };
        });
      },
      unseen,
    );
  },
});

interface Failure {
  readonly verdict: 'fail';
  readonly message: MessageId;
  readonly severity: Severity;
  readonly data: Record<string, string>;
  readonly related: { readonly message: string; readonly source: Addon['source'] }[];
}
type Outcome = Failure | { readonly verdict: 'pass' } | { readonly verdict: 'unverifiable'; readonly reason: string };

/** One outcome of those that can occur; if they differ and one of them passes, it can't be said. */
function worst(outcomes: readonly Outcome[], one: CniCase, quiet: string | undefined): Outcome {
  const failures = outcomes.filter((outcome) => outcome.verdict === 'fail');
  const [first] = failures;
  if (first === undefined) return outcomes.find((outcome) => outcome.verdict === 'unverifiable') ?? { verdict: 'pass' };
  if (quiet !== undefined) return unverifiable(quiet);
  if (failures.length < outcomes.length) {
    return (
      outcomes.find((outcome) => outcome.verdict === 'unverifiable') ??
      unverifiable(`the IP family of the cluster is not known (${one.familyDoubt})`)
    );
  }
  return failures.find((failure) => failure.severity === 'warning') ?? first;
}

function isComplete({ missing, unknown }: MissingPermissions): boolean {
  return missing.length + unknown.length === 0;
}

function unlessOff(outcome: Outcome, discovery: Plain<boolean>): Outcome {
  if (outcome.verdict !== 'fail') return outcome;
  if (discovery.kind === 'unknown')
    return unverifiable(`whether subnet discovery is on is not known (${discovery.reason})`);
  return discovery.kind === 'known' && !discovery.value ? { verdict: 'pass' } : outcome;
}

const FIRST_DISCOVERY = 'v1.18.0';
const FIRST_CHECK = 'v1.22.0';
const FIRST_WITHOUT_GROUPS = 'v1.22.2';
/** With neither answer of EC2 the CNI gives up making an interface; those of the node's first one are there from the start. */
const CAPPED = 'a node has the addresses of its first interface only, and pods beyond these stay in ContainerCreating';
/** Where an ENIConfig names the subnet, the interface is made, and its set-up ends half-way. */
const HALF_WIRED = 'interfaces are made and their set-up ends half-way, so pods get addresses that reach nothing';
/** What follows may go on without the permission. */
const FIRST_UNKNOWN = 'v1.23.2';

function judgeVersion(
  one: CniCase,
  addon: Addon,
  view: ClusterView,
  family: IpFamily,
  version: Plain<string>,
  subnets: MissingPermissions,
  groups: MissingPermissions,
): Outcome {
  if (version.kind === 'unknown')
    return unverifiable(
      `it lacks ${listOf(subnets, groups)}, and the version of add-on ${addon.id} is not known (${version.reason})`,
    );
  const pinned = version.kind === 'known' ? version.value : undefined;
  const lookup = addon.versionLookup?.kind === 'known' ? addon.versionLookup.value : undefined;
  const newest = lookup?.wanted === 'newest' ? newestFor(view) : undefined;
  const effective = pinned ?? newest ?? defaultFor(view);
  if (effective === undefined || parseVersion(effective) === undefined)
    return unverifiable(`"${effective ?? ''}" is no version of vpc-cni`);
  const at = (bound: string) => compareVersions(effective, bound) >= 0;
  const needsGroups = at(FIRST_CHECK) && !at(FIRST_WITHOUT_GROUPS) && !mayUseCustomNetworking(addon);
  const doubtful = subnets.unknown.length > 0 || (needsGroups && groups.unknown.length > 0);
  const lacksSubnets = subnets.missing.length > 0;
  const lacksGroups = needsGroups && groups.missing.length > 0;
  if (!at(FIRST_DISCOVERY)) return { verdict: 'pass' };
  if (!lacksSubnets && !lacksGroups) {
    return doubtful
      ? unverifiable([...new Set([...subnets.reasons, ...groups.reasons])].join('; '))
      : { verdict: 'pass' };
  }
  const fail = (message: MessageId, severity: Severity, more: Record<string, string> = {}): Outcome => ({
    verdict: 'fail',
    message,
    severity,
    data: {
      role: roleText(one.identity, resourceName(one.role)),
      version: effective,
      family: family === 'ipv4' ? 'IPv4' : 'IPv6',
      missing: listOf(lacksSubnets ? subnets : undefined, lacksGroups ? groups : undefined),
      asOf: addonTableAsOf(),
      ...more,
    },
    related: [
      {
        message: `${resourceName(addon)} runs vpc-cni ${pinned ?? (lookup === undefined ? 'without a pinned version' : 'in the version that AWS offers')}`,
        source: lookup?.source ?? addon.source,
      },
    ],
  });
  if (at(FIRST_UNKNOWN)) return fail('newer', 'warning');
  if (!at(FIRST_CHECK)) return fail(family === 'ipv4' ? 'degraded' : 'next-update', 'warning');
  const isHalfWired = customNetworkingOf(addon).every(({ value }) => value.kind === 'known' && value.value);
  const effect = isHalfWired ? HALF_WIRED : CAPPED;
  if (pinned === undefined) {
    const how = howVersioned(lookup?.wanted, newest, effective);
    return family === 'ipv6'
      ? fail('unpinned', 'error', { how, when: 'to start', effect: 'aws-node crash-loops and no node becomes ready' })
      : fail('unpinned', 'warning', { how, when: 'for every interface', effect });
  }
  if (family === 'ipv6' || lacksGroups) return fail('fatal', 'error');
  return fail(isHalfWired ? 'half-wired' : 'capped', 'error', { effect });
}

function howVersioned(
  wanted: AddonVersionLookup['wanted'] | undefined,
  newest: string | undefined,
  effective: string,
): string {
  const asOf = addonTableAsOf();
  if (wanted === undefined) return `pins no version: EKS installs ${effective} (default on ${asOf})`;
  if (wanted !== 'newest') return `takes at every plan EKS's default version: ${effective} (on ${asOf})`;
  return newest === undefined
    ? `takes at every plan the newest version (EKS's default alone is ${effective} on ${asOf})`
    : `takes at every plan the newest version: ${newest} (on ${asOf})`;
}

/** What EKS installed by default on the day of the table: for the cluster's version if known, else for most versions. */
function defaultFor(view: ClusterView): string | undefined {
  const version = view.cluster?.version;
  const own = version?.kind === 'known' ? defaultAddonVersion('vpc-cni', version.value) : undefined;
  return own ?? addonVersions('vpc-cni').find(({ defaultFor: minors }) => minors.length > 0)?.version;
}

/** The newest version of the table, for a cluster whose version is known. */
function newestFor(view: ClusterView): string | undefined {
  const version = view.cluster?.version;
  return version?.kind === 'known' ? newestAddonVersion('vpc-cni', version.value) : undefined;
}

function mayUseCustomNetworking(addon: Addon): boolean {
  return customNetworkingOf(addon).some(({ value }) => value.kind !== 'known' || value.value);
}

function customNetworkingOf(addon: Addon): readonly Alternative<boolean>[] {
  return alternativesOf(switchAt(addon, 'AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG', false));
}

function listOf(...lacks: readonly (MissingPermissions | undefined)[]): string {
  return lacks.flatMap((lack) => (lack === undefined ? [] : [...lack.missing, ...lack.unknown])).join(' and ');
}
