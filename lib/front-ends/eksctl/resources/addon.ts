import type {
  Addon,
  AddonConfiguration,
  AddonPodIdentity,
  AttachedPolicy,
  OidcProvider,
  Reference,
  Role,
} from '../../../eks';
import { ADDON } from '../../../eks/resources/addon';
import { Absent, Known, Unknown, type Plain, type Value } from '../../../value';
import { parseEmbedded } from '../../../value/embedded-text';
import { referenceFrom } from '../../parts/references';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { readByTable } from './by-table';
import { federatedRole, podRole } from './identities';
import { hasWellKnown, wellKnownPolicies, writtenPolicy } from './policies';
import { awsPolicies, inlinePolicy, policiesNamed, statement } from './roles';

/** An add-on and the roles that eksctl makes for it. */
interface AddonParts {
  readonly addon: Addon;
  readonly roles: readonly Role[];
}

/** Where eksctl knows the service account of an add-on: of this one alone. Source: actions/addon/create.go. */
const AWS_NODE = { namespace: 'kube-system', name: 'aws-node' };

const VPC_CNI = 'vpc-cni';

/** Add-ons that EKS recommends policies for, by the key of eksctl's own; vpc-cni has its own documents. */
const RECOMMENDED: ReadonlyMap<string, string> = new Map([
  ['aws-ebs-csi-driver', 'ebsCSIController'],
  ['aws-efs-csi-driver', 'efsCSIController'],
]);

const SERVICE_ACCOUNTS: ReadonlyMap<string, string> = new Map([
  [VPC_CNI, AWS_NODE.name],
  ['aws-ebs-csi-driver', 'ebs-csi-controller-sa'],
  ['aws-efs-csi-driver', 'efs-csi-controller-sa'],
]);

/** An item of `addons`. Source: actions/addon/create.go and update.go, create.go of ctl/cmdutils. */
export function readAddon(file: ConfigFile, node: ConfigNode, provider: OidcProvider | undefined): AddonParts {
  const addon = node.asResource();
  const name = addon.child('name').text;
  const identity = identityOf(file, addon, name.kind === 'known' ? name.value.toLowerCase() : '', provider);
  const { namespace } = readByTable(ADDON, addon, file);
  return {
    roles: identity.roles,
    addon: {
      ...file.resource('addons', name.kind === 'known' ? name.value : `add-on ${String(addon.path.at(-1))}`, addon),
      kind: 'addon',
      environment: file.environment,
      cluster: file.reference,
      name,
      namespace,
      version: pinnedVersion(addon),
      // On a new cluster nothing is there to conflict, and eksctl overwrites whatever the file says.
      resolveConflictsOnCreate: new Known('OVERWRITE', addon, 'set by eksctl'),
      resolveConflictsOnUpdate: conflictMode(addon),
      updatedBy: 'eksctl update addon',
      configuration: configuration(addon),
      serviceAccountRole: identity.serviceAccountRole,
      podIdentityAssociations: identity.podIdentityAssociations,
      preserveOnDelete: new Unknown('eksctl takes it on its command line (`delete addon --preserve`)', addon),
    },
  };
}

/** An add-on that `create cluster` installs although the file doesn't list it. No later command of eksctl touches it by this file. */
export function impliedAddon(file: ConfigFile, name: string, provider: OidcProvider | undefined): AddonParts {
  const { root } = file;
  const source = root.asResource();
  const identity = name === VPC_CNI ? identityOf(file, root.empty, name, provider) : identityNone(source);
  return {
    roles: identity.roles,
    addon: {
      ...file.resource('addons', name, source),
      isImplied: true,
      kind: 'addon',
      environment: file.environment,
      cluster: file.reference,
      name: new Known(name, source, 'installed by eksctl'),
      namespace: new Absent(source),
      version: new Unknown('eksctl installs it in the default version of EKS, as the file does not list it', source),
      resolveConflictsOnCreate: new Known('OVERWRITE', source, 'set by eksctl'),
      resolveConflictsOnUpdate: new Unknown('the file does not list the add-on, so no update goes by it', source),
      configuration: new Absent(source),
      serviceAccountRole: identity.serviceAccountRole,
      podIdentityAssociations: identity.podIdentityAssociations,
      preserveOnDelete: new Unknown('eksctl takes it on its command line (`delete addon --preserve`)', source),
    },
  };
}

/** A fragment (`1.18`) means the newest version whose text holds it, and `latest` the newest. */
function pinnedVersion(addon: ConfigNode): Plain<string> {
  const version = addon.child('version').text;
  if (version.kind !== 'known') return version;
  if (/^v\d+\.\d+\.\d+-eksbuild\.\d+$/.test(version.value)) return version;
  const which = version.value === 'latest' ? '' : ` whose text holds "${version.value}"`;
  return new Unknown(`eksctl installs the newest version${which}`, version.source);
}

