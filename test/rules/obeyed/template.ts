import { isMap, isNode, isPair, isScalar, isSeq, parseDocument, visit, YAMLMap, type Document, type Node } from 'yaml';
import type { Finding } from '../../../lib/engine';
import { partsByLines, withLines } from '../../fixes/obeyed/by-lines';

/*
 * Fixes of templates as somebody follows them who takes every word literally: the code goes where it says, and nothing else is changed.
 */

/** A part of the code of a fix, and where it goes. */
interface Part {
  /** What stands above it, in the words of the fix. */
  readonly where: string;
  readonly content: YAMLMap;
}

export type Language = 'YAML' | 'JSON';

/**
 * The template after the fix.
 * @returns why the code can't be followed, as `{ problem }`
 */
export function obeyed(template: string, finding: Finding, language: Language): string | { readonly problem: string } {
  const { lines, rest } = partsByLines(finding.fixCode ?? '');
  if (lines.length > 0) {
    const after = lines.reduce((text, part) => withLines(text, part) ?? text, template);
    return rest === undefined ? after : obeyed(after, { ...finding, fixCode: rest }, language);
  }
  // Keys that are there twice, of which CloudFormation takes the last, are no part of the advice.
  const document = parse(template, false);
  const parts = partsOf(finding.fixCode ?? '', language);
  if (typeof parts === 'string') return { problem: parts };
  for (const part of parts) {
    const problem = apply(document, part, finding);
    if (problem !== undefined) return { problem };
  }
  return language === 'JSON' ? JSON.stringify(plain(document.contents), undefined, 2) : document.toString();
}

/** A template as JSON has it. */
export function inJson(template: string): string {
  return JSON.stringify(plain(parse(template).contents), undefined, 2);
}

function parse(text: string, uniqueKeys = true): Document.Parsed {
  return parseDocument(text, { logLevel: 'silent', intAsBigInt: false, uniqueKeys });
}

