import { BlockContent, issuerOfUrl, ResourceObject, withoutScheme } from '../../lib/terraform/resource-object';
import { TerraformList, TerraformMap, TerraformSet, type TerraformValue } from '../../lib/terraform/terraform-value';
import { ComposedText, UnknownBase64 } from '../../lib/value/composed-text';
import { Known, nowhere, Unknown, type Plain } from '../../lib/value';
import { instance, ref, text, unknown, valueOf, type Written } from './instances';
import { shown } from './plan/plans';

type Instance = ReturnType<typeof instance>;

const of = (one: Instance, ...path: readonly (string | number)[]): TerraformValue =>
  path.reduce<TerraformValue>(
    (value, step) => {
      const item = value.kind === 'known' ? value.value : undefined;
      const inner =
        item instanceof TerraformMap
          ? item.entry(String(step))
          : item instanceof TerraformList
            ? item.items[Number(step)]
            : undefined;
      if (inner === undefined) throw new Error(`there is no ${step}`);
      return inner;
    },
    new Known(new ResourceObject(one, nowhere), nowhere),
  );
const made = (attributes: Written, more: Parameters<typeof instance>[2] = {}) => instance('aws_x.y', attributes, more);

describe('an attribute of a resource', () => {
  it('that is written is what is written', () => {
    expect(of(made({ name: 'n' }), 'name')).toMatchObject({ kind: 'known', value: 'n' });
  });

  it('that is the ARN of a hosted zone tells as much', () => {
    const arn = of(instance('data.aws_route53_zone.main', { name: 'example.com' }, { region: 'cn-north-1' }), 'arn');
    expect(arn).toMatchObject({
      kind: 'unknown',
      text: 'arn:aws-cn:route53:::hostedzone/${data.aws_route53_zone.main.zone_id}',
    });
  });

  it.each<[string, Written]>([
    ['not written', {}],
    ['null', { id: null }],
    ['of what is unknown as a whole', unknown('module')],
    ['of what is no map', 'text'],
  ])('that is %s is known only after apply', (_, attributes) => {
    const one = made(attributes);
    expect(of(one, 'id')).toMatchObject({
      kind: 'unknown',
      reason: 'it is known only after apply',
      text: '${aws_x.y.id}',
      symbol: 'root/${aws_x.y.id}',
      reference: { resource: one, attribute: 'id' },
    });
  });

  it('may be another one at each use, of what stands for several', () => {
    expect(of(instance('aws_x.y[*]', {}), 'id')).toMatchObject({
      text: '${aws_x.y[*].id}',
      symbol: undefined,
    });
  });

  it('that another resource gives leads to that one, but the own name to the resource', () => {
    const letters = instance('random_string.main', {});
    const one = made({ name: ref(letters, 'result'), cluster_name: ref(letters, 'result') });
    expect(of(one, 'name')).toMatchObject({ reference: { resource: one, attribute: 'name' } });
    expect(of(one, 'cluster_name')).toMatchObject({ reference: { resource: letters, attribute: 'result' } });
    const looked = instance('data.aws_x.y', { name: ref(letters, 'result') }, { mode: 'data' });
    expect(of(looked, 'name')).toMatchObject({ reference: { resource: letters, attribute: 'result' } });
  });

  it('that a variable gives leads to the resource, too', () => {
    const one = made({ arn: unknown('var.arn'), tag: unknown('var.tag') });
    for (const attribute of ['arn', 'tag'])
      expect(of(one, attribute)).toMatchObject({
        text: `\${var.${attribute}}`,
        symbol: `var.${attribute}`,
        reference: { resource: one, attribute },
      });
  });

  it('that another resource gives leads to that one', () => {
    const other = instance('aws_o.p', {});
    expect(of(made({ role: ref(other, 'arn') }), 'role')).toMatchObject({
      reference: { resource: other, attribute: 'arn' },
    });
  });

  it('that is put together keeps its parts, unless it is a name', () => {
    const written = text('a-', unknown('var.x')) as Unknown;
    const one = made({ name: written, path: written, data: new UnknownBase64(written, nowhere) });
    expect(of(one, 'path')).toBeInstanceOf(ComposedText);
    expect(of(one, 'name')).not.toBeInstanceOf(ComposedText);
    expect(of(one, 'name')).toMatchObject({ text: 'a-${var.x}', reference: { resource: one, attribute: 'name' } });
    expect(of(one, 'data')).toBeInstanceOf(UnknownBase64);
  });

  it('in a name of a block is no name of the resource', () => {
    const written = text('a-', unknown('var.x')) as Unknown;
    expect(of(made({ block: { name: written } }), 'block', 'name')).toBeInstanceOf(ComposedText);
  });
});