/** eksctl hands the word on as it is, and EKS reads it in any case. */
function conflictMode(addon: ConfigNode): Plain<string> {
  const mode = addon.child('resolveConflicts').text;
  return mode.kind === 'known' ? new Known(mode.value.toUpperCase(), mode.source) : mode;
}

function configuration(addon: ConfigNode): Plain<AddonConfiguration> {
  const { text } = addon.child('configurationValues');
  if (text.kind === 'absent' || (text.kind === 'known' && text.value.trim() === '')) return new Absent(addon);
  const parsed = parseEmbedded(text);
  return parsed.kind === 'unknown' ? parsed.unknown : new Known<AddonConfiguration>(parsed, text.source);
}

interface AddonIdentity {
  readonly serviceAccountRole: Value<Reference<Role>>;
  readonly podIdentityAssociations: Value<readonly AddonPodIdentity[]>;
  readonly roles: readonly Role[];
}

function identityNone(source: ConfigNode): AddonIdentity {
  return { serviceAccountRole: new Absent(source), podIdentityAssociations: new Absent(source), roles: [] };
}

/** What an add-on may call AWS with. The first that is there counts. */
function identityOf(
  file: ConfigFile,
  addon: ConfigNode,
  name: string,
  provider: OidcProvider | undefined,
): AddonIdentity {
  const associations = addon.child('podIdentityAssociations');
  if (associations.items.length > 0) return byAssociations(file, addon, associations);
  const { withOidc } = file;
  const own = ['serviceAccountRoleARN', 'attachPolicyARNs', 'wellKnownPolicies', 'attachPolicy'].find((key) =>
    key === 'wellKnownPolicies' ? hasWellKnown(addon.child(key)) : isSet(addon.child(key)),
  );
  if (own !== undefined) {
    // Without a provider eksctl warns, and attaches nothing.
    if (withOidc.kind === 'known' && !withOidc.value) return identityNone(addon);
    const arn = addon.child('serviceAccountRoleARN');
    if (arn.isWritten) return { ...identityNone(addon), serviceAccountRole: referenceFrom<Role>(arn.text, 'role') };
    const { roles, ...identity } = byRole(file, addon, name, provider, ownPolicies(file, addon));
    return { ...identity, roles: roles.map((role) => ({ ...role, editing: { madeBy: [own] } })) };
  }
  const isAutomatic = [
    addon.child('useDefaultPodIdentityAssociations'),
    file.root.at('addonsConfig', 'autoApplyPodIdentityAssociations'),
  ];
  const automatic = isAutomatic.find(({ raw }) => raw === true);
  const account = SERVICE_ACCOUNTS.get(name);
  if (automatic !== undefined && account !== undefined) return byDefaultAssociation(file, addon, name, account);
  const recommended = recommendedPolicies(file, addon, name);
  if (recommended === undefined) return identityNone(addon);
  if (withOidc.kind === 'unknown') return { ...identityNone(addon), serviceAccountRole: withOidc };
  return withOidc.kind === 'known' && withOidc.value
    ? byRole(file, addon, name, provider, recommended)
    : identityNone(addon);
}

function isSet(node: ConfigNode): boolean {
  return (
    node.isWritten &&
    (typeof node.raw !== 'object' || node.items.length > 0 || node.keys.some((key) => node.child(key).raw !== false))
  );
}

function ownPolicies(file: ConfigFile, addon: ConfigNode): readonly AttachedPolicy[] {
  const listed = addon.child('attachPolicyARNs');
  if (listed.items.length > 0) return policiesNamed(listed);
  const known = addon.child('wellKnownPolicies');
  return known.keys.length > 0 ? wellKnownPolicies(file, known) : writtenPolicy('Policy1', addon.child('attachPolicy'));
}

/** What eksctl attaches of its own accord; undefined for an add-on that it knows nothing of. */
function recommendedPolicies(file: ConfigFile, addon: ConfigNode, name: string): readonly AttachedPolicy[] | undefined {
  if (name === VPC_CNI) return cniPolicies(file, addon);
  const known = RECOMMENDED.get(name);
  return known === undefined
    ? undefined
    : awsPolicies(
        file,
        [
          known === 'ebsCSIController'
            ? 'service-role/AmazonEBSCSIDriverPolicy'
            : 'service-role/AmazonEFSCSIDriverPolicy',
        ],
        addon,
      );
}

