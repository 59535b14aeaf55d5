import {
  Absent,
  alternativesOf,
  flatMapValue,
  Known,
  sourceOf,
  Unknown,
  type Plain,
  type Source,
  type Value,
} from '../../../../value';
import { Base64Text, UnknownBase64 } from '../../../../value/composed-text';
import { asText, TerraformList, type TerraformItem, type TerraformValue } from '../../../../terraform/terraform-value';
import { itemsOf, listOf, mapOf, type Given } from '../given';
import type { ModuleContext } from '../module-context';
import { isAtLeast } from '../../../../terraform/module/version-constraint';

/*
 * The user data that terraform-aws-modules/eks/aws makes of the options of a node group. Source: terraform-aws-modules/terraform-aws-eks,
 * modules/_user_data/main.tf and templates/ of the tags v18.31.2, v19.21.0, v20.5.0, v20.8.2, v20.8.3, v20.9.0, v20.37.2 and v21.19.0. The texts here say
 * the same to a node; they aren't those of the module.
 */

export interface UserDataInput {
  /** `module.eks_managed_node_group["a"].`, or nothing. */
  readonly prefix: string;
  readonly group: Given;
  /** What the call calls the group, for messages. */
  readonly where: string;
  readonly isManaged: boolean;
  /** Whether the module bootstraps the node; self-managed ones always. */
  readonly bootstraps: Value<boolean>;
  readonly amiType: TerraformValue;
  readonly cluster: {
    readonly name: TerraformValue;
    readonly endpoint: TerraformValue;
    readonly authority: TerraformValue;
    readonly serviceCidr: TerraformValue;
    readonly ipFamily: TerraformValue;
  };
}

/** `al2` stands for `bootstrap.sh`, which the module calls "linux". */
type Format = 'al2' | 'al2023' | 'bottlerocket' | 'windows';

const OPTIONS = [
  'pre_bootstrap_user_data',
  'post_bootstrap_user_data',
  'bootstrap_extra_args',
  'cloudinit_pre_nodeadm',
  'cloudinit_post_nodeadm',
] as const;

type Option = (typeof OPTIONS)[number];

const FORMATS: readonly (readonly [prefix: string, format: Format])[] = [
  ['AL2_', 'al2'],
  ['AL2023_', 'al2023'],
  ['BOTTLEROCKET_', 'bottlerocket'],
  ['WINDOWS_', 'windows'],
];

const PLATFORMS: Readonly<Record<string, Format>> = {
  linux: 'al2',
  al2023: 'al2023',
  bottlerocket: 'bottlerocket',
  windows: 'windows',
};

/** `user_data` of the launch template, in base64. */
export function userDataOf(context: ModuleContext, input: UserDataInput): TerraformValue {
  const { group, bootstraps } = input;
  const template = group.text('user_data_template_path');
  if (template.kind !== 'absent') return new Unknown('a template of your own makes it', sourceOf(template));
  return flatMapValue(bootstraps, (flag): TerraformValue => {
    if (flag.kind === 'unknown') return new Unknown(flag.reason, flag.source);
    const isOn = flag.kind === 'known' && flag.value;
    return flatMapValue(formatOf(context, input), (format): TerraformValue => {
      if (format.kind === 'known') return render(context, input, format.value, isOn);
      const isUsed =
        isOn || OPTIONS.some((option) => group.text(option).kind !== 'absent' && !isEmptyList(group.item(option)));
      return isUsed
        ? new Unknown(format.kind === 'unknown' ? format.reason : 'its format is not known', group.place)
        : new Absent(group.place);
    });
  });
}

/** What the AMI type, and before version 21 the platform, make of it. */
function formatOf(context: ModuleContext, { group, amiType }: UserDataInput): Value<Format> {
  const { place } = group;
  const byType = context.versions.agreed((release) => isAtLeast(release, 20, 9));
  if (byType === undefined) return new Unknown(context.differs('the format of user data'), place);
  const platform = flatMapValue(asText(group.item('platform')), (plain): Plain<Format> => {
    if (plain.kind === 'unknown') return plain;
    const format =
      plain.kind !== 'known' ? 'al2' : Object.hasOwn(PLATFORMS, plain.value) ? PLATFORMS[plain.value] : undefined;
    return format === undefined
      ? new Unknown('its platform is none that the module has', plain.source)
      : new Known(format, plain.source);
  });
  if (!byType.value) return platform;
  return flatMapValue(asText(amiType), (plain): Value<Format> => {
    if (plain.kind === 'unknown') return new Unknown(plain.reason, plain.source);
    const format = plain.kind === 'known' ? FORMATS.find(([prefix]) => plain.value.startsWith(prefix))?.[1] : undefined;
    return format === undefined ? platform : new Known(format, plain.source);
  });
}