function partsOf(code: string, language: Language): readonly Part[] | string {
  const left = /<(?!\/?(?:powershell|script|persist)>)[\w -]+>|changeme|["']…/i.exec(code)?.[0];
  if (left !== undefined) return `${left} is left to the reader`;
  const header = language === 'YAML' ? /^# (?=in .*:$)/ : /^(?=In .*:$)/;
  const isRemark = (line: string): boolean => (language === 'YAML' ? line.startsWith('# ') : /^[A-Z].*\.$/.test(line));
  const blocks: { where: string; lines: string[] }[] = [{ where: '', lines: [] }];
  for (const line of code.split('\n')) {
    if (header.test(line)) blocks.push({ where: line.replace(header, ''), lines: [] });
    else if (!isRemark(line)) blocks.at(-1)?.lines.push(line);
  }
  const parts: Part[] = [];
  for (const { where, lines } of blocks.filter((block) => block.where !== '' || block.lines.length > 0)) {
    const text = lines.join('\n');
    for (const place of placesIn(where)) {
      const document = parse(language === 'YAML' ? text : `{${text}}`);
      if (document.errors.length > 0) return `it is no ${language}: ${text.slice(0, 60)}`;
      if (!isMap(document.contents) && place === '') return `it has no properties: ${text.slice(0, 60)}`;
      parts.push({
        where: place,
        content: isMap(document.contents) ? document.contents : new YAMLMap(),
      });
    }
  }
  return parts;
}

/** The places of a heading that names several resources, each as a heading of its own. */
function placesIn(where: string): readonly string[] {
  const [, start = '', names = ''] = /^(in the Properties of )(\w+(?:, \w+)*,? and \w+):$/i.exec(where) ?? [];
  return names === '' ? [where] : names.split(/,? and |, /).map((name) => `${start}${name}:`);
}

function apply(document: Document.Parsed, { where, content }: Part, finding: Finding): string | undefined {
  const resources = document.get('Resources') as YAMLMap;
  if (/^in the Parameters of \S+:$/i.test(where)) {
    for (const { key, value } of content.items) document.setIn(['Parameters', textOf(key)], value);
    return undefined;
  }
  const isOfResources =
    content.items.length > 0 && content.items.every(({ value }) => isMap(value) && value.has('Type'));
  if (isOfResources) {
    for (const { key, value } of content.items) {
      const id = textOf(key);
      if (resources.has(id)) return `the template has a ${id} already`;
      resources.set(id, value);
    }
    return undefined;
  }
  const [, parameter] = /^in parameter (\w+), \S+:$/i.exec(where) ?? [];
  if (parameter !== undefined) {
    document.setIn(['Parameters', parameter, 'Default'], content.get('Default', true));
    return undefined;
  }
  const target = targetOf(document, resources, where, finding);
  if (typeof target === 'string') return target;
  for (const name of withoutOf(where)) if (!target.delete(name)) return `there is no ${name} to go without`;
  for (const { key, value } of content.items) {
    const name = textOf(key);
    const inner = nested(document, finding, name);
    if (inner !== undefined && where === '') {
      document.setIn(inner, value);
      continue;
    }
    if (!/^[A-Z]\w*$/.test(name) && finding.resource.type !== 'Custom::AWSCDK-EKS-Cluster')
      return `${name} is no property`;
    const before = target.get(name);
    const lost = lostKeys(before, value as Node);
    if (lost.length > 0 && !KEPT_APART.test(name)) return `${name} loses ${lost.join(', ')}`;
    target.set(name, value);
  }
  return undefined;
}

/** Where the finding points at a setting within others that is called so. */
function nested(
  document: Document.Parsed,
  { resource, source }: Finding,
  name: string,
): readonly (string | number)[] | undefined {
  const keys = (source.locate().property ?? '').split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const path = ['Resources', resource.id, ...keys];
  // Inside of an item of a list, or of what it holds.
  for (let length = path.length; length > 4; length--) {
    const inner = [...path.slice(0, length), name];
    if (typeof path.find((key, index) => index > 2 && typeof key === 'number') === 'number' && document.hasIn(inner))
      return inner;
  }
  return undefined;
}

/** Settings of which a fix chooses some on purpose. */
const KEPT_APART = /^(?:Labels|LaunchTemplate|UpdateConfig|AssumeRolePolicyDocument|RemoteAccess)$/;

function lostKeys(before: unknown, after: Node): string[] {
  if (isMap(before) && isMap(after))
    return before.items.map(({ key }) => textOf(key)).filter((name) => !after.has(name) && !name.startsWith('Fn::'));
  if (!isScalar(before) || !isScalar(after)) return [];
  try {
    const [old, now] = [JSON.parse(String(before.value)), JSON.parse(String(after.value))] as [object, object];
    return Object.keys(old).filter((key) => !Object.hasOwn(now, key));
  } catch {
    return [];
  }
}

/** What a part goes into: the properties of a resource, or the data of a launch template. */
function targetOf(
  document: Document.Parsed,
  resources: YAMLMap,
  where: string,
  { resource }: Finding,
): YAMLMap | string {
  const isOfCdkCluster = resource.type === 'Custom::AWSCDK-EKS-Cluster';
  const [, place = '', of = ''] =
    /^in the (Properties|LaunchTemplateData|Config of the Properties)((?: of [^,]+?)?(?:, under another logical id(?: \(also where [^)]* name it\))?)?)(?:, without .*)?:$/i.exec(
      where,
    ) ?? [];
  if (where !== '' && place === '') return `it goes "${where}"`;
  const [, named] = /^ of (\w+)$/.exec(of) ?? [];
  if (named !== undefined && resources.has(named)) {
    const properties = propertiesOf(resources.get(named) as YAMLMap);
    return place === 'LaunchTemplateData' ? (properties.get(place) as YAMLMap) : properties;
  }
  const [, , old, renames] =
    /^ of a group that takes (its place|the place of (\w+)), under another logical id(?: \((also where) [^)]* name it\))?$/.exec(
      of,
    ) ?? [];
  const replaced = / of a group that takes /.test(of) ? true : undefined;
  const id =
    of === ' of the launch template'
      ? templateOf(resources, resource.id)
      : of === ' of the node group'
        ? userOf(resources, resource.id)
        : (old ?? resource.id);
  if (of !== '' && replaced === undefined && !/^ of the (?:launch template|node group)$/.test(of))
    return `it goes "${where}"`;
  if (id === undefined) return parse('{}').contents as YAMLMap;
  let target = resources.get(id) as YAMLMap | undefined;
  if (target === undefined) return `there is no ${id}`;
  if (replaced !== undefined) {
    resources.delete(id);
    resources.set(`${id}Anew`, target);
    const left = renamed(document, id, renames === undefined ? undefined : `${id}Anew`);
    if (left !== undefined && renames === undefined) return `${left} names ${id} still, which is gone`;
  }
  const properties = (target = propertiesOf(target));
  const isTemplate = (resources.get(id) as YAMLMap | undefined)?.get('Type') === 'AWS::EC2::LaunchTemplate';
  if (place.startsWith('Config')) return properties.get('Config') as YAMLMap;
  if (isOfCdkCluster) return properties;
  if (!/^Properties$/i.test(place) && isTemplate) {
    if (!isMap(properties.get('LaunchTemplateData'))) properties.set('LaunchTemplateData', parse('{}').contents);
    return properties.get('LaunchTemplateData') as YAMLMap;
  }
  return properties;
}

