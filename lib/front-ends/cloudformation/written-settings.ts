import type { Document, Node, Pair, YAMLMap } from 'yaml';
import { Cursor, isMap, member } from '../../cloudformation/cursor';
import { keptByText } from '../../text/kept-by-text';
import { yaml } from '../../text/lazy-parsers';
import { ownOr, type Resource } from '../../value';
import { idleWithout } from './idle-names';

/*
 * Code of a fix beside what the template has already: the user's other settings stay, and what the code refers to has to be there.
 */

/** Properties of which a fix sets some keys, or adds some items. The others stay; a fix for any other property replaces it. */
const KEPT: ReadonlySet<string> = new Set([
  'AssumeRolePolicyDocument',
  'ConfigurationValues',
  'KubernetesNetworkConfig',
  'ManagedPolicyArns',
  'MetadataOptions',
  'PodIdentityAssociations',
  'Policies',
  'ResourcesVpcConfig',
  'ScalingConfig',
  'SecurityGroupIds',
  'UpgradePolicy',
]);

/** What properties of fixes belong to, as far as rules print them for a resource that something else is to be changed beside. */
const TYPE_OF: Readonly<Record<string, string>> = {
  AddonVersion: 'AWS::EKS::Addon',
  AmiType: 'AWS::EKS::Nodegroup',
  ConfigurationValues: 'AWS::EKS::Addon',
  InstanceTypes: 'AWS::EKS::Nodegroup',
  ResolveConflicts: 'AWS::EKS::Addon',
};

/**
 * Code for the properties of a resource with what stands there already.
 * @returns undefined where that can't be written beside it, or is no property of the resource
 */
