import {
  flatMapValue,
  Known,
  Unknown,
  type AmiFamily,
  type Image,
  type LaunchTemplate,
  type MetadataOptions,
  type Plain,
  type UserDataText,
  type Value,
} from '../../../model';
import { Block } from '../block';
import { asText, DecodedText, type Item } from '../item';
import { ComposedText, SsmParameterValue } from '../unknown-values';
import { CloudFormationResource } from './cloudformation-resource';
import { conditionalItems } from './conditional-items';

/** `AWS::EC2::LaunchTemplate`. */
export class Ec2LaunchTemplate extends CloudFormationResource implements LaunchTemplate {
  readonly kind = 'launch-template';

  private get data(): Block {
    return this.properties.block('LaunchTemplateData');
  }

  get name(): Value<string> {
    return this.properties.string('LaunchTemplateName');
  }

  get imageId(): Value<Image> {
    return flatMapValue(this.data.string('ImageId'), readImage);
  }

  get instanceType(): Value<string> {
    return this.data.string('InstanceType');
  }

  get metadata(): MetadataOptions {
    return new LaunchTemplateMetadata(this.data.block('MetadataOptions'));
  }

  get userData(): Value<UserDataText> {
    return flatMapValue(this.data.item('UserData'), readUserData);
  }

  get instanceTagKeys(): readonly Value<string>[] {
    const keys: Value<string>[] = [];
    for (const specification of this.blocks(this.data.list('TagSpecifications'))) {
      const type = specification.string('ResourceType');
      // Only what is surely put on something else is left out.
      if (type.kind === 'known' && type.value !== 'instance') continue;
      for (const tag of this.blocks(specification.list('Tags'))) keys.push(tag.string('Key'));
    }
    return keys;
  }

  /** The blocks of a list, under whatever conditions. */
  private blocks(list: Value<readonly Value<Item>[]>): Block[] {
    return conditionalItems(list).map((item) => Block.of(item, this.evaluator));
  }
}

class LaunchTemplateMetadata implements MetadataOptions {
  constructor(private readonly options: Block) {}

  get httpTokens(): Value<string> {
    return this.options.string('HttpTokens');
  }

  get hopLimit(): Value<number | string> {
    return this.options.number('HttpPutResponseHopLimit');
  }

  get httpEndpoint(): Value<string> {
    return this.options.string('HttpEndpoint');
  }

  get instanceTags(): Value<string> {
    return this.options.string('InstanceMetadataTags');
  }
}

/** Which family an image of a public SSM parameter belongs to. Source: EKS User Guide, "Retrieve recommended AMI IDs". */
const FAMILIES: readonly (readonly [RegExp, AmiFamily])[] = [
  [/^\/aws\/service\/eks\/optimized-ami\/[^/]+\/amazon-linux-2023\//, 'AL2023'],
  [/^\/aws\/service\/eks\/optimized-ami\/[^/]+\/amazon-linux-2(?:-[^/]+)?\//, 'AL2'],
  [/^\/aws\/service\/bottlerocket\//, 'BOTTLEROCKET'],
  [/^\/aws\/service\/ami-windows-latest\/[^/]*EKS_Optimized/, 'WINDOWS'],
];

/** Text that EC2 itself looks up, or that CloudFormation does, with the path of the SSM parameter in it. */
const SSM_LOOKUP = /^(?:resolve:ssm:|\{\{resolve:ssm:)((?:\$\{[^}]*\}|[^:}])+)/;

function readImage(plain: Plain<string>): Plain<Image> {
  if (plain.kind === 'absent') return plain;
  if (plain instanceof SsmParameterValue) return new Known(imageAt(plain.parameterPath), plain.source);
  const text = plain.kind === 'known' ? plain.value : plain.text;
  const path = text === undefined ? undefined : SSM_LOOKUP.exec(text)?.[1];
  if (path !== undefined) return new Known(imageAt(path), plain.source);
  return plain.kind === 'known' ? new Known({ text: plain.value, family: undefined }, plain.source, plain.note) : plain;
}

function imageAt(path: string): Image {
  return { text: path, family: FAMILIES.find(([pattern]) => pattern.test(path))?.[1] };
}

const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

function readUserData(plain: Plain<Item>): Plain<UserDataText> {
  if (plain.kind !== 'known') return plain;
  if (plain.value instanceof DecodedText) return known(plain.value.text, plain);
  const text = asText(plain);
  if (text.kind !== 'known') return text as Plain<UserDataText>;
  if (!BASE64.test(text.value)) return new Unknown('it is not base64', plain.source, text.value);
  return new Known({ text: Buffer.from(text.value, 'base64').toString('utf8'), hasUnknownParts: false }, plain.source, text.note);
}

function known(text: Known<string> | Unknown, { source, note }: Known<Item>): Plain<UserDataText> {
  if (text.kind === 'known') return new Known({ text: text.value, hasUnknownParts: false }, source, text.note ?? note);
  if (text instanceof ComposedText) return new Known({ text: text.text ?? '', hasUnknownParts: true }, source);
  return text;
}
