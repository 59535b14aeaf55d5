import type { ConfigProblem } from '../../../eks';
import { parseIpv4Range } from '../../../eks/networking';
import { compareVersions } from '../../../knowledge';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { hasContent, pathText, refused, textOf } from './problem';

/* What eksctl refuses of the network of a cluster. Source: apis/eksctl.io/v1alpha5/validation.go, ctl/cmdutils/configfile.go. */

const AGENT = 'eks-pod-identity-agent';

/** Source: apis/eksctl.io/v1alpha5/addon.go, minimumVPCCNIVersionForIPv6. */
const OLDEST_CNI = '1.10.0';

export function networkProblems({ root, ipFamily }: ConfigFile): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const zones = root.child('availabilityZones');
  if (zones.items.length === 1)
    problems.push(refused(zones, 'a cluster in one availability zone is not possible', 'Name at least two zones.'));
  const endpoints = root.at('vpc', 'clusterEndpoints');
  const isPrivate = root.at('privateCluster', 'enabled').raw === true;
  if (!isPrivate && endpoints.child('publicAccess').raw === false && endpoints.child('privateAccess').raw !== true)
    problems.push(
      refused(
        endpoints,
        'both endpoints of the cluster are off, so that nobody could reach it',
        'Set `vpc.clusterEndpoints.privateAccess: true`.',
      ),
    );
  const access = ['publicAccess', 'privateAccess']
    .map((key) => endpoints.child(key))
    .find(({ isWritten }) => isWritten);
  if (isPrivate && access !== undefined)
    problems.push(
      refused(
        access,
        'a fully private cluster (`privateCluster.enabled`) decides on its endpoints by itself',
        'Take `publicAccess` and `privateAccess` out: the cluster gets the private endpoint alone.',
      ),
    );
  if (ipFamily.kind === 'known' && !['ipv4', 'ipv6'].includes(ipFamily.value))
    problems.push(
      refused(
        root.at('kubernetesNetworkConfig', 'ipFamily'),
        `there is no IP family "${ipFamily.value}"`,
        'Write `IPv4` or `IPv6`.',
      ),
    );
  const isV6 = ipFamily.kind === 'known' && ipFamily.value === 'ipv6';
  const extra = root.at('vpc', 'extraIPv6CIDRs');
  if (!isV6 && ipFamily.kind !== 'unknown' && extra.items.length > 0)
    problems.push(
      refused(
        extra,
        '`vpc.extraIPv6CIDRs` are for IPv6 clusters',
        'Take them out, or set `kubernetesNetworkConfig.ipFamily: IPv6`.',
      ),
    );
  const own = root.at('vpc', 'securityGroup');
  if (own.isWritten && root.at('vpc', 'controlPlaneSecurityGroupIDs').items.length > 0)
    problems.push(
      refused(
        own,
        '`vpc.securityGroup` and `vpc.controlPlaneSecurityGroupIDs` exclude each other',
        'Take `securityGroup` out, or `controlPlaneSecurityGroupIDs`.',
      ),
    );
  const rules = root.at('vpc', 'manageSharedNodeSecurityGroupRules');
  if (rules.raw === false && !root.at('vpc', 'sharedNodeSecurityGroup').isWritten)
    problems.push(
      refused(
        rules,
        '`vpc.manageSharedNodeSecurityGroupRules: false` is for a shared security group of your own',
        'Take it out, or set `vpc.sharedNodeSecurityGroup`.',
      ),
    );
  if (['private', 'public'].some((kind) => hasContent(root.at('vpc', 'subnets', kind))) && zones.items.length > 0)
    problems.push(
      refused(
        zones,
        '`availabilityZones` and `vpc.subnets` exclude each other',
        'Take `availabilityZones` out: the subnets have zones.',
      ),
    );
  return [
    ...problems,
    ...rangeProblems(root),
    ...ownVpcProblems(root, isV6),
    ...(isPrivate ? privateProblems(root) : []),
  ];
}

