import { flatMapValue, Known, Unknown, type Plain, type Source } from '../value';
import { partitionOf, urlSuffixOf } from '../knowledge/partition';
import { compose, ComposedText } from '../value/composed-text';
import { withFillIns } from '../value/fill-ins';
import { standInFor } from './arn-parts';
import { pathText, type ValueStep } from './address';
import type { TerraformInstance } from './instance';
import { TerraformList, TerraformMap, type TerraformItem, type TerraformValue } from './terraform-value';

const NO_ENTRIES: ReadonlyMap<string, TerraformValue> = new Map();

/** What the address of an instance ends with that stands for those whose key or number isn't known. */
export const UNKNOWN_SUFFIX = '[*]';

const AFTER_APPLY = 'it is known only after apply';

/** Attributes by which other resources name this one: a reference to it says more than the text that isn't known as a whole. */
const NAMES: ReadonlySet<string> = new Set(['name', 'cluster_name', 'id', 'arn']);

/**
 * An instance of a resource or data source as expressions see it. What is written of it is read from the instance when somebody asks; any
 * other attribute is known only after apply, and is a reference to the instance.
 */
export class ResourceObject extends TerraformMap {
  constructor(
    readonly instance: TerraformInstance,
    readonly source: Source,
  ) {
    super(NO_ENTRIES, new Unknown(AFTER_APPLY, source));
  }

  override entry(key: string): TerraformValue {
    const { instance, source } = this;
    return flatMapValue(instance.attributes, (plain): TerraformValue => {
      if (plain.kind !== 'known' || !(plain.value instanceof TerraformMap)) return referenceTo(instance, [key], source);
      return attributeOf(instance, [key], plain.value.entries.get(key), source);
    });
  }
}

/** A nested block or map of an instance, of which attributes that aren't written are references, too. */
export class ResourcePart extends TerraformMap {
  constructor(
    private readonly instance: TerraformInstance,
    /** Where it stands in the instance. */
    private readonly path: readonly ValueStep[],
    private readonly content: TerraformMap,
    private readonly source: Source,
  ) {
    super(
      content.entries,
      content.more ?? (content instanceof BlockContent ? new Unknown(AFTER_APPLY, source) : undefined),
    );
  }

  override entry(key: string): TerraformValue {
    return attributeOf(this.instance, [...this.path, key], this.content.entries.get(key), this.source);
  }
}

/** What stands in a nested block: there can be attributes besides, which are known only after apply. */
export class BlockContent extends TerraformMap {
  constructor(
    entries: TerraformMap['entries'],
    more?: TerraformMap['more'],
    unsure?: TerraformMap['unsure'],
    /** Its arguments as they are written, unless a `dynamic` block makes it. @default - that can't be told */
    readonly written: () => ReadonlyMap<string, string> | 'dynamic' = () => new Map(),
  ) {
    super(entries, more, unsure);
  }
}

function attributeOf(
  instance: TerraformInstance,
  path: readonly ValueStep[],
  written: TerraformValue | undefined,
  source: Source,
): TerraformValue {
  if (written === undefined)
    return (
      toldByProvider(instance, path, source) ??
      resourceOfArn(instance, path, source) ??
      givenAsArgument(instance, path, source) ??
      arnOfZone(instance, path, source) ??
      referenceTo(instance, path, source)
    );
  return flatMapValue(written, (plain): Plain<TerraformItem> => {
    if (isIssuerUrl(instance, path)) return readBackUrl(instance, path, plain, source);
    switch (plain.kind) {
      case 'absent':
        // What is left to the provider isn't null in the end.
        return referenceTo(instance, path, source);
      case 'unknown': {
        const isName = path.length === 1 && NAMES.has(String(path[0]));
        // Whoever names `aws_iam_role.main.name` means the role, wherever that has its name from; a data source, or `cluster_name`, names something else.
        const isOwnName = path.length === 1 && path[0] === 'name' && instance.mode === 'managed';
        if ((plain.reference !== undefined && !isOwnName) || (plain instanceof ComposedText && !isName)) return plain;
        return plain.constructor === Unknown || isName
          ? new Unknown(
              plain.reason,
              plain.source,
              plain.text,
              plain.symbol,
              { resource: instance, attribute: pathText(path) },
              plain.hints,
            )
          : plain;
      }
      case 'known':
        if (typeof plain.value === 'string' && path.length === 1 && path[0] === 'name')
          return nameToFillIn(instance, plain.value, plain.source) ?? plain;
        return typeof plain.value === 'object'
          ? new Known(partOf(instance, path, plain.value, plain.source), plain.source, plain.note)
          : plain;
    }
  });
}

