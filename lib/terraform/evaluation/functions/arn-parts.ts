import { Known, type Plain, Unknown } from '../../../value';
import { compose, ComposedText } from '../../../value/composed-text';
import { STAND_IN_ACCOUNT, STAND_IN_PARTITION, standInFor, type StandIn } from '../../arn-parts';
import { ResourceObject } from '../../resource-object';
import { TerraformList, type TerraformItem, type TerraformValue } from '../../terraform-value';
import { stepInto } from '../steps';
import { unknownIn } from '../unknowns';
import { Call, CallFailure, CallUnknown, valueOfResult, type TerraformFunction } from './function';

/** The functions by which names are cut out of ARNs and ids. */
const CUTTING: ReadonlySet<string> = new Set(['basename', 'regex', 'regexall', 'replace', 'split', 'trimprefix']);

/**
 * What a function cuts out of an ARN or id that is known only after apply, where the name of something is among it: the function is asked with a text that looks
 * like it. Undefined where it isn't such a function, or nothing of the kind comes out.
 * @param whole what it gives as far as nothing of this is known
 */
export function cutOutOfArn(
  { name, args, here, context }: Call,
  { run }: TerraformFunction,
  whole: () => Unknown,
): TerraformValue | undefined {
  if (!CUTTING.has(name)) return undefined;
  const index = args.findIndex((arg) => arg.kind === 'unknown' && arg.reference !== undefined);
  const arn = args[index];
  const standIn = arn?.kind === 'unknown' ? standInFor(arn) : undefined;
  if (standIn === undefined) return undefined;
  const others = args.map((arg, place) => (place === index ? arg : asInStandIn(arg)));
  if (others.some((arg, place) => place !== index && unknownIn(arg) !== undefined)) return undefined;
  let made: TerraformValue | undefined;
  let first: string | undefined;
  for (const text of standIn.texts) {
    const given = others.map((arg, place) => (place === index ? new Known<TerraformItem>(text, here) : arg));
    const result = resultOf(new Call(name, given, here, context), run);
    const shown = result && textsOf(result);
    if (shown === undefined || (first !== undefined && shown !== first)) return undefined;
    first = shown;
    made = result;
  }
  return made === undefined ? undefined : withNames(made, standIn, whole, here);
}

/** Undefined where a text of the user's doesn't go with the one that stands for the ARN, as a pattern with another account in it. */
function resultOf(call: Call, run: TerraformFunction['run']): TerraformValue | undefined {
  try {
    return valueOfResult(run(call), call);
  } catch (error) {
    if (error instanceof CallFailure || error instanceof CallUnknown) return undefined;
    throw error;
  }
}

/** A text with the account and the partition as they are in a text that stands for an ARN. */
function asInStandIn(arg: Plain<TerraformItem>): Plain<TerraformItem> {
  const pieces = arg instanceof ComposedText ? arg.pieces : [];
  const isOfAccount = ({ text = '' }: Unknown) =>
    /^\$\{data\.aws_caller_identity\.[\w-]+(?:\[0\])?\.(?:account_id|id)\}$/.test(text);
  const isPartition = ({ text = '' }: Unknown) =>
    /^\$\{data\.aws_partition\.[\w-]+(?:\[0\])?\.(?:partition|id)\}$/.test(text);
  const texts = pieces.map((piece) =>
    piece.kind === 'known'
      ? piece.value
      : isOfAccount(piece)
        ? STAND_IN_ACCOUNT
        : isPartition(piece)
          ? STAND_IN_PARTITION
          : undefined,
  );
  const text =
    arg.kind === 'known' && typeof arg.value === 'string'
      ? arg.value
      : pieces.length > 0 && !texts.includes(undefined)
        ? texts.join('')
        : undefined;
  if (text === undefined) return arg;
  return new Known(
    text
      .replace(/^arn:aws(?:-[a-z-]+)?:/, `arn:${STAND_IN_PARTITION}:`)
      .replace(/^(arn:aws:(?:iam|eks):[^:]*:)\d{12}(?=:)/, `$1${STAND_IN_ACCOUNT}`),
    arg.source,
  );
}

/** The texts of a result; undefined if it has anything else. */
function textsOf(value: TerraformValue): string | undefined {
  if (value.kind !== 'known') return undefined;
  const { value: item } = value;
  if (typeof item === 'string') return item;
  if (!(item instanceof TerraformList)) return undefined;
  const texts = item.items.map(textsOf);
  return texts.includes(undefined) ? undefined : texts.join('\n');
}

/** The names that stand in a result, each as what it is; undefined if there is none. */
function withNames(
  made: TerraformValue,
  standIn: StandIn,
  whole: () => Unknown,
  here: Call['here'],
): TerraformValue | undefined {
  if (made.kind !== 'known') return undefined;
  const { value: item } = made;
  if (typeof item === 'string') return nameIn(item, standIn, here);
  if (!(item instanceof TerraformList)) return undefined;
  const found = item.items.map((one) => withNames(one, standIn, whole, here));
  if (found.every((one) => one === undefined)) return undefined;
  const unknown = whole();
  return new Known(new TerraformList(found.map((one, index) => one ?? stepInto(unknown, index, here))), here);
}

/** A text that is a name, or has one behind the kind of resource, as `role/` in an ARN. */
function nameIn(text: string, { parts, instance }: StandIn, here: Call['here']): TerraformValue | undefined {
  for (const [name, attribute] of parts) {
    if (!text.endsWith(name)) continue;
    const head = text.slice(0, -name.length);
    if (head !== '' && !/^(?:role|cluster)\/$/.test(head)) return undefined;
    const value = new ResourceObject(instance, here).entry(attribute);
    if (head === '') return value;
    return value.kind === 'known' || value.kind === 'unknown'
      ? compose([new Known(head, here), value as Plain<string>], here)
      : undefined;
  }
  return undefined;
}