/** The first place that names a resource, and with `anew` all of them changed. */
function renamed(document: Document.Parsed, id: string, anew: string | undefined): string | undefined {
  let first: string | undefined;
  const changed = (text: string): string => {
    if (text !== id && !text.startsWith(`${id}.`) && !text.includes(`\${${id}}`) && !text.includes(`\${${id}.`))
      return text;
    first ??= text;
    return anew === undefined
      ? text
      : text.replaceAll(new RegExp(`^${id}(?=$|\\.)|(?<=\\$\\{)${id}(?=[}.])`, 'g'), anew);
  };
  visit(document, {
    Scalar: (key, node, path) => {
      const { value } = node;
      const isName =
        /^!(?:Ref|GetAtt|Sub)$/.test(node.tag ?? '') ||
        path.some((one) => isPair(one) && /^(?:DependsOn|Ref|Fn::GetAtt|Fn::Sub)$/.test(textOf(one.key)));
      if (key !== 'key' && isName && typeof value === 'string') node.value = changed(value);
    },
  });
  return first;
}

function propertiesOf(resource: YAMLMap): YAMLMap {
  if (!isMap(resource.get('Properties'))) resource.set('Properties', parse('{}').contents);
  return resource.get('Properties') as YAMLMap;
}

/** The launch template of a group, if the template has it. */
function templateOf(resources: YAMLMap, group: string): string | undefined {
  const id = (plain(resources.getIn([group, 'Properties', 'LaunchTemplate', 'Id'])) as { Ref?: string } | null)?.Ref;
  return id !== undefined && resources.has(id) ? id : undefined;
}

/** The one group that uses a launch template. */
function userOf(resources: YAMLMap, template: string): string | undefined {
  const users = resources.items.map(({ key }) => textOf(key)).filter((id) => templateOf(resources, id) === template);
  return users.length === 1 ? users[0] : undefined;
}

/** Names of what a part replaces: `…, without DiskSize and Version:`. */
function withoutOf(where: string): readonly string[] {
  return (/ without (.*):$/.exec(where)?.[1] ?? '').split(/, | and /).filter((name) => name !== '');
}

function textOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

/** A node with the short forms of functions written out. */
function plain(node: unknown): unknown {
  if (!isNode(node)) return node ?? null;
  const value = isMap(node)
    ? Object.fromEntries(node.items.map(({ key, value: item }) => [textOf(key), plain(item)]))
    : isSeq(node)
      ? node.items.map(plain)
      : isScalar(node)
        ? node.value
        : null;
  const tag = /^!(\w+)$/.exec(node.tag ?? '')?.[1];
  if (tag === undefined) return value;
  if (tag === 'Ref' || tag === 'Condition') return { [tag]: value };
  if (tag === 'GetAtt' && typeof value === 'string') {
    const dot = value.indexOf('.');
    return { 'Fn::GetAtt': [value.slice(0, dot), value.slice(dot + 1)] };
  }
  return { [`Fn::${tag}`]: value };
}