/** A name of which something fills in a part isn't known, but whose name it is. */
function nameToFillIn(instance: TerraformInstance, name: string, source: Source): Unknown | undefined {
  const filled = instance.mode === 'managed' ? withFillIns(name, source) : undefined;
  if (filled?.kind !== 'unknown') return undefined;
  return new Unknown(filled.reason, source, filled.text, filled.symbol, { resource: instance, attribute: 'name' });
}

/**
 * IAM keeps the URL of an OIDC provider without its scheme, and that is what the provider reads back, also for the data source.
 * Source: hashicorp/terraform-provider-aws, internal/service/iam/openid_connect_provider.go; IAM API, GetOpenIDConnectProvider.
 */
function isIssuerUrl({ type }: TerraformInstance, path: readonly ValueStep[]): boolean {
  return type === 'aws_iam_openid_connect_provider' && path.length === 1 && path[0] === 'url';
}

function readBackUrl(
  instance: TerraformInstance,
  path: readonly ValueStep[],
  written: Plain<TerraformItem>,
  source: Source,
): Plain<TerraformItem> {
  return bareUrl(written) ?? referenceTo(instance, path, source);
}

/** The URL of an issuer without its scheme; undefined if nothing tells what it is. */
function bareUrl(written: Plain<TerraformItem>): Plain<string> | undefined {
  if (written.kind === 'known' && typeof written.value === 'string')
    return new Known(bareIssuer(written.value), written.source, written.note);
  if (written instanceof ComposedText) {
    const [first, ...rest] = written.pieces;
    if (first?.kind === 'known' && SCHEME.test(first.value))
      return compose([new Known(bareIssuer(first.value), first.source), ...rest], written.source);
  } else if (written.kind === 'unknown' && written.constructor === Unknown && written.text !== undefined)
    return withoutScheme(written, written.source);
  return undefined;
}

/** What `replace(url, "https://", "")` gives, which leaves an issuer without a scheme as it is. */
export function issuerOfUrl(url: Plain<string>): Plain<string> {
  const isBare = url.kind === 'unknown' && /^\$\{(?:replace|trimprefix)\(.*, "https:\/\/".*\)\}$/.test(url.text ?? '');
  return isBare ? url : (bareUrl(url) ?? url);
}

const SCHEME = /^https:\/\//;

function bareIssuer(url: string): string {
  return url.replace(SCHEME, '');
}

/** The URL of an issuer without its scheme, as conditions of trust policies name it. */
export function withoutScheme({ reason, text, symbol }: Unknown, source: Source): Unknown {
  const written = `\${replace(${text?.replace(/^\$\{(.*)\}$/, '$1') ?? '?'}, "https://", "")}`;
  return new Unknown(reason, source, written, symbol === undefined ? undefined : `${symbol} without its scheme`);
}

function partOf(
  instance: TerraformInstance,
  path: readonly ValueStep[],
  item: TerraformList | TerraformMap,
  source: Source,
): TerraformItem {
  if (item instanceof TerraformMap)
    return item.constructor === TerraformMap || item instanceof BlockContent
      ? new ResourcePart(instance, path, item, source)
      : item;
  // The order in which a set stands isn't the one of indexes.
  if (item.constructor !== TerraformList) return item;
  return new TerraformList(
    item.items.map((one, index) =>
      one.kind === 'known' && typeof one.value === 'object'
        ? new Known(partOf(instance, [...path, index], one.value, one.source), one.source, one.note)
        : one,
    ),
  );
}

/** What data sources tell that follows from the region of the provider. */
function toldByProvider(
  { mode, type, region }: TerraformInstance,
  path: readonly ValueStep[],
  source: Source,
): TerraformValue | undefined {
  if (mode !== 'data' || region === undefined || path.length !== 1) return undefined;
  const [attribute] = path;
  const note = 'the region of the provider';
  if (type === 'aws_region' && (attribute === 'name' || attribute === 'region' || attribute === 'id'))
    return new Known(region, source, note);
  if (type !== 'aws_partition') return undefined;
  if (attribute === 'partition' || attribute === 'id') return new Known(partitionOf(region), source, note);
  return attribute === 'dns_suffix' ? new Known(urlSuffixOf(region), source, note) : undefined;
}

