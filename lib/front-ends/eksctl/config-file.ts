import type { Cluster, Environment, Reference } from '../../eks';
import { partitionOf } from '../../knowledge/partition';
import {
  flatMapValue,
  Known,
  Unknown,
  type Dialect,
  type Plain,
  type Resource,
  type Source,
  type Value,
} from '../../value';
import { always } from '../../value';
import { compose } from '../../value/composed-text';
import { ConfigNode } from './config-node';

/** Top-level keys that only a file has which creates a cluster. Source: facts of eksctl's loader; `create nodegroup -f` reads the groups alone. */
const OF_CLUSTER = [
  'vpc',
  'iam',
  'addons',
  'addonsConfig',
  'availabilityZones',
  'kubernetesNetworkConfig',
  'autoModeConfig',
  'accessConfig',
  'cloudWatch',
  'secretsEncryption',
  'privateCluster',
  'karpenter',
  'fargateProfiles',
  'outpost',
  'upgradePolicy',
  'localZones',
  'remoteNetworkConfig',
  'zonalShiftConfig',
] as const;

/** Of these, what `create addon -f` and `update addon -f` read, which are for a cluster that is there. */
const OF_ADDONS: readonly string[] = ['addons', 'addonsConfig'];

/** Of these, what a file has that is for groups of a cluster which eksctl did not make. */
const OF_OTHERS_CLUSTER: readonly string[] = ['vpc', 'iam', 'availabilityZones'];

const ADDONS_ALONE = 'the file has add-ons alone, and the cluster may be set up elsewhere';
const GROUPS_ALONE = 'the file has node groups alone, and the cluster may be set up elsewhere';
const OF_ANOTHER =
  'the file names VPC and control plane security group, as eksctl asks for a cluster that it did not make, which may be set up elsewhere';
const NAME_ALONE = 'the file has no more of the cluster than its metadata, and it may be set up elsewhere';

/** A ClusterConfig, with what several of its resources ask. */
export class ConfigFile {
  readonly file: string;
  /** The cluster that the file creates; it is made first. Undefined of one with groups alone, which may belong to a cluster that is there already. */
  cluster: Cluster | undefined;

  constructor(
    readonly root: ConfigNode,
    private readonly dialect: Dialect,
  ) {
    this.file = root.file;
  }

  get name(): Plain<string> {
    return this.root.at('metadata', 'name').text;
  }

  /** How messages call the cluster. */
  get title(): string {
    const { name } = this;
    return name.kind === 'known' ? name.value : ((name.kind === 'unknown' ? name.text : undefined) ?? 'cluster');
  }

  /** Whether the file describes a whole cluster, so that what isn't in it has eksctl's default. One with groups alone may be for `create nodegroup`. */
  get isWhole(): boolean {
    return OF_CLUSTER.some((key) => this.root.child(key).isWritten) && !this.mayBeOfOthersCluster;
  }

  /**
   * Whether it may well be for groups of a cluster that is there: eksctl knows nothing of one that it did not make, and asks for its VPC and for the
   * security group of its control plane. Source: eksctl user guide, "Non eksctl-created clusters".
   */
  private get mayBeOfOthersCluster(): boolean {
    return (
      this.groups.length > 0 &&
      ['id', 'securityGroup'].every((key) => this.root.at('vpc', key).isWritten) &&
      OF_CLUSTER.every((key) => OF_OTHERS_CLUSTER.includes(key) || !this.root.child(key).isWritten)
    );
  }

  /** Whether it names the version of a cluster that it doesn't describe: what `create cluster` gives it, and `upgrade cluster`. */
  get namesVersion(): boolean {
    const written = this.root.at('metadata', 'version').text;
    return this.name.kind !== 'absent' && written.kind !== 'absent' && !isLookedUp(written);
  }

  get environment(): Environment {
    const region = this.root.at('metadata', 'region').text;
    return region.kind === 'known'
      ? { region: region.value, partition: partitionOf(region.value) }
      : { region: undefined, partition: undefined };
  }

  /** The Kubernetes version; without one it is the default of the eksctl that runs. */
  get version(): Plain<string> {
    const written = this.root.at('metadata', 'version').text;
    if (written.kind === 'absent')
      return new Unknown(
        'the file names no Kubernetes version, and eksctl takes the default of its own release',
        written.source,
      );
    if (written.kind === 'known' && PLACE_TO_FILL.test(written.value))
      return new Unknown(`${written.value} is filled in before eksctl reads the file`, written.source);
    if (isLookedUp(written))
      return new Unknown(`eksctl looks the Kubernetes version up (\`${written.value}\`)`, written.source);
    return written;
  }