export function withWritten(code: string, resource: Resource): string | undefined {
  // A part under a heading goes elsewhere.
  const [own = '', ...others] = code.split(/\n(?=# .*:$)/m);
  if (/^# .*:$/m.test(own.split('\n', 1)[0] ?? '')) return code;
  const document = documentOf(own);
  if (document === undefined) return code;
  const written = writtenIn(resource);
  let changed: Document<YAMLMap> | undefined;
  let idle = '';
  for (const { key, value } of membersOf(document)) {
    if (TYPE_OF[key] !== undefined && TYPE_OF[key] !== resource.type) return undefined;
    // Groups stand there or here.
    if (key === 'SecurityGroupIds' && member(written, 'NetworkInterfaces') !== undefined) return undefined;
    const before = member(written, key);
    if (before === undefined) continue;
    // Whatever the user runs there, it is more than the example.
    if (key === 'UserData') return undefined;
    const set = plainOf(value);
    if (member(before, 'Fn::If') !== undefined) {
      const filled = filledIn(before, set, resource);
      // It replaces what holds in one case only.
      if (filled === undefined) return undefined;
      changed ??= document.clone();
      changed.set(key, changed.createNode(filled));
      continue;
    }
    if (!KEPT.has(key) && !(key === 'UpdateConfig' && member(set, 'UpdateStrategy') !== undefined)) continue;
    if (key === 'AssumeRolePolicyDocument' && hasMore(before)) return undefined;
    if (key === 'AssumeRolePolicyDocument') continue;
    const after = merged(before, set);
    if (after === undefined) return undefined;
    if (key === 'MetadataOptions') idle = idleWithout(before, Object.keys(set as object), resource);
    if (JSON.stringify(after) === JSON.stringify(set)) continue;
    // The document itself is that of all findings with the same code.
    changed ??= document.clone();
    changed.set(key, changed.createNode(after));
  }
  if (changed === undefined && idle === '') return code;
  const text = changed === undefined ? own : String(changed).trimEnd();
  return [idle === '' ? text : text.replace(/^( *HttpTokens: \w+)$/m, `$1${idle}`), ...others].join('\n');
}

/** A choice between a parameter and nothing, with what a fix sets in the place of nothing; undefined of any other. */
function filledIn(before: unknown, set: unknown, { source }: Resource): unknown {
  const choice = member(before, 'Fn::If');
  const [condition, ...values] = Array.isArray(choice) ? (choice as readonly unknown[]) : [];
  const isNone = (value: unknown): boolean => member(value, 'Ref') === 'AWS::NoValue';
  const [other, ...more] = values.filter((value) => !isNone(value));
  const parameter = member(other, 'Ref');
  if (values.length !== 2 || more.length > 0 || typeof parameter !== 'string' || !(source instanceof Cursor))
    return undefined;
  const { template } = source;
  const byDefault = template.named('Parameters', parameter)?.child('Default').raw;
  const declared = typeof condition === 'string' ? template.section('Conditions')?.child(condition).raw : undefined;
  // A default that isn't the word for nothing may be what is wrong.
  const isForNothing =
    byDefault === undefined ||
    (typeof byDefault === 'string' && JSON.stringify(declared ?? null).includes(JSON.stringify(byDefault)));
  return isForNothing ? { 'Fn::If': [condition, ...values.map((value) => (isNone(value) ? set : value))] } : undefined;
}

/** Whether the template has all properties that code sets, whatever their values. */
export function isWritten(code: string, resource: Resource): boolean {
  const document = documentOf(code);
  const written = writtenIn(resource);
  return document === undefined || membersOf(document).every(({ key }) => member(written, key) !== undefined);
}

/** What a template writes for a property of a resource. */
export function writtenSetting(resource: Resource, name: string): unknown {
  return member(writtenIn(resource), name);
}

/** Whether all that code refers to stands in the template, or in the code itself. */
export function isDeclared(code: string, { source }: Resource): boolean {
  if (!(source instanceof Cursor)) return true;
  const document = documentOf(code);
  if (document === undefined) return true;
  const { template } = source;
  const sections = [template.section('Resources')?.raw, template.section('Parameters')?.raw];
  const own = new Set(membersOf(document).map(({ key }) => key));
  return [...referencesIn(document)].every(
    (name) => name.includes('::') || own.has(name) || sections.some((section) => member(section, name) !== undefined),
  );
}

function referencesIn(document: Document): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (call: string, argument: unknown): void => {
    if (call === 'Ref') names.add(String(argument));
    if (call === 'GetAtt') names.add(String(Array.isArray(argument) ? argument[0] : argument).split('.')[0] ?? '');
    if (call !== 'Sub') return;
    const [text, values] = (Array.isArray(argument) ? argument : [argument]) as [unknown, unknown?];
    for (const [, name = ''] of String(text).matchAll(/\$\{([^!}.][^}.]*)[.}]/g))
      if (member(values, name) === undefined) names.add(name);
  };
  yaml().visit(document, {
    Node: (_, node) => {
      const tag = /^!(\w+)$/.exec(node.tag ?? '')?.[1];
      if (tag !== undefined) add(tag, Object.values(plainOf(node) as object)[0]);
    },
    Pair: (_, { key, value }) => {
      const call = /^(?:Fn::)?(Ref|GetAtt|Sub)$/.exec(String((key as { value?: unknown } | null)?.value))?.[1];
      if (call !== undefined) add(call, plainOf(value as Node));
    },
  });
  return names;
}

/** The properties of a resource as the template has them; of a launch template, what it launches. */
function writtenIn({ type, source }: Resource): unknown {
  const properties = source instanceof Cursor ? member(source.raw, 'Properties') : undefined;
  return type === 'AWS::EC2::LaunchTemplate' ? member(properties, 'LaunchTemplateData') : properties;
}

/** Whether a trust policy trusts somebody besides. */
function hasMore(policy: unknown): boolean {
  const statements = member(policy, 'Statement');
  return !Array.isArray(statements) || statements.length > 1;
}