const IPV6_ACTIONS = [
  'ec2:AssignIpv6Addresses',
  'ec2:DescribeInstances',
  'ec2:DescribeTags',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeInstanceTypes',
  'ec2:DescribeSubnets',
  'ec2:DescribeSecurityGroups',
];

/** Source: actions/addon/addon_helper.go, makeIPv6VPCCNIPolicyDocument. */
function cniPolicies(file: ConfigFile, addon: ConfigNode): readonly AttachedPolicy[] {
  const { isIpv6, environment } = file;
  if (isIpv6.kind === 'unknown') return [{ kind: 'document', name: 'Policy1', document: isIpv6, source: addon }];
  if (isIpv6.kind !== 'known' || !isIpv6.value) return awsPolicies(file, ['AmazonEKS_CNI_Policy'], addon);
  const interfaces = `arn:${environment.partition ?? 'aws'}:ec2:*:*:network-interface/*`;
  return [
    inlinePolicy(
      'Policy1',
      [
        statement(addon, { actions: IPV6_ACTIONS, resources: ['*'] }),
        statement(addon, { actions: ['ec2:CreateTags'], resources: [interfaces] }),
      ],
      addon,
    ),
  ];
}

/** Only of vpc-cni eksctl knows the service account: the roles of others trust any of the cluster. */
function byRole(
  file: ConfigFile,
  addon: ConfigNode,
  name: string,
  provider: OidcProvider | undefined,
  policies: readonly AttachedPolicy[],
): AddonIdentity {
  const role = federatedRole(file, {
    id: `addons.${name}.role`,
    type: 'addons.role',
    source: addon,
    provider,
    account: name === VPC_CNI ? AWS_NODE : undefined,
    policies,
  });
  return {
    ...identityNone(addon),
    roles: [role],
    serviceAccountRole: new Known({ text: role.id, target: role }, addon),
  };
}

function byDefaultAssociation(file: ConfigFile, addon: ConfigNode, name: string, account: string): AddonIdentity {
  const role = podRole(file, {
    id: `addons.${name}.role`,
    type: 'addons.role',
    source: addon,
    policies: recommendedPolicies(file, addon, name) ?? [],
  });
  const association: AddonPodIdentity = {
    serviceAccount: new Known(account, addon, 'set by eksctl'),
    role: new Known({ text: role.id, target: role }, addon),
    source: addon,
  };
  return { ...identityNone(addon), roles: [role], podIdentityAssociations: new Known([association], addon) };
}

function byAssociations(file: ConfigFile, addon: ConfigNode, list: ConfigNode): AddonIdentity {
  const roles: Role[] = [];
  const associations = list.items.map((item, index): AddonPodIdentity => {
    const { role, reference } = associatedRole(
      file,
      item,
      `addons.${addon.child('name').label}.podIdentityAssociations.${index}`,
    );
    if (role !== undefined) roles.push(role);
    return { serviceAccount: item.child('serviceAccountName').text, role: reference, source: item };
  });
  return { ...identityNone(addon), roles, podIdentityAssociations: new Known(associations, list) };
}

/** The role of a Pod Identity association: one that is named, or one that eksctl makes. */
export function associatedRole(
  file: ConfigFile,
  item: ConfigNode,
  id: string,
): { readonly role: Role | undefined; readonly reference: Value<Reference<Role>> } {
  const arn = item.child('roleARN');
  if (arn.isWritten) return { role: undefined, reference: referenceFrom<Role>(arn.text, 'role') };
  const role = podRole(file, {
    id,
    type: 'podIdentityAssociations.role',
    source: item,
    name: item.child('roleName').text,
    policies: [
      ...policiesNamed(item.child('permissionPolicyARNs')),
      ...writtenPolicy('Policy1', item.child('permissionPolicy')),
      ...wellKnownPolicies(file, item.child('wellKnownPolicies')),
    ],
  });
  return { role, reference: new Known({ text: role.id, target: role }, item) };
}

/** The add-ons that `create cluster` installs if the file doesn't list them. Source: actions/addon/tasks.go, eks/tasks.go. */
export function defaultAddons(file: ConfigFile): readonly string[] {
  const isOff = file.root.at('addonsConfig', 'disableDefaultAddons').raw === true;
  const onOutpost = file.root.child('outpost').isWritten;
  if (isOff || onOutpost) return [];
  const names = file.usesAutoMode ? [] : [VPC_CNI, 'kube-proxy', 'coredns'];
  const { partition } = file.environment;
  const all = partition === 'aws' ? [...names, 'metrics-server'] : names;
  return all.filter((name) => !file.lists(name));
}
