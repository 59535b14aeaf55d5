import type { Plain } from '../../eks';

/** A value as the code of a fix has it. */
export interface WrittenCode {
  readonly yaml: string;
  readonly cdk: string;
  readonly hcl: string;
}

/**
 * The value of a setting that moves, or stays beside what a fix adds: the user's own expression where there is one, else the literal.
 * @param otherwise what stands for one that can be told by neither: `<key pair>`
 * @param isText whether a literal has quotes
 * @param isInLoop whether the code goes where the same loop gives its values
 */
export function writtenCode(
  plain: Plain<string | number> | undefined,
  otherwise: string,
  isText = true,
  isInLoop = false,
): WrittenCode {
  const value = plain?.kind === 'known' ? plain.value : undefined;
  const expression = plain === undefined || plain.kind === 'absent' ? undefined : expressionOf(plain);
  const isCall = expression?.startsWith('!') === true;
  const reference = plain?.kind === 'unknown' ? /^\$\{([\w.[\]"-]+)\}$/.exec(plain.text ?? '')?.[1] : undefined;
  const literal = String(value ?? otherwise);
  // What a loop gives is another value for each of its instances, and nothing outside of it.
  const ofLoop = isInLoop ? OF_BLOCK : OF_LOOP;
  const isOfLoop = [expression, reference].some((one) => one !== undefined && ofLoop.test(one));
  if (isOfLoop) return { yaml: literal, cdk: quotedAs("'", literal, isText), hcl: quotedAs('"', otherwise, isText) };
  const quoted = (quote: string): string => quotedAs(quote, literal, isText);
  return {
    yaml: isCall ? expression : literal,
    cdk: quoted("'"),
    hcl: (isCall ? undefined : expression) ?? reference ?? quoted('"'),
  };
}

/** `each.value`, `count.index`, or what a dynamic block calls its own; not the attribute of a resource, `data.aws_ssm_parameter.key.value`. */
const OF_LOOP = /\b(?:each|count)\.|(?<![\w.\]])\w+\.(?:value|key)\b/;

/** What a dynamic block calls its own, which the loop of the resource doesn't give. */
const OF_BLOCK = /(?<![\w.\]])(?!each\b)\w+\.(?:value|key)\b/;

/** The literal would be the same for all to whom a longer expression gives values of their own. */
function expressionOf({ source }: Exclude<Plain<unknown>, { kind: 'absent' }>): string | undefined {
  const { expression, decided, wholeExpression } = source;
  const isShared = decided === undefined && !OF_LOOP.test(wholeExpression ?? '');
  return expression ?? (isShared ? undefined : wholeExpression);
}

function quotedAs(quote: string, text: string, isText: boolean): string {
  return isText ? quote + text + quote : text;
}
