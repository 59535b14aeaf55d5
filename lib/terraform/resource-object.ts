import { flatMapValue, Known, Unknown, type Plain, type Source } from '../value';
import { partitionOf, urlSuffixOf } from '../knowledge/partition';
import { compose, ComposedText } from '../value/composed-text';
import { withFillIns } from '../value/fill-ins';
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
      givenAsId(instance, path, source) ??
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

/** The data source of add-on versions has the name of the add-on as its id. Source: hashicorp/terraform-provider-aws, internal/service/eks/addon_version_data_source.go. */
function givenAsId(
  instance: TerraformInstance,
  path: readonly ValueStep[],
  source: Source,
): TerraformValue | undefined {
  if (instance.mode !== 'data' || instance.type !== 'aws_eks_addon_version' || path.length !== 1 || path[0] !== 'id')
    return undefined;
  return flatMapValue(instance.attributes, (plain): TerraformValue => {
    const name =
      plain.kind === 'known' && plain.value instanceof TerraformMap ? plain.value.entries.get('addon_name') : undefined;
    return name === undefined || name.kind === 'absent' ? referenceTo(instance, path, source) : name;
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