/**
 * What is the same as an argument: the data source of add-on versions has the name of the add-on as its id, and `terraform_data` gives its input as its output.
 * Sources: hashicorp/terraform-provider-aws, internal/service/eks/addon_version_data_source.go; Terraform language, "The terraform_data managed resource type".
 */
const SAME: Readonly<Record<string, { readonly attribute: string; readonly argument: string }>> = {
  'data.aws_eks_addon_version': { attribute: 'id', argument: 'addon_name' },
  terraform_data: { attribute: 'output', argument: 'input' },
};

function givenAsArgument(
  instance: TerraformInstance,
  path: readonly ValueStep[],
  source: Source,
): TerraformValue | undefined {
  const { mode, type, attributes } = instance;
  const same = SAME[mode === 'data' ? `data.${type}` : type];
  if (same === undefined || path.length !== 1 || path[0] !== same.attribute) return undefined;
  return flatMapValue(attributes, (plain): TerraformValue => {
    const given =
      plain.kind === 'known' && plain.value instanceof TerraformMap
        ? plain.value.entries.get(same.argument)
        : undefined;
    return given === undefined || given.kind === 'absent' ? referenceTo(instance, path, source) : given;
  });
}

/** What `data.aws_arn` takes an ARN apart into: `role/path/name`. Source: hashicorp/terraform-provider-aws, internal/service/meta/arn_data_source.go. */
function resourceOfArn(
  instance: TerraformInstance,
  path: readonly ValueStep[],
  source: Source,
): TerraformValue | undefined {
  const { mode, type, attributes } = instance;
  if (mode !== 'data' || type !== 'aws_arn' || path.length !== 1 || path[0] !== 'resource') return undefined;
  return flatMapValue(attributes, (plain): TerraformValue => {
    const arn =
      plain.kind === 'known' && plain.value instanceof TerraformMap ? plain.value.entries.get('arn') : undefined;
    if (arn === undefined) return referenceTo(instance, path, source);
    return flatMapValue(arn, (one): TerraformValue => {
      if (one.kind === 'known' && typeof one.value === 'string')
        return new Known(one.value.split(':').slice(5).join(':'), one.source, one.note);
      const standIn = one.kind === 'unknown' ? standInFor(one) : undefined;
      const [text, other] = standIn?.texts ?? [];
      const [[name, attribute] = []] = standIn?.parts ?? [];
      if (
        standIn === undefined ||
        name === undefined ||
        attribute === undefined ||
        !text?.startsWith('arn:') ||
        other !== undefined
      )
        return referenceTo(instance, path, source);
      const head = text.slice(0, -name.length).split(':').slice(5).join(':');
      return flatMapValue(
        new ResourceObject(standIn.instance, source).entry(attribute),
        (given): TerraformValue =>
          given.kind === 'absent' || (given.kind === 'known' && typeof given.value !== 'string')
            ? referenceTo(instance, path, source)
            : compose([new Known(head, source), given as Plain<string>], source),
      );
    });
  });
}

/** The ARN of a hosted zone says that it is one. Source: hashicorp/terraform-provider-aws, internal/service/route53/zone.go. */
function arnOfZone(
  instance: TerraformInstance,
  path: readonly ValueStep[],
  source: Source,
): TerraformValue | undefined {
  if (instance.type !== 'aws_route53_zone' || path.length !== 1 || path[0] !== 'arn') return undefined;
  const { region } = instance;
  const partition =
    region === undefined ? new Unknown('the region is not known', source) : new Known(partitionOf(region), source);
  const id = referenceTo(instance, ['zone_id'], source);
  return compose([new Known('arn:', source), partition, new Known(':route53:::hostedzone/', source), id], source);
}

/** A reference to an attribute that is known only after apply. */
function referenceTo(instance: TerraformInstance, path: readonly ValueStep[], source: Source): Unknown {
  const attribute = pathText(path);
  const text = `\${${instance.address}.${attribute}}`;
  // What stands for several instances may be another one at each use.
  const symbol = instance.address.endsWith(UNKNOWN_SUFFIX) ? undefined : `${instance.stack}/${text}`;
  return new Unknown(AFTER_APPLY, source, text, symbol, { resource: instance, attribute });
}
