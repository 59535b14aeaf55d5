import { Absent, flatMapValue, Known, type Plain, type Value } from '../../../../value';
import { CLUSTER_OUTPUTS, clusterInputs } from './inputs';
import { urlSuffixOf } from '../../../../knowledge/partition';
import type { TerraformInstance } from '../../../../terraform/instance';
import {
  asBoolean,
  asText,
  TerraformMap,
  type TerraformItem,
  type TerraformValue,
} from '../../../../terraform/terraform-value';
import { Given, itemsOf, listOf, mapOf, withDefault, type Attributes } from '../given';
import { roleArn } from '../roles';
import { isAtLeast } from '../../../../terraform/module/version-constraint';
import { nameInV21 } from './eks-names';
import type { EksArguments } from './eks-arguments';
import { clusterRole } from './cluster-role';

/*
 * The cluster of terraform-aws-modules/eks/aws. Source: terraform-aws-modules/terraform-aws-eks, main.tf and variables.tf of the tags
 * v18.0.0, v18.4.0, v18.31.2, v19.0.0, v19.21.0, v20.0.0, v20.18.0, v20.31.0, v20.37.2, v21.0.0, v21.3.2 and v21.19.0.
 */

/** What the other parts of the module refer to. */
export interface ClusterParts {
  readonly cluster: TerraformInstance;
  readonly name: () => TerraformValue;
  readonly kubernetesVersion: () => TerraformValue;
  readonly ipFamily: () => TerraformValue;
  readonly serviceCidr: () => TerraformValue;
  readonly clusterGroup: TerraformInstance | undefined;
  readonly clusterGroupId: () => TerraformValue;
  readonly role: TerraformInstance | undefined;
  readonly oidcProvider: TerraformInstance | undefined;
}

export function declareCluster(given: EksArguments): ClusterParts {
  const { context } = given;
  const { place } = context.call;
  const autoMode = autoModeOf(given);
  const createsRole = given.flag('create_iam_role', true);
  const role = clusterRole(given, createsRole, autoModeRoles(given));
  const createsGroup = given.flag('create_cluster_security_group', true);
  const groupExists = context.where(createsGroup);
  const clusterGroup =
    groupExists === undefined ? undefined : context.declare('aws_security_group.cluster[0]', {}, place, groupExists);
  const clusterGroupId = () =>
    context.conditional(
      createsGroup,
      () => (clusterGroup === undefined ? new Absent(place) : context.reference(clusterGroup, 'id', place)),
      given.context.given.text(given.name('cluster_security_group_id')),
    );
  // What older versions leave to EKS is IPv4 as well.
  const namesFamily = context.versions.agreed((release) => isAtLeast(release, 20, 8, 2))?.value === true;
  const ipFamily = () =>
    given.or('cluster_ip_family', namesFamily ? context.standard('ipv4', place) : new Absent(place));
  const attributes = (): Attributes => ({
    name: given.item('cluster_name'),
    version: given.item('cluster_version'),
    role_arn: roleArn(context, createsRole, role, given.item('iam_role_arn'), place),
    bootstrap_self_managed_addons: selfManagedAddons(given, autoMode),
    vpc_config: listOf(
      [
        mapOf(
          {
            security_group_ids: clusterGroups(given, clusterGroupId()),
            subnet_ids: clusterSubnets(given),
            endpoint_private_access: given.or(
              'cluster_endpoint_private_access',
              context.byVersion('cluster_endpoint_private_access', (release) => isAtLeast(release, 19), place),
            ),
          },
          place,
        ),
      ],
      place,
    ),
    kubernetes_network_config: listOf(
      [
        mapOf(
          {
            ip_family: ipFamily(),
            service_ipv4_cidr: given.item('cluster_service_ipv4_cidr'),
            service_ipv6_cidr: given.item('cluster_service_ipv6_cidr'),
          },
          place,
        ),
      ],
      place,
    ),
    outpost_config: flatMapValue(
      given.onOutposts,
      (plain): TerraformValue =>
        plain.kind === 'known' && plain.value
          ? blockOf(given.item('outpost_config'))
          : plain.kind === 'unknown'
            ? plain
            : new Absent(place),
    ),
    access_config: accessConfig(given),
    compute_config: computeConfig(given),
    upgrade_policy: given.item('cluster_upgrade_policy'),
  });
  const cluster = context.declare('aws_eks_cluster.this[0]', attributes, place, context.exists, {
    moduleInputs: new Map([['version', versionInput(given)], ...clusterInputs(given)]),
    moduleOutputs: CLUSTER_OUTPUTS,
  });
  return {
    cluster,
    name: () => given.item('cluster_name'),
    kubernetesVersion: () => withDefault(given.item('cluster_version'), context.reference(cluster, 'version', place)),
    ipFamily,
    serviceCidr: () =>
      withDefault(
        given.item('cluster_service_ipv4_cidr'),
        context.reference(cluster, 'kubernetes_network_config[0].service_ipv4_cidr', place),
      ),
    clusterGroup,
    clusterGroupId,
    role,
    oidcProvider: oidcProvider(given, cluster),
  };
}

/** What the call's code names the Kubernetes version, with both names where Terraform installs a version of the module that has the other one. */
function versionInput(given: EksArguments): string {
  const name = given.name('cluster_version');
  const next = nameInV21('cluster_version');
  return next === undefined || name === next || given.context.versions.installed[0] < 21
    ? name
    : `# \`${next}\` from version 21 of the module on, which Terraform installs unless \`version\` names an older one\n${name}`;
}

