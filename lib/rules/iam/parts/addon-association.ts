import { alternativesOf, type Addon, type EksModel, type PodIdentityAssociation, type Role } from '../../../eks';
import { isText } from '../../../eks/analysis/addon';
import type { ServiceAccount } from '../../../eks/analysis/identity';
import { addonServiceAccounts } from '../../../knowledge';
import { AGENT } from './identity-agents';

/*
 * An add-on of a ClusterConfig gets a role of its own by a Pod Identity association, which names the service account: eksctl knows that of vpc-cni alone.
 * Source: eksctl-io/eksctl, pkg/actions/addon/create.go; Amazon EKS user guide, "Amazon EKS add-ons", the policies of the storage drivers.
 */

interface Recommended {
  readonly policy: string;
  /** The same among eksctl's `wellKnownPolicies`. */
  readonly wellKnown: string;
}

const RECOMMENDED: ReadonlyMap<string, Recommended> = new Map([
  [
    'aws-ebs-csi-driver',
    {
      policy: 'service-role/AmazonEBSCSIDriverPolicy',
      wellKnown: 'ebsCSIController',
    },
  ],
  [
    'aws-efs-csi-driver',
    {
      policy: 'service-role/AmazonEFSCSIDriverPolicy',
      wellKnown: 'efsCSIController',
    },
  ],
]);

/** What `wellKnownPolicies` gives for EFS, all of which the recommended policy has. */
const BY_EKSCTL = 'PolicyEFSCSIController';

/** The association in place of the role that eksctl makes for an add-on; empty for a role of something else, and where the service account or a policy isn't known. */
export function associationInConfig(role: Role, model: EksModel): string {
  const name = addonOf(role);
  const account = accountOf(role, model);
  if (account === undefined) return '';
  const given = givenBeside(role, model);
  if (given !== undefined) return movedAssociation(name, given, role.editing?.madeBy ?? [], model);
  const listed = role.policies.flatMap((policy) => (policy.kind === 'managed' ? alternativesOf(policy.arn) : []));
  const arns = listed.flatMap(({ value }) => (value.kind === 'known' ? [value.value] : []));
  if (arns.length < listed.length || role.policies.some(isOfUser)) return '';
  const partition = addonsBeside(role, model).get(name)?.environment.partition ?? 'aws';
  const recommended = RECOMMENDED.get(name);
  const policies =
    arns.length > 0 || recommended === undefined ? arns : [`arn:${partition}:iam::aws:policy/${recommended.policy}`];
  if (policies.length === 0) return '';
  return inAddon(
    name,
    [
      `  - namespace: ${account.namespace}`,
      `    serviceAccountName: ${account.name}`,
      `    permissionPolicyARNs: [${policies.map((arn) => JSON.stringify(arn)).join(', ')}]`,
    ],
    role,
    role.editing?.madeBy ?? [],
    model,
  );
}

/** The association that the file has already for the pods of an add-on whose role it is: EKS takes no second one for a service account. */
export function givenBeside(role: Role, model: EksModel): PodIdentityAssociation | undefined {
  const account = accountOf(role, model);
  return model.podIdentityAssociations.find(
    ({ stack, namespace, serviceAccount }) =>
      account !== undefined &&
      stack === role.stack &&
      isText(namespace, account.namespace) === 'yes' &&
      isText(serviceAccount, account.name) === 'yes',
  );
}

/** The one service account as which an add-on calls AWS, those of its nodes aside; undefined where it isn't known. */
function accountOf(role: Role, model: EksModel): ServiceAccount | undefined {
  const name = addonOf(role);
  const { namespace = '', accounts = [] } = addonServiceAccounts(name) ?? {};
  const [account, ...others] = accounts.filter((one) => !one.includes('-node-'));
  const own = addonsBeside(role, model).get(name)?.namespace;
  if (account === undefined || others.length > 0 || own?.kind === 'unknown') return undefined;
  return { namespace: own?.kind === 'known' ? own.value : namespace, name: account };
}

/**
 * An association of the file as one of an add-on; empty where it doesn't stand in lines of its own.
 * @param without what the add-on has in its place
 */
