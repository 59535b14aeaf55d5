import { Absent, Known, sourceOf } from '../../../../value';
import type { TerraformInstance } from '../../../../terraform/instance';
import { TerraformMap, type TerraformItem } from '../../../../terraform/terraform-value';
import { entriesOf, Given, withDefault, withUnsure } from '../given';
import type { ModuleContext } from '../module-context';
import { attach, attachGiven, declareRole, serviceTrust } from '../roles';
import { EKS } from '../names';
import { declareAddons } from './addons';
import { autoModeRoles, declareCluster, type ClusterParts } from './cluster';
import { EksArguments } from './eks-arguments';
import { ENDED_WITH_20, nameBeforeV21, nameInV21 } from './eks-names';
import { declareManagedGroups, declareSelfManagedGroups } from './groups';
import { declareIpv6Policy } from './ipv6-policy';
import { setOutputs } from './outputs';
import { declareNodeSecurityGroup } from './security-groups';

/** What `terraform-aws-modules/eks/aws` makes of a call. */
export function expandEks(context: ModuleContext): void {
  warnOfArguments(context);
  const given = new EksArguments(context);
  const parts = declareCluster(given);
  const nodes = declareNodeSecurityGroup(given, parts);
  const ipv6Policy = declareIpv6Policy(given);
  const groups = context.later(() => declareManagedGroups(given, { parts, nodes, ipv6Policy }));
  context.later(() => {
    declareSelfManagedGroups(given, { parts, nodes, ipv6Policy });
  });
  const addons = context.later(() => declareAddons(given, parts));
  context.later(() => {
    declareAccessEntries(given, parts);
    declareFargateProfiles(given, parts);
  });
  const autoRole = declareAutoModeRole(given);
  setOutputs(context, parts, nodes, groups, addons);
  // What such nodes hand out isn't read, but calls mostly have none, and join the map with that of the managed groups.
  for (const name of ['self_managed_node_groups', 'fargate_profiles'])
    if (!context.given.writes(name))
      context.output(name, () => new Known<TerraformItem>(new TerraformMap(new Map()), context.call.place));
  if (autoRole !== undefined) {
    context.output('node_iam_role_arn', () => context.reference(autoRole, 'arn'));
    context.output('node_iam_role_name', () => context.reference(autoRole, 'name'));
  }
}

/** Terraform refuses arguments that a module has no variable for; the new name is what helps. */
function warnOfArguments(context: ModuleContext): void {
  const known = context.versions.candidates.map(([major]) => EKS.get(major) ?? new Set<string>());
  for (const key of context.given.keys()) {
    if (known.some((names) => names.has(key))) continue;
    const place = context.call.argumentPlace(key);
    context.warn(
      place,
      `${context.title} has no argument \`${key}\`: Terraform refuses the configuration${hintFor(context, key)}`,
    );
  }
  warnOfInstalled(context);
}

/** More arguments than these are counted. */
const MOST_TOLD = 4;

const COMMIT = /^[\da-f]{7,40}$/;

/** A version that is left open is the newest, which may lack what the call has from an older one. */
function warnOfInstalled(context: ModuleContext): void {
  const { name, release, versions } = context;
  const [major] = versions.installed;
  // A commit of its repository is of a version that isn't known here, and is there for good.
  if (major === release[0] || COMMIT.test(versions.text ?? '')) return;
  const [known, next] = [EKS.get(release[0]), EKS.get(major)];
  const missing = context.given.keys().filter((key) => known?.has(key) === true && next?.has(key) !== true);
  if (missing.length === 0) return;
  const told = missing
    .slice(0, MOST_TOLD)
    .map((key) => `\`${key}\`${nameInV21(key) === undefined ? '' : ` (there \`${nameInV21(key) ?? ''}\`)`}`);
  const others = missing.length > told.length ? ` and ${missing.length - told.length} more` : '';
  const why = versions.text === undefined ? 'where no version is named' : `for "${versions.text}"`;
  context.warn(
    sourceOf(context.call.version),
    `Terraform installs ${name} ${major} ${why}, and refuses the configuration: that has no ${told.join(', ')}${others}; name the version that the call is written for, as in \`version = "~> ${release[0]}.0"\``,
  );
}