/** Options that the module reads for a format. */
function usedOptions(context: ModuleContext, format: Format, isOn: boolean, isManaged: boolean): readonly Option[] {
  switch (format) {
    case 'al2023':
      return isOn ? ['cloudinit_pre_nodeadm', 'cloudinit_post_nodeadm'] : ['cloudinit_pre_nodeadm'];
    case 'bottlerocket':
      return ['bootstrap_extra_args'];
    case 'windows':
      if (!isOn && context.versions.agreed((release) => isAtLeast(release, 20))?.value === false) return [];
      return isOn
        ? ['pre_bootstrap_user_data', 'bootstrap_extra_args', 'post_bootstrap_user_data']
        : ['pre_bootstrap_user_data'];
    case 'al2':
      return isOn || !isManaged
        ? ['pre_bootstrap_user_data', 'bootstrap_extra_args', 'post_bootstrap_user_data']
        : ['pre_bootstrap_user_data'];
  }
}

function render(context: ModuleContext, input: UserDataInput, format: Format, isOn: boolean): TerraformValue {
  const used = usedOptions(context, format, isOn, input.isManaged);
  warnOfUnused(context, input, format, isOn, used);
  if (format === 'al2023') return renderCloudinit(context, input, isOn);
  if (used.length === 0) return new Absent(input.group.place);
  const pre = textOption(input.group, 'pre_bootstrap_user_data');
  // The group's own part is wrapped up as MIME, for EKS to add its part.
  if (format === 'al2' && !isOn && input.isManaged)
    return flatMapValue(pre, (plain) =>
      plain.kind === 'absent'
        ? plain
        : cloudinit(context, input, 'al2', [{ type: 'text/x-shellscript', content: plain }]),
    );
  const extra = textOption(input.group, 'bootstrap_extra_args');
  const post = textOption(input.group, 'post_bootstrap_user_data');
  return flatMapValue(pre, (one) =>
    flatMapValue(extra, (two) =>
      flatMapValue(post, (three) =>
        encoded(textOf(context, input, format, isOn, { pre: one, extra: two, post: three }), input.group.place),
      ),
    ),
  );
}

interface Parts {
  readonly pre: Plain<string>;
  readonly extra: Plain<string>;
  readonly post: Plain<string>;
}

function textOf(
  context: ModuleContext,
  input: UserDataInput,
  format: Format,
  isOn: boolean,
  { pre, extra, post }: Parts,
): Plain<string> {
  const { group, cluster } = input;
  const { place } = group;
  const [name, endpoint, authority] = [
    plainText(cluster.name),
    plainText(cluster.endpoint),
    plainText(cluster.authority),
  ];
  if (format === 'bottlerocket') {
    const dns = new Unknown('it is an address of the range of the services', place, '${cluster_dns_ips}');
    const settings = isOn
      ? [
          '[settings.kubernetes]\n"cluster-name" = "',
          name,
          '"\n"api-server" = "',
          endpoint,
          '"\n"cluster-certificate" = "',
          authority,
          '"\n"cluster-dns-ip" = ',
          dns,
          '\n',
        ]
      : [];
    return context.text([...settings, extra], place);
  }
  if (!isOn) return pre;
  if (format === 'windows') {
    const script =
      '$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"\n& $EKSBootstrapScriptFile -EKSClusterName ';
    return context.text(
      [
        '<powershell>\n',
        pre,
        '\n',
        script,
        name,
        ' -APIServerEndpoint ',
        endpoint,
        ' -Base64ClusterCA ',
        authority,
        ' ',
        extra,
        ' 3>&1 4>&1 5>&1 6>&1\n',
        post,
        '\n</powershell>\n',
      ],
      place,
    );
  }
  const range = serviceRange(context, input);
  return context.text(
    [
      '#!/bin/bash\nset -e\n',
      pre,
      '\n',
      ...range.environment,
      '/etc/eks/bootstrap.sh ',
      name,
      ' ',
      extra,
      ' --b64-cluster-ca ',
      authority,
      ' --apiserver-endpoint ',
      endpoint,
      ...range.options,
      '\n',
      post,
      '\n',
    ],
    place,
  );
}

/** How the module tells `bootstrap.sh` the range of the services: in the environment of managed nodes up to version 20.8.2, and by options since. */
function serviceRange(
  context: ModuleContext,
  { group: { place }, isManaged, cluster }: UserDataInput,
): Record<'environment' | 'options', readonly (string | Plain<string>)[]> {
  const byOptions = context.versions.agreed((release) => isAtLeast(release, 20, 8, 3));
  const unknown = new Unknown('it depends on the version of the module', place, '${service_range}');
  if (byOptions === undefined) return { environment: [], options: [' ', unknown] };
  const given = plainText(cluster.serviceCidr);
  const cidr = given.kind === 'absent' ? new Unknown('nothing here tells it', place, '${service_cidr}') : given;
  // Those take what the call gives, and not what EKS answers.
  const isGiven = given.kind === 'known' || (given.kind === 'unknown' && given.reference === undefined);
  if (!byOptions.value)
    return { environment: isManaged && isGiven ? ['export SERVICE_IPV4_CIDR=', cidr, '\n'] : [], options: [] };
  const written = plainText(cluster.ipFamily);
  const family = written.kind === 'absent' ? 'ipv4' : written;
  const isIpv4 = family === 'ipv4' || (family.kind === 'known' && family.value === 'ipv4');
  const range = isIpv4 ? cidr : new Unknown('EKS makes the range of IPv6', place, '${service_cidr}');
  return { environment: [], options: [' --ip-family ', family, ' --service-', family, '-cidr ', range] };
}