describe('a block of a resource', () => {
  it('leads to attributes that are known only after apply', () => {
    const one = made({ network: [{ subnet: 's', inner: { a: 1 } }] });
    expect(of(one, 'network', 0, 'subnet')).toMatchObject({ value: 's' });
    expect(of(one, 'network', 0, 'id')).toMatchObject({ reference: { resource: one, attribute: 'network[0].id' } });
    expect(of(one, 'network', 0, 'inner', 'b')).toMatchObject({ reference: { attribute: 'network[0].inner.b' } });
  });

  it('has more than is written, and a map has not', () => {
    const block = new Known(new BlockContent(new Map([['a', valueOf(1)]])), nowhere);
    const more = (value: TerraformValue) =>
      value.kind === 'known' && value.value instanceof TerraformMap ? value.value.more?.kind : 'none';
    expect(more(of(made({ block }), 'block'))).toBe('unknown');
    expect(more(of(made({ map: { a: 1 } }), 'map'))).toBeUndefined();
    expect(shown(of(made({ map: { a: 1 } }), 'map'))).toEqual({ a: 1 });
  });

  it('in a set has no index', () => {
    const set = new Known(new TerraformSet([valueOf({ a: 1 })]), nowhere);
    const found = of(made({ set }), 'set');
    expect(found.kind === 'known' && found.value).toBe(set.value);
  });
});

describe('the URL of an OIDC provider', () => {
  const url = (written: Written, address = 'aws_iam_openid_connect_provider.p') =>
    of(instance(address, { url: written }), 'url');

  it('is read back without its scheme', () => {
    expect(shown(url('https://issuer/id/A'))).toBe('issuer/id/A');
    expect(shown(url('https://issuer', 'data.aws_iam_openid_connect_provider.p'))).toBe('issuer');
    expect(shown(url('http://issuer'))).toBe('http://issuer');
    expect(shown(url(text('https://issuer/', unknown('var.id')) as Unknown))).toBe('?issuer/${var.id}');
    expect(shown(url(unknown('local.issuer')))).toBe('?${replace(local.issuer, "https://", "")}');
    expect(url(unknown('local.issuer'))).toMatchObject({ symbol: 'local.issuer without its scheme' });
  });

  it('is a reference where it can not be told', () => {
    expect(shown(url(null))).toBe('?${aws_iam_openid_connect_provider.p.url}');
    expect(shown(url(text(unknown('var.host'), '/id') as Unknown))).toBe('?${aws_iam_openid_connect_provider.p.url}');
    expect(shown(url(['a']))).toBe('?${aws_iam_openid_connect_provider.p.url}');
    expect(shown(url(new Unknown('of no text', nowhere)))).toBe('?${aws_iam_openid_connect_provider.p.url}');
    expect(shown(url(7))).toBe('?${aws_iam_openid_connect_provider.p.url}');
  });

  it('is its URL only, and of no other resource', () => {
    expect(shown(url('https://a', 'aws_x.p'))).toBe('https://a');
    const provider = instance('aws_iam_openid_connect_provider.p', { other: 'https://a', block: { url: 'https://a' } });
    expect(shown(of(provider, 'other'))).toBe('https://a');
    expect(shown(of(provider, 'block', 'url'))).toBe('https://a');
  });

  it.each<[string, Written]>([
    ['?${replace(var.url, "https://", "")}', unknown('var.url')],
    ['?${trimprefix(var.url, "https://")}', unknown('trimprefix(var.url, "https://")')],
    ['?${replace(var.url, "https://", "")}', text('https://', unknown('replace(var.url, "https://", "")'))],
  ])('gives the issuer %s', (issuer, written) => {
    expect(shown(issuerOfUrl(valueOf(written) as Plain<string>))).toBe(issuer);
  });

  it('has its scheme taken off as conditions do', () => {
    expect(withoutScheme(new Unknown('r', nowhere), nowhere)).toMatchObject({
      reason: 'r',
      text: '${replace(?, "https://", "")}',
      symbol: undefined,
    });
  });
});