function hintFor(context: ModuleContext, key: string): string {
  if (context.release[0] < 21) {
    const old = nameBeforeV21(key);
    return old === undefined ? '' : `. It is \`${old}\` in this version, and \`${key}\` from 21 on`;
  }
  const ended = ENDED_WITH_20[key];
  if (ended !== undefined) return `. Version 21 has no more of it: ${ended}`;
  const next = EKS.get(20)?.has(key) === true ? nameInV21(key) : undefined;
  return next === undefined ? '' : `. It is called \`${next}\` from version 21 on`;
}

const ENTRY_INPUTS: ReadonlyMap<string, string> = new Map([
  ['kubernetes_groups', 'kubernetes_groups'],
  ['type', 'type'],
]);
/** Of an entry that has none: a map of them is written as a whole. */
const ENTRY_INPUTS_WITH_POLICIES: ReadonlyMap<string, string> = new Map([
  ...ENTRY_INPUTS,
  ['policy_associations', 'policy_associations'],
]);

function declareAccessEntries(given: EksArguments, { cluster }: ClusterParts): void {
  const { context } = given;
  for (const { key, value, when } of withUnsure(entriesOf(given.item('access_entries'), context.exists)).entries) {
    const entry = new Given(value, value.source);
    const attributes = {
      cluster_name: context.reference(cluster, 'name', value.source),
      principal_arn: entry.item('principal_arn'),
      type: entry.item('type'),
      kubernetes_groups: entry.item('kubernetes_groups'),
    };
    context.declare(`aws_eks_access_entry.this[${JSON.stringify(key)}]`, attributes, value.source, when, {
      moduleInputs: entry.writes('policy_associations') ? ENTRY_INPUTS : ENTRY_INPUTS_WITH_POLICIES,
      inputsAt: `access_entries[${JSON.stringify(key)}]`,
    });
    for (const policy of entriesOf(entry.item('policy_associations'), when).entries)
      context.declare(
        `aws_eks_access_policy_association.this[${JSON.stringify(`${key}_${policy.key}`)}]`,
        { policy_arn: new Given(policy.value, policy.value.source).item('policy_arn') },
        policy.value.source,
        policy.when,
      );
  }
}

function declareFargateProfiles(given: EksArguments, { cluster }: ClusterParts): void {
  const { context } = given;
  const defaults = new Given(given.item('fargate_profile_defaults'), given.place('fargate_profile_defaults'));
  for (const { key, value, when } of given.regionalEntries('fargate_profiles').entries) {
    const profile = new Given(value, value.source);
    const exists = context.where(profile.flag('create', true), when);
    if (exists === undefined) continue;
    const attributes = {
      cluster_name: context.reference(cluster, 'name', value.source),
      selector: profile.item('selectors'),
      subnet_ids: withDefault(
        profile.item('subnet_ids'),
        withDefault(defaults.item('subnet_ids'), given.item('subnet_ids')),
      ),
    };
    context.declare(
      `module.fargate_profile[${JSON.stringify(key)}].aws_eks_fargate_profile.this[0]`,
      attributes,
      value.source,
      exists,
    );
  }
}

/** The role of the nodes of Auto Mode. */
function declareAutoModeRole(given: EksArguments): TerraformInstance | undefined {
  const { context } = given;
  // Before 20.31 the module knows no Auto Mode, and refuses what asks for it.
  const exists = context.where(autoModeRoles(given));
  const wanted = exists === undefined ? undefined : context.where(given.flag('create_node_iam_role', true), exists);
  if (wanted === undefined) return undefined;
  const { place } = context.call;
  const trust = [serviceTrust(context, 'ec2.amazonaws.com', ['sts:AssumeRole', 'sts:TagSession'], place)];
  const role = declareRole(context, {
    prefix: '',
    label: 'eks_auto',
    document: 'node_assume_role_policy',
    trust,
    name: new Absent(place),
    place,
    exists: wanted,
  });
  for (const policy of ['AmazonEKSWorkerNodeMinimalPolicy', 'AmazonEC2ContainerRegistryPullOnly'])
    attach(context, role, '', 'eks_auto', policy, context.awsPolicy(policy, place), place);
  attachGiven(context, role, '', 'eks_auto_additional', () => given.item('node_iam_role_additional_policies'));
  return role;
}
