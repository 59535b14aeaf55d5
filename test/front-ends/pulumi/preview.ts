import { parseDocument } from '../../../lib/languages';
import { argumentName, terraformType } from '../../../lib/front-ends/pulumi/names';
import type { TerraformInstance } from '../../../lib/terraform/instance';
import { parseJsonConfiguration } from '../../../lib/terraform/json';
import { TerraformList, TerraformMap, type TerraformValue } from '../../../lib/terraform/terraform-value';
import { instancesOf } from '../../rules/terraform/front-ends';
import { plannable } from '../../rules/terraform/plan';
import { translate } from '../../rules/terraform/translate';
import { isMap, Untranslatable, untranslatable, type JsonMap } from '../../rules/terraform/untranslatable';

/** A template of CloudFormation, said again as what a program of Pulumi is about to create. */
export interface Preview {
  readonly text: string;
  /** Logical ids by Terraform's type and Pulumi's address. */
  readonly ids: ReadonlyMap<string, string>;
}

export const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** @returns the reason if a preview can't say the same */
export function previewOf(template: string): Preview | string {
  const translation = translate(template);
  if (typeof translation === 'string') return translation;
  if (translation.hasConditions) return 'conditions and parameters';
  try {
    const configuration = plannable(translation.configuration);
    const instances = instancesOf(parseJsonConfiguration(JSON.stringify(configuration), 'main.tf.json'));
    const managed = instances.filter(({ mode }) => mode === 'managed').map((one) => new Step(one, configuration));
    const urns = new Map(managed.map(({ address, urn }) => [address, urn]));
    return {
      text: JSON.stringify({
        steps: managed.map((step) => step.json(urns)),
        changeSummary: { create: managed.length },
      }),
      ids: new Map(
        managed.flatMap(({ type, address, urn }): [string, string][] => {
          const id = translation.ids.get(address);
          const read = type === 'kubernetes_manifest' ? 'kubernetes_object' : type;
          return id === undefined ? [] : [[`${read} ${urn.split('::').slice(-2).join('::')}`, id]];
        }),
      ),
    };
  } catch (error) {
    if (error instanceof Untranslatable) return error.message;
    throw error;
  }
}

/** What a step is about to create. */
class Step {
  readonly address: string;
  readonly type: string;
  readonly urn: string;
  private readonly token: string;
  private readonly inputs: JsonMap;

  constructor(
    { address, type, attributes }: TerraformInstance,
    private readonly configuration: JsonMap,
  ) {
    this.address = address;
    this.type = type;
    const properties = this.propertyOf(attributes, '', false);
    const content = isMap(properties) ? properties : untranslatable('a resource that is no map');
    const { manifest } = content;
    this.inputs = isMap(manifest) ? manifest : type === 'helm_release' ? release(content) : content;
    this.token = isMap(manifest) ? tokenOfObject(manifest) : tokenOf(type);
    this.urn = `urn:pulumi:dev::shop::${this.token}::${address.slice(type.length + 1)}`;
  }

  json(urns: ReadonlyMap<string, string>): JsonMap {
    return {
      op: 'create',
      urn: this.urn,
      newState: {
        urn: this.urn,
        custom: true,
        type: this.token,
        inputs: this.inputs,
        propertyDependencies: Object.fromEntries(
          Object.entries(this.written()).map(([name, value]) => [propertyName(this.type, name), namedIn(value, urns)]),
        ),
      },
      detailedDiff: null,
    };
  }

  private written(): JsonMap {
    const resources = this.configuration['resource'];
    const ofType = isMap(resources) ? resources[this.type] : undefined;
    const body = isMap(ofType) ? ofType[this.address.slice(this.type.length + 1)] : undefined;
    return isMap(body) ? body : untranslatable(`${this.address} in a preview`);
  }

  private propertyOf(value: TerraformValue, name: string, isOfUser: boolean): unknown {
    switch (value.kind) {
      case 'choice':
        return untranslatable('a conditional');
      case 'absent':
        return undefined;
      case 'unknown':
        // Of a text that is put together, a preview doesn't show the parts that are known.
        return value.reference === undefined && value.constructor.name !== 'Unknown'
          ? untranslatable('a text that is put together of what is not known yet')
          : UNKNOWN;
      case 'known':
        break;
    }
    const { value: item } = value;
    if (item instanceof TerraformList) return item.items.map((one) => this.propertyOf(one, name, isOfUser) ?? null);
    if (!(item instanceof TerraformMap)) return item;
    if (item.more !== undefined) return untranslatable('keys that are not known yet');
    const inUsers = isOfUser || /^(?:manifest|tags|labels)$/.test(name);
    return Object.fromEntries(
      [...item.entries].flatMap(([key, one]): [string, unknown][] => {
        const property = inUsers ? key : propertyName(this.type, key);
        const inner = this.propertyOf(one, key, inUsers);
        // A block of which there may be several is a list, even of one.
        const isPlural = !inUsers && property !== camelCase(key) && isMap(inner);
        return inner === undefined ? [] : [[property, isPlural ? [inner] : inner]];
      }),
    );
  }
}

/** The resources that an expression refers to. */
function namedIn(value: unknown, urns: ReadonlyMap<string, string>): readonly string[] {
  const named = JSON.stringify(value ?? null).matchAll(/\b(?:aws|kubernetes|terraform)_\w+\.\w+/g);
  return [...new Set([...named].flatMap(([address]) => urns.get(address) ?? []))];
}

function tokenOfObject(manifest: JsonMap): string {
  const { apiVersion, kind } = manifest;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return untranslatable('an object without its kind');
  return `kubernetes:${apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`}:${kind}`;
}

/** A release of Helm has its values as an object. */
function release({ values, ...others }: JsonMap): JsonMap {
  const [text] = Array.isArray(values) ? (values as readonly unknown[]) : [];
  if (typeof text !== 'string' || text === UNKNOWN) return text === undefined ? others : { ...others, values: text };
  const { root } = parseDocument(text, 'values.yaml', false);
  return isMap(root) ? { ...others, values: root } : untranslatable('values of a chart that are no map');
}

const SERVICES = ['ec2', 'eks', 'iam', 'autoscaling', 'ssm', 'cloudformation', 'vpc'];

/** What Pulumi calls a type of Terraform. */
export function tokenOf(type: string): string {
  if (type === 'helm_release') return 'kubernetes:helm.sh/v3:Release';
  if (!type.startsWith('aws_')) return `random:index/${camelCase(type)}:${pascalCase(type)}`;
  for (const service of SERVICES) {
    const name = type.replace(service === 'ec2' ? 'aws_' : `aws_${service}_`, '');
    const token = `aws:${service}/${camelCase(name)}:${pascalCase(name)}`;
    if (terraformType(token) === type) return token;
  }
  return type === 'aws_iam_openid_connect_provider'
    ? 'aws:iam/openIdConnectProvider:OpenIdConnectProvider'
    : untranslatable(`a resource of type ${type}`);
}

/** What Pulumi calls an argument of Terraform. */
export function propertyName(type: string, argument: string): string {
  const name = camelCase(argument);
  const plurals = [`${name}s`, name.replace(/y$/, 'ies')];
  return plurals.find((plural) => argumentName(type, plural) === argument) ?? name;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

function pascalCase(name: string): string {
  return camelCase(`_${name}`);
}