export function movedAssociation(
  addon: string,
  association: PodIdentityAssociation,
  without: readonly string[],
  model: EksModel,
): string {
  const { lines } = association.editing ?? {};
  const [head = ''] = lines?.lines ?? [];
  const depth = head.search(/\S/);
  const isWhole = lines?.lines.every((line) => line.trim() === '' || line.search(/\S/) >= depth) ?? false;
  if (lines === undefined || !isWhole || !/^ *- \S/.test(head)) return '';
  const item = asOfAddon(
    addon,
    lines.lines.flatMap((line) => (line.trim() === '' ? [] : [`  ${line.slice(depth)}`])),
    addonsBeside(association, model).get(addon)?.environment.partition ?? 'aws',
  );
  if (item === undefined) return '';
  const added = inAddon(addon, item, association, without, model);
  if (added === '') return '';
  const last = lines.first + lines.lines.length - 1;
  return `# ${lines.file} without ${last === lines.first ? `line ${last}` : `lines ${lines.first} to ${last}`}\n${added}`;
}

/** Associations of add-ons take neither `tags` nor `wellKnownPolicies`, in whose place the policy that AWS recommends goes: it has all that those of a driver give. */
function asOfAddon(addon: string, item: readonly string[], partition: string): readonly string[] | undefined {
  if (item.some((line) => /^ {2}(?:- | {2})tags:/.test(line))) return undefined;
  const at = item.findIndex((line) => /^ {2}(?:- | {2})wellKnownPolicies:/.test(line));
  if (at < 0) return item;
  const below = item.slice(at + 1);
  const end = below.findIndex((line) => !/^ {5,}\S/.test(line));
  const policies = item.slice(at, end < 0 ? item.length : at + 1 + end);
  const recommended = RECOMMENDED.get(addon);
  const isOther = item.some((line) => /^ {2}(?:- | {2})(?:permissionPolicy\w*|roleARN):/.test(line));
  if (recommended === undefined || isOther || policies.join('').match(/true/g)?.length !== 1) return undefined;
  if (!policies.some((line) => line.includes(recommended.wellKnown))) return undefined;
  const start = policies[0]?.slice(0, 4) ?? '';
  const arn = `${start}permissionPolicyARNs: ["arn:${partition}:iam::aws:policy/${recommended.policy}"]`;
  return [...item.slice(0, at), arn, ...item.slice(at + policies.length)];
}

function inAddon(
  addon: string,
  item: readonly string[],
  { stack }: Pick<Role, 'stack'>,
  without: readonly string[],
  model: EksModel,
): string {
  const own = addonsBeside({ stack }, model);
  const hasAgent = own.has(AGENT);
  const ofCni = hasAgent || addon === 'vpc-cni' ? [] : besideAgent(own.get('vpc-cni'), model);
  if (ofCni === undefined) return '';
  return [
    `# in the add-on "${addon}"${without.length === 0 ? '' : `, without ${without.join(' and ')}`}:`,
    'podIdentityAssociations:',
    ...item,
    ...ofCni,
    ...(hasAgent ? [] : ['# in the file, one more of addons:', `- name: ${AGENT}`]),
  ].join('\n');
}

function addonOf({ id, type }: Role): string {
  return type === 'addons.role' ? (/^addons\.(.+)\.role$/.exec(id)?.[1] ?? '') : '';
}

function addonsBeside({ stack }: Pick<Role, 'stack'>, { addons }: EksModel): ReadonlyMap<string, Addon> {
  return new Map(
    addons.flatMap((one) => (one.stack === stack && one.name.kind === 'known' ? [[one.name.value, one] as const] : [])),
  );
}

/**
 * What the vpc-cni of an IPv6 cluster needs beside the agent, without which eksctl refuses the file; undefined where it has policies of its own, which
 * only its owner can make an association of. Source: eksctl, pkg/apis/eksctl.io/v1alpha5/validation.go, validateIPv6.
 */
function besideAgent(cni: Addon | undefined, { roles }: EksModel): readonly string[] | undefined {
  const cluster = cni?.cluster.kind === 'known' ? cni.cluster.value.target : undefined;
  const isIpv6 = cluster?.ipFamily.kind === 'known' && cluster.ipFamily.value === 'ipv6';
  if (cni === undefined || cni.isImplied === true || !isIpv6) return [];
  const own = roles.find(({ id, stack }) => id === 'addons.vpc-cni.role' && stack === cni.stack);
  if ((own?.editing?.madeBy ?? []).length > 0) return undefined;
  return ['# in the add-on "vpc-cni":', 'useDefaultPodIdentityAssociations: true'];
}

/** What somebody wrote down is more than the recommended policy has. */
function isOfUser(policy: Role['policies'][number]): boolean {
  return policy.kind === 'document' && policy.name !== BY_EKSCTL;
}