describe('what a data source tells of the region of its provider', () => {
  const told = (address: string, attribute: string, region: string | undefined = 'eu-west-1') =>
    shown(of(instance(address, {}, { region }), attribute));

  it.each([
    ['data.aws_region.here', 'name', 'eu-west-1', 'eu-west-1'],
    ['data.aws_region.here', 'region', 'eu-west-1', 'eu-west-1'],
    ['data.aws_region.here', 'id', 'eu-west-1', 'eu-west-1'],
    ['data.aws_region.here', 'description', 'eu-west-1', '?${data.aws_region.here.description}'],
    ['aws_region.here', 'name', 'eu-west-1', '?${aws_region.here.name}'],
    ['data.aws_regions.here', 'name', 'eu-west-1', '?${data.aws_regions.here.name}'],
    ['data.aws_partition.here', 'partition', 'cn-north-1', 'aws-cn'],
    ['data.aws_partition.here', 'id', 'us-gov-west-1', 'aws-us-gov'],
    ['data.aws_partition.here', 'dns_suffix', 'cn-north-1', 'amazonaws.com.cn'],
    ['data.aws_partition.here', 'dns_suffix', 'eu-west-1', 'amazonaws.com'],
    ['data.aws_partition.here', 'name', 'eu-west-1', '?${data.aws_partition.here.name}'],
  ])('%s.%s in %s', (address, attribute, region, expected) => {
    expect(told(address, attribute, region)).toBe(expected);
  });

  it('is not told without a region, and only as a whole', () => {
    expect(shown(of(instance('data.aws_region.here', {}), 'name'))).toBe('?${data.aws_region.here.name}');
    const block = instance('data.aws_region.here', { block: { a: 1 } }, { region: 'eu-west-1' });
    expect(shown(of(block, 'block', 'name'))).toBe('?${data.aws_region.here.block.name}');
  });
});

describe('the id of a data source of add-on versions', () => {
  const id = (address: string, attributes: Written, ...path: string[]) =>
    shown(of(instance(address, attributes), ...path));

  it('is the name of the add-on', () => {
    const address = 'data.aws_eks_addon_version.v';
    expect(id(address, { addon_name: 'vpc-cni' }, 'id')).toBe('vpc-cni');
    expect(id(address, { addon_name: 'vpc-cni' }, 'version')).toBe(`?\${${address}.version}`);
    expect(id(address, { addon_name: null }, 'id')).toBe(`?\${${address}.id}`);
    expect(id(address, {}, 'id')).toBe(`?\${${address}.id}`);
    expect(id(address, { addon_name: 'vpc-cni', block: {} }, 'block', 'id')).toBe(`?\${${address}.block.id}`);
    expect(id('aws_eks_addon_version.v', { addon_name: 'a' }, 'id')).toBe('?${aws_eks_addon_version.v.id}');
    expect(id('data.aws_eks_addon.v', { addon_name: 'a' }, 'id')).toBe('?${data.aws_eks_addon.v.id}');
  });
});