export function ipv6Problems(file: ConfigFile): readonly ConfigProblem[] {
  const { root, withOidc } = file;
  const problems: ConfigProblem[] = [];
  const refusedBeside = (node: ConfigNode, name: string): void => {
    if (node.isWritten) problems.push(refused(node, `\`${name}\` does not go with IPv6`, 'Take it out.'));
  };
  refusedBeside(root.at('kubernetesNetworkConfig', 'serviceIPv4CIDR'), 'kubernetesNetworkConfig.serviceIPv4CIDR');
  refusedBeside(root.at('vpc', 'nat'), 'vpc.nat');
  refusedBeside(root.child('localZones'), 'localZones');
  if (file.usesAutoMode) return problems;
  const addons = root.child('addons');
  if (!file.lists('coredns'))
    problems.push(
      refused(
        addons.isWritten ? addons : root.at('kubernetesNetworkConfig', 'ipFamily'),
        'an IPv6 cluster has to list the add-on coredns',
        'Add `- name: coredns` to `addons`.',
      ),
    );
  const cni = addons.items.find((item) => item.child('name').raw === 'vpc-cni');
  if (cni === undefined) return problems;
  const version = textOf(cni.child('version'));
  if (version !== undefined && /^v?\d+\.\d+/.test(version) && compareVersions(version, OLDEST_CNI) < 0)
    problems.push(
      refused(
        cni.child('version'),
        `vpc-cni ${version} is older than ${OLDEST_CNI}, the first that knows IPv6`,
        'Name a newer version, or `latest`.',
      ),
    );
  const hasAgent = file.lists(AGENT);
  if (!hasAgent && withOidc.kind === 'known' && !withOidc.value)
    problems.push(
      refused(
        cni,
        'vpc-cni of an IPv6 cluster needs an identity, and there is neither an OIDC provider nor the Pod Identity agent',
        `Set \`iam.withOIDC: true\`, or add \`${AGENT}\` to \`addons\` and set \`useDefaultPodIdentityAssociations: true\` on vpc-cni.`,
      ),
    );
  const isAutomatic = root.at('addonsConfig', 'autoApplyPodIdentityAssociations').raw === true;
  if (
    hasAgent &&
    !isAutomatic &&
    cni.child('useDefaultPodIdentityAssociations').raw !== true &&
    cni.child('podIdentityAssociations').items.length === 0
  )
    problems.push(
      refused(
        cni,
        'beside the Pod Identity agent, vpc-cni of an IPv6 cluster has to have an association',
        'Set `useDefaultPodIdentityAssociations: true` on it.',
      ),
    );
  return problems;
}

/** Ranges of addresses that are none. Source: Go's net.ParseCIDR, which wants the length of the prefix. */
function rangeProblems(root: ConfigNode): readonly ConfigProblem[] {
  const lists = ['extraCIDRs', 'publicAccessCIDRs', 'extraIPv6CIDRs'].flatMap((key) => root.at('vpc', key).items);
  return [...lists, root.at('kubernetesNetworkConfig', 'serviceIPv4CIDR')].flatMap((node): readonly ConfigProblem[] => {
    const text = textOf(node);
    if (text === undefined || isRange(text)) return [];
    return [
      refused(
        node,
        `\`${pathText(node)}\` has "${text}", which is no range of addresses`,
        'Write it with the length of its prefix, such as `10.100.0.0/16`.',
      ),
    ];
  });
}

function isRange(text: string): boolean {
  const [, address = '', length = ''] = /^([\da-fA-F:.]+)\/(\d{1,3})$/.exec(text) ?? [];
  const isV6 = address.includes(':') && URL.canParse(`http://[${address}]/`);
  return parseIpv4Range(text) !== undefined || (isV6 && Number(length) <= 128);
}

