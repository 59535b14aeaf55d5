import type { Cluster, Role } from '../../../eks';
import { CLUSTER } from '../../../eks/resources/cluster';
import { Absent, Known, type Plain } from '../../../value';
import { referenceFrom } from '../../parts/references';
import type { ConfigFile } from '../config-file';
import { readByTable } from './by-table';
import { awsPolicies, serviceRole } from './roles';

/** The cluster of a file that creates one, with its role if eksctl makes it. Source: cfn/builder/cluster.go, iam.go. */
export function readCluster(file: ConfigFile): { readonly cluster: Cluster; readonly role: Role | undefined } {
  const { root } = file;
  const role = root.at('iam', 'serviceRoleARN').isWritten ? undefined : clusterRole(file);
  const cluster: Cluster = {
    ...file.resource('ClusterConfig', file.title, root.asResource()),
    ...readByTable(CLUSTER, root, file),
    kind: 'cluster',
    environment: file.environment,
    version: file.version,
    ipFamily: file.ipFamily,
    // Those that eksctl makes are in two zones at least, and large.
    subnets: new Absent(root),
    role:
      role === undefined
        ? referenceFrom<Role>(root.at('iam', 'serviceRoleARN').text, 'role')
        : new Known({ text: role.id, target: role }, role.source),
    authenticationMode: authenticationMode(file),
    // Since v0.184.0: the add-ons are EKS's from the start.
    bootstrapSelfManagedAddons: new Known(false, root, 'set by eksctl'),
    ...installersOf(file),
  };
  return { cluster, role };
}

/** The cluster of a file with groups alone, of which it tells the name and the version. */
export function readPartialCluster(file: ConfigFile): Cluster {
  const { root } = file;
  const unknown = file.elsewhere(root);
  const isOnOutpost = file.groups.some((group) => group.child('outpostARN').isWritten);
  return {
    ...file.resource('ClusterConfig', file.title, root.asResource()),
    ...readByTable(CLUSTER, root, file),
    kind: 'cluster',
    isPartial: true,
    environment: file.environment,
    version: file.version,
    ipFamily: unknown,
    serviceIpv4Cidr: unknown,
    autoMode: unknown,
    role: unknown,
    securityGroups: unknown,
    subnets: unknown,
    authenticationMode: unknown,
    bootstrapSelfManagedAddons: unknown,
    supportType: unknown,
    onOutpost: isOnOutpost ? unknown : new Absent(root),
    otherInstallers: [unknown.reason],
  };
}

function authenticationMode({ root }: ConfigFile): Plain<string> {
  const written = root.at('accessConfig', 'authenticationMode').text;
  if (written.kind !== 'absent') return written;
  const outpost = root.child('outpost');
  return outpost.isWritten && !outpost.child('etcdInstanceType').isWritten
    ? new Known('CONFIG_MAP', written.source, 'default of eksctl on Outposts')
    : new Known('API_AND_CONFIG_MAP', written.source, 'default of eksctl');
}

function clusterRole(file: ConfigFile): Role {
  const source = file.root.child('iam').isWritten ? file.root.child('iam') : file.root;
  const controller = file.root.at('iam', 'vpcResourceControllerPolicy').boolean;
  const names = [
    'AmazonEKSClusterPolicy',
    ...(controller.kind === 'known' && !controller.value ? [] : ['AmazonEKSVPCResourceController']),
    ...(file.usesAutoMode
      ? [
          'AmazonEKSComputePolicy',
          'AmazonEKSBlockStoragePolicy',
          'AmazonEKSLoadBalancingPolicy',
          'AmazonEKSNetworkingPolicy',
        ]
      : []),
  ];
  const onOutpost = file.root.child('outpost').isWritten;
  const place = controller.kind === 'known' ? controller.source : source;
  return serviceRole(file, {
    id: `${file.title}.serviceRole`,
    source: source.within(file.root),
    service: onOutpost ? 'ec2.amazonaws.com' : 'eks.amazonaws.com',
    policies: awsPolicies(file, onOutpost ? ['AmazonEKSLocalOutpostClusterPolicy'] : names, place),
    tagsSessions: !onOutpost,
  });
}

/** What else puts software into the cluster: the file asks Flux to. */
function installersOf({ root }: ConfigFile): Pick<Cluster, 'otherInstallers'> {
  const installers = [
    ...(root.child('gitops').isWritten ? ['Flux installs what a repository says (`gitops`)'] : []),
    ...(root.child('capabilities').isWritten
      ? ['capabilities of EKS install what repositories say (`capabilities`)']
      : []),
  ];
  return installers.length === 0 ? {} : { otherInstallers: installers };
}
