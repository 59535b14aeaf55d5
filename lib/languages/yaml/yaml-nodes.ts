import { isAlias, isScalar, type Node, type Scalar } from 'yaml';

/** Short forms of CloudFormation's intrinsic functions, by tag. */
export const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['!Ref', 'Ref'],
  ['!Condition', 'Condition'],
  ...[
    'And',
    'Base64',
    'Cidr',
    'Equals',
    'FindInMap',
    'GetAtt',
    'GetAZs',
    'If',
    'ImportValue',
    'Join',
    'Length',
    'Not',
    'Or',
    'Select',
    'Split',
    'Sub',
    'ToJsonString',
    'Transform',
    'Contains',
    'EachMemberEquals',
    'EachMemberIn',
    'RefAll',
    'ValueOf',
    'ValueOfAll',
    'GetStackOutput',
  ].map((name): [string, string] => [`!${name}`, `Fn::${name}`]),
]);

/** A key as text, with the function in front if it is one (`!Sub ${X}:sub`); `undefined` for a key that is itself a collection. */
export function keyText(key: unknown): string | undefined {
  if (key === null) return '';
  if (!isScalar(key)) return undefined;
  const text = typeof key.value === 'string' ? key.value : scalarSource(key);
  const call = functionOf(key);
  return call === undefined ? text : `${call} ${text}`;
}

/** The short form of an intrinsic function that a key has as its tag. */
export function functionOf(key: unknown): string | undefined {
  const tag = isScalar(key) ? key.tag : undefined;
  return tag !== undefined && SHORT_FORMS.has(tag) ? tag : undefined;
}

export function isMergeKey(key: unknown): boolean {
  return (
    isScalar(key) &&
    key.type === 'PLAIN' &&
    key.source === '<<' &&
    (key.tag === undefined || key.tag === '!' || key.tag === 'tag:yaml.org,2002:merge')
  );
}

export function offsetOfKey(key: unknown): number | undefined {
  return isScalar(key) || isAlias(key) ? (key.range?.[0] ?? undefined) : undefined;
}

export function scalarSource(node: Scalar): string {
  return node.source ?? String(node.value);
}

/** Sets an entry whatever its key is. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/**
 * Where a node starts, its tag and anchor included.
 * @param base what its offsets count from
 */
export function startOf(node: Node | null, text: string, base = 0): number {
  const offset = (node?.range?.[0] ?? 0) + base;
  // eslint-disable-next-line regexp/no-super-linear-move -- of 200 characters at most
  const properties = /(?:[!&]\S*[ \t]+)+$/.exec(text.slice(Math.max(0, offset - 200), offset));
  return offset - (properties?.[0].length ?? 0);
}