/** Whether Auto Mode is on; absent where nothing is written of it. */
function autoModeOf(given: EksArguments): Value<boolean> {
  return asBoolean(
    new Given(given.item('cluster_compute_config'), given.place('cluster_compute_config')).item('enabled'),
  );
}

/** Whether the roles are those of Auto Mode: since 21.3 the call may ask for them alone. */
export function autoModeRoles(given: EksArguments): Value<boolean> {
  const asked = given.flag('create_auto_mode_iam_resources', false);
  return flatMapValue(
    asked,
    (plain): Value<boolean> => (plain.kind === 'known' && !plain.value ? autoModeOf(given) : plain),
  );
}

/** An object of the call as a block. */
function blockOf(value: TerraformValue): TerraformValue {
  return flatMapValue(
    value,
    (plain): Plain<TerraformItem> => (plain.kind === 'known' ? listOf([plain], plain.source) : plain),
  );
}

/** Without `enabled`, Auto Mode is off, which the block says. */
function computeConfig(given: EksArguments): TerraformValue {
  const { context } = given;
  return flatMapValue(given.item('cluster_compute_config'), (plain): TerraformValue => {
    if (plain.kind !== 'known' || !(plain.value instanceof TerraformMap) || plain.value.entries.size === 0)
      return plain.kind === 'unknown' ? plain : new Absent(plain.source);
    return mapOf(
      { enabled: withDefault(new Given(plain, plain.source).item('enabled'), context.standard(false, plain.source)) },
      plain.source,
    );
  });
}

function accessConfig(given: EksArguments): TerraformValue | undefined {
  const { context } = given;
  const { place } = context.call;
  const mode = given.or(
    'authentication_mode',
    context.byVersion(
      'authentication_mode',
      (release) => (isAtLeast(release, 20) ? 'API_AND_CONFIG_MAP' : undefined),
      place,
    ),
  );
  return listOf([mapOf({ authentication_mode: mode }, place)], place);
}

/** Version 21 never has EKS install the add-ons of its own; versions before 20.18 always do. */
function selfManagedAddons(given: EksArguments, autoMode: Value<boolean>): TerraformValue {
  const { context } = given;
  const { place } = context.call;
  const kind = context.versions.agreed((release) =>
    isAtLeast(release, 21) ? 'never' : isAtLeast(release, 20, 18) ? 'asked' : 'always',
  );
  if (kind === undefined) return context.unknown(context.differs('bootstrap_self_managed_addons'));
  if (kind.value === 'never') return context.fixed(false);
  if (kind.value === 'always') return new Absent(place);
  const standard = context.conditional(autoMode, () => context.standard(false), new Absent(place));
  return withDefault(given.item('bootstrap_self_managed_addons'), standard);
}

function clusterGroups(given: EksArguments, own: TerraformValue): TerraformValue {
  const { place } = given.context.call;
  return flatMapValue(own, (plain): TerraformValue => {
    if (plain.kind === 'unknown' && plain.reference === undefined) return plain;
    return listOf([...itemsOf(given.item('cluster_additional_security_group_ids')), plain], place);
  });
}

function clusterSubnets(given: EksArguments): TerraformValue {
  const own = given.item('control_plane_subnet_ids');
  return itemsOf(own).length === 0 && own.kind !== 'unknown' ? given.item('subnet_ids') : own;
}

function oidcProvider(given: EksArguments, cluster: TerraformInstance): TerraformInstance | undefined {
  const { context } = given;
  const { place } = context.call;
  const { inRegion } = given;
  const standard = context.byVersion('enable_irsa', (release) => isAtLeast(release, 18, 4), place);
  const exists =
    inRegion === undefined ? undefined : context.where(asBoolean(given.or('enable_irsa', standard)), inRegion);
  if (exists === undefined) return undefined;
  return context.declare(
    'aws_iam_openid_connect_provider.oidc_provider[0]',
    () => ({
      url: context.reference(cluster, 'identity[0].oidc[0].issuer', place),
      client_id_list: listOf([stsAudience(given), ...itemsOf(given.item('openid_connect_audiences'))], place),
    }),
    place,
    exists,
  );
}

/** Up to version 19 the provider knows STS by its domain in the partition. */
function stsAudience(given: EksArguments): Plain<TerraformItem> {
  const { context } = given;
  const { place, region } = context.call;
  const byPartition = context.versions.agreed((release) => !isAtLeast(release, 20));
  const suffix = region === undefined ? undefined : urlSuffixOf(region);
  if (byPartition?.value === false || (byPartition === undefined && suffix === 'amazonaws.com'))
    return context.fixed('sts.amazonaws.com');
  if (byPartition === undefined) return context.unknown(context.differs('openid_connect_audiences'));
  const own = asText(given.item('cluster_iam_role_dns_suffix'));
  if (own.kind === 'choice') return context.unknown('its domain depends on conditions');
  if (own.kind !== 'absent') return context.text(['sts.', own], place);
  return suffix === undefined ? context.text(['sts.', context.domain], place) : context.fixed(`sts.${suffix}`);
}

/** Text of the IP family, where it is known: absent counts as IPv4. */
export function familyText(value: TerraformValue): Value<'ipv4' | 'ipv6'> {
  return flatMapValue(asText(value), (plain): Plain<'ipv4' | 'ipv6'> => {
    if (plain.kind === 'unknown') return plain;
    return new Known(plain.kind === 'known' && plain.value === 'ipv6' ? 'ipv6' : 'ipv4', plain.source);
  });
}