/** What goes with a VPC of one's own, and with what eksctl makes. */
function ownVpcProblems(root: ConfigNode, isV6: boolean): readonly ConfigProblem[] {
  const vpc = root.child('vpc');
  const problems: ConfigProblem[] = [];
  const hasSubnets = ['private', 'public'].some((kind) => hasContent(vpc.at('subnets', kind)));
  const [own, pool] = [vpc.child('ipv6Cidr'), vpc.child('ipv6Pool')];
  const written = [own, pool].find(hasContent);
  if (written !== undefined && !isV6 && root.at('kubernetesNetworkConfig', 'ipFamily').text.kind !== 'unknown')
    problems.push(
      refused(
        written,
        `\`${pathText(written)}\` is for IPv6 clusters`,
        'Take it out, or set `kubernetesNetworkConfig.ipFamily: IPv6`.',
      ),
    );
  else if (written !== undefined && hasContent(own) !== hasContent(pool))
    problems.push(
      refused(written, '`vpc.ipv6Cidr` and `vpc.ipv6Pool` go together', 'Set both, or neither for a range of Amazon.'),
    );
  else if (written !== undefined && isV6 && hasContent(vpc.child('id')))
    problems.push(
      refused(written, 'a VPC of your own has its IPv6 range already', `Take \`${pathText(written)}\` out.`),
    );
  const automatic = vpc.child('autoAllocateIPv6');
  if (isV6 && automatic.raw === true)
    problems.push(
      refused(automatic, '`vpc.autoAllocateIPv6` is for IPv4 clusters', 'Take it out: the subnets get IPv6 ranges.'),
    );
  const onPrivate = vpc.child('controlPlaneOnPrivateSubnets');
  if (onPrivate.raw === true && vpc.child('controlPlaneSubnetIDs').items.length > 0)
    problems.push(
      refused(
        onPrivate,
        '`vpc.controlPlaneOnPrivateSubnets` and `vpc.controlPlaneSubnetIDs` exclude each other',
        'Take `controlPlaneOnPrivateSubnets` out, or `controlPlaneSubnetIDs`.',
      ),
    );
  else if (onPrivate.raw === true && !root.child('outpost').isWritten)
    problems.push(...privateZonesProblems(root, onPrivate));
  const hostnames = vpc.child('hostnameType');
  const type = textOf(hostnames);
  if (type !== undefined && hasSubnets)
    problems.push(
      refused(
        hostnames,
        '`vpc.hostnameType` is for a VPC that eksctl makes',
        'Take it out, and set it on the subnets.',
      ),
    );
  else if (type !== undefined && !HOSTNAME_TYPES.includes(type))
    problems.push(
      refused(hostnames, `there is no type of host names "${type}"`, `Write \`${HOSTNAME_TYPES.join('` or `')}\`.`),
    );
  const gateway = vpc.at('nat', 'gateway');
  const mode = textOf(gateway);
  if (mode !== undefined && !NAT_MODES.includes(mode) && !hasContent(vpc.child('id')) && !hasSubnets && !isV6)
    problems.push(
      refused(
        gateway,
        `there are no NAT gateways "${mode}"`,
        `Write ${NAT_MODES.map((one) => `\`${one}\``).join(', ')}.`,
      ),
    );
  const zones = root.child('localZones');
  if (zones.items.length > 0 && hasContent(vpc.child('id')))
    problems.push(refused(zones, '`localZones` are for a VPC that eksctl makes', 'Take them out.'));
  else if (zones.items.length > 0 && vpc.at('nat', 'gateway').raw === 'HighlyAvailable')
    problems.push(
      refused(
        vpc.at('nat', 'gateway'),
        'the NAT gateways of a cluster with `localZones` cannot be `HighlyAvailable`',
        'Write `Single`.',
      ),
    );
  return problems;
}

/** Source: apis/eksctl.io/v1alpha5/vpc.go; cfn/builder/vpc_ipv4.go, addNATGateways. */
const NAT_MODES = ['HighlyAvailable', 'Single', 'Disable'];
const HOSTNAME_TYPES = ['ip-name', 'resource-name'];

/** Further endpoints that eksctl makes. Source: apis/eksctl.io/v1alpha5/endpoint_service.go. */
const ENDPOINTS = ['cloudformation', 'autoscaling', 'logs'];

function privateProblems(root: ConfigNode): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const vpc = root.child('vpc');
  if (hasContent(vpc.child('id')) && !hasContent(vpc.at('subnets', 'private')))
    problems.push(
      refused(
        vpc.child('id'),
        'a fully private cluster in a VPC of your own names no private subnets',
        'List them in `vpc.subnets.private`.',
      ),
    );
  const zones = root.child('localZones');
  if (zones.items.length > 0)
    problems.push(refused(zones, '`localZones` do not go with a fully private cluster', 'Take them out.'));
  const services = root.at('privateCluster', 'additionalEndpointServices');
  if (services.items.length > 0 && root.at('privateCluster', 'skipEndpointCreation').raw === true)
    return [
      ...problems,
      refused(
        services,
        '`privateCluster.additionalEndpointServices` are endpoints that `skipEndpointCreation` leaves out',
        'Take one of them out.',
      ),
    ];
  const seen = new Set<string>();
  for (const service of services.items) {
    const name = textOf(service);
    if (name === undefined) continue;
    if (!ENDPOINTS.includes(name))
      problems.push(
        refused(
          service,
          `eksctl makes no further endpoint for "${name}"`,
          `It takes ${ENDPOINTS.map((one) => `\`${one}\``).join(', ')}. Make others in the VPC yourself.`,
        ),
      );
    else if (seen.has(name))
      problems.push(refused(service, `the endpoint for ${name} is there twice`, 'Take one out.'));
    seen.add(name);
  }
  return problems;
}

/** The control plane needs private subnets in two zones. Zones that eksctl chooses differ. */
function privateZonesProblems(root: ConfigNode, onPrivate: ConfigNode): readonly ConfigProblem[] {
  const subnets = root.at('vpc', 'subnets');
  const own = subnets.child('private');
  const zones = subnets.isWritten
    ? own.keys.map((key) => (hasContent(own.at(key, 'az')) ? textOf(own.at(key, 'az')) : key))
    : root.child('availabilityZones').items.map(textOf);
  if (zones.includes(undefined) || (!subnets.isWritten && zones.length === 0) || new Set(zones).size > 1) return [];
  return [
    refused(
      onPrivate,
      `the control plane is to be in private subnets alone, of which there are ${zones.length === 0 ? 'none' : 'some in one zone only'}`,
      subnets.isWritten
        ? 'List private subnets of two zones, or take `controlPlaneOnPrivateSubnets` out.'
        : 'List two zones in `availabilityZones`.',
    ),
  ];
}
