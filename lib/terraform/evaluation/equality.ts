import { Unknown } from '../../value';
import { ComposedText } from '../../value/composed-text';
import { TerraformList, TerraformMap, TerraformSet, type TerraformItem, type TerraformValue } from '../terraform-value';
import { isExact, numberText } from './numbers';

/** Whether two values are equal; undefined if that isn't known. Values of different types never are. */
export function isEqual(one: TerraformValue, other: TerraformValue): boolean | undefined {
  if (one.kind === 'choice' || other.kind === 'choice') return undefined;
  if (one.kind === 'unknown') return isEqualUnknown(one, other);
  if (other.kind === 'unknown') return isEqualUnknown(other, one);
  if (one.kind === 'absent' || other.kind === 'absent') return one.kind === other.kind;
  return isEqualItem(one.value, other.value);
}

function isEqualUnknown(unknown: Unknown, other: TerraformValue): boolean | undefined {
  if (other.kind === 'unknown')
    return unknown.symbol !== undefined && unknown.symbol === other.symbol ? true : undefined;
  // Whoever compares an id with nothing asks whether somebody gives one, and this one is given.
  if (isNothing(other) && isIdentifier(unknown)) return false;
  // A text put together from pieces is never null.
  if (!(unknown instanceof ComposedText) || other.kind === 'choice') return undefined;
  return other.kind === 'known' && typeof other.value === 'string' && canBe(unknown, other.value)
    ? undefined
    : other.kind === 'known' && typeof other.value !== 'string'
      ? undefined
      : false;
}

function isNothing(value: TerraformValue): boolean {
  return value.kind === 'absent' || (value.kind === 'known' && value.value === '');
}

/**
 * Attributes that a resource or data source which has them has a value for once it is there. What stands deeper is data that somebody gives, such as
 * `terraform_data.x.output.name`, and `kms_key_id` is of something else, which there may not be.
 */
const IDENTIFIERS = /^(?:id|arn|name|json|endpoint|account_id|vpc_id|zone_id)$/;

/** What asks for an AMI, a page, a policy or a file finds it, or fails. */
const FOUND =
  /^\$\{(?:module\.[^.]+\.)*data\.(?:aws_ami\.[^.]+\.image_id|http\.[^.]+\.(?:response_)?body|aws_iam_policy\.[^.]+\.policy|local_file\.[^.]+\.content)\}$/;

/** A cluster always has an issuer, and a provider its own. */
const ISSUER =
  /^\$\{(?:module\.[^.]+\.)*(?:data\.)?(?:aws_eks_cluster\.[^.]+\.identity(?:\[0\]|\.0)\.oidc(?:\[0\]|\.0)\.issuer|aws_iam_openid_connect_provider\.[^.]+\.url)\}$/;

/** A resource that a module hands out as a whole has its ARN: `module.role.this.arn`. An output of this name by itself may be empty. */
const ARN_IN_OUTPUT = /^\$\{(?:module\.[\w-]+(?:\[[^\]]*\])?\.)+[\w-]+(?:\[[^\]]*\])?\.arn\}$/;

function isIdentifier({ reference, text = '' }: Unknown): boolean {
  return (
    (reference !== undefined && IDENTIFIERS.test(reference.attribute)) ||
    FOUND.test(text) ||
    ISSUER.test(text) ||
    ARN_IN_OUTPUT.test(text)
  );
}

/** Whether a text that is known in parts may be this one. */
export function canBe(unknown: Unknown, text: string): boolean {
  if (!(unknown instanceof ComposedText)) return true;
  const { pieces } = unknown;
  const [first, last] = [pieces[0], pieces.at(-1)];
  const [start, end] = [first?.kind === 'known' ? first.value : '', last?.kind === 'known' ? last.value : ''];
  return text.startsWith(start) && text.endsWith(end) && text.length >= start.length + end.length;
}

function isEqualItem(one: TerraformItem, other: TerraformItem): boolean | undefined {
  if (typeof one !== 'object' && typeof other !== 'object') return isEqualScalar(one, other);
  if (one instanceof TerraformList && other instanceof TerraformList) {
    if (one instanceof TerraformSet !== other instanceof TerraformSet)
      return one.items.length === other.items.length ? undefined : false;
    const isSet = one instanceof TerraformSet;
    if (one.items.length !== other.items.length) return isSet ? undefined : false;
    const contents = all(one.items.map((item, index) => isEqual(item, other.items[index] ?? item)));
    // A list is no tuple, although nothing tells them apart here.
    return isSet || contents === undefined ? (contents === true ? true : undefined) : contents ? undefined : false;
  }
  if (one instanceof TerraformMap && other instanceof TerraformMap) {
    if (one.more !== undefined || other.more !== undefined) return undefined;
    const keys = new Set([...one.entries.keys(), ...other.entries.keys()]);
    if (keys.size !== one.entries.size || keys.size !== other.entries.size) return false;
    const contents: (boolean | undefined)[] = [];
    for (const key of keys) {
      const [left, right] = [one.entries.get(key), other.entries.get(key)];
      contents.push(left === undefined || right === undefined ? false : isEqual(left, right));
    }
    return all(contents) === false ? false : undefined;
  }
  return false;
}

function all(results: readonly (boolean | undefined)[]): boolean | undefined {
  if (results.includes(false)) return false;
  return results.includes(undefined) ? undefined : true;
}

function isEqualScalar(one: string | number | boolean, other: string | number | boolean): boolean | undefined {
  if (one === other) return typeof one !== 'number' || isExact(one) ? true : undefined;
  if (typeof one === 'number' && typeof other === 'number') return isExact(one) && isExact(other) ? false : undefined;
  // One of them may have been converted on its way.
  return typeof one !== typeof other && shown(one) === shown(other) ? undefined : false;
}

function shown(scalar: string | number | boolean): string | undefined {
  return typeof scalar === 'number' ? numberText(scalar) : String(scalar);
}