  get isIpv6(): Value<boolean> {
    return flatMapValue(this.ipFamily, (family) =>
      family.kind === 'known'
        ? new Known(family.value === 'ipv6', family.source)
        : family.kind === 'absent'
          ? new Known(false, family.source)
          : family,
    );
  }

  /** eksctl takes `IPv6` in any case, and hands it on in small letters. */
  get ipFamily(): Plain<string> {
    const written = this.root.at('kubernetesNetworkConfig', 'ipFamily').text;
    return written.kind === 'known' ? new Known(written.value.toLowerCase(), written.source) : written;
  }

  /** Whether it is about add-ons and nothing else of a cluster. */
  private get isOfAddonsAlone(): boolean {
    return (
      this.groups.length === 0 &&
      this.isWhole &&
      OF_CLUSTER.every((key) => OF_ADDONS.includes(key) || !this.root.child(key).isWritten)
    );
  }

  /** Whether it is for `create cluster`: it has more of a cluster than what the commands for identities and add-ons read. */
  get createsCluster(): boolean {
    if (this.mayBeOfOthersCluster) return false;
    return (
      (this.isWhole && this.groups.length > 0) ||
      OF_CLUSTER.some((key) => key !== 'iam' && !OF_ADDONS.includes(key) && this.root.child(key).isWritten)
    );
  }

  /** Whether the cluster gets an OIDC provider. Unknown of a cluster that may be there already. Source: eksctl, pkg/actions/addon/update.go. */
  get withOidc(): Plain<boolean> {
    const written = this.root.at('iam', 'withOIDC').boolean;
    if (written.kind !== 'absent') return written;
    if (this.isOfAddonsAlone) return new Unknown(ADDONS_ALONE, written.source);
    return this.isWhole ? new Known(false, written.source, 'default of eksctl') : this.elsewhere(written.source);
  }

  /** What a file without a cluster of its own doesn't say of it. */
  elsewhere(source: Source): Unknown {
    if (this.mayBeOfOthersCluster) return new Unknown(OF_ANOTHER, source);
    return new Unknown(this.groups.length === 0 ? NAME_ALONE : GROUPS_ALONE, source);
  }

  /** Groups of both kinds. */
  get groups(): readonly ConfigNode[] {
    return [...this.root.child('managedNodeGroups').items, ...this.root.child('nodeGroups').items];
  }

  get usesAutoMode(): boolean {
    const enabled = this.root.at('autoModeConfig', 'enabled').boolean;
    return enabled.kind === 'known' && enabled.value;
  }

  /** Whether an add-on is in the list. eksctl compares names without regard to case here. */
  lists(addon: string): boolean {
    return this.root.child('addons').items.some((item) => item.child('name').label.toLowerCase() === addon);
  }

  /** The cluster that everything in the file belongs to; one that is described elsewhere is found by its name. */
  get reference(): Value<Reference<Cluster>> {
    const { name, cluster } = this;
    if (cluster !== undefined && cluster.isPartial !== true)
      return new Known({ text: cluster.id, target: cluster }, this.root);
    if (name.kind !== 'known') return name;
    return new Known({ text: name.value, target: undefined }, name.source, name.note);
  }

  /** What all resources have. */
  resource(type: string, id: string, source: ConfigNode): Omit<Resource, 'source'> & { readonly source: ConfigNode } {
    const { dialect, file } = this;
    return {
      type,
      id,
      path: undefined,
      stack: file,
      frontEnd: dialect.name,
      dialect,
      source,
      suppressions: [],
      exists: always,
    };
  }

  /** A managed policy of AWS by its ARN. */
  awsPolicy(name: string, source: Source): Plain<string> {
    const { partition } = this.environment;
    const known =
      partition === undefined
        ? new Unknown('the region is not known', source, '${partition}', '${partition}')
        : new Known(partition, source);
    return compose([new Known('arn:', source), known, new Known(`:iam::aws:policy/${name}`, source)], source);
  }
}

/** What people write in place of a version: `K8S_VERSION`, `1.XX`. */
const PLACE_TO_FILL = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$|^(?:\d+|X+)\.X+$/;

/** `default` is for `create nodegroup` alone. */
function isLookedUp(version: Plain<string>): version is Known<string> {
  return version.kind === 'known' && /^(?:auto|latest|default)$/.test(version.value);
}