/** A NodeConfig between the parts of the call, or those in front of it alone. */
function renderCloudinit(context: ModuleContext, input: UserDataInput, isOn: boolean): TerraformValue {
  const { group, cluster } = input;
  const [pre, post] = [group.item('cloudinit_pre_nodeadm'), group.item('cloudinit_post_nodeadm')];
  const unknown = [pre, ...(isOn ? [post] : [])].find((list) => list.kind === 'unknown' || list.kind === 'choice');
  if (unknown !== undefined)
    return new Unknown(
      unknown.kind === 'unknown' ? unknown.reason : 'which parts it has depends on conditions',
      group.place,
    );
  const { place } = group;
  const config = [
    'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster:\n    name: ',
    plainText(cluster.name),
    '\n    apiServerEndpoint: ',
    plainText(cluster.endpoint),
    '\n    certificateAuthority: ',
    plainText(cluster.authority),
    '\n    cidr: ',
    plainText(cluster.serviceCidr),
    '\n',
  ];
  const own = isOn
    ? [
        mapOf(
          { content_type: context.fixed('application/node.eks.aws', place), content: context.text(config, place) },
          place,
        ),
      ]
    : [];
  const parts = [...itemsOf(pre), ...own, ...(isOn ? itemsOf(post) : [])];
  return parts.length === 0 ? new Absent(place) : declareCloudinit(context, input, 'al2023', 'MIMEBOUNDARY', parts);
}

function cloudinit(
  context: ModuleContext,
  input: UserDataInput,
  family: string,
  parts: readonly { readonly type: string; readonly content: TerraformValue }[],
): TerraformValue {
  const { place } = input.group;
  const blocks = parts.map(({ type, content }) => mapOf({ content_type: context.fixed(type, place), content }, place));
  return declareCloudinit(context, input, family, '//', blocks);
}

function declareCloudinit(
  context: ModuleContext,
  { prefix, group }: UserDataInput,
  family: string,
  boundary: string,
  parts: readonly TerraformValue[],
): TerraformValue {
  const { place } = group;
  const attributes = {
    base64_encode: context.fixed(true, place),
    gzip: context.fixed(false, place),
    boundary: context.fixed(boundary, place),
    part: listOf(parts, place),
  };
  const data = context.declare(
    `${prefix}module.user_data.data.cloudinit_config.${family}_eks_managed_node_group[0]`,
    attributes,
    place,
  );
  return context.reference(data, 'rendered', place);
}

function encoded(text: Plain<string>, place: Source): Plain<TerraformItem> {
  if (text.kind === 'absent' || (text.kind === 'known' && text.value === '')) return new Absent(place);
  return text.kind === 'known' ? new Base64Text(text, place) : new UnknownBase64(text, place);
}

function textOption(group: Given, option: Option): Value<string> {
  return asText(group.text(option));
}

/** A text to be put into another one. */
function plainText(value: TerraformValue): Plain<string> {
  const text = asText(value);
  return text.kind === 'choice' ? new Unknown('it depends on conditions', sourceOf(text), '${…}') : text;
}

function isEmptyList(value: TerraformValue): boolean {
  return value.kind === 'known' && value.value instanceof TerraformList && value.value.items.length === 0;
}

const LABELS: Readonly<Record<Format, string>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows: 'Windows',
};

/** The module drops options of other families without a word. */
function warnOfUnused(
  context: ModuleContext,
  { group, where }: UserDataInput,
  format: Format,
  isOn: boolean,
  used: readonly Option[],
): void {
  for (const option of OPTIONS) {
    const item = group.text(option);
    if (
      used.includes(option) ||
      !group.writes(option) ||
      isEmptyList(item) ||
      alternativesOf(item).every(({ value }) => value.kind === 'absent')
    )
      continue;
    const needsBootstrap = !isOn && usedOptions(context, format, true, true).includes(option);
    const why = needsBootstrap ? 'without `enable_bootstrap_user_data`' : `for ${LABELS[format]} nodes`;
    const instead =
      format === 'al2023' && option !== 'cloudinit_post_nodeadm'
        ? '; AL2023 takes a NodeConfig, in `cloudinit_pre_nodeadm`'
        : '';
    context.warn(sourceOf(item), `${context.title} ignores \`${option}\` in ${where} ${why}${instead}`);
  }
}