/** What is set, above what is there; undefined if that depends on something. */
function merged(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after)) {
    const texts = new Set(before.map(itemText));
    return [...(before as unknown[]), ...(after as unknown[]).filter((item) => !texts.has(itemText(item)))];
  }
  if (typeof after === 'string') return mergedText(before, after);
  return isMap(before) && isMap(after) && !isCall(before) ? mergedMap(before, after) : undefined;
}

/** An item of a list, of which policies of AWS are the same in every partition, however their ARNs are written. */
function itemText(item: unknown): string {
  const sub = member(item, 'Fn::Sub');
  const text = typeof sub === 'string' ? sub : typeof item === 'string' ? item : JSON.stringify(item);
  return text.replace(/^arn:(?:aws[a-z-]*|\$\{AWS::Partition\}):iam::aws:policy\//, 'arn:*:iam::aws:policy/');
}

function mergedMap(before: object, after: object, whole = before): object {
  const result = new Map<string, unknown>(Object.entries(before));
  for (const [key, value] of Object.entries(after) as [string, unknown][]) {
    const old = member(before, key);
    const inner = isMap(old) && isMap(value) && !isCall(old) ? mergedMap(old, value, whole) : ownOr(value, whole);
    // What a fix has as null goes (RFC 7396), and what it leaves empty.
    if (inner === null || (isMap(inner) && Object.keys(inner).length === 0 && inner !== value)) result.delete(key);
    else result.set(key, inner);
  }
  return Object.fromEntries(result);
}

/** Texts that hold data, as configuration values do. */
function mergedText(before: unknown, after: string): unknown {
  const sub = member(before, 'Fn::Sub');
  if (typeof sub === 'string') {
    const text = mergedText(sub, after);
    return text === undefined ? undefined : { 'Fn::Sub': text };
  }
  const [old, now] = [dataOf(before), dataOf(after)];
  return isMap(old) && isMap(now) ? JSON.stringify(mergedMap(old, now)) : undefined;
}

function dataOf(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // It may be YAML, which takes far longer to read.
  }
  const document = yaml().parseDocument(text, { logLevel: 'silent' });
  return document.errors.length > 0 ? undefined : (document.toJS() as unknown);
}

function isCall(value: object): boolean {
  return Object.keys(value).some((key) => key === 'Ref' || key.startsWith('Fn::'));
}

/** The findings of a rule mostly have the same code, and its YAML takes longer to read than all else of them. */
export const documentOf = keptByText((code): Document<YAMLMap> | undefined => {
  const document: Document = yaml().parseDocument(code, { logLevel: 'silent' });
  const { contents, errors } = document;
  return errors.length === 0 && yaml().isMap(contents) ? (document as Document<YAMLMap>) : undefined;
});

function membersOf({ contents }: Document<YAMLMap>): { readonly key: string; readonly value: Node | null }[] {
  return (contents?.items ?? []).map((pair) => {
    const { key, value } = pair as Pair<{ value: unknown }, Node | null>;
    return { key: String(key.value), value };
  });
}

/** A node with the short forms of functions written out. */
export function plainOf(node: Node | null): unknown {
  const { isMap: isYamlMap, isScalar, isSeq } = yaml();
  const value = isYamlMap(node)
    ? Object.fromEntries(
        node.items.map((pair) => [
          String((pair as Pair<{ value: unknown }>).key.value),
          plainOf(pair.value as Node | null),
        ]),
      )
    : isSeq(node)
      ? node.items.map((item) => plainOf(item as Node))
      : isScalar(node)
        ? node.value
        : null;
  const tag = /^!(\w+)$/.exec(node?.tag ?? '')?.[1];
  if (tag === undefined) return value;
  if (tag === 'Ref' || tag === 'Condition') return { [tag]: value };
  return {
    [`Fn::${tag}`]:
      tag === 'GetAtt' && typeof value === 'string'
        ? [value.slice(0, value.indexOf('.')), value.slice(value.indexOf('.') + 1)]
        : value,
  };
}
